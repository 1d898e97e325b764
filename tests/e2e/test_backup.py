"""A backup of a busy Tycoon, the loss of its store, and the way back."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx
import msgspec
import pytest

from services.hosted import Hall
from services.registry import games
from services.series.local import run_local
from services.series.rows import Row
from services.series.spec import NewSeries, resolve
from services.upkeep.files import Place
from services.upkeep.form import Reader, SeriesLine
from shared.settings import from_env
from tests.e2e.harness import Running, environment, eventually, running

pytestmark = pytest.mark.e2e
TYCOON = Path(sys.executable).parent / "tycoon"
SERIES = {
    "game": "daifugo",
    "options": {"rounds": 1},
    "bots": [{"level": "greedy"}, *[{"level": "random"}] * 3],
    "matches": 60,
    "seed": "5e" * 32,
    "keep": "all",
}


def tycoon(folder: Path, *words: str | Path) -> dict[str, Any]:
    """What a command that finds the store by the data folder says."""
    done = subprocess.run(
        [TYCOON, *words, "--json"], env=environment(folder), capture_output=True, text=True
    )
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return dict(json.loads(done.stdout.splitlines()[-1]))


@dataclass
class People:
    """A match of two people who move by turns, each move with a key of its own."""

    url: str
    id: str
    tokens: list[str]
    moves: list[tuple[int, dict[str, Any], dict[str, Any]]] = field(default_factory=list)

    @classmethod
    def begin(cls, system: Running, size: int) -> People:
        made = system.created("tictactoe", "person", "person", options={"size": size})
        return cls(system.url, made["match"]["id"], [t["token"] for t in made["tokens"]])

    def send(self, seat: int, key: str, body: dict[str, Any]) -> httpx.Response:
        return httpx.post(
            f"{self.url}/v1/matches/{self.id}/moves",
            json=body,
            headers={"Authorization": f"Bearer {self.tokens[seat]}", "Idempotency-Key": key},
            timeout=30,
        )

    def seen(self, seat: int) -> dict[str, Any]:
        answer = httpx.get(
            f"{self.url}/v1/matches/{self.id}",
            headers={"Authorization": f"Bearer {self.tokens[seat]}"},
            timeout=30,
        )
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def play(self) -> bool:
        """Whose turn it is takes the next free cell; whether anybody had a turn."""
        match = self.seen(0)
        if not match["active"]:
            return False
        (seat,) = match["active"]
        cell = match["view"]["board"]["cells"].index(None)
        body = {"move": {"type": "place", "at": cell}, "expected_version": match["version"]}
        answer = self.send(seat, f"move-{match['version']}", body)
        assert answer.status_code == 201, answer.text
        self.moves.append((seat, body, dict(answer.json())))
        return True


def test_what_a_backup_has_comes_back_after_the_store_is_lost(tmp_path: Path) -> None:
    folder, file = tmp_path / "data", tmp_path / "backup.gz"
    with running(folder) as system:
        over = [system.match("tictactoe", "greedy", "random") for _ in range(3)]
        for match in over:
            system.ended(match)
        paced = [system.match("tictactoe", "greedy", "random", pace_ms=400) for _ in range(3)]
        invited = system.created("mint-rails", "person", "person", "person")
        people = [People.begin(system, size) for size in (5, 3, 3)]
        for each in people[:2]:
            each.play()
        with system.client() as client:
            series = client.post("/v1/series", json=SERIES).json()["id"]
        matches = [*over, *paced, invited["match"]["id"], *(each.id for each in people)]
        eventually(lambda: progress(system, series)["done"] > 2, 60)

        before = {match: system.get(match)["version"] for match in matches}
        acknowledged = [list(each.moves) for each in people]
        with playing(people[0]):
            counts = tycoon(folder, "backup", file)["counts"]
            checked = tycoon(folder, "refold", "--check")
        assert counts == {"match": len(matches), "series": 1, "key": 1, "deleted": 0}
        assert (checked["matches"], checked["differing"]) == (len(matches), 0)
        lost = {match: system.get(match)["version"] for match in matches}

        assert in_the_middle(file), "the series was running"
        lose_the_servers(system)
        with system.client() as client:
            assert client.get(f"/v1/matches/{over[0]}").status_code in (401, 404)

        restored = tycoon(folder, "restore", file)
        assert restored["restored"] == counts
        assert restored["rebuild"] == 2
        for match in matches:
            assert system.get(match)["version"] >= before[match]
        assert system.get(people[0].id)["version"] <= lost[people[0].id]

        for each, moves in zip(people, acknowledged, strict=True):
            for seat, body, answer in moves:
                again = each.send(seat, f"move-{body['expected_version']}", body)
                assert again.status_code == 201
                assert (again.json()["version"], again.json()["events"]) == (
                    answer["version"],
                    answer["events"],
                )
            while each.play():
                pass
            assert each.seen(1)["status"] == "ended"
        for match in paced:
            system.ended(match, 60)
        assert system.get(invited["match"]["id"])["status"] == "running"

        eventually(lambda: listed(system, "/v1/matches") == set(matches), 30)
        results = "/v1/games/tictactoe/results"
        played = {*over, *paced, *(each.id for each in people)}
        eventually(lambda: listed(system, results) == played, 30)
        eventually(lambda: progress(system, series)["done"] == SERIES["matches"], 90)
        with system.client() as client:
            answer = client.get(f"/v1/series/{series}/results")
            assert answer.status_code == 200, answer.text
            rows = answer.text.splitlines()
        assert tuple(msgspec.json.decode(row, type=Row) for row in rows) == local_rows(folder)

        again = tycoon(folder, "restore", file)
        assert again["there"] == {**counts, "deleted": 0}
        assert again["differing"] == []
        eventually(lambda: rebuilt(system, 2), 30)
        checked = tycoon(folder, "refold", "--check")
        assert (checked["matches"], checked["differing"]) == (len(matches), 0)
        assert checked["passed_over"] == 0


def lose_the_servers(system: Running) -> None:
    """They lose their machine, and start on empty disks; all other processes go on."""
    for name in ("events", "broker"):
        system.kill(name)
        shutil.rmtree(system.system.home.folder / name)
        (system.system.home.folder / name).mkdir()
        system.start(name)


@contextmanager
def playing(people: People) -> Iterator[None]:
    """People move as long as the block lasts."""
    over = Event()

    def play() -> None:
        while not over.is_set() and people.play():
            pass

    thread = Thread(target=play)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def progress(system: Running, series: str) -> dict[str, Any]:
    with system.client() as client:
        return dict(client.get(f"/v1/series/{series}").json()["progress"])


def in_the_middle(file: Path) -> bool:
    """Whether the one series of a backup had some of its matches behind it, and some before it."""
    with Place(str(file)).reading(lambda done, size: None) as lines:
        (series,) = (x.series for x in Reader(lines).lines() if isinstance(x, SeriesLine))
    played = sum(counts.done for counts in series.counts.values())
    return series.status == "running" and 0 < played < SERIES["matches"]


def listed(system: Running, path: str) -> set[str]:
    with system.client() as client:
        return {item["id"] for item in client.get(path).json()["items"]}


def rebuilt(system: Running, generation: int) -> bool:
    with system.client(system.operator_key) as client:
        return bool(client.get(f"/v1/admin/rebuilds/{generation}").json()["finished"])


def local_rows(folder: Path) -> tuple[Row, ...]:
    """The rows of the series, played without a server."""
    settings = from_env(environment(folder))
    levels = tuple(bot["level"] for bot in SERIES["bots"])
    new = msgspec.convert({**SERIES, "bots": levels, "keep": "results"}, NewSeries)
    spec = resolve(new, Hall(games(settings)), settings, lambda: b"")
    return run_local(spec, settings, now=0, tell=lambda progress: None).rows
