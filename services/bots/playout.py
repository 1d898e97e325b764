"""Plays a whole game in one process, from the contract alone: no store, no clock, no network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple

from shared.chance import Chance, bot_chance, next_below, numbers
from shared.game import AnyGame, E, Event, Game, M, Move, O, Outcome, Policy, S, Seat, Template, V

Choose = Callable[[S, Seat, Sequence[M | Template[M]], int], M | None]
"""`choose(state, seat, moves, version)` gives one of `moves`, or `None` to let the clock decide.

`version` is the number of events so far.
"""


class Endless(Exception):
    """A playout went on beyond the game's own bound of moves: a bug of the game."""


class Step(NamedTuple):
    """One command and what came of it.

    `seat` is `None` for the opening; `move` is `None` for the opening and for a time-out.
    `draws` has label, n and result of each draw.
    """

    seat: Seat | None
    move: Move | None
    events: tuple[Event, ...]
    draws: tuple[tuple[str, int, Any], ...]


@dataclass(frozen=True, slots=True)
class Playout(Generic[S]):
    """A match from the opening to its outcome."""

    steps: tuple[Step, ...]
    state: S
    outcome: Outcome

    @property
    def events(self) -> tuple[Event, ...]:
        """All events in order: the match's log."""
        return tuple(event for step in self.steps for event in step.events)

    @property
    def moves(self) -> tuple[tuple[Seat, Move | None], ...]:
        """Who moved what; `None` for a time-out."""
        return tuple((step.seat, step.move) for step in self.steps if step.seat is not None)


def playout(
    game: Game[O, S, V, M, E],
    options: O,
    seats: int,
    chance_seed: bytes,
    choose: Choose[S, M],
) -> Playout[S]:
    """One match to its end. Of several seats that must act, the lowest acts first.

    Raises `Endless` beyond `max_moves`, and whatever the game refuses.
    """
    state = game.initial(options, seats)
    chance = Chance(chance_seed)
    events: Sequence[E] = game.open(state, chance)
    steps = [Step(None, None, tuple(events), tuple(chance.draws))]
    version = len(events)
    state = fold(game, state, events)
    bound = game.max_moves(options, seats)
    while (outcome := game.outcome(state)) is None:
        if len(steps) > bound:
            raise Endless(f"{game.slug} has no outcome after {bound} moves")
        seat = min(game.active_seats(state))
        move = choose(state, seat, game.legal_moves(state, seat), version)
        chance = Chance(chance_seed)
        if move is None:
            events = game.time_out(state, seat, chance)
        else:
            events = game.decide(state, seat, move, chance)
        steps.append(Step(seat, move, tuple(events), tuple(chance.draws)))
        version += len(events)
        state = fold(game, state, events)
    return Playout(tuple(steps), state, outcome)


def fold(game: Game[O, S, V, M, E], state: S, events: Sequence[E]) -> S:
    """The state after these events."""
    for event in events:
        state = game.evolve(state, event)
    return state


def at_random(seed: bytes) -> Choose[Any, Any]:
    """Plays like the level `random`, but makes no views: for many fast playouts."""
    row = numbers(seed, "playout|")

    def choose(state: Any, seat: Seat, moves: Sequence[Any], version: int) -> Any:
        listed = moves[next_below(row, len(moves))]
        if isinstance(listed, Move):
            return listed
        return listed.sample(bot_chance(seed, seat, version))

    return choose


def from_views(
    game: AnyGame, policies: Sequence[Policy[Any, Any]], seed: bytes
) -> Choose[Any, Any]:
    """Each seat plays by its policy, which is given the seat's view and nothing else."""

    def choose(state: Any, seat: Seat, moves: Sequence[Any], version: int) -> Any:
        chance = bot_chance(seed, seat, version)
        return policies[seat].choose(game.view(state, seat), moves, chance)

    return choose
