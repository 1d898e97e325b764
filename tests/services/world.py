"""A whole server in memory with a clock that only the test moves: given, when, then."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any
from uuid import uuid4

import msgspec

from services.bootstrap import Stores, Tycoon, build
from services.matches.access import Caller
from services.matches.committing import Done, Key
from services.matches.creation import NewMatch, NewSeat
from services.matches.state import AnyMatch
from shared import ids
from shared.hintstore import MemoryHints
from shared.memory_lists import MemoryLists
from shared.memory_series import MemorySeries
from shared.memory_store import MemoryStore
from shared.memory_wholes import MemoryWholes
from shared.settings import Settings
from shared.store_files import MemoryFiles
from tests.toys import secrets, tictactoe

SERVER_KEY = "k" * 40
OWNER = Caller("key", "host")
PERSON = NewSeat(kind="person")
OPEN = NewSeat(kind="open")


def bot(level: str = "greedy") -> NewSeat:
    return NewSeat(kind="bot", level=level)


class World:
    """Services over memory stores. `now` is in ms; nothing happens by itself."""

    def __init__(self, **settings: Any) -> None:
        self.now = 1_700_000_000_000
        self.ticks = 0
        self.woken: list[str] = []
        self.thoughts: list[tuple[str, int]] = []
        self.reports: list[tuple[str, str]] = []
        self.settings = msgspec.structs.replace(
            Settings(
                server_key=SERVER_KEY,
                archive_url=f"memory://{uuid4()}",
                extra_games=f"{tictactoe.__name__}:GAME,{secrets.__name__}:GAME",
            ),
            **settings,
        )
        store = MemoryStore(self.clock)
        self.stores = Stores(
            events=store,
            work=store,
            lists=MemoryLists(),
            series=MemorySeries(self.clock),
            hints=MemoryHints(self.clock),
            wholes=MemoryWholes(store),
            files=MemoryFiles(),
        )
        self.tycoon = self.build()

    def clock(self) -> int:
        return self.now

    def stopwatch(self) -> int:
        """Every thought takes 250 us."""
        self.ticks += 250
        return self.ticks

    def build(self, limit: Any = None) -> Tycoon:
        """Another process over the same stores."""
        return build(
            self.settings,
            self.stores,
            clock=self.clock,
            wake=self.woken.append,
            think=lambda match, version: self.thoughts.append((match, version)),
            report=lambda match, broken: self.reports.append((match, str(broken))),
            limit=limit or _no_limit,
            wait=self.wait,
            stopwatch=self.stopwatch,
        )

    def wait(self, ms: int) -> None:
        self.now += max(ms, 0)

    def create(self, *seats: NewSeat, game: str = "tictactoe", **more: Any) -> str:
        return self.created(*seats, game=game, **more).id

    def created(
        self, *seats: NewSeat, game: str = "tictactoe", key: Key | None = None, **more: Any
    ) -> Done:
        return self.tycoon.commands.create(NewMatch(game=game, seats=seats, **more), "host", key)

    def match(self, match_id: str) -> AnyMatch:
        return self.build().queries.find(match_id, OWNER)[0].match

    def holder(self, match_id: str, seat: int, epoch: int = 0) -> Caller:
        return Caller("seat", ids.seat_token(SERVER_KEY.encode(), match_id, seat, epoch))

    def move(self, match_id: str, seat: int, move: Any, **more: Any) -> Done:
        more = {"expected": None if "key" in more else self.match(match_id).version, **more}
        return self.tycoon.commands.move(
            match_id, self.holder(match_id, seat), move, **{"key": None, **more}
        )

    def play_first(self, match_id: str, seat: int) -> Done:
        """The seat's first listed move."""
        doc = self.tycoon.queries.moves(match_id, self.holder(match_id, seat), preview=False)
        return self.move(match_id, seat, msgspec.to_builtins(doc.moves[0].move))

    def advance(self, match_id: str) -> None:
        self.tycoon.advancer.advance([match_id])

    def log(self, match_id: str) -> list[str]:
        """The tags of the log, in order."""
        stored = self.stores.events.events(match_id)
        return [msgspec.json.decode(raw)["event"]["type"] for raw in stored]

    def listed(self, player: str | None = None) -> list[str]:
        """Matches in the lists of the host, or of one of its players."""
        page = self.tycoon.lists.matches(
            owner="host",
            scope="mine",
            game=None,
            status=None,
            player=player,
            cursor=None,
            limit=200,
            now=self.now,
        )
        return [row.id for row in page.items]

    def active(self, match_id: str) -> list[int]:
        doc = self.tycoon.queries.match(match_id, OWNER)
        return list(doc.active)


def _no_limit(ms: int) -> AbstractContextManager[None]:
    return nullcontext()


def key(given: str, body: str = "b", credential: str = "c", route: str = "r") -> Key:
    return Key(given, ids.command_id(credential, route, given), body)
