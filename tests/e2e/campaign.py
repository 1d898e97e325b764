"""Hundreds of commands while something breaks, and what must hold afterwards.

`TYCOON_FAULT_SEED` repeats a run: which harm is done when, counted in acknowledged commands.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from threading import Event, Thread
from typing import Any

import httpx

from tests.e2e.checks import check
from tests.e2e.harness import Running, eventually, says_yes
from tests.e2e.players import PATIENCE_S, Asking, Player
from tests.e2e.tables import Table

SEED = int(os.environ.get("TYCOON_FAULT_SEED", time.time_ns() % 1_000_000))
ROUNDS = int(os.environ.get("TYCOON_FAULT_ROUNDS", "1"))
"""So many times as much is played, and as much harm done, as in `make test`."""

PERSONS = 3
AMONG_BOTS = 2
READ_S = 0.01
_names = count()
"""No two players of a run may use the same Idempotency-Keys."""

Harm = Callable[[], object]
New = dict[str, Any]


def bot(level: str) -> dict[str, str]:
    return {"kind": "bot", "level": level}


PERSON = {"kind": "person"}
OF_PERSONS: list[New] = [{"game": "tictactoe", "options": {"size": 5}, "seats": [PERSON] * 2}]
WITH_BOTS: list[New] = [
    {"game": "tictactoe", "seats": [PERSON, bot("greedy")], "pace_ms": 0},
    {
        "game": "daifugo",
        "options": {"rounds": 1},
        "seats": [PERSON, *[bot("random")] * 3],
        "pace_ms": 0,
    },
]
OF_BOTS: list[New] = [
    {"game": "tictactoe", "seats": [bot("random"), bot("greedy")], "pace_ms": 20},
    {"game": "daifugo", "options": {"rounds": 1}, "seats": [bot("random")] * 4, "pace_ms": 0},
]


class Campaign:
    """Persons among themselves, persons and bots, and bots, with a reader beside them.

    Args:
        more: is added to every new match.
    """

    def __init__(self, system: Running, more: New | None = None) -> None:
        self.tables: list[Table] = []
        self._system = system
        self._more = more or {}
        self._enough, self._over = Event(), Event()
        self._failures: list[BaseException] = []
        self._harmed = time.monotonic()

    def fight(self, harms: Sequence[Harm], *, commands: int) -> None:
        """Plays so many commands, does each harm at a moment of its own, and checks everything."""
        commands *= ROUNDS
        chance = random.Random(f"{SEED}-moments")
        moments = sorted(chance.sample(range(commands // 10, commands - 5), len(harms)))
        print(f"TYCOON_FAULT_SEED={SEED}: harm at {moments} of {commands} commands")
        with self.player() as person, self.playing():
            resting = person.begin(OF_PERSONS[0])
            for moment, harm in zip(moments, harms, strict=True):
                self._wait_for(moment)
                harm()
                self._harmed = time.monotonic()
            self._wait_for(commands)
            person.finish(resting)  # which nobody has touched meanwhile
        eventually(lambda: says_yes(f"{self._system.url}/readyz"), PATIENCE_S)
        check(self._system, self.tables)

    @contextmanager
    def playing(self) -> Iterator[None]:
        """They play while the block runs, and end the matches that are begun then."""
        kinds = [OF_PERSONS] * PERSONS + [WITH_BOTS] * AMONG_BOTS + [OF_BOTS]
        players = [Thread(target=self._guard, args=each) for each in enumerate(kinds, 1)]
        reader = Thread(target=self._read)
        for thread in (*players, reader):
            thread.start()
        try:
            yield
        finally:
            self._enough.set()
            for player in players:
                player.join()
            self._over.set()
            reader.join()
        if self._failures:
            raise self._failures[0]

    @contextmanager
    def player(self, number: int = 0, kinds: Sequence[New] = ()) -> Iterator[Player]:
        """A player of this campaign, who begins these kinds of matches."""
        with httpx.Client(base_url=self._system.url, timeout=10) as http:
            yield Player(
                self._system,
                http,
                name=f"player-{next(_names)}",
                kinds=kinds,
                more=self._more,
                chance=random.Random(f"{SEED}-{number}"),
                enough=self._enough,
                tables=self.tables,
                harmed=lambda: self._harmed,
            )

    def passes(self, commands: int) -> None:
        """Waits until so many more were acknowledged."""
        self._wait_for(self.acknowledged() + commands)

    def acknowledged(self) -> int:
        """How many commands were."""
        return sum(
            sent.answer == "acknowledged" for table in list(self.tables) for sent in table.sent
        )

    def _wait_for(self, commands: int) -> None:
        """Until so many were acknowledged; as long as they go on at all."""
        while (now := self.acknowledged()) < commands:
            eventually(lambda now=now: self._failures or self.acknowledged() > now, PATIENCE_S)
            if self._failures:
                raise self._failures[0]

    def _guard(self, number: int, kinds: list[New]) -> None:
        try:
            with self.player(number, kinds) as player:
                player.play()
        except BaseException as failed:  # told by the thread that waits for this one
            self._failures.append(failed)

    def _read(self) -> None:
        """Somebody who looks at every match that goes on, all the time."""
        try:
            with httpx.Client(base_url=self._system.url, timeout=10) as http:
                reader, ended = Asking(self._system, http), set()
                for turn in count():
                    if self._over.wait(READ_S):
                        return
                    for table in [t for t in self.tables if t.id not in ended]:
                        found = reader.look(table, at_least=bool(turn % 2))
                        if found is not None and found["status"] == "ended":
                            ended.add(table.id)
        except BaseException as failed:  # told by the thread that waits for this one
            self._failures.append(failed)
