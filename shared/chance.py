"""Chance with proof: every draw has a label and can be computed again from the revealed seed.

A draw of n under a label reads numbers from HMAC-SHA256(seed, message), where the message is the
ASCII text `tycoon-chance/1|<client seeds><label>|<counter>`, with a `<length>:<hex digits>|` for
each seat in order (`0:|` where a seat gave no client seed). A block gives eight 4-byte
big-endian numbers, taken in order; the counter starts at 0 and counts blocks. A number that is
not below n * floor(2**32 / n) is skipped; the rest modulo n is the result.
A shuffle is Fisher-Yates from the last index down over the sorted list.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from shared.errors import Unprocessable

VERSION = "tycoon-chance/1"
SPAN = 1 << 32

Script = Mapping[str, Any]
"""Results by label that a custom match was given at its creation."""


class Draw(msgspec.Struct, frozen=True):
    """A form of draw. In `label` a `*` stands for a whole number from 1.

    `one`: the result is a whole number below `n`; with `n` 0 it is the place in a list, from 0, of
    as many as are possible then. `shuffle`: all of `of`, in some order. `pick`: one of `of`, as
    far as it is still there.
    """

    label: str
    form: Literal["one", "shuffle", "pick"]
    n: int = 0
    of: tuple[str, ...] = ()

    def names(self, label: str) -> bool:
        """Whether a concrete label is of this form."""
        mine, other = self.label.split("/"), label.split("/")
        return len(mine) == len(other) and all(
            _is_count(b) if a == "*" else a == b for a, b in zip(mine, other, strict=True)
        )

    def allows(self, result: object) -> bool:
        """Whether this could be a result of such a draw."""
        if self.form == "one":
            return type(result) is int and result >= 0 and (not self.n or result < self.n)
        if self.form == "pick":
            return isinstance(result, str) and result in self.of
        return (
            isinstance(result, list | tuple)
            and all(isinstance(r, str) for r in result)
            and sorted(result) == sorted(self.of)
        )


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and not text.startswith("0") and len(text) <= 6


def check_script(script: Script, draws: Sequence[Draw]) -> None:
    """Raises `Unprocessable` where a label or its result is none that these draws can have."""
    for label, result in script.items():
        form = next((d for d in draws if d.names(label)), None)
        if form is None:
            raise Unprocessable("match.unknown-draw", f"No draw of this game is called {label!r}.")
        if not form.allows(result):
            raise Unprocessable("match.impossible-draw", f"That can't be the result of {label!r}.")


def commitment(seed: bytes, script: Script | None = None) -> str:
    """What is published before the first draw: SHA-256 of the seed, and of the script if any.

    With a script the hash is taken over the seed followed by the script's JSON with sorted keys
    and no spaces.
    """
    tail = msgspec.json.encode(script, order="deterministic") if script else b""
    return hashlib.sha256(seed + tail).hexdigest()


class Chance:
    """Draws for one command.

    Args:
        seed: the match's 32 secret bytes, or a function that fetches them when first needed.
        client_seeds: in seat order, `None` where a seat gave none.
        script: results of a custom match by label, or a function that fetches them.
    """

    __slots__ = ("_client", "_script", "_seed", "draws")

    def __init__(
        self,
        seed: bytes | Callable[[], bytes],
        client_seeds: Sequence[str | None] = (),
        script: Script | Callable[[], Script] | None = None,
    ) -> None:
        self._seed = seed
        self._client = "".join(f"{len(c or '')}:{c or ''}|" for c in client_seeds)
        self._script = script
        self.draws: list[tuple[str, int, Any]] = []
        """What was drawn: label, n, result."""

    def one(self, label: str, n: int) -> int:
        """A whole number from 0 to n - 1."""
        result = self._scripted(label)
        if result is None or result >= n:
            result = next_below(self._numbers(label), n)
        self._record(label, n, result)
        return int(result)

    def shuffle(self, label: str, items: Sequence[str]) -> tuple[str, ...]:
        """All items in random order."""
        result = self._scripted(label)
        order = list(result) if result is not None else shuffled(self._numbers(label), items)
        self._record(label, len(order), order)
        return tuple(order)

    def pick(self, label: str, items: Sequence[str]) -> str:
        """One item of those still there. Its result is the index into the sorted items."""
        there = sorted(items)
        wanted = self._scripted(label)
        index = (
            there.index(wanted) if wanted in there else next_below(self._numbers(label), len(there))
        )
        self._record(label, len(there), index)
        return there[index]

    def _scripted(self, label: str) -> Any:
        if callable(self._script):
            self._script = self._script()
        return self._script.get(label) if self._script else None

    def _record(self, label: str, n: int, result: Any) -> None:
        if any(label == drawn for drawn, _, _ in self.draws):
            raise ValueError(f"the label {label!r} is used twice")  # law 9
        self.draws.append((label, n, result))

    def _numbers(self, label: str) -> Iterator[int]:
        if callable(self._seed):
            self._seed = self._seed()
        return numbers(self._seed, f"{VERSION}|{self._client}{label}|")


class Unrecorded(Exception):
    """A draw that was not made when the events were decided, or was made otherwise."""


class ReplayChance(Chance):
    """Gives recorded draws once more, so that a decision can be made again without the seed.

    Raises `Unrecorded` for a draw that is not among them.
    """

    __slots__ = ("left",)

    def __init__(self, recorded: Sequence[tuple[str, int, Any]]) -> None:
        super().__init__(b"")
        self.left = {label: (n, result) for label, n, result in recorded}
        """What nobody has drawn yet."""

    def one(self, label: str, n: int) -> int:
        return int(self._again(label, n))

    def shuffle(self, label: str, items: Sequence[str]) -> tuple[str, ...]:
        return tuple(self._again(label, len(items)))

    def pick(self, label: str, items: Sequence[str]) -> str:
        index: int = self._again(label, len(items))
        return sorted(items)[index]

    def _again(self, label: str, n: int) -> Any:
        recorded_n, result = self.left.pop(label, (None, None))
        if recorded_n != n:
            raise Unrecorded(label)
        self._record(label, n, result)
        return result


def numbers(key: bytes, prefix: str) -> Iterator[int]:
    """The endless row of 32-bit numbers that a seed gives for a prefix."""
    start = prefix.encode("ascii")
    counter = 0
    while True:
        block = hmac.digest(key, start + b"%d" % counter, "sha256")
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at : at + 4], "big")
        counter += 1


def next_below(row: Iterator[int], n: int) -> int:
    """The next unbiased number below n."""
    limit = SPAN - SPAN % n
    return next(x for x in row if x < limit) % n


def shuffled(row: Iterator[int], items: Sequence[str]) -> list[str]:
    """Fisher-Yates from the last index down over the sorted list (Knuth, TAOCP 2, 3.4.2 P)."""
    order = sorted(items)
    for last in range(len(order) - 1, 0, -1):
        other = next_below(row, last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def bot_chance(seed: bytes, seat: int, version: int) -> Chance:
    """Chance for a bot's choice at a version; never mixed with the game's labels."""
    return Chance(hmac.digest(seed, f"bot|{seat}|{version}".encode(), "sha256"))
