"""Tables for tests, written as people write them: `lay("black", "0,2", "Highmoor", "pink")`."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from services.games.mint_rails import GAME
from services.games.mint_rails.board import board
from services.games.mint_rails.cards import COMPANIES, STANDARD
from services.games.mint_rails.events import MintRailsEvent
from services.games.mint_rails.evolve import fold
from services.games.mint_rails.moves import BuyShare, DraftShare, LayTrack, MintRailsMove
from services.games.mint_rails.state import Options, State
from shared.chance import Chance
from shared.errors import IllegalMove

NORTH = ("N1", "N2", "N3", "N4")
SOUTH = ("S1", "S2", "S3", "S4")
CITY = {city.name: city for city in STANDARD.cities}


def path(text: str) -> tuple[tuple[int, int], ...]:
    """`"0,2 -1,3"` as hexes."""
    hexes = [tuple(map(int, word.split(","))) for word in text.split()]
    return tuple((q, r) for q, r in hexes)


def lay(company: Any, way: str, city: str, icon: Any = None) -> LayTrack:
    """A lay into a city given by its name."""
    return LayTrack(company=company, path=path(way), city=CITY[city].id, icon=icon)


def buy(company: Any) -> BuyShare:
    return BuyShare(company=company)


def pick(company: Any) -> DraftShare:
    return DraftShare(company=company)


def counts(text: str) -> tuple[int, ...]:
    """`"black 2 pink"` is 2 0 1 0: one number a company, 1 where none is written."""
    found, last = dict.fromkeys(COMPANIES, 0), COMPANIES[0]
    for word in text.split():
        if word.isdigit():
            found[last] = int(word)
        else:
            last = next(company for company in COMPANIES if company == word)
            found[last] = 1
    return tuple(found.values())


def chance(script: Mapping[str, Any] | None = None) -> Chance:
    return Chance(bytes(32), script=script)


def table(
    seats: int = 2,
    *,
    turn: int = 0,
    fund: Sequence[str] = (),
    shares: Sequence[str] = (),
    track: Mapping[str, str] | None = None,
    options: Options | None = None,
    **more: Any,
) -> State:
    """The board of MR-9.1 in play: four cubes each, nothing laid, nobody holds a share.

    `fund` and `shares` by player as `counts`; `track` by company as `path`.
    """
    empty = GAME.initial(options or Options(), seats)
    players = len(empty.fund)
    return State(
        **{
            "options": empty.options,
            "seats": seats,
            "draft": (0,) * 4,
            "fund": tuple(counts(text) for text in (*fund, *[""] * (players - len(fund)))),
            "shares": tuple(counts(text) for text in (*shares, *[""] * (players - len(shares)))),
            "track": tuple(path((track or {}).get(company, "")) for company in COMPANIES),
            "north": NORTH,
            "south": SOUTH,
            "phase": "play",
            "start": 0,
            "turn": turn,
            **more,
        }
    )


def full() -> dict[str, str]:
    """Track that takes every place in every city, so that no lay is possible."""
    track: dict[str, list[str]] = {company: [] for company in COMPANIES}
    for site in board("standard", NORTH, SOUTH).cities:
        for company in COMPANIES[: site.city.capacity]:
            track[company].append(f"{site.hex[0]},{site.hex[1]}")
    return {company: " ".join(hexes) for company, hexes in track.items()}


def opened(seats: int, start: int = 0, options: Options | None = None, **draws: Any) -> State:
    """A match right after its opening, on the board of MR-9.1 unless `draws` say otherwise."""
    script = {"north": NORTH, "south": SOUTH, "start": start, **draws}
    state = GAME.initial(options or Options(), seats)
    return fold(state, GAME.open(state, chance(script)))


def decide(
    state: State, seat: int, move: MintRailsMove, script: Mapping[str, Any] | None = None
) -> Sequence[MintRailsEvent]:
    return GAME.decide(state, seat, move, chance(script))


def after(state: State, *steps: tuple[int, MintRailsMove]) -> State:
    """The state after these moves."""
    for seat, move in steps:
        state = fold(state, decide(state, seat, move))
    return state


def drafted(state: State, *companies: str) -> State:
    """The state after these picks, each by whoever is asked."""
    for company in companies:
        state = after(state, (state.turn or 0, pick(company)))
    return state


def laid(state: State, *lays: LayTrack) -> State:
    """The state after these lays, each by whoever is asked."""
    for move in lays:
        state = after(state, (state.turn or 0, move))
    return state


def names(events: Sequence[MintRailsEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


def lays_of(state: State, company: str, city: str | None = None) -> list[str]:
    """The distinct lays of a company, each as its path (of one city) or as city and path."""
    listed = [
        (move.city, " ".join(f"{q},{r}" for q, r in move.path))
        for move in GAME.legal_moves(state, state.turn or 0)
        if isinstance(move, LayTrack) and move.company == company
    ]
    name = {place.id: place.name for place in CITY.values()}
    if city is None:
        return [f"{name[at]} {way}".strip() for at, way in dict.fromkeys(listed)]
    return [way for at, way in dict.fromkeys(listed) if name[at] == city]


def bought(state: State) -> list[str]:
    """The companies of which a share can be bought."""
    moves = GAME.legal_moves(state, state.turn or 0)
    return [move.company for move in moves if isinstance(move, BuyShare)]


def moments(
    seed: int, seats: int, options: Options | None = None
) -> Iterator[tuple[State, Sequence[MintRailsEvent]]]:
    """All states of a match of random moves, each with the events that led to it."""
    rnd = random.Random(seed)
    dice = Chance(rnd.randbytes(32))
    state = GAME.initial(options or Options(), seats)
    events = GAME.open(state, dice)
    while True:
        state = fold(state, events)
        yield state, events
        if GAME.outcome(state) is not None:
            return
        seat = min(GAME.active_seats(state))
        events = GAME.decide(state, seat, rnd.choice(GAME.legal_moves(state, seat)), dice)


@contextmanager
def refused(state: State, code: str, rule: str) -> Iterator[None]:
    """What is done inside must be refused with this code and rule, and change nothing."""
    before = GAME.state_type(**{f: getattr(state, f) for f in state.__struct_fields__})
    with pytest.raises(IllegalMove) as refusal:
        yield
    assert refusal.value.code == f"mint-rails.{code}"
    assert refusal.value.rule == rule
    assert refusal.value.code in GAME.texts
    assert state == before
