"""Whether POST move stays flat: with many open matches, and in long matches."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator

import msgspec

from services.bootstrap import Tycoon
from services.bots.playout import at_random, playout
from services.matches.access import Caller
from services.matches.creation import NewMatch, NewSeat
from services.registry import GAMES
from shared import ids
from tests.bench.commands import KEY, services
from tests.bench.harness import Row, alternate
from tests.bench.load import client
from tests.bench.system import System, system
from tests.toys.tictactoe import NO_LINE

CONNECTIONS = 8
FEW, MANY = 96, 10_000
REQUESTS = 1_600
EARLY, LATE = 30, 300
MOVES = 25
ROUNDS = 5
PERSON = NewSeat(kind="person")


def _token(match: str, seat: int) -> str:
    return ids.seat_token(KEY.encode(), match, seat, 0)


def _open(tycoon: Tycoon, count: int) -> list[str]:
    new = NewMatch(
        game="tictactoe", seats=(PERSON, PERSON), options={"size": 5}, chance={"first": 0}
    )
    return [tycoon.commands.create(new, "bench", None).id for _ in range(count)]


class Crowd:
    """Open matches; each call plays on in them, one move after another."""

    def __init__(self, running: System, tycoon: Tycoon, count: int) -> None:
        self._running, self._tycoon = running, tycoon
        self._rows = [self._endless(count // CONNECTIONS) for _ in range(CONNECTIONS)]

    def _endless(self, count: int) -> Iterator[bytes]:
        """The requests of one connection, which has its own share of the matches."""
        while True:
            matches = _open(self._tycoon, count)
            for number, cell in enumerate(NO_LINE):
                for match in matches:
                    given = {"move": {"type": "place", "at": cell}, "expected_version": 3 + number}
                    body, token = json.dumps(given).encode(), _token(match, number % 2)
                    yield client.request("POST", f"/v1/matches/{match}/moves", body, token)

    def p99(self) -> float:
        share = REQUESTS // CONNECTIONS
        return _p99(self._running, [iter(list(itertools.islice(r, share))) for r in self._rows])


def _p99(running: System, rows: list[Iterator[bytes]]) -> float:
    done = client.run(running.port, rows, limit_s=60)
    assert set(done.statuses) == {201}, done.statuses
    return done.percentile(0.99)


class Long:
    """Matches that have grown to a version; each call plays 25 moves in new ones."""

    def __init__(self, running: System, tycoon: Tycoon, version: int) -> None:
        self._running, self._tycoon, self._version = running, tycoon, version
        self._seeds = itertools.count(1)

    def _grown(self) -> list[bytes]:
        seed = next(self._seeds).to_bytes(32, "big")
        game = GAMES["daifugo"]
        options = game.options_type(rounds=4)
        line = playout(game, options, 5, seed, at_random(seed))
        script = {label: result for step in line.steps for label, _, result in step.draws}
        new = NewMatch(game="daifugo", seats=(PERSON,) * 5, options={"rounds": 4}, chance=script)
        match = self._tycoon.commands.create(new, "bench", None).id
        version, asked = 2 + len(line.steps[0].events), []
        for step in line.steps[1:]:
            move, token = msgspec.to_builtins(step.move), _token(match, step.seat or 0)
            if version < self._version:
                self._tycoon.commands.move(
                    match, Caller("seat", token), move, expected=version, key=None
                )
            elif len(asked) < MOVES:
                body = json.dumps({"move": move, "expected_version": version}).encode()
                asked.append(client.request("POST", f"/v1/matches/{match}/moves", body, token))
            version += len(step.events)
        return asked

    def p99(self) -> float:
        rows = [
            list(itertools.chain(*(self._grown() for _ in range(4)))) for _ in range(CONNECTIONS)
        ]
        return _p99(self._running, [iter(row) for row in rows])


def run() -> list[Row]:
    with system() as running:
        tycoon = services(running.events_url)
        crowd, few = Crowd(running, tycoon, MANY), Crowd(running, tycoon, FEW)
        late, early = Long(running, tycoon, LATE), Long(running, tycoon, EARLY)
        return [
            alternate(
                f"p99 of POST move, ms: {MANY:,} open matches beside {FEW}",
                crowd.p99,
                few.p99,
                budget="<= 1.5 x",
                rounds=ROUNDS,
            ),
            alternate(
                f"p99 of POST move, ms: at event {LATE} beside event {EARLY}",
                late.p99,
                early.p99,
                budget="<= 1.3 x",
                rounds=ROUNDS,
            ),
        ]
