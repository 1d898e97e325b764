"""Random matches over all settings, with the invariants of the rules after every event."""

from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.bots.playout import at_random, playout
from services.games.landlords_game import GAME
from services.games.landlords_game import events as e
from services.games.landlords_game.moves import RepayBank
from services.games.landlords_game.setup import STARTING_CASH
from services.games.landlords_game.state import Options, actor, turn_limit
from services.games.landlords_game.templates import BankTerms, LoanTerms
from shared.chance import Chance
from tests.games.landlords_game.table import (
    borrow,
    fold,
    note,
    player,
    ride,
    table,
    thrown,
)

SETTINGS = st.builds(
    Options,
    variant=st.sampled_from(["tickets", "no_tickets"]),
    rounds=st.integers(1, 10),
    first_player=st.sampled_from(["throw", "seat0"]),
    rail_jump=st.sampled_from(["any", "next"]),
    player_loans=st.booleans(),
    proposals_per_turn=st.integers(0, 5),
    turn_limit=st.one_of(st.none(), st.integers(20, 60)),
)


def with_time_outs(seed: bytes, every: int):
    """Like the level `random`, but each so many moves the clock runs out."""
    random = at_random(seed)

    def choose(state, seat, moves, version):
        move = random(state, seat, moves, version)
        return None if version % every == 0 else move

    return choose


def assert_invariants(state, money):
    assert GAME.conserved(state) == {"money": money}  # LG-1.5
    assert all(player.cash >= 0 for player in state.players)
    pledged = [lot for loan in state.bank_loans + state.player_loans for lot in loan.lots]
    assert len(pledged) == len(set(pledged))  # at most one mortgage a lot
    for loan in state.bank_loans + state.player_loans:
        assert all(state.owners[lot - 1] == loan.borrower for lot in loan.lots)
    standing = Counter(p.at for p in state.players if p.place == "board")
    assert all(standing[space.index] <= 2 for space in GAME.view(state, None).board if space.lot)
    assert all(player.tally <= state.options.rounds for player in state.players)
    assert state.phase in ("setup", "game_over") or len(GAME.active_seats(state)) == 1  # LG-1.6
    if state.turn is not None:
        assert (state.phase == "loan_reply") == (actor(state) != state.turn)


@settings(max_examples=40, deadline=None)
@given(
    options=SETTINGS, seats=st.sampled_from(GAME.seats), seed=st.binary(min_size=32, max_size=32)
)
def test_the_invariants_hold_after_every_event_at_any_settings(options, seats, seed):
    money = seats * STARTING_CASH[options.variant]
    match = playout(GAME, options, seats, seed, with_time_outs(seed, every=23))
    state, phases = GAME.initial(options, seats), Counter()
    for step in match.steps:
        for event in step.events:
            state = GAME.evolve(state, event)
            assert_invariants(state, money)
        phases[state.phase] += 1
        assert state.phase not in ("setup", "moving")  # nobody is ever asked in these
        assert state.finance_moves <= 10  # LG-4.4
        assert state.proposals <= options.proposals_per_turn
    assert state == match.state
    assert len(match.moves) <= GAME.max_moves(options, seats)
    assert all(player.turns <= turn_limit(options) for player in state.players)
    assert_outcome(match, options)


def assert_outcome(match, options):
    scores, players = match.outcome.scores, match.state.players
    assert match.outcome.ranking[0] == tuple(
        seat for seat, score in enumerate(scores) if score == max(scores)
    )
    done = [player.tally == options.rounds for player in players]
    assert match.outcome.reason == ("rounds" if all(done) else "turn_limit")
    ended = match.events[-1]
    assert isinstance(ended, e.GameEnded)
    assert ended.winners == match.outcome.ranking[0]
    for row in ended.count_up:
        assert row.total == row.lots + row.cash + row.luxuries - row.paid + row.received
        assert 0 <= row.paid <= row.lots + row.cash + row.luxuries


