"""Law 5: what a seat cannot see makes no difference to what it is shown.

Two names that a seat does not know are exchanged in the whole log, which is folded again. The seat
must be shown the same bytes. A seat knows what its views *and* its redacted log have both named: so
a name that only one of them tells is exchanged too, and shows a leak of `view`, a leak of `redact`,
or a view that never shows what the log told.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any

import msgspec

from shared.game import Seat
from tests.laws.laws import POSITIONS, envelopes, refusal_of
from tests.laws.match import Match, Step, code, names_in, union
from tests.laws.strange import strange_moves

PAIRS = 3
"""How many pairs to exchange for a seat and position."""


@dataclass(frozen=True)
class Exchange:
    """Two names to be exchanged in the events from number `start` to before number `end`."""

    seat: Seat | None
    names: tuple[str, str]
    start: int
    end: int


def law_5_exchange(match: Match) -> int:
    """Gives the number of exchanges that were tried."""
    dice, tried = match.dice("law 5"), 0
    ends = [0]
    for step in match.steps:
        ends.append(ends[-1] + len(step.events))
    for seat in match.observers:
        told = Told.to(match, seat)
        for after, _ in match.positions("law 5", POSITIONS):
            strange = strange_moves(match, after, dice)
            for exchange in exchanges(match, told, ends[after], dice):
                assert_no_difference(match, exchange, strange)
                tried += 1
    return tried


@dataclass(frozen=True)
class Told:
    """The names that a seat was told: by its view after so many events, and by each event."""

    seat: Seat | None
    by_view: list[set[str]]
    by_log: list[set[str]]

    @staticmethod
    def to(match: Match, seat: Seat | None) -> Told:
        return Told(
            seat,
            [names_in(match.game.view(state, seat)) for state in match.prefixes],
            [names_in(envelopes(match, [entry], seat)) for entry in match.log],
        )

    def both(self, start: int, end: int) -> set[str]:
        """What both told in these events; of a view before a later deal nothing counts."""
        views = self.by_view[start + (start > 0) : end + 1]
        return set[str]().union(*views) & set[str]().union(*self.by_log[start:end])


def exchanges(match: Match, told: Told, end: int, dice: random.Random) -> Iterator[Exchange]:
    """Some pairs that the seat cannot tell apart at the end of these events."""
    for start in deals(match, end):
        known = told.both(start, end)
        used = set[str]().union(*match.named[start:end])
        pairs = [
            pair
            for group in kinds(match)
            for pair in combinations(sorted(group - known), 2)
            if not used.isdisjoint(pair)
        ]
        dice.shuffle(pairs)
        apart = (pair for pair in pairs if start == 0 or forgets(match, start, pair))
        for names in islice(apart, PAIRS):
            yield Exchange(told.seat, names, start, end)


def deals(match: Match, end: int) -> list[int]:
    """The opening, and the last later event that deals: one that names most of what there is."""
    later = [
        at
        for at in range(end)
        if at > 0 and 2 * len(match.named[at].intersection(match.words)) > len(match.words)
    ]
    return [0, *later[-1:]]


def kinds(match: Match) -> list[set[str]]:
    """Names that can stand for each other."""
    of = {draw.of for draw in match.game.draws(match.options, match.seats) if draw.of}
    return [set(names) for names in sorted(of)]


def forgets(match: Match, at: int, names: tuple[str, str]) -> bool:
    """Whether after this event it no longer matters who had these before: cards dealt anew."""
    game, state, (_, event) = match.game, match.prefixes[at], match.log[at]
    if not match.named[at].issuperset(names):
        return False
    return bool(game.evolve(swapped(state, names), event) == game.evolve(state, event))


def assert_no_difference(match: Match, exchange: Exchange, strange: list[Any]) -> None:
    game, seat, names, end = match.game, exchange.seat, exchange.names, exchange.end
    # Draws are not exchanged: nobody is shown them while the match runs, and folding has no need.
    touched = [at for at in range(exchange.start, end) if not match.named[at].isdisjoint(names)]
    log = [match.log[at] for at in touched]
    other = [(swapped_step(match, step, names), swapped_event(match, e, names)) for step, e in log]
    instead = {at: event for at, (_, event) in zip(touched, other, strict=True)}
    state, imagined = match.prefixes[end], match.prefixes[touched[0]]
    for at in range(touched[0], end):
        imagined = game.evolve(imagined, instead.get(at, match.log[at][1]))
    what = f"exchanging {names} changes seat {seat}'s"
    assert code(game.view(imagined, seat)) == code(game.view(state, seat)), f"{what} view"
    shown = code(envelopes(match, log, seat))
    assert code(envelopes(match, other, seat)) == shown, f"{what} log"
    assert game.active_seats(imagined) == game.active_seats(state), f"{what} table: who must act"
    assert (game.outcome(imagined) is None) == (game.outcome(state) is None), f"{what} outcome"
    if seat is None:
        return
    listed = code(game.legal_moves(state, seat))
    assert code(game.legal_moves(imagined, seat)) == listed, f"{what} moves"
    for move in strange:
        refusal = refusal_of(match, state, seat, move)
        assert refusal_of(match, imagined, seat, move) == refusal, f"{what} refusal of {move}"


def swapped_step(match: Match, step: Step, names: tuple[str, str]) -> Step:
    move = step.move and swapped(step.move, names, union(match.game.move_types))
    return Step(step.seat, move, step.events, step.draws)


def swapped_event(match: Match, event: Any, names: tuple[str, str]) -> Any:
    return swapped(event, names, union(match.game.event_types))


def swapped(value: Any, names: tuple[str, str], as_type: Any = None) -> Any:
    """The value with two names exchanged wherever they stand."""
    table = {names[0]: names[1], names[1]: names[0]}

    def swap(inner: Any) -> Any:
        if isinstance(inner, str):
            return table.get(inner, inner)
        if isinstance(inner, dict):
            return {swap(key): swap(held) for key, held in inner.items()}
        if isinstance(inner, list | tuple):
            return [swap(held) for held in inner]
        return inner

    return msgspec.convert(swap(msgspec.to_builtins(value)), as_type or type(value))
