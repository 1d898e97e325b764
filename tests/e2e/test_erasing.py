"""Names that are erased are gone from a real system: stores, their files, archive, logs, answers.

The names are looked for as bytes in all that there is. First, before anything is erased, the same
search must find them where they are meant to be.
"""

from __future__ import annotations

import gzip
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import redis

from services.bootstrap import Tycoon, build, redis_stores
from services.erasing.erasing import LATE_MS
from shared import ids
from shared.store_files import Rewriting
from tests.e2e.harness import Running, eventually

pytestmark = pytest.mark.e2e

NAME, REF = "Zebedee-Quux-Name", "ref-zebedee-quux"
ZEB: Any = {"kind": "person", "name": NAME, "ref": REF}
ANN: Any = {"kind": "person", "name": "Annabel-Stays", "ref": "ref-annabel"}
PARTS = ("", "/events?limit=200", "/moves", "/export", "/thoughts", "/hint")


OPEN_TO_EYES = {
    "rdbcompression": "no",  # so that names lie in files as they are
    "slowlog-log-slower-than": "0",  # as if it were slow all the time
    "slowlog-max-len": "100000",
}


@pytest.fixture
def tycoon(system: Running) -> Iterator[Running]:
    with redis.Redis.from_url(system.system.settings.events_url) as store:
        before = {name: store.config_get(name)[name] for name in OPEN_TO_EYES}
        for name, value in OPEN_TO_EYES.items():
            store.config_set(name, value)
        yield system
        for name, value in before.items():
            store.config_set(name, value)


class Host:
    """A platform that lets its people play."""

    def __init__(self, system: Running, http: httpx.Client) -> None:
        self.system = system
        self.http = http
        self.tokens: dict[str, dict[int, str]] = {}

    def create(self, *seats: Any, **more: Any) -> str:
        made = self.http.post("/v1/matches", json={"game": "tictactoe", "seats": seats, **more})
        assert made.status_code == 201, made.text
        match = str(made.json()["match"]["id"])
        self.tokens[match] = {held["seat"]: held["token"] for held in made.json()["tokens"]}
        return match

    def join(self, match: str, **more: Any) -> None:
        headers = {"Idempotency-Key": f"join-{match}"}
        at = f"/v1/matches/{match}/seats"
        joined = self.http.post(at, json=more, headers=headers)
        assert joined.status_code == 201, joined.text
        self.tokens[match][joined.json()["seat"]] = joined.json()["token"]

    def of_seat(self, match: str, seat: int) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[match][seat]}"}

    def move(self, match: str) -> bool:
        """A move of whoever must; false once it is over."""
        found = self.http.get(f"/v1/matches/{match}").json()
        if found["status"] == "ended":
            return False
        at, headers = f"/v1/matches/{match}/moves", self.of_seat(match, found["active"][0])
        move = self.http.get(at, headers=headers).json()["moves"][0]["move"]
        body = {"move": move, "expected_version": found["version"]}
        assert self.http.post(at, json=body, headers=headers).status_code == 201
        return True

    def answers(self) -> dict[str, bytes]:
        """All that the API key, the operator, seats and everybody else are told."""
        seats = sorted(held for tokens in self.tokens.values() for held in tokens.values())
        credentials = (self.system.api_key, self.system.operator_key, *seats[:3], "")
        lists = ("/v1/matches?limit=200", "/v1/games/tictactoe/results", "/metrics")
        paths = [*lists, *(f"/v1/matches/{match}{part}" for match in self.tokens for part in PARTS)]
        found = {"openapi": self.http.get("/openapi.json").content}
        for credential in credentials:
            headers = {"Authorization": f"Bearer {credential}"} if credential else {}
            for path in paths:
                request = self.http.build_request("GET", path)
                del request.headers["Authorization"]
                request.headers.update(headers)
                answer = self.http.send(request)
                found[f"{credential[:4]} {path}"] = answer.content + str(answer.headers).encode()
        return found


def stored(url: str) -> dict[str, bytes]:
    """Every key of a server with its value, and what it remembers of slow commands."""
    with redis.Redis.from_url(url) as store:
        found = {repr(key): key + (store.dump(key) or b"") for key in store.scan_iter(count=1_000)}
        return {**found, "slowlog": repr(store.slowlog_get(100_000)).encode()}


def files(folder: Path) -> dict[str, bytes]:
    found = {}
    for path in folder.rglob("*"):
        if path.is_file():
            try:
                data = path.read_bytes()
                packed = path.suffix == ".gz"
                found[str(path.relative_to(folder))] = gzip.decompress(data) if packed else data
            except FileNotFoundError:  # a server has removed it meanwhile
                continue
    return found


def traces(system: Running) -> list[bytes]:
    """The name, the reference, and what the names of the player's lists have of it."""
    owner = system.api_key.split("_")[1]
    key = system.system.settings.server_key.encode()
    return [NAME.encode(), REF.encode(), ids.derive(key, "ref", owner, REF, length=26).encode()]


def holding(system: Running, everything: dict[str, bytes]) -> set[str]:
    wanted = traces(system)
    return {where for where, data in everything.items() if any(trace in data for trace in wanted)}


def everything(host: Host) -> dict[str, bytes]:
    settings = host.system.system.settings
    return {
        **{f"store {key}": data for key, data in stored(settings.events_url).items()},
        **{f"broker {key}": data for key, data in stored(settings.broker_url).items()},
        **{f"file {name}": data for name, data in files(Path(settings.data_dir)).items()},
        **{f"answer {asked}": data for asked, data in host.answers().items()},
    }