def test_random_matches_meet_every_event_and_every_phase():
    met = set()
    for number in range(12):
        seed = bytes([number]) * 32
        options = Options(variant=("tickets", "no_tickets")[number % 2])
        match = playout(GAME, options, 2 + number % 3, seed, with_time_outs(seed, every=31))
        met |= {type(event) for event in match.events}
    assert met == set(GAME.event_types)


@pytest.mark.parametrize("kind", [BankTerms, LoanTerms])
def test_lg_17_4_a_sample_of_a_template_is_accepted_wherever_it_is_listed(kind):
    seed, tried = b"\7" * 32, 0
    random = at_random(seed)

    def choose(state, seat, moves, version):
        nonlocal tried
        for listed in moves:
            if isinstance(listed, kind):
                for n in range(3):
                    move = listed.sample(Chance(bytes([n]) * 32))
                    assert listed.holds(move)
                    GAME.check(state, seat, move)
                    tried += 1
        return random(state, seat, moves, version)

    playout(GAME, Options(), 4, seed, choose)
    assert tried > 200


def test_lg_4_1_only_the_checker_of_the_seat_whose_turn_it_is_moves():
    seed = b"\3" * 32
    match = playout(GAME, Options(), 4, seed, at_random(seed))
    turn = None
    for event in match.events:
        if isinstance(event, e.TurnStarted):
            turn = event.seat
        elif isinstance(event, e.Moved):
            assert event.seat == turn
            assert 0 <= event.to < 40


def test_preview_facts_hold_for_every_listed_move():
    seed = b"\5" * 32
    random = at_random(seed)
    keys = set()

    def assert_facts(state, seat, move):
        facts = GAME.preview(GAME.view(state, seat), move)
        keys.update(facts)
        if "cash" not in facts or state.phase in ("debt", "loan_reply"):
            return  # there a payment may follow at once
        events = GAME.decide(state, seat, move, Chance(seed))
        assert fold(state, events).players[seat].cash == state.players[seat].cash + facts["cash"]

    def choose(state, seat, moves, version):
        for listed in moves:
            is_template = isinstance(listed, BankTerms | LoanTerms)
            assert_facts(state, seat, listed.sample(Chance(seed)) if is_template else listed)
        return random(state, seat, moves, version)

    for variant in ("tickets", "no_tickets"):
        playout(GAME, Options(variant=variant), 3, seed, choose)
    assert {"cash", "rent", "owed", "to", "wages", "interest", "mortgaged", "misses_turn"} <= keys


def test_lg_10_2_the_preview_of_a_bank_loan_has_no_interest_for_who_has_finished():
    def interest(tally, move):
        loans = (note(1, 0, 1, 22),)
        state = table(player(tally=tally), player(), lots={0: [21, 22]}, bank_loans=loans)
        return GAME.preview(GAME.view(state, 0), move)["interest"]

    assert [interest(4, borrow(2, 21)), interest(5, borrow(2, 21))] == [-10, 0]
    repay = RepayBank(loan=1, notes=1)
    assert [interest(4, repay), interest(5, repay)] == [5, 0]


@pytest.mark.parametrize(("tally", "wages"), [(3, 200), (4, 100), (5, 0)])
def test_lg_5_3_the_preview_of_a_move_counts_wages_up_to_the_last_round(tally, wages):
    state = thrown(table(player(at=39, tally=tally), player()), 6, 6)
    facts = GAME.preview(GAME.view(state, 0), ride(5, 35))
    assert facts == {"to": 1, "shortened": False, "passings": 2, "wages": wages}


def test_a_spectator_has_no_preview():
    state = GAME.initial(Options(), 2)
    with pytest.raises(ValueError, match="spectator"):
        GAME.preview(GAME.view(state, None), GAME.move_types[2]())


def test_the_stored_events_are_small():
    seed = b"\1" * 32
    match = playout(GAME, Options(), 4, seed, at_random(seed))
    sizes = [len(msgspec.json.encode(event)) for event in match.events]
    assert sum(sizes) / len(sizes) <= 150  # the envelope adds about 100 bytes
