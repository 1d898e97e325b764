"""Well-typed moves of all sorts, most of them illegal: near misses, and values out of the blue."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import inspect

from shared.game import AnyGame, Move
from tests.laws.match import Match, names_in, sample, union

NEAR, FAR = 12, 4
"""How many of each sort to try; some come out untyped and are left away."""


def strange_moves(match: Match, after: int, dice: random.Random) -> list[Move]:
    """Moves to try after so many steps: whatever was listed for anyone, now or nearby, and more."""
    listed = list(listed_near(match, after, dice))
    words = sorted({*match.words, *names_in(listed)}) or ["x"]
    bases = [*(m for m in listed if isinstance(m, Move)), *own_moves(match, after)]
    moves = dice.sample(bases, min(NEAR, len(bases)))
    moves += [near for base in moves for near in near_misses(match.game, base, words, dice)]
    for move_type in match.game.move_types:
        info = inspect.type_info(move_type)
        moves += [any_value(info, words, dice) for _ in range(FAR)]
    return moves


def listed_near(match: Match, after: int, dice: random.Random) -> Iterator[Any]:
    game = match.game
    for at in {after, dice.randrange(1, len(match.states)), max(1, after - 1)}:
        for seat in range(match.seats):
            for listed in game.legal_moves(match.states[at], seat):
                yield listed
                if not isinstance(listed, Move):
                    yield sample(listed, dice)


def own_moves(match: Match, after: int) -> list[Move]:
    return [s.move for s in match.steps[max(0, after - 2) : after + 2] if s.move is not None]


def near_misses(
    game: AnyGame, base: Move, words: Sequence[str], dice: random.Random
) -> Iterable[Move]:
    """The move with one thing about it changed."""
    changed = copy.deepcopy(msgspec.to_builtins(base))
    places = [(changed, key) for key in changed if key != "type"]
    for holder, key in places:
        inner = holder[key]
        if isinstance(inner, dict):
            places += [(inner, k) for k in inner]
        if isinstance(inner, list | tuple):
            holder[key] = list(inner)
            places += [(holder[key], n) for n in range(len(inner))]
    if not places:
        return
    holder, key = dice.choice(places)
    holder[key] = altered(holder[key], words, dice)
    try:
        yield msgspec.convert(changed, union(game.move_types))
    except msgspec.ValidationError:
        return


def altered(value: Any, words: Sequence[str], dice: random.Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return dice.choice([value - 1, value + 1, -value, 0, 10**6])
    if isinstance(value, str):
        return dice.choice(words)
    if not isinstance(value, list):
        return value
    extra = dice.choice(value) if value else dice.choice(words)
    return dice.choice([value[:-1], value[::-1], [*value, extra], [*value, dice.choice(words)], []])


def any_value(info: inspect.Type, words: Sequence[str], dice: random.Random) -> Any:
    """Some value of this type, within its declared bounds."""
    match info:
        case inspect.StructType(cls=cls, fields=fields):
            return cls(**{f.name: any_value(f.type, words, dice) for f in fields})
        case inspect.IntType(ge=ge, gt=gt, le=le, lt=lt):
            low = ge if ge is not None else gt + 1 if gt is not None else -3
            high = le if le is not None else lt - 1 if lt is not None else low + 40
            return dice.randint(low, max(low, high))
        case inspect.StrType():
            return dice.choice(words)
        case inspect.BoolType():
            return dice.random() < 0.5
        case inspect.NoneType():
            return None
        case inspect.LiteralType(values=values):
            return dice.choice(values)
        case inspect.UnionType(types=types):
            return any_value(dice.choice(types), words, dice)
        case inspect.TupleType(item_types=items):
            return tuple(any_value(item, words, dice) for item in items)
        case inspect.VarTupleType(item_type=item, min_length=least, max_length=most):
            low = least or 0
            length = dice.randint(low, most if most is not None else low + 3)
            return tuple(any_value(item, words, dice) for _ in range(length))
        case inspect.Metadata(type=inner):
            return any_value(inner, words, dice)
    raise TypeError(f"a move may not hold a {info}")