def in_five_minutes(system: Running, monkeypatch: pytest.MonkeyPatch) -> Tycoon:
    """The services as a worker has them when nobody can still write what was read before."""
    monkeypatch.setattr("services.erasing.erasing.LATE_MS", -1_000)
    settings = msgspec.structs.replace(system.system.settings, rewrite_minutes=1)
    return build(
        settings,
        redis_stores(settings),
        clock=lambda: time.time_ns() // 1_000_000 + LATE_MS,
        wake=lambda match: None,
        think=lambda match, version: None,
        report=lambda match, broken: pytest.fail(f"{match}: {broken}"),
    )


def played(host: Host) -> dict[str, str]:
    """Matches of the player in every status and of every kind."""
    matches = {
        "waiting": host.create(ZEB, {"kind": "open"}, visibility="public"),
        "running": host.create(ANN, ZEB, visibility="private"),
        "over": host.create(ZEB, ANN, visibility="public"),
        "resigned": host.create(ANN, ZEB),
        "cancelled": host.create(ZEB, ANN),
        "custom": host.create(ZEB, {"kind": "bot", "level": "greedy"}, chance={"first": 0}),
        "joined": host.create(ANN, {"kind": "open"}),
        "left": host.create(ANN, {"kind": "open"}),
    }
    host.join(matches["joined"], name=NAME, ref=REF)
    host.join(matches["left"], name=NAME, ref=REF)
    left = host.http.post(
        f"/v1/matches/{matches['left']}/seats",
        json={"action": "leave"},
        headers=host.of_seat(matches["left"], 1),
    )
    assert left.status_code == 201, left.text
    host.move(matches["running"])
    while host.move(matches["over"]):
        pass
    resigned = host.http.post(
        f"/v1/matches/{matches['resigned']}/resign",
        json={},
        headers=host.of_seat(matches["resigned"], 1),
    )
    assert resigned.status_code == 201, resigned.text
    assert host.http.delete(f"/v1/matches/{matches['cancelled']}").status_code == 200
    transcript = host.http.get(f"/v1/matches/{matches['over']}/export").content
    imported = host.http.post(
        "/v1/matches/import",
        content=transcript,
        headers={"Content-Type": "application/x-ndjson"},
    )
    assert imported.status_code == 201, imported.text
    return matches


@pytest.fixture
def host(tycoon: Running) -> Iterator[Host]:
    with tycoon.client() as http:
        yield Host(tycoon, http)


def archive(system: Running, match: str) -> None:
    """Brings a match into the archive, as soon as nobody works on it any more."""

    def archived() -> bool:
        with system.client(system.operator_key) as operator:
            done = operator.post("/v1/admin/archive", json={"matches": [match]}).json()
        return bool(done["items"][0]["outcome"] == "archived")

    eventually(archived, 30)


def test_of_an_erased_player_nothing_is_left_anywhere(
    tycoon: Running, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = played(host)

    def listed() -> bool:
        rows = host.http.get("/v1/matches", params={"player": REF}).json()["items"]
        return len(rows) == len(matches) - 1  # not the one that was left

    eventually(listed, 30)
    export = host.http.get(f"/v1/matches/{matches['over']}/export").content
    logs = {match: tycoon.events(match) for match in matches.values()}
    archive(tycoon, matches["over"])
    assert REF in host.http.get(f"/v1/matches/{matches['over']}").text

    found = holding(tycoon, everything(host))  # the control
    assert {where.split()[0] for where in found} == {"store", "file", "answer"}
    assert any(":people" in where for where in found)
    assert any("lobby" in where and "rows" in where for where in found)
    assert any("lobby" in where and "order" in where for where in found)
    assert any("results" in where and "rows" in where for where in found)
    assert "store slowlog" in found
    assert any(where.startswith("file") and "appendonly" in where for where in found)
    assert any(where.startswith("answer tyk_ /v1/matches") for where in found)
    kept = [
        name for name in files(Path(tycoon.system.settings.data_dir)) if matches["over"] in name
    ]
    assert kept, "one is in the archive"
    elsewhere = [w for w in found if w.startswith("file") and "appendonly" not in w]
    assert elsewhere == [], "no log has it, nor any other file"

    done = host.http.post("/v1/erasures", json={"player": REF}).json()
    assert done == {"erased": len(matches) - 1, "left": 0}

    found = holding(tycoon, everything(host))
    assert {w for w in found if "appendonly" not in w and w != "store slowlog"} == set()

    later = in_five_minutes(tycoon, monkeypatch)
    aged, settled = later.eraser.work()
    assert aged == 0
    assert settled >= len(matches) - 1, "and what other tests have erased"
    with redis.Redis.from_url(tycoon.system.settings.events_url) as store:
        store.config_set("slowlog-log-slower-than", -1)  # what is written now is no trace of then
    eventually(lambda: later.rewriter.work() is Rewriting.BEGUN, 60)
    folder = Path(tycoon.system.settings.data_dir)
    eventually(lambda: not holding(tycoon, files(folder)), 60)

    def finished() -> bool:
        later.rewriter.work()
        return not later.rewriter.is_due()

    eventually(finished, 60)

    everywhere = everything(host)
    assert holding(tycoon, everywhere) == set()
    assert any(b"Annabel-Stays" in data for data in everywhere.values()), "others are still there"
    assert host.http.get(f"/v1/matches/{matches['over']}/export").content == export
    assert {match: tycoon.events(match) for match in matches.values()} == logs
    assert host.http.post("/v1/erasures", json={"player": REF}).json() == {"erased": 0, "left": 0}
