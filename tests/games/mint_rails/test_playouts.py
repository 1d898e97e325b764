"""Random matches: invariants after every event, and lays beside an oracle that shares no code."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.games.mint_rails import GAME
from services.games.mint_rails.board import board
from services.games.mint_rails.cards import COMPANIES
from services.games.mint_rails.events import MintRailsEvent
from services.games.mint_rails.legal import can_act
from services.games.mint_rails.moves import BuyShare, LayTrack
from services.games.mint_rails.state import Options, State
from shared.chance import Chance
from shared.errors import IllegalMove
from tests.games.mint_rails.plain import BOARDS, Plain, dividends
from tests.games.mint_rails.table import moments, table

OPTIONS = [
    (seats, options)
    for seats in GAME.seats
    for options in (Options(), Options(three_colour_reading="off"))
] + [
    (1, Options(rival="easy")),
    (1, Options(rival="easy", three_colour_reading="off")),
]


def assert_sound(state: State) -> None:
    """What is true of every table after every event."""
    laid = board("standard", state.north, state.south) if state.north else None
    for track in state.track:
        assert len(set(track)) == len(track)  # one cube of a company a hex
    for site in laid.cities if laid else ():
        assert sum(site.hex in track for track in state.track) <= site.city.capacity
    if laid:
        places = {site.hex for site in laid.cities}
        on_land = [sum(1 for at in track if at not in places) for track in state.track]
        left_over = state.draft if state.phase in ("play", "ended") else (0,) * 4
        assert [*state.worth] == [a + b for a, b in zip(on_land, left_over, strict=True)]
    assert all(f >= 0 for fund in state.fund for f in fund)
    assert min(*state.asset, *state.market, *state.draft, *state.worth) >= 0
    each = 6 if len(state.fund) == 4 else 5
    assert set(GAME.conserved(state).values()) == {each}


@pytest.mark.parametrize(("seats", "options"), OPTIONS, ids=str)
def test_invariants_hold_after_every_event(seats, options):
    for seed in range(6):
        moves, state = -1, GAME.initial(options, seats)
        for after, events in moments(seed, seats, options):
            moves += 1
            for event in events:
                state = GAME.evolve(state, event)
                assert_sound(state)
                assert msgspec.json.decode(msgspec.json.encode(event), type=MintRailsEvent) == event
            assert state == after
            assert msgspec.json.decode(msgspec.json.encode(state), type=State) == state
            assert (GAME.outcome(state) is None) == bool(GAME.active_seats(state))
            if state.phase == "play":
                assert can_act(state, state.turn)
                assert bool(GAME.legal_moves(state, state.turn))
        assert moves <= GAME.max_moves(options, seats)
        assert_paid(state)


def assert_paid(state):
    """The result of a match by the plain reading of MR-8."""
    players = range(len(state.fund))
    totals = [0] * len(state.fund)
    for company, paid in enumerate(state.result.payouts):
        holders = {
            p: (state.fund[p][company], state.shares[p][company])
            for p in players
            if state.shares[p][company]
        }
        expected, lost = dividends(state.worth[company], holders)
        assert paid.discarded == lost
        for player, cubes in expected.items():
            totals[player] += cubes
    assert [*state.result.scores] == totals
    keys = [(totals[p], sum(state.fund[p])) for p in players]
    better = [sum(other > key for other in keys) for key in keys]
    assert [*state.result.places] == [1 + n for n in better]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), case=st.sampled_from(OPTIONS))
def test_any_match_is_sound_and_ends(seed, case):
    seats, options = case
    for state, _ in moments(seed, seats, options):
        assert_sound(state)
    assert_paid(state)


def positions(number):
    """Positions of random matches on all sorts of boards; some with more cubes or none."""
    rnd = random.Random(4)
    seed = 0
    while number:
        seed += 1
        for state, _ in moments(seed, 2 + seed % 3):
            if state.phase != "play":
                continue
            if rnd.random() < 0.3:
                asset = tuple(rnd.choice((0, 1, 3, 7)) for _ in COMPANIES)
                state = msgspec.structs.replace(state, asset=asset)
            yield state
            number -= 1
            if not number:
                return


def test_mr_6_3_the_listed_lays_are_those_of_a_brute_force_search_on_2000_positions():
    plains, seen = {}, set()
    for state in positions(2_000):
        cards = state.north, state.south
        plain = plains.setdefault(cards, Plain(*cards))
        listed = [
            (move.company, move.city, move.path)
            for move in GAME.legal_moves(state, state.turn)
            if isinstance(move, LayTrack) and move.icon == plain.data[move.city].icons[0]
        ]
        assert len(set(listed)) == len(listed)
        assert set(listed) == plain.lays(state)
        seen |= {len(listed)}
    assert len(plains) > 40
    assert len(seen) > 40


def test_check_accepts_exactly_what_is_listed():
    rnd = random.Random(8)
    for state in positions(60):
        listed = set(GAME.legal_moves(state, state.turn))
        plain = Plain(state.north, state.south)
        tried = [*listed, *(BuyShare(company=c) for c in COMPANIES)]
        for move in rnd.sample(sorted(listed, key=str), min(20, len(listed))):
            if isinstance(move, LayTrack):
                tried += neighbours_of(move, plain, rnd)
        for move in tried:
            assert accepted(state, move) == (move in listed), move


def neighbours_of(move, plain, rnd):
    """Lays that differ from this one a little."""
    path = list(move.path)
    for _ in range(4):
        other = list(path)
        if other and rnd.random() < 0.5:
            other.pop(rnd.randrange(len(other)))
        elif other:
            other[rnd.randrange(len(other))] = rnd.choice(plain.neighbours(rnd.choice(other)))
        else:
            other.append(rnd.choice(plain.neighbours(plain.city[move.city])))
        yield LayTrack(company=move.company, path=tuple(other), city=move.city, icon=move.icon)
    yield LayTrack(company=rnd.choice(COMPANIES), path=move.path, city=move.city, icon=move.icon)
    city = rnd.choice([*plain.city])
    yield LayTrack(company=move.company, path=move.path, city=city, icon=move.icon)
    icon = rnd.choice(COMPANIES)
    yield LayTrack(company=move.company, path=move.path, city=move.city, icon=icon)


def accepted(state, move):
    try:
        GAME.check(state, state.turn, move)
    except IllegalMove:
        return False
    return True


def test_both_reasons_of_an_end_are_reached():
    found = set()
    for seed in range(120):
        *_, (state, _) = moments(seed, 4)
        found.add(GAME.outcome(state).reason)
    assert found == GAME.outcome_reasons


def test_the_worst_of_all_boards_lists_no_more_than_a_request_can_bear():
    """With more cubes than a match can ever have."""
    rich = {"asset": (40, 40, 40, 40)}
    listed = {
        (north, south): len(GAME.legal_moves(table(north=north, south=south, **rich), 0))
        for north, south in BOARDS
    }
    worst = max(listed, key=listed.__getitem__)
    assert worst == (("N2", "N3", "N4", "N1"), ("S1", "S4", "S3", "S2"))
    assert listed[worst] == 1_164


def test_the_stored_events_are_small():
    sizes = [len(msgspec.json.encode(event)) for _, events in moments(1, 3) for event in events]
    assert sum(sizes) / len(sizes) <= 190  # the envelope adds about 60 bytes


def test_only_set_up_and_the_rival_draw():
    dice = Chance(bytes(32))
    GAME.open(GAME.initial(Options(), 2), dice)
    assert [label for label, _, _ in dice.draws] == ["north", "south", "start"]
