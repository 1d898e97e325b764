"""What clients know of a match: what they sent, what they were told, what they read."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Literal, NamedTuple

from shared.ids import command_id


@dataclass
class Sent:
    """A command as its client knows it.

    Attributes:
        id: how the log names it.
        move: what was asked for; `None` where that was a new match.
        answer: `refused` is for good; without an answer it may be in the log, once.
        first: the version of its first event, once that is told.
    """

    id: str
    move: Any = None
    answer: Literal["none", "acknowledged", "refused"] = "none"
    first: int = 0

    def acknowledged(self, first: int) -> None:
        self.answer, self.first = "acknowledged", first


class Read(NamedTuple):
    """A version that somebody had been told before a read was sent, and the one it gave."""

    told: int
    given: int


@dataclass
class Table:
    """A match; `tokens` are those of its persons, by seat."""

    id: str
    tokens: dict[int, str] = field(default_factory=dict)
    sent: list[Sent] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    told: int = 0
    """The highest version that any client of it was told."""
    lock: Lock = field(default_factory=Lock)

    def tell(self, version: int) -> None:
        """Takes note of what a client was told."""
        with self.lock:
            self.told = max(self.told, version)

    def read(self, told: int, given: int) -> None:
        """Takes note of a read that was sent when `told` was known."""
        self.reads.append(Read(told, given))
        self.tell(given)

    def command(self, seat: int, key: str, move: Any) -> Sent:
        """A move that is about to be sent under an Idempotency-Key."""
        sent = Sent(command_id(self.tokens[seat], f"makeMove {self.id}", key), move)
        self.sent.append(sent)
        return sent


def seated(made: dict[str, Any], api_key: str, key: str) -> Table:
    """The table of a match whose creation was acknowledged, under this Idempotency-Key."""
    tokens = {row["seat"]: row["token"] for row in made["tokens"]}
    created = Sent(command_id(api_key.split("_")[1], "createMatch", key))
    created.acknowledged(1)
    return Table(made["match"]["id"], tokens, [created], told=made["match"]["version"])
