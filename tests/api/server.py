"""The HTTP application over a world in memory; clients hold its answers to its document."""

from __future__ import annotations

from functools import cache
from typing import Any
from urllib.parse import urlsplit

import msgspec
import structlog
from flask import Flask

from api.app import create_app
from api.metrics import Metrics
from services.keys import Keys
from shared.errors import Unavailable
from shared.keystore import MemoryKeys
from shared.rates import MemoryTally
from tests.api.document import Document
from tests.services.world import SERVER_KEY, World

Json = Any
OPERATOR = "tyo_" + "o" * 40
API_KEY = "tyk_hostkey1_" + "h" * 40
OTHER_KEY = "tyk_otherkey_" + "x" * 40

UNLIMITED = {"rate_per_key": "", "rate_per_seat": ""}  # time stands still in a world

PERSON: Json = {"kind": "person"}
AGENT: Json = {"kind": "agent"}
OPEN: Json = {"kind": "open"}


def bot(level: str = "greedy") -> Json:
    return {"kind": "bot", "level": level}


class Server(World):
    """A world that is asked over HTTP."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"operator_key": OPERATOR, **UNLIMITED, **settings})
        self.lines: list[Any] = []
        self.rebuilds: list[int] = []
        self.hints: list[tuple[str, int, int]] = []
        self.store_is_down = False
        self.keystore = MemoryKeys()
        self.keys = Keys(self.keystore, SERVER_KEY.encode(), self.clock)
        for key in (API_KEY, OTHER_KEY):
            self.keys.ensure(key)
        self.metrics = Metrics()
        self.tally = MemoryTally()
        self.app = self.make_app()

    def make_app(self) -> Flask:
        """Another process of the API over the same stores."""
        return create_app(
            self.build(),
            self.keys,
            self.tally,
            wake=self.woken.append,
            hint=lambda *asked: self.hints.append(asked),
            begin_rebuild=lambda generation, part: self.rebuilds.append(generation),
            ping=self._ping,
            metrics=self.metrics,
            log=structlog.wrap_logger(None, processors=[self._line]),
        )

    def _line(self, logger: Any, method: str, facts: Any) -> Any:
        self.lines.append({"level": method, **facts})
        raise structlog.DropEvent

    def _ping(self) -> None:
        if self.store_is_down:
            raise Unavailable("store.unavailable", "The store does not answer.")

    @property
    def host(self) -> Client:
        return self.client(API_KEY)

    @property
    def nobody(self) -> Client:
        return self.client(None)

    def client(self, credential: str | None) -> Client:
        return Client(self.app, credential)

    def think_hints(self) -> None:
        """What a worker does with the hints that were asked for."""
        while self.hints:
            self.tycoon.hinter.think(*self.hints.pop(0))

    def snapshot(self) -> bytes:
        """Everything that is stored of matches and series."""
        store: Any = self.stores.events
        held = {name: (m.events, m.commands, m.head) for name, m in store.kept.items()}
        series: Any = self.stores.series
        return repr((sorted(held.items()), sorted(series._series.items()))).encode()

    def start(self, *seats: Json, game: str = "tictactoe", **more: Any) -> Table:
        """A new match over HTTP."""
        made = self.host.post("/v1/matches", {"game": game, "seats": list(seats), **more})
        assert made.status_code == 201, made.text
        return Table(self, made.json)


class Table:
    """A match with a client for each seat that has a token."""

    def __init__(self, server: Server, created: Json) -> None:
        self.server = server
        self.created = created
        self.id: str = created["match"]["id"]
        self.at = f"/v1/matches/{self.id}"
        self.links: dict[int, Json] = {link["seat"]: link for link in created["links"]}
        self.seats = {given["seat"]: server.client(given["token"]) for given in created["tokens"]}

    def sit(self, joined: Json) -> Client:
        """Takes note of a join's answer."""
        self.seats[joined["seat"]] = self.server.client(joined["token"])
        return self.seats[joined["seat"]]

    def look(self) -> Json:
        """As the match's API key sees it; not held against the document, for it is asked often."""
        return self.server.host.ask("GET", self.at, checked=False).json

    @property
    def version(self) -> int:
        return int(self.look()["version"])

    def active(self) -> list[int]:
        return list(self.look()["active"])

    def first_move(self, seat: int) -> Json:
        """The first concrete move of a seat; of a template its lowest."""
        answer = self.seats[seat].ask("GET", f"{self.at}/moves", checked=False)
        listed = answer.json["moves"][0]["move"]
        return {"type": "bid", "coins": listed["low"]} if listed["type"] == "bid_range" else listed

    def move(self, seat: int, move: Json | None = None, **more: Any) -> Any:
        """A move at the version that is; by default the first legal one."""
        move = self.first_move(seat) if move is None else move
        body = {"move": move, "expected_version": self.version}
        return self.seats[seat].post(f"{self.at}/moves", body, **more)

    def play(self, moves: int = 10_000) -> None:
        """People play their first legal move, bots are advanced, until the end."""
        for _ in range(moves):
            match = self.look()
            if match["status"] == "ended":
                return
            seat = match["active"][0]
            if seat in self.seats:
                assert self.move(seat).status_code == 201
            else:
                self.server.wait(match["pace_ms"])
                self.server.advance(self.id)


class Client:
    """Requests with one credential; every answer is checked against the document."""

    def __init__(self, app: Flask, credential: str | None, *, checked: bool = True) -> None:
        self.app = app
        self.credential = credential
        self.checked = checked

    def ask(self, method: str, path: str, *, checked: bool = True, **given: Any) -> Any:
        headers = dict(given.pop("headers", {}))
        if self.credential is not None:
            headers.setdefault("Authorization", f"Bearer {self.credential}")
        answer = self.app.test_client().open(path, method=method, headers=headers, **given)
        answer.get_data()
        answer.close()
        if checked and self.checked:
            document().check_answer(method, urlsplit(path).path, answer)
        return answer

    def get(self, path: str, headers: Any = (), **query: Any) -> Any:
        named = {name: _word(value) for name, value in query.items() if value is not None}
        given = {"query_string": named} if named else {}
        return self.ask("GET", path, headers=headers, **given)

    def post(self, path: str, body: Json = None, key: str | None = None, **given: Any) -> Any:
        headers = {**given.pop("headers", {}), **({"Idempotency-Key": key} if key else {})}
        if body is not None:
            given |= {"data": msgspec.json.encode(body), "content_type": "application/json"}
        answer = self.ask("POST", path, headers=headers, **given)
        if body is not None and answer.status_code < 300:
            document().check_request("POST", urlsplit(path).path, body)
        return answer

    def delete(self, path: str, key: str | None = None) -> Any:
        return self.ask("DELETE", path, headers={"Idempotency-Key": key} if key else {})


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@cache
def document() -> Document:
    """The document of a server with Daifugō and both toys."""
    answer = Server().app.test_client().get("/openapi.json")
    assert answer.status_code == 200
    return Document(answer.json)


def refused(answer: Any, status: int, code: str) -> Json:
    """Fails unless the answer is this refusal; its document."""
    assert (answer.status_code, answer.json.get("code")) == (status, code), answer.text
    return answer.json
