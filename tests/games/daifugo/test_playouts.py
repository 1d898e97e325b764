"""Random matches: the laws of the contract, with what is special to this game."""

import random
from itertools import combinations

import msgspec
import pytest
from hypothesis import given as given_by_hypothesis
from hypothesis import strategies as st

from services.games.daifugo import GAME
from services.games.daifugo.cards import CARDS, DECK, cards_of, mask_of
from services.games.daifugo.events import CardsDealt, DaifugoEvent, LeadPassed
from services.games.daifugo.evolve import fold
from services.games.daifugo.moves import PASS, GiveCards
from services.games.daifugo.plays import PLAYS
from services.games.daifugo.sets import FORBIDDEN_LAST
from services.games.daifugo.state import Options, State
from shared.chance import Chance
from shared.errors import IllegalMove
from tests.games.daifugo.table import given, second_round, table

EVERY_MOVE = (
    PASS,
    *(move for _, move in PLAYS),
    *(GiveCards(cards=c) for c in combinations(CARDS[::3], 2)),
    *(GiveCards(cards=(c,)) for c in CARDS),
)


def match(seed: int, seats: int, rounds: int):
    """All states of a match of random moves, each with the events that led to it."""
    rnd = random.Random(seed)
    chance = Chance(rnd.randbytes(32))
    state = GAME.initial(Options(rounds=rounds), seats)
    events = GAME.open(state, chance)
    while True:
        state = fold(state, events)
        yield state, events
        active = sorted(GAME.active_seats(state))
        if not active:
            return
        seat = rnd.choice(active)
        events = GAME.decide(state, seat, rnd.choice(GAME.legal_moves(state, seat)), chance)


def accepted(state: State, seat: int, move) -> bool:
    try:
        GAME.check(state, seat, move)
    except IllegalMove:
        return False
    return True


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_match_conserves_cards_and_ends_in_time(seats):
    for seed in range(6):
        rounds = 1 + seed % 4
        moves = -1
        for state, events in match(seed, seats, rounds):
            moves += 1
            assert GAME.conserved(state) == {"cards": 53}
            assert (GAME.outcome(state) is None) == bool(GAME.active_seats(state))
            for event in events:
                assert msgspec.json.decode(msgspec.json.encode(event), type=DaifugoEvent) == event
            assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
        assert moves <= GAME.max_moves(Options(rounds=rounds), seats)
        assert GAME.outcome(state).scores == state.totals
        assert sum(state.totals) == rounds * seats * (seats - 1) // 2


@pytest.mark.parametrize("seats", GAME.seats)
def test_exactly_the_asked_seats_are_active(seats):
    for state, _ in match(11, seats, 3):
        for seat in range(seats):
            asked = GAME.view(state, seat).asked
            assert (asked is not None) == (seat in GAME.active_seats(state))
            assert bool(GAME.legal_moves(state, seat)) == (seat in GAME.active_seats(state))
        if state.phase == "play":
            assert len(GAME.active_seats(state)) == 1
            assert all(state.hands[seat] for seat in GAME.active_seats(state))


@pytest.mark.parametrize("seats", [4, 5, 8])
def test_law_2_exactly_the_listed_moves_are_accepted(seats):
    rnd = random.Random(seats)
    for state, _ in match(seats, seats, 3):
        if state.phase == "play" and rnd.random() < 0.8:
            continue
        for seat in range(seats):
            listed = GAME.legal_moves(state, seat)
            assert len(set(listed)) == len(listed)
            for move in (*EVERY_MOVE, *listed):
                assert accepted(state, seat, move) == (move in set(listed))


@pytest.mark.parametrize("seats", GAME.seats)
def test_law_4_a_resampled_table_looks_the_same(seats):
    chance = Chance(bytes(32))
    rnd = random.Random(seats)
    for state, _ in match(20 + seats, seats, 3):
        for seat in (*range(seats), None):
            if state.phase == "play" and rnd.random() < 0.7:
                continue
            view = GAME.view(state, seat)
            guess = GAME.resample(view, chance)
            assert GAME.view(guess, seat) == view
            assert GAME.conserved(guess) == {"cards": 53}
            if seat is not None:
                assert GAME.legal_moves(guess, seat) == GAME.legal_moves(state, seat)
        chance.draws.clear()


@pytest.mark.parametrize("gifts_made", [False, True])
def test_a_resampled_exchange_is_one_that_the_rules_can_make(gifts_made):
    state = second_round({4: "J1 2S 2C AC", 3: "AD"})
    state = given(state) if gifts_made else state
    chance = Chance(bytes(32))
    for seat in range(5):
        for _ in range(20):
            guess = GAME.resample(GAME.view(state, seat), chance)
            for exchange in guess.exchanges:
                kept = guess.hands[exchange.poor] & ~mask_of(exchange.given or ())
                assert kept < min(map(mask_of, zip(exchange.taken, strict=True)))
                where = guess.hands[exchange.rich] | mask_of(exchange.given or ())
                assert not mask_of(exchange.taken) & ~where


