"""The contract of a game: a frozen record of plain functions over immutable values.

`decide` holds every rule and `evolve` none, so that a corrected rule never changes a stored match.
`tests/laws` proves the laws of this contract for every registered game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from shared.chance import Chance, Draw

Seat = int
"""A place at a match: 0..n-1, never renumbered."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of a game's settings. A default, once released, never changes (it is not stored)."""


class Move(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of what a seat may ask for. Subclasses write their `tag` out."""


class Event(msgspec.Struct, frozen=True, tag_field="type"):
    """Base of a decided fact. `v` is the schema of the type; a new `v` needs an upcaster."""

    v: ClassVar[int] = 1


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended.

    `ranking` holds groups of seats, best first; seats of one group share their place. An empty
    group is a place taken by a player without a seat: a game's own opponent of a lone player.
    `scores` has one number a seat. `reason` is one of the game's `outcome_reasons`.
    """

    ranking: tuple[tuple[Seat, ...], ...]
    scores: tuple[int, ...]
    reason: str


class Text(msgspec.Struct, frozen=True):
    """A title for people, in each language that we ship."""

    en: str
    ja: str


O = TypeVar("O", bound=Options)  # noqa: E741 - the contract's letters: options, state, view, move, event
S = TypeVar("S", bound=msgspec.Struct)
V = TypeVar("V", bound=msgspec.Struct)
M = TypeVar("M", bound=Move)
E = TypeVar("E", bound=Event)
M_co = TypeVar("M_co", bound=Move, covariant=True)


class Template(Protocol[M_co]):
    """An open-ended move with ranges, such as the terms of a loan or a bid.

    An implementation is a frozen Struct with its own `tag`, so that a client can read the ranges.
    """

    def holds(self, move: Any) -> bool:
        """Whether this move lies within the ranges."""
        ...

    def sample(self, chance: Chance) -> M_co:
        """Some move within the ranges."""
        ...


class Considered(msgspec.Struct, frozen=True):
    """A move that a bot looked at: how often, and what it promises.

    `value` is the mean reward of the bot's seat: 1000 for the first place, 0 for the last.
    """

    move: Move
    visits: int
    value: int


class Thought(msgspec.Struct, frozen=True):
    """A choice with its reasons: the moves that were looked at most, the chosen one first."""

    move: Move
    iterations: int
    leading: tuple[Considered, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy(Generic[V, M]):
    """A way to play from a view alone.

    `choose(view, moves, chance)` returns a legal move; `moves` is what `legal_moves` lists.
    `think` does the same and tells its reasons, where a policy has any.
    `budget_ms` is the thinking time that it is meant to use, in milliseconds; a policy with a
    budget is run apart from folding. `version` (below 100) is raised whenever it would choose
    otherwise.
    """

    choose: Callable[[V, Sequence[M | Template[M]], Chance], M]
    think: Callable[[V, Sequence[M | Template[M]], Chance], Thought] | None = None
    budget_ms: int = 0
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Foresight(Generic[S, V, M]):
    """What a searching bot is told of a game beside its rules. All of it is measured, not believed.

    Attributes:
        playout: the level that plays on beyond the tree.
        quick: the same from the state itself, where the level's policy needs no view to be made.
        moves: a playout ends after so many moves; 0 for no such bound.
        stage: a playout ends, too, when this is another number than before it.
        worth: how each seat stands where a playout ended early, 0 (worst) to 1000 (best).
        reward: what an outcome is worth to each seat, 0 to 1000; without it, its places count.
        rank: the moves worth a look, best first, templates made concrete; without it the choice
            of `greedy` comes first and the others in any order.
        exploration: how much a move within the tree gains by having been looked at little, in
            thousandths of a reward.
        caution: the first move by rank is kept unless another is better by so many thousandths
            of the standard error of their difference.
        version: below 100; raised with a change of these by which a search would choose otherwise.
    """

    playout: str = "random"
    quick: Callable[[S, Seat, Sequence[M | Template[M]], Chance], M] | None = None
    moves: int = 0
    stage: Callable[[S], int] | None = None
    worth: Callable[[S], tuple[int, ...]] | None = None
    reward: Callable[[Outcome], tuple[int, ...]] | None = None
    rank: Callable[[V, Sequence[M | Template[M]], Chance], Sequence[M]] | None = None
    exploration: int = 600
    caution: int = 500
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Game(Generic[O, S, V, M, E]):
    """One game. Every function is pure; only those given a `Chance` may draw."""

    slug: str
    name: Text
    rules: int
    """Number of the rules as coded: raised whenever `decide` would decide otherwise."""

    seats: range
    options_type: type[O]
    state_type: type[S]
    view_type: type[V]
    move_types: tuple[type[M], ...]
    event_types: tuple[type[E], ...]
    template_types: tuple[type[Any], ...] = ()
    outcome_reasons: frozenset[str]
    texts: Mapping[str, Text]
    """Titles by refusal code, by move and event tag, and by whatever names a view uses."""

    max_moves: Callable[[O, int], int]
    """Upper bound of moves in a match of these options and this number of seats."""

    draws: Callable[[O, int], tuple[Draw, ...]]
    """Every form of draw that such a match can make; what a custom match's `chance` may name."""

    check_options: Callable[[O, int], None]
    """Raises `Unprocessable` where options and number of seats do not go together."""

    initial: Callable[[O, int], S]
    """The empty table; no chance."""

    open: Callable[[S, Chance], Sequence[E]]
    """Deal, shuffle, first seat."""

    active_seats: Callable[[S], frozenset[Seat]]
    """Who must act. Between commands it is empty exactly when there is an outcome."""

    legal_moves: Callable[[S, Seat], tuple[M | Template[M], ...]]
    """Complete, finite, in a stable order; `()` for a seat that is not active."""

    check: Callable[[S, Seat, M], None]
    """The rules of legality: raises `IllegalMove`. It needs no chance, so a dry run can call it."""

    decide: Callable[[S, Seat, M, Chance], Sequence[E]]
    """`check`, then all that follows from the move, as events."""

    time_out: Callable[[S, Seat, Chance], Sequence[E]]
    """What the clock does to a seat that is active."""

    evolve: Callable[[S, E], S]
    """Folds one event: no rules, no chance, cannot refuse."""

    view: Callable[[S, Seat | None], V]
    """What one seat may know of the state; `None` is a spectator."""

    redact: Callable[[E, Seat | None], E | None]
    """An event as a seat may see it; `None` where it may not see it at all."""

    resample: Callable[[V, Chance], S]
    """A full state that the view's seat cannot tell from the true one."""

    preview: Callable[[V, M], dict[str, Any]]
    """What a legal move surely costs and brings, as JSON; for people's clients."""

    outcome: Callable[[S], Outcome | None]
    """`None` while the match runs."""

    conserved: Callable[[S], dict[str, int]]
    """Sums that never change: cards, money."""

    policies: Mapping[str, Policy[V, M]]
    """Named ways to play; `greedy` at least."""

    foresight: Foresight[S, V, M] = field(default_factory=Foresight)
    """How a search looks ahead in this game."""

    upcasters: Mapping[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = field(
        default_factory=dict
    )
    """(event tag, old v) -> function that gives the event's JSON object of v + 1."""


AnyGame = Game[Any, Any, Any, Any, Any]
"""A game whose types the caller does not need to know."""


def is_listed(moves: Sequence[Any], move: Move) -> bool:
    """Whether a move equals one of these, or is held by one of their templates."""
    return any(m == move if isinstance(m, Move) else m.holds(move) for m in moves)
