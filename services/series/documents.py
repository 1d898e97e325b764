"""What queries about series answer. Floats appear here and nowhere else: the sums are whole."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from services.matches.documents import Instant
from services.series.spec import Keep, Rotation

Count = Annotated[int, msgspec.Meta(ge=0)]
Status = Literal["running", "paused", "cancelled", "done"]
"""`done` once every match is; `cancelled` keeps the results so far. Both are for good."""


class EstimateDoc(msgspec.Struct, frozen=True, kw_only=True):
    """A value with its 95 % interval, whose ends are `null` where there is too little data."""

    value: float
    low: float | None
    high: float | None


class ThinkingDoc(msgspec.Struct, frozen=True, kw_only=True):
    """Thinking time of a move in ms: the upper bound of the class that the quantile is in."""

    p50: float
    p99: float


class TallyDoc(msgspec.Struct, frozen=True, kw_only=True):
    """How one bot, or one seat, or one bot at one seat did.

    `matches` counts seats: a bot at three seats of a match has played three. Wins, ranks and
    scores are of the `ranked` ones, whose match had an outcome.
    """

    matches: Count
    ranked: Count
    wins: Count
    """Alone in the first place."""
    shared_wins: Count
    """In the first place with others."""
    win_rate: EstimateDoc | None
    """Of `wins`, with Wilson's interval for as many independent matches as these are worth (the
    deal is the unit); `null` while nothing is ranked, as the next two."""
    mean_rank: float | None
    """1 is the best; who share a place have the mean of the places they share."""
    mean_score: EstimateDoc | None
    """The interval is Student's over deals, as the matches of one deal depend on each other."""
    moves: Count
    faults: Count
    """Moves at which the bot failed and the clock's default was played."""
    thinking_ms: ThinkingDoc | None


class SeatTallyDoc(TallyDoc, frozen=True, kw_only=True):
    """A seat's tally."""

    seat: Count


class BotTallyDoc(TallyDoc, frozen=True, kw_only=True):
    """A bot's tally, and at each seat where it sat."""

    level: str
    seats: tuple[SeatTallyDoc, ...]


class BucketDoc(msgspec.Struct, frozen=True, kw_only=True):
    """Matches whose number of moves lies from `low` to `high`."""

    low: Count
    high: Count
    matches: Count


class LengthsDoc(msgspec.Struct, frozen=True, kw_only=True):
    """How many moves the matches had."""

    min: Count
    max: Count
    mean: float
    buckets: tuple[BucketDoc, ...]


class ResultsDoc(msgspec.Struct, frozen=True, kw_only=True):
    """Results so far. `digest` is of every match's number and events: equal for equal matches,
    in whatever order they were played."""

    digest: str
    bots: tuple[BotTallyDoc, ...]
    seats: tuple[SeatTallyDoc, ...]
    lengths: LengthsDoc | None
    reasons: dict[str, Count]
    """`completed:<the game's reason>`, or why else a match ended."""
    errors: dict[str, Count]
    """What failed matches failed with: the type of the error, or `process-died`."""
    faults: dict[str, Count]
    """Moves at which a bot failed, by what it did: `raised`, `illegal` or `stalled`."""


class ProgressDoc(msgspec.Struct, frozen=True, kw_only=True):
    """How far it is. Rates are over the time that it ran; `null` before anything was played."""

    queued: Count
    running: Count
    """One for each part of the series that a worker plays just now."""
    done: Count
    failed: Count
    """Matches that a defect broke off; they count in no result."""
    moves: Count
    matches_per_s: float | None
    moves_per_s: float | None
    left_s: float | None
    """Estimate of the time that is left; `null` where nothing goes on."""


class BudgetDoc(msgspec.Struct, frozen=True, kw_only=True):
    """What a search may use for a move: one of both."""

    iterations: int | None = None
    ms: int | None = None


class BotDoc(msgspec.Struct, frozen=True, kw_only=True):
    """A bot of the line-up. `version` is raised whenever it would choose otherwise."""

    level: str
    version: int
    budget: BudgetDoc | None


class MadeByDoc(msgspec.Struct, frozen=True, kw_only=True):
    """What the results follow from, so that they can be cited.

    `builds` are all that played; more than one where the server was renewed meanwhile.
    """

    build: str
    builds: tuple[str, ...]
    rules: int
    bots: tuple[BotDoc, ...]


class SeriesRowDoc(msgspec.Struct, frozen=True, kw_only=True):
    """A series in a list."""

    id: str
    status: Status
    game: str
    bots: tuple[str, ...]
    matches: Count
    done: Count
    failed: Count
    created_at: Instant
    started_at: Instant | None
    ended_at: Instant | None


class SeriesPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of series by creation, then id."""

    items: tuple[SeriesRowDoc, ...]
    next: str | None
    as_of: Instant


class SeriesDoc(msgspec.Struct, frozen=True, kw_only=True):
    """A series, how far it is, and its results so far."""

    id: str
    status: Status
    game: str
    options: dict[str, Any]
    bots: tuple[str, ...]
    """The level at each seat of the line-up."""
    matches: Count
    rotation: Rotation
    paired: bool
    seed: str
    at_once: int
    """At most so many parts of the series are played at the same time, each one match by match."""
    keep: Keep
    events_limit: Count
    """A match ends as expired when its log gets there."""
    reproducible: bool
    """Whether the same build gives the same results: no bot's budget is a time, one build played
    all of it, no bot stalled, and no process died again and again at a match."""
    made_by: MadeByDoc
    created_at: Instant
    started_at: Instant | None
    ended_at: Instant | None
    progress: ProgressDoc
    results: ResultsDoc