def test_a_resampled_stuck_leader_holds_a_forbidden_card():
    state = table("9C 9D", "8C", "J1", "7C TC", field="KD", by=1, turn=0, passes=2)
    state = fold(state, GAME.decide(state, 0, PASS, Chance(bytes(32))))
    chance = Chance(bytes(32))
    for _ in range(50):
        guess = GAME.resample(GAME.view(state, 3), chance)
        assert guess.hands[1] & FORBIDDEN_LAST[False]
        assert guess.hands[2] & FORBIDDEN_LAST[False]


def test_hidden_cards_move_between_resampled_tables():
    state = given(second_round({}))
    view = GAME.view(state, 2)
    chance = Chance(bytes(32))
    guesses = {GAME.resample(view, chance).hands for _ in range(20)}
    assert len(guesses) == 20
    assert all(cards_of(hands[2]) == view.hands[2] for hands in guesses)


def swapped(event, one: str, other: str):
    """The same event with two cards exchanged wherever they are named."""
    text = msgspec.json.encode(event).decode()
    for old, new in ((one, "??"), (other, one), ("??", other)):
        text = text.replace(f'"{old}"', f'"{new}"')
    return msgspec.json.decode(text, type=DaifugoEvent)


@pytest.mark.parametrize("seats", [4, 5, 8])
def test_law_5_cards_that_a_seat_never_saw_can_be_exchanged(seats):
    rnd = random.Random(seats)
    log: list[DaifugoEvent] = []
    tried = 0
    for state, events in match(40 + seats, seats, 3):
        log += events
        if rnd.random() < 0.9:
            continue
        for seat in (*range(seats), None):
            start = max(at for at, event in enumerate(log) if isinstance(event, CardsDealt))
            seen = [GAME.redact(event, seat) for event in log]
            named = msgspec.json.encode(seen[start:]).decode()
            hidden = [card for card in DECK if f'"{card}"' not in named]
            if len(hidden) < 2:
                continue
            one, other = rnd.sample(hidden, 2)
            changed = log[:start] + [swapped(event, one, other) for event in log[start:]]
            refolded = fold(GAME.initial(state.options, seats), changed)
            assert [GAME.redact(event, seat) for event in changed] == seen
            assert GAME.view(refolded, seat) == GAME.view(state, seat)
            tried += 1
    assert tried > 50


def plainly_legal(hand, field, revolution):
    """DF-6 and DF-10.2 read word for word: which groups of cards may follow this field."""
    ranks = "3456789TJQKA2"
    order = ranks[::-1] if revolution else ranks
    sizes = [len(field)] if field else [1, 2, 3, 4]
    naturals = {c[0] for c in field if c != "J1"}
    for cards in (c for size in sizes for c in combinations(hand, size)):
        kinds = {c[0] for c in cards if c != "J1"}
        if len(kinds) > 1:
            continue
        strength = order.index(min(kinds)) if kinds else 13
        if field and strength <= (order.index(min(naturals)) if naturals else 13):
            continue
        special = "J1" in cards or kinds & {"8", order[-1]}
        if len(cards) == len(hand) and special:
            continue
        yield frozenset(cards)


@given_by_hypothesis(
    hand=st.sets(st.sampled_from(DECK), min_size=1, max_size=9),
    field=st.sampled_from(
        ["", "3C", "7D", "QH", "2S", "4C 4D", "9C 9S", "AC AD AH", "6C 6D 6H 6S"]
    ),
    revolution=st.booleans(),
)
def test_df_6_and_10_the_listed_plays_are_those_of_a_plain_reading(hand, field, revolution):
    hand -= set(field.split())
    hand = hand or {"5H"}
    state = table(" ".join(hand), "KC", "QC", "JC", field=field, revolution=revolution)
    listed = [frozenset(m.cards) for m in GAME.legal_moves(state, 0) if m != PASS]
    assert len(set(listed)) == len(listed)
    assert set(listed) == set(plainly_legal(sorted(hand), field.split(), revolution))


def test_df_19_2_only_a_deal_draws():
    chance = Chance(bytes(32))
    state = fold(GAME.initial(Options(rounds=2), 4), ())
    state = fold(state, GAME.open(state, chance))
    while active := sorted(GAME.active_seats(state)):
        state = fold(state, GAME.time_out(state, active[0], chance))
    assert [label for label, _, _ in chance.draws] == ["dealer", "deal/1", "deal/2"]


def test_df_14_6_the_bound_of_moves():
    assert GAME.max_moves(Options(), 5) == 5 * (53 * 5 + 2)


def test_random_matches_reach_lead_passes():
    found = [
        event
        for seed in range(12)
        for _, events in match(seed, 4, 5)
        for event in events
        if isinstance(event, LeadPassed)
    ]
    assert found


def test_the_stored_events_are_small():
    sizes = [len(msgspec.json.encode(event)) for _, events in match(1, 5, 5) for event in events]
    assert sum(sizes) / len(sizes) <= 150  # the envelope adds about 100 bytes
