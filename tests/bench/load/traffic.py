"""What clients of the API do: create, join by link, start, look, ask for moves, move.

A seat whose turn it has become looks at the match, as others have moved since; then it asks what it
may do, and does one of it, chosen by a seed. So no client needs the rules, and nothing is custom:
these matches count, and their shuffles are the server's own. Lines of moves that were prepared
would be lighter for this program, but need custom chance, which nobody plays with.
"""

from __future__ import annotations

import itertools
import random
import secrets
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import msgspec

from tests.bench.load.cases import TEMPLATES, Case
from tests.bench.load.client import Answer, Talk, request

KINDS = ("create", "join", "start", "look", "moves", "move")
FAILURES = 20
"""After so many answers that should not have been, a run is given up."""

Asking = Generator[bytes, Answer, Any]


class Failed(Exception):
    """An answer that should not have been."""


class GivenUp(Exception):
    """Too many of them."""


@dataclass(slots=True)
class Book:
    """What came of the requests: seconds by kind, matches that ended, answers that were wrong."""

    latencies: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    ended: list[str] = field(default_factory=list)
    """Their paths."""
    failures: Counter[str] = field(default_factory=Counter)
    moves: int = 0
    """Since the beginning."""
    closing: bool = False
    """Whoever plays shall end after the turn that they are at."""

    def clear(self) -> None:
        """Begins to count anew, except for the failures and what counts from the beginning."""
        self.latencies.clear()
        self.ended.clear()

    @property
    def requests(self) -> int:
        return sum(map(len, self.latencies.values()))

    def failed(self, failure: Failed) -> None:
        """Raises `GivenUp` where it was one too many."""
        self.failures[str(failure)] += 1
        if self.failures.total() >= FAILURES:
            told = "; ".join(f"{text} ({n} times)" for text, n in self.failures.most_common(3))
            raise GivenUp(told)


@dataclass(slots=True)
class Table:
    """An open match, as those who sit there know it."""

    case: Case
    path: str
    tokens: tuple[str, ...]
    turn: int | None
    """The seat that moves next; `None` once the match is over."""
    looked: int | None = None
    """The seat that has seen the table as it is now."""


class _Match(msgspec.Struct):
    id: str
    active: tuple[int, ...]


class _Seated(msgspec.Struct):
    token: str


class _Link(msgspec.Struct):
    url: str


class _Created(msgspec.Struct):
    match: _Match
    tokens: tuple[_Seated, ...]
    links: tuple[_Link, ...]


class _Done(msgspec.Struct):
    match: _Match


class _Listed(msgspec.Struct):
    move: msgspec.Raw


class _Moves(msgspec.Struct):
    version: int
    moves: tuple[_Listed, ...]


class _Tagged(msgspec.Struct):
    type: str


class _Move(msgspec.Struct):
    move: msgspec.Raw
    expected_version: int


_created = msgspec.json.Decoder(_Created).decode
_seated = msgspec.json.Decoder(_Seated).decode
_done = msgspec.json.Decoder(_Done).decode
_moves = msgspec.json.Decoder(_Moves).decode
_tagged = msgspec.json.Decoder(_Tagged).decode
_json = msgspec.json.Encoder().encode


