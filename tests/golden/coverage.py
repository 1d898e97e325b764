"""What the golden matches of a game must show, read off the game's own types, and what one shows.

Both are sets of short sentences, so that what is missing is told in words. A new option, value,
number of seats, reason, event, move, or word in an event is wanted from the day it is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import msgspec
from msgspec.inspect import (
    BoolType,
    IntType,
    LiteralType,
    Metadata,
    NoneType,
    StructType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)

from services.matches.events import MATCH_EVENTS, Started
from services.matches.state import options_of
from services.matches.transcript import Transcript
from shared.errors import Unprocessable
from shared.game import AnyGame, Event
from tests.golden.library import HALL

ENDS = (
    "completed when running",
    "resigned when running",
    "abandoned when running",
    "expired when waiting",
    "expired when running",
    "cancelled when waiting",
    "cancelled when running",
)
LEVELS = ("random", "greedy", "search")
PIECES = 25
"""So many values are no words but the pieces of a game, such as its cards."""


def wanted(game: AnyGame) -> frozenset[str]:
    """Everything that the matches of this game must show together."""
    return frozenset(
        [
            *_wanted_options(game),
            *(f"seats: {seats}" for seats in game.seats),
            *(f"outcome: {reason}" for reason in game.outcome_reasons),
            *(f"end: {end}" for end in ENDS),
            *(f"level: {level}" for level in LEVELS),
            *(f"move: {kind.__struct_config__.tag}" for kind in game.move_types),
            *(said for kind in (*game.event_types, *MATCH_EVENTS) for said in _all_said(kind)),
        ]
    )


def shown(transcript: Transcript) -> frozenset[str]:
    """What this match shows of it. Only a completed match shows options and a number of seats."""
    game, match, result = (
        HALL[transcript.header.game].game,
        transcript.match,
        transcript.last.result,
    )
    events = [envelope.event for envelope in transcript.envelopes]
    moves = [e.move for e in transcript.envelopes if isinstance(e.move, msgspec.Raw)]
    began = any(isinstance(event, Started) for event in events)
    facts = [
        f"end: {result.reason} when {'running' if began else 'waiting'}",
        *(f"level: {(h.level or '').partition('-')[0]}" for h in match.seats if h.kind == "bot"),
        *(f"move: {msgspec.json.decode(move)['type']}" for move in moves),
        *(said for event in events for said in _said(event)),
    ]
    if result.reason == "completed" and result.outcome is not None:
        facts += [f"seats: {len(match.seats)}", f"outcome: {result.outcome.reason}"]
        options = options_of(game, match)
        for name, of in _options(game):
            facts += _option(name, of, getattr(options, name), len(match.seats))
    return frozenset(facts)


# -- options ----------------------------------------------------------------------------------


def _options(game: AnyGame) -> Iterator[tuple[str, Type]]:
    info = type_info(game.options_type)
    assert isinstance(info, StructType)
    return ((field.name, field.type) for field in info.fields)


def _wanted_options(game: AnyGame) -> Iterator[str]:
    for name, of in _options(game):
        for value in _samples(of):
            for seats in game.seats:
                try:
                    game.check_options(game.options_type(**{name: value}), seats)
                except Unprocessable:
                    continue
                yield from _option(name, of, value, seats)


def _samples(of: Type) -> Iterator[Any]:
    """Every value of a type that is a choice; both bounds of a number and one between them."""
    match of:
        case Metadata(type=inner):
            yield from _samples(inner)
        case UnionType(types=types):
            for each in types:
                yield from _samples(each)
        case LiteralType(values=values):
            yield from values
        case BoolType():
            yield from (False, True)
        case NoneType():
            yield None
        case IntType(ge=int(low), le=int(high)):
            yield from (low, (low + high) // 2, high)
        case _:
            raise TypeError(f"say here which values of {of} the golden matches must show")


def _option(name: str, of: Type, value: Any, seats: int) -> Iterator[str]:
    """A choice is shown for each number of seats; of a number its bounds, once."""
    bounds = _bounds(of)
    if bounds is None or value is None:
        yield f"option: {name}={value} with {seats} seats"
    elif value in bounds:
        yield f"option: {name}={value}"
    else:
        yield f"option: {name} between {bounds[0]} and {bounds[1]}"


def _bounds(of: Type) -> tuple[int, int] | None:
    match of:
        case IntType(ge=int(low), le=int(high)):
            return low, high
        case Metadata(type=inner):
            return _bounds(inner)
        case UnionType(types=types):
            return next(filter(None, map(_bounds, types)), None)
    return None


# -- events -----------------------------------------------------------------------------------


def _all_said(kind: type[Event]) -> Iterator[str]:
    """The event itself, and every word that a field of it can hold."""
    tag = str(kind.__struct_config__.tag)
    yield f"event: {tag}"
    for name, words in _fields(kind):
        yield from (f"event: {tag}, {name} {word}" for word in words)


def _said(event: Event) -> Iterator[str]:
    tag = str(event.__struct_config__.tag)
    yield f"event: {tag}"
    for name, words in _fields(type(event)):
        held = _held(event, name.split("."))
        yield from (f"event: {tag}, {name} {word}" for word in held if word in words)


@cache
def _fields(kind: type[Event]) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    return tuple(_words(type_info(kind), ""))


def _words(of: Type, at: str) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Fields of a type that hold words of a fixed list, by their dotted path."""
    match of:
        case Metadata(type=inner) | VarTupleType(item_type=inner):
            yield from _words(inner, at)
        case UnionType(types=types):
            for each in types:
                yield from _words(each, at)
        case LiteralType(values=values) if len(values) < PIECES:
            yield at, values
        case BoolType():
            yield at, (False, True)
        case StructType(fields=fields):
            for field in fields:
                yield from _words(field.type, f"{at}.{field.name}".lstrip("."))


def _held(value: Any, path: list[str]) -> Iterable[Any]:
    """What stands at a path, in every item of a list on the way."""
    if isinstance(value, tuple):
        return [held for item in value for held in _held(item, path)]
    if not path or value is None:
        return [value]
    return _held(getattr(value, path[0]), path[1:])
