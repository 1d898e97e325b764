"""What a series is asked to be, the checks before it exists, and what each of its matches is."""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable
from typing import Any, Literal

import msgspec

from services.bots.levels import budget_of, policy_for
from services.hosted import Hall, Hosted
from services.series.made_by import this_build
from shared.chance import commitment
from shared.errors import Unprocessable
from shared.settings import Settings

Rotation = Literal["cyclic", "none"]
Keep = Literal["results", "sample", "all"]

AT_ONCE = range(1, 65)
CHUNKS = 128
"""At most so many chunks, however many matches: the store holds one small sum for each."""
SAMPLE = 100
"""At most so many transcripts are kept of a series that keeps a sample."""


class NewSeries(msgspec.Struct, frozen=True, kw_only=True):
    """A series as asked for.

    Attributes:
        game: slug.
        bots: the line-up, one level text a seat (`greedy`, `search-400`).
        matches: how many.
        options: the game's; what is not named has its default.
        rotation: `cyclic` seats the line-up one seat further with each match; `none` never.
        paired: every deal (seed) is played once for each seating that the rotation has, so that
            luck cancels; `None` means yes where the seats rotate.
        seed: 64 hex digits that everything follows from; `None` has one made.
        at_once: at most so many chunks are worked on at the same time.
        keep: which transcripts are kept; the rows of results always are.
    """

    game: str
    bots: tuple[str, ...]
    matches: int
    options: dict[str, Any] = {}
    rotation: Rotation = "cyclic"
    paired: bool | None = None
    seed: str | None = None
    at_once: int = 16
    keep: Keep = "results"


class Spec(msgspec.Struct, frozen=True, kw_only=True):
    """A series as it was resolved: the results follow from this and the build alone.

    `options` holds what differs from the game's defaults; `seed` is 64 hex digits; `versions`
    has each distinct bot's version at the creation, by level.
    """

    game: str
    rules: int
    build: str
    options: dict[str, Any]
    bots: tuple[str, ...]
    versions: dict[str, int]
    matches: int
    rotation: Rotation
    paired: bool
    seed: str
    at_once: int
    keep: Keep
    events_limit: int

    @property
    def seats(self) -> int:
        """Seats of each match."""
        return len(self.bots)

    @property
    def distinct(self) -> tuple[str, ...]:
        """The levels that play, each once, in the order of the line-up."""
        return tuple(dict.fromkeys(self.bots))

    @property
    def reproducible(self) -> bool:
        """Whether the same build gives the same results: nobody's budget is a time."""
        budgets = [budget_of(level) for level in self.bots]
        return all(budget is None or budget.ms is None for budget in budgets)

    @property
    def seatings(self) -> int:
        """How many different seatings the rotation has, one after the other.

        That is the line-up's smallest period: 1 for `greedy*4`, 2 for `a,b,a,b`. A deal that was
        played once more would be the same match again, and no further evidence.
        """
        if self.rotation == "none":
            return 1
        turns = range(1, self.seats + 1)
        return next(turn for turn in turns if self.bots[turn:] + self.bots[:turn] == self.bots)

    @property
    def chunk_size(self) -> int:
        """Matches in a chunk; the matches of one deal are never in two."""
        size = -(-self.matches // CHUNKS)
        return -(-size // self.seatings) * self.seatings if self.paired else size

    @property
    def chunks(self) -> int:
        """How many chunks there are, numbered from 0."""
        return -(-self.matches // self.chunk_size)

    def chunk(self, number: int) -> range:
        """The numbers of a chunk's matches."""
        start = number * self.chunk_size
        return range(start, min(start + self.chunk_size, self.matches))

    def deal(self, match: int) -> int:
        """Which deal a match plays: matches of one deal have the same seed."""
        return match // self.seatings if self.paired else match

    def turn(self, match: int) -> int:
        """How many seats further the line-up sits than it was given."""
        return match % self.seatings

    def seating(self, match: int) -> tuple[str, ...]:
        """The level at each seat of a match: seat s has the bot (s - turn) of the line-up."""
        turn = self.turn(match)
        return tuple(self.bots[(seat - turn) % self.seats] for seat in range(self.seats))

    def match_seed(self, match: int) -> bytes:
        """The 32 bytes that all draws of a match follow from."""
        text = f"tycoon-series/1|match|{self.deal(match)}"
        return hmac.digest(bytes.fromhex(self.seed), text.encode("ascii"), "sha256")

    def commitment(self, match: int) -> str:
        """What the first event of a match publishes of its seed."""
        return commitment(self.match_seed(match))

    def keeps(self, match: int) -> bool:
        """Whether the transcript of a match is kept: in a sample, of every so many whole turns
        through the seatings, so that each seating is in it as often."""
        if self.keep != "sample":
            return self.keep == "all"
        turns = -(-self.matches // self.seatings)
        step = -(-turns // (SAMPLE // self.seatings))
        return match // self.seatings % step == 0


def resolve(new: NewSeries, hall: Hall, settings: Settings, make_seed: Callable[[], bytes]) -> Spec:
    """A series that can be played.

    Args:
        make_seed: 32 random bytes, where the series names no seed.

    Raises:
        Malformed: options of a wrong type or name.
        Unprocessable: `match.unknown-game`, `match.unknown-level`, `match.seat-count` or the
            game's own rule about options and seats; `series.match-count`, `series.at-once`,
            `series.bad-seed`, `series.pairs-without-rotation`.
    """
    hosted = hall.chosen(new.game)
    options = hosted.read_options(new.options)
    hosted.game.check_options(options, len(new.bots))
    _check_seats(hosted, new.bots)
    _check_numbers(new, settings)
    return Spec(
        game=new.game,
        rules=hosted.game.rules,
        build=this_build(),
        options=msgspec.to_builtins(options),
        bots=new.bots,
        versions=_versions(hosted, new.bots),
        matches=new.matches,
        rotation=new.rotation,
        paired=new.rotation == "cyclic" if new.paired is None else new.paired,
        seed=new.seed or make_seed().hex(),
        at_once=new.at_once,
        keep=new.keep,
        events_limit=settings.events_limit,
    )


def _versions(hosted: Hosted, bots: tuple[str, ...]) -> dict[str, int]:
    return {level: policy_for(hosted.game, level).version for level in bots}


def _check_seats(hosted: Hosted, bots: tuple[str, ...]) -> None:
    seats = hosted.game.seats
    if len(bots) not in seats:
        raise Unprocessable(
            "match.seat-count", f"This game has {seats[0]} to {seats[-1]} seats: one bot for each."
        )


def _check_numbers(new: NewSeries, settings: Settings) -> None:
    if not 1 <= new.matches <= settings.series_matches_limit:
        raise Unprocessable(
            "series.match-count", f"A series has 1 to {settings.series_matches_limit} matches."
        )
    if new.at_once not in AT_ONCE:
        raise Unprocessable(
            "series.at-once", f"{AT_ONCE[0]} to {AT_ONCE[-1]} chunks can be played at once."
        )
    if new.seed is not None and not re.fullmatch("[0-9a-f]{64}", new.seed):
        raise Unprocessable("series.bad-seed", "A seed has 64 lower-case hex digits.")
    if new.paired and new.rotation == "none":
        raise Unprocessable(
            "series.pairs-without-rotation",
            "A deal is paired over the rotations of its seats: there are none.",
        )
