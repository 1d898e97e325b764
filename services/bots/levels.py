"""The levels of built-in bots: `random`, what a game itself knows to play, and `search`.

A level is one text that is stored with the match. Sub-levels of `search` name their budget:
`search-400` thinks for 400 iterations, `search-250ms` for 250 ms; `search` alone is
`search-200`. A budget in iterations plays the same anywhere; one in ms depends on the machine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from services.bots import search
from services.bots.random_bot import RANDOM
from services.bots.search import Budget
from shared.chance import Chance
from shared.errors import Unprocessable
from shared.game import AnyGame, Policy, Thought

SEARCH = "search"
ITERATIONS = range(1, 1_001)
"""One takes 1 to 6 ms, so on a machine five times slower a thought still ends within a task of a
series, where it has no other limit."""
MS = range(50, 20_001)
"""Less than this would be spent on ranking the moves alone."""
DEFAULT_ITERATIONS = 200
PRESETS = ("search-50", SEARCH, "search-800", "search-250ms", "search-2000ms")
"""Sub-levels that the catalogue names, those by iterations first, each kind the weakest first. Any
other budget in range may be asked for, too."""

HINT_MS = 5_000
"""A hint may think so long at most: bots at other matches use the same workers."""

ITERATION_MS = 5
"""In a hosted match n iterations end after so many ms each, done or not: no match waits for ever,
and where people sit, the answer's time is known before and tells nothing."""

_FORM = re.compile(r"search-([1-9][0-9]{0,5})(ms)?")
"""The one place where a level's text is taken apart is `budget_of`."""


def levels(game: AnyGame) -> tuple[str, ...]:
    """The names of the game's levels, the strongest last."""
    return ("random", *game.policies, *PRESETS)


def level_text(level: str, *, iterations: int | None = None, ms: int | None = None) -> str:
    """One text for a level and its budget.

    Raises:
        Unprocessable: a budget for a level that takes none, two of them, or one out of range.
    """
    if iterations is None and ms is None:
        return level
    if level != SEARCH or (iterations is not None and ms is not None):
        raise _bad_budget()
    number, allowed = (iterations, ITERATIONS) if ms is None else (ms, MS)
    if number not in allowed:
        raise _out_of_range()
    return f"{SEARCH}-{iterations}" if ms is None else f"{SEARCH}-{ms}ms"


def with_budget(level: str | None, budget: Mapping[str, int] | None) -> str | None:
    """The one text for what a client gives apart: `search` with `{"iterations": n}` or `{"ms": n}`.

    Raises:
        Unprocessable: as `level_text`, and for a budget that is empty.
    """
    if budget is None:
        return level
    if not budget:
        raise _bad_budget()
    return level_text(level or "", **budget)


def budget_of(level: str) -> Budget | None:
    """The budget that a level's text names, in range or not; `None` for one that takes none."""
    if level == SEARCH:
        return Budget(DEFAULT_ITERATIONS)
    form = _FORM.fullmatch(level)
    if form is None:
        return None
    return Budget(ms=int(form[1])) if form[2] else Budget(iterations=int(form[1]))


def _allowed(budget: Budget) -> Budget:
    """A budget in range. Raises `Unprocessable`."""
    in_range = budget.iterations in ITERATIONS if budget.ms is None else budget.ms in MS
    if not in_range:
        raise _out_of_range()
    return budget


def check_hint(level: str) -> None:
    """A hint is thought by a search, which alone tells its reasons, and not for long.

    Raises:
        Unprocessable: another level, or too large a budget.
    """
    budget = budget_of(level)
    if budget is None:
        raise Unprocessable(
            "match.unknown-level", f"A hint is thought by search, not by {level!r}."
        )
    if (_timed(_allowed(budget)).ms or 0) > HINT_MS:
        raise Unprocessable(
            "match.bad-budget",
            f"A hint may use {HINT_MS} ms at most, or {HINT_MS // ITERATION_MS} iterations.",
        )


def policy_for(game: AnyGame, level: str) -> Policy[Any, Any]:
    """How a bot of this level plays in a hosted match.

    Raises:
        Unprocessable: the game has no such level, or its budget is out of range.
    """
    return _policy(game, level, True)


def exact_policy_for(game: AnyGame, level: str) -> Policy[Any, Any]:
    """How a bot of this level plays where its iterations count and not its time.

    Raises:
        Unprocessable: as `policy_for`.
    """
    return _policy(game, level, False)


@lru_cache(maxsize=256)
def _policy(game: AnyGame, level: str, hosted: bool) -> Policy[Any, Any]:
    if level == "random":
        return RANDOM
    if level in game.policies:
        return game.policies[level]
    budget = budget_of(level)
    if budget is None:
        raise Unprocessable(
            "match.unknown-level",
            f"{game.name.en} has no level {level!r}; it has {', '.join(levels(game))}.",
        )
    _allowed(budget)
    return _searching(game, _timed(budget) if hosted else budget)


def _timed(budget: Budget) -> Budget:
    """The budget with an end in time."""
    if budget.iterations is None:
        return budget
    return Budget(budget.iterations, min(budget.iterations * ITERATION_MS, MS[-1]))


def _bad_budget() -> Unprocessable:
    return Unprocessable(
        "match.bad-budget", "Only the level search takes a budget: iterations or ms, one of them."
    )


def _out_of_range() -> Unprocessable:
    return Unprocessable(
        "match.bad-budget",
        f"A search may use {ITERATIONS[0]} to {ITERATIONS[-1]} iterations, "
        f"or {MS[0]} to {MS[-1]} ms.",
    )


def _searching(game: AnyGame, budget: Budget) -> Policy[Any, Any]:
    def think(view: Any, moves: Any, chance: Chance) -> Thought:
        return search.think(game, view, moves, chance, budget)

    def choose(view: Any, moves: Any, chance: Chance) -> Any:
        return think(view, moves, chance).move

    return Policy(
        choose=choose, think=think, budget_ms=budget.ms or 0, version=search_version(game)
    )


def search_version(game: AnyGame) -> int:
    """`aabbcc` in decimal digits: the search's own number, that of what this game tells it, and
    that of the level which plays on beyond the tree. Whichever is raised raises the whole.
    """
    playout = game.policies.get(game.foresight.playout, RANDOM)
    return search.VERSION * 10_000 + game.foresight.version * 100 + playout.version