class Players:
    """Everybody who sits at the tables of one connection, and the host who makes the matches."""

    def __init__(self, api_key: str, host: str, book: Book, seed: int) -> None:
        self._api_key = api_key
        self._host = host
        self._book = book
        self._random = random.Random(seed)
        # Keys of an earlier run against the same server would give its matches again.
        self._keys = (f"{secrets.token_hex(8)}-{n}" for n in itertools.count())

    def settle(
        self, tables: list[Table], wanted: Sequence[tuple[Case, int]], told: Callable[[], None]
    ) -> Talk:
        """Fills the list with a table for each case, at which so many moves have been played."""
        for case, age in wanted:
            table = yield from self._persistently(case)
            for _ in range(age):
                table = yield from self._turn(table, look=False)
            tables.append(table)
            told()

    def play(self, tables: list[Table]) -> Talk:
        """A move at each table in turn until closing time; one that is over is replaced."""
        for at in itertools.cycle(range(len(tables))):
            if self._book.closing:
                return
            tables[at] = yield from self._turn(tables[at])

    def finish(self, tables: Sequence[Table]) -> Talk:
        """Plays every match to its end; raises `Failed`."""
        for table in tables:
            while table.turn is not None:
                yield from self._move(table)

    def _turn(self, table: Table, *, look: bool = True) -> Asking:
        """One move; the table, or a new one of its game where it is over or went wrong."""
        try:
            if look and table.turn != table.looked:
                yield from self._look(table)
            yield from self._move(table)
        except Failed as failure:
            self._book.failed(failure)
        else:
            if table.turn is not None:
                return table
            self._book.ended.append(table.path)
        return (yield from self._persistently(table.case))

    def _persistently(self, case: Case) -> Asking:
        while True:
            try:
                return (yield from self._open(case))
            except Failed as failure:
                self._book.failed(failure)

    def _open(self, case: Case) -> Asking:
        """A match of persons: the first one's host creates it, the others come by their links."""
        seats = [{"kind": "person", "name": "Ada"}, *[{"kind": "open"}] * (case.seats - 1)]
        body = _json({"game": case.game, "options": case.options, "seats": seats})
        made = _created((yield from self._post("create", "/v1/matches", body, self._api_key)))
        tokens = [made.tokens[0].token]
        for number, link in enumerate(made.links):
            parts = urlsplit(link.url)
            body = _json({"name": f"Guest {number}"})
            joined = yield from self._post("join", f"{parts.path}?{parts.query}", body)
            tokens.append(_seated(joined).token)
        path = f"/v1/matches/{made.match.id}"
        begun = _done((yield from self._post("start", f"{path}/start", b"{}", tokens[0]))).match
        return Table(case, path, tuple(tokens), _turn_of(begun))

    def _look(self, table: Table) -> Asking:
        asked = request("GET", table.path, token=self._token(table), host=self._host)
        yield from self._ask("look", asked, 200)
        table.looked = table.turn

    def _move(self, table: Table) -> Asking:
        path, token = f"{table.path}/moves", self._token(table)
        asked = request("GET", path, token=token, host=self._host)
        listed = _moves((yield from self._ask("moves", asked, 200)))
        templates = TEMPLATES[table.case.game]
        choice = [m.move for m in listed.moves]
        if templates:
            choice = [move for move in choice if _tagged(move).type not in templates]
        if not choice:
            raise Failed(f"moves: {table.case.game} lists none for the seat that has to move")
        body = _json(_Move(self._random.choice(choice), listed.version))
        after = _done((yield from self._post("move", path, body, token))).match
        self._book.moves += 1
        table.looked, table.turn = table.turn, _turn_of(after)

    def _token(self, table: Table) -> str:
        assert table.turn is not None, "the match is over"
        return table.tokens[table.turn]

    def _post(self, kind: str, path: str, body: bytes, token: str = "") -> Asking:
        asked = request("POST", path, body, token, key=next(self._keys), host=self._host)
        return (yield from self._ask(kind, asked, 201))

    def _ask(self, kind: str, asked: bytes, wanted: int) -> Asking:
        answer = yield asked
        if answer.status != wanted:
            raise Failed(f"{kind}: {answer.status} {_code_of(answer.body)}")
        self._book.latencies[kind].append(answer.seconds)
        return answer.body


def _turn_of(match: _Match) -> int | None:
    """Of several seats that must act, the first one."""
    return min(match.active, default=None)


def _code_of(body: bytes) -> str:
    try:
        return str(msgspec.json.decode(body)["code"])
    except (msgspec.DecodeError, LookupError, TypeError):
        return "without a code"
