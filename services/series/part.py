"""How far a chunk is: enough for any worker to go on where the last one stopped."""

from __future__ import annotations

import zlib
from typing import Self

import msgspec

from services.series.playing import Answer
from services.series.rows import Row, failed_row
from services.series.spec import Spec
from services.series.tally import Sums, Thinking, count
from shared.errors import Newer
from shared.series_store import Counts

DIED = "process-died"
"""The error of a match whose process died at it again and again."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A chunk that is being played.

    Attributes:
        build: whose answers these are.
        builds: how many of the rows are whose.
        rows: of its first matches, which are over.
        answers: what the bots of the next match have answered so far.
        thinking: thinking times of the matches that are over.
        careful: a process died at this chunk: save it after every match from now on.
    """

    chunk: int
    build: str
    builds: dict[str, int] = {}
    rows: tuple[Row, ...] = ()
    answers: tuple[Answer, ...] = ()
    thinking: Thinking = {}
    careful: bool = False

    @classmethod
    def read(cls, data: bytes) -> Self:
        """A part as `written` wrote it. Raises `Newer` for one that this build can't read."""
        try:
            return msgspec.json.decode(zlib.decompress(data), type=cls)
        except (msgspec.DecodeError, zlib.error) as unknown:
            raise Newer("this build doesn't know such a part of a series") from unknown

    def written(self) -> bytes:
        """The part as it is stored."""
        return zlib.compress(msgspec.json.encode(self))

    def following(self, spec: Spec) -> int | None:
        """The number of the match to be played next; `None` at the end of the chunk."""
        matches = spec.chunk(self.chunk)
        return matches[len(self.rows)] if len(self.rows) < len(matches) else None

    def ended(self, row: Row, thinking: Thinking) -> Part:
        """With one more match that is over; `thinking` is of all matches then."""
        return msgspec.structs.replace(
            self,
            rows=(*self.rows, row),
            builds={**self.builds, self.build: self.builds.get(self.build, 0) + 1},
            answers=(),
            thinking=thinking,
        )

    def passed_over(self, spec: Spec) -> Part:
        """Without the match at which processes die."""
        match = self.following(spec)
        if match is None:
            return self
        return self.ended(failed_row(spec, match, DIED), self.thinking)

    def sums(self) -> Sums:
        """What is counted of the matches that are over."""
        return count(self.rows, self.thinking, self.builds)

    def counts(self) -> Counts:
        """The same in short."""
        played = [row for row in self.rows if row.failed is None]
        moves = sum(sum(row.moves) for row in played)
        return Counts(len(played), len(self.rows) - len(played), moves)

    def since(self, before: bytes | None) -> Counts:
        """What was counted after a part of the same chunk was saved; `None` for its beginning."""
        now, then = self.counts(), Counts() if before is None else self.read(before).counts()
        return Counts(now.done - then.done, now.failed - then.failed, now.moves - then.moves)
