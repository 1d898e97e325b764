"""Commands and refolds beside the `eventsourcing` library, in one process."""

from __future__ import annotations

import tempfile
import time

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from services.bootstrap import Tycoon, build, redis_stores
from services.matches.access import Caller
from services.matches.creation import NewMatch, NewSeat
from services.matches.state import fold
from shared import ids
from shared.settings import Settings
from tests.bench.harness import Row, alternate
from tests.bench.servers import events_server
from tests.golden.library import HALL, load, paths
from tests.toys import tictactoe
from tests.toys.tictactoe import NO_LINE

SECONDS = 1.5
KEY = "bench" * 8


class Match(Aggregate):
    @event("Started")
    def __init__(self, players: list[str]) -> None:
        self.players, self.cells, self.turn = players, {}, 0

    @event("Placed")
    def place(self, at: int, player: str) -> None:
        self.cells[at] = player
        self.turn += 1


class Peer(Application):
    def start(self) -> object:
        match = Match(["a", "b"])
        self.save(match)
        return match.id

    def place(self, match_id: object) -> None:
        match = self.repository.get(match_id)
        match.place(match.turn % 9, "ab"[match.turn % 2])
        self.save(match)


def peer_commands(events: int) -> float:
    """Commands a second with SQLite and the aggregate cache: the library's fastest durable form."""
    with tempfile.TemporaryDirectory() as folder:
        app = Peer(
            env={
                "PERSISTENCE_MODULE": "eventsourcing.sqlite",
                "SQLITE_DBNAME": f"{folder}/peer.db",
                "AGGREGATE_CACHE_MAXSIZE": "1000",
            }
        )
        done, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < SECONDS:
            match_id = app.start()
            for _ in range(events):
                app.place(match_id)
                done += 1
        rate = done / (time.perf_counter() - begun)
        app.close()
        return rate


def services(url: str) -> Tycoon:
    settings = Settings(events_url=url, server_key=KEY, extra_games=f"{tictactoe.__name__}:GAME")
    return build(
        settings,
        redis_stores(settings),
        clock=lambda: int(time.time() * 1000),
        wake=lambda match: None,
        think=lambda match, version: None,
        report=lambda match, broken: None,
    )


def commands(tycoon: Tycoon, moves: int) -> float:
    """Moves of persons a second: load, check, decide, append; no HTTP.

    `moves` a match are timed, after so many that went before.
    """
    done, spent = 0, 0.0
    while spent < SECONDS:
        match, seat_tokens, cells = _match(tycoon)
        for cell in range(cells - moves):
            _place(tycoon, match, seat_tokens, cell)
        begun = time.perf_counter()
        for cell in range(cells - moves, cells):
            _place(tycoon, match, seat_tokens, cell)
        spent += time.perf_counter() - begun
        done += moves
    return done / spent


def _match(tycoon: Tycoon) -> tuple[str, list[Caller], int]:
    person = NewSeat(kind="person")
    new = NewMatch(
        game="tictactoe", seats=(person, person), options={"size": 5}, chance={"first": 0}
    )
    match = tycoon.commands.create(new, "bench", None).id
    tokens = [ids.seat_token(KEY.encode(), match, seat, 0) for seat in (0, 1)]
    return match, [Caller("seat", token) for token in tokens], len(NO_LINE)


def _place(tycoon: Tycoon, match: str, seats: list[Caller], number: int) -> None:
    move = {"type": "place", "at": NO_LINE[number]}
    tycoon.commands.move(match, seats[number % 2], move, expected=3 + number, key=None)


def refold() -> float:
    """Events a second from stored bytes to the state, over the golden matches of Daifugō."""
    transcripts = [load(path) for path in paths("daifugo")]
    hosted = HALL["daifugo"]
    events, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < SECONDS:
        for transcript in transcripts:
            fold(hosted.game, None, hosted.read(transcript.stored))
            events += len(transcript.stored)
    return events / (time.perf_counter() - begun)


def peer_refold() -> float:
    """Events a second of the library's replay, from memory, 500 events an aggregate."""
    app = Peer(env={"PERSISTENCE_MODULE": "eventsourcing.popo"})
    match_id = app.start()
    for _ in range(499):
        app.place(match_id)
    done, begun = 0, time.perf_counter()
    while time.perf_counter() - begun < SECONDS:
        app.repository.get(match_id)
        done += 500
    rate = done / (time.perf_counter() - begun)
    app.close()
    return rate


def run() -> list[Row]:
    rows = [
        alternate("refold, events/s", refold, peer_refold, budget=">= 4 x eventsourcing's replay")
    ]
    with events_server("everysec") as url:
        tycoon = services(url)
        rows.append(
            alternate(
                "decide + append, commands/s, everysec on both sides",
                lambda: commands(tycoon, 22),
                lambda: peer_commands(30),
                budget=">= 2 x eventsourcing with SQLite and cache",
            )
        )
    return rows
