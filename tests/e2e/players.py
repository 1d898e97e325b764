"""Clients that play and read whatever is done to the server meanwhile."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any

import httpx

from tests.e2e.harness import Running
from tests.e2e.tables import Sent, Table, seated

PATIENCE_S = 40.0
"""So long a match may stand still after the last harm; a few seconds are usual."""
AGAIN_S = 0.05
WATCH_S = 0.02
FORGETS = 0.15
"""The share of commands that a client doesn't send again when no answer came."""
ERRS = 0.1
"""The share of moves before which a client asks for one at an older version."""
FULL = "store.full"
REFUSALS = {FULL, "store.unavailable", "store.not-replicated"}


@dataclass
class Asking:
    """One client. Whatever goes wrong, an answer is whole, or none, or 503 that says when again."""

    system: Running
    http: httpx.Client
    refusal: str | None = None
    """The code of the last 503; `None` where no answer came at all."""

    def ask(self, method: str, path: str, token: str, **given: Any) -> httpx.Response | None:
        """The answer; `None` where none came or the server could not."""
        headers = {"Authorization": f"Bearer {token}", **given.pop("headers", {})}
        self.refusal = None
        try:
            answer = self.http.request(method, path, headers=headers, **given)
        except httpx.TransportError:
            return None
        if answer.status_code == 503:
            assert answer.headers["Retry-After"] == "1"
            self.refusal = answer.json()["code"]
            assert self.refusal in REFUSALS, answer.text
            return None
        assert answer.status_code < 500, answer.text
        return answer

    def look(self, table: Table, *, at_least: bool = False) -> dict[str, Any] | None:
        """Reads a match, as one of its persons or as its host."""
        told = table.told
        token = next(iter(table.tokens.values()), self.system.api_key)
        query = {"min_version": told} if at_least else {}
        answer = self.ask("GET", f"/v1/matches/{table.id}", token, params=query)
        if answer is None:
            return None
        found: dict[str, Any] = answer.json()
        assert answer.status_code == 200 or found["code"] == "match.version-not-reached", found
        table.read(told, found["version"])
        return found if answer.status_code == 200 else None


@dataclass(kw_only=True)
class Player(Asking):
    """Plays one match after the other: all their persons, or none where bots are among themselves.

    Attributes:
        name: begins each of its Idempotency-Keys.
        kinds: bodies of new matches.
        more: is added to each.
        enough: after this no match is begun; those that were are played to their ends.
        tables: where its matches are added.
        harmed: when the last harm was done.
    """

    name: str
    kinds: Sequence[dict[str, Any]]
    more: dict[str, Any]
    chance: random.Random
    enough: Event
    tables: list[Table]
    harmed: Callable[[], float]
    keys: int = 0

    def play(self) -> None:
        """Until there was enough."""
        while not self.enough.is_set():
            self.finish(self.begin(self.chance.choice(self.kinds)))

    def begin(self, new: dict[str, Any]) -> Table:
        """Asks for a new match until it is there."""
        key, begun = self._key(), time.monotonic()
        body, headers = {**new, **self.more}, {"Idempotency-Key": key}
        while True:
            answer = self.ask(
                "POST", "/v1/matches", self.system.api_key, json=body, headers=headers
            )
            if answer is not None:
                assert answer.status_code == 201, answer.text
                table = seated(answer.json(), self.system.api_key, key)
                self.tables.append(table)
                return table
            assert self._patient(begun), "no match can be begun"
            time.sleep(AGAIN_S)

    def finish(self, table: Table) -> None:
        """Plays a match to its end."""
        seen, since = 0, time.monotonic()
        while True:
            found = self.look(table)
            if found is not None and found["status"] == "ended":
                return
            if found is not None and found["version"] > seen:
                seen, since = found["version"], time.monotonic()
            assert self._patient(since), f"{table.id} does not go on from version {seen}"
            seats = [] if found is None else self._asked(table, found)
            if seats:
                self._move(table, seats[0], found["version"])  # type: ignore[index]  # it has seats
            else:
                time.sleep(WATCH_S)

    @staticmethod
    def _asked(table: Table, found: dict[str, Any]) -> list[int]:
        """Seats that must move and whose holders are there."""
        return [
            seat
            for seat in found["active"]
            if seat in table.tokens and not found["seats"][seat]["resigned"]
        ]

    def _move(self, table: Table, seat: int, version: int) -> None:
        told, path = table.told, f"/v1/matches/{table.id}/moves"
        answer = self.ask("GET", path, table.tokens[seat])
        if answer is None or answer.status_code == 409:  # the clock was quicker
            return
        listed = answer.json()
        table.read(told, listed["version"])
        moves = [row["move"] for row in listed["moves"]]
        if not moves or listed["version"] != version:
            return
        if self.chance.random() < ERRS:
            self._send(table, seat, self.chance.choice(moves), version - 1)
        self._send(table, seat, self.chance.choice(moves), version)

    def _send(self, table: Table, seat: int, move: Any, expected: int) -> None:
        """Sends a move until it is answered, or forgets about it."""
        forgets, key = self.chance.random() < FORGETS, self._key()
        sent, begun = table.command(seat, key, move), time.monotonic()
        body = {"move": move, "expected_version": expected}
        headers, token = {"Idempotency-Key": key}, table.tokens[seat]
        path, sure = f"/v1/matches/{table.id}/moves", True
        while (answer := self.ask("POST", path, token, json=body, headers=headers)) is None:
            sure = sure and self.refusal == FULL  # which says that nothing was written
            if forgets:
                sent.answer = "refused" if sure else "none"
                return
            assert self._patient(begun), f"{sent} is not answered"
            time.sleep(AGAIN_S)
        self._answered(table, sent, answer)

    @staticmethod
    def _answered(table: Table, sent: Sent, answer: httpx.Response) -> None:
        assert answer.status_code in (201, 409), answer.text
        said = answer.json()
        if answer.status_code == 409:
            sent.answer = "refused"
        else:
            sent.acknowledged(said["version"] - len(said["events"]) + 1)
        table.tell(said["version"])

    def _patient(self, since: float) -> bool:
        return time.monotonic() < max(since, self.harmed()) + PATIENCE_S

    def _key(self) -> str:
        self.keys += 1
        return f"{self.name}-{self.keys}"
