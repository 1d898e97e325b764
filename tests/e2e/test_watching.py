"""A running system is watched: one scrape for each service, and one id from request to task."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import httpx
import psutil
import pytest

from api.cli.servers import free_port
from api.cli.topology import WATCHED
from tests.e2e.harness import Running, eventually, running
from tests.ops.exposed import Samples, everything, samples

pytestmark = pytest.mark.e2e


def in_a_row(number: int) -> int:
    """The first of some ports in a row that are free now."""
    in_use = {connection.laddr.port for connection in psutil.net_connections("tcp")}
    for first in count(free_port()):
        if not in_use & set(range(first, first + number)):
            return first
    raise AssertionError


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("watched")
    with running(folder, metrics_port=str(in_a_row(len(WATCHED)))) as tycoon:
        yield tycoon


def scrape(system: Running, service: str) -> bytes:
    return ask(system, service, "/metrics").content


def ask(system: Running, service: str, path: str) -> httpx.Response:
    if service == "api":
        return httpx.get(system.url + path)
    port = system.system.settings.metrics_port + WATCHED.index(service)
    return httpx.get(f"http://127.0.0.1:{port}{path}")


def value(system: Running, service: str, sample: str) -> float:
    """What one line of a scrape says; 0 where there is no such line yet."""
    for line in scrape(system, service).decode().splitlines():
        name, _, number = line.rpartition(" ")
        if name == sample:
            return float(number)
    return 0


def lines(system: Running, service: str) -> list[dict[str, Any]]:
    """Every line of a process's log; each must be JSON."""
    return [json.loads(line) for line in system.log(service).splitlines()]


def test_every_process_counts_and_all_names_are_known(watched: Running) -> None:
    for level in ("raises", "slow", "greedy"):
        watched.ended(watched.match("tictactoe", level, "greedy"))
    watched.match("daifugo", "person", "greedy", "greedy", "greedy")
    eventually(
        lambda: value(watched, "ticker", 'tycoon_open_matches{game="daifugo",status="running"}'),
        within_s=20,
    )
    bots = [{"level": "greedy"}, {"level": "random"}]
    with watched.client() as client:
        new = {"game": "tictactoe", "bots": bots, "matches": 4}
        series = client.post("/v1/series", json=new).json()["id"]
    played = 'tycoon_series_matches_total{game="tictactoe",result="played"}'
    eventually(lambda: value(watched, "series", played) == 4, within_s=20)
    # The line comes when the task is over, a moment after the match was counted.
    eventually(lambda: f'"series": "{series}"' in watched.log("series"), within_s=20)

    found: Samples = samples(*(scrape(watched, service) for service in ("api", *WATCHED)))

    known = everything()
    for name, labels in found.items():
        assert set(labels) == set(known[name]), name
    missing = set(known) - set(found)
    assert missing == {
        # Nothing of this kind happened.
        *("tycoon_moves_total", "tycoon_conflicts_total"),
        "tycoon_store_memory_max_bytes",
    }
    assert found["tycoon_build_info"]["service"] == {"api", "worker", "ticker"}
    for kind, faults in (("raised", 1), ("illegal", 0), ("stalled", 0)):
        sample = f'tycoon_faults_total{{game="tictactoe",kind="{kind}"}}'
        assert (value(watched, "worker", sample) > 0) == bool(faults)
    assert value(watched, "worker", 'tycoon_matches_failed_total{error="other"}') == 0
    assert found["tycoon_tasks_total"]["task"] >= {"advance", "think", "sweep"}
    assert found["tycoon_worker_processes"]["queues"] == {"advance,ops", "think", "series"}
    assert found["tycoon_store_up"]["server"] == {"events", "broker"}
    assert value(watched, "ticker", 'tycoon_store_up{server="events"}') == 1


def test_no_label_holds_what_somebody_sent(watched: Running) -> None:
    """Whoever asks for odd things must not fill the labels, and no id or name gets into them."""
    odd = "zqx7"
    match = watched.match("tictactoe", "person", "greedy")
    with watched.client() as client:
        for path in (f"/{odd}", f"/v1/{odd}", f"/v1/matches/{odd}", f"/v1/games/{odd}/rules"):
            client.get(path)
        client.get(f"/v1/matches/{match}", params={odd: odd}, headers={"X-Request-Id": odd})
        client.get("/v1/games", headers={"Authorization": f"Bearer {odd}", "User-Agent": odd})
        client.request("ZQXSEVEN", "/v1/games")
        client.post(f"/v1/matches/{match}/moves", json={"move": odd, "type": odd})
        seats = [{"kind": "bot", "level": odd}, {"kind": "person", "name": odd}]
        for game in (odd, "tictactoe"):
            client.post("/v1/matches", json={"game": game, "seats": seats})
        client.post("/v1/series", json={"game": odd, "bots": [{"level": odd}], "matches": 4})

    found = samples(*(scrape(watched, service) for service in ("api", *WATCHED)))
    values = {v for of in found.values() for values in of.values() for v in values}
    assert len(values) > 50
    assert [v for v in values if odd in v.lower() or "zqxseven" in v.lower()] == []
    assert [v for v in values if match in v or re.search(r"[mk]_[a-z2-7]{5}|ty[kso]_", v)] == []


@pytest.mark.parametrize(("service", "queues"), [("worker", "advance,ops"), ("thinker", "think")])
def test_a_worker_that_works_is_seen_to_take_tasks(
    watched: Running, service: str, queues: str
) -> None:
    """Its liveness stands on that."""
    sample = f'tycoon_worker_taken_total{{queues="{queues}"}}'
    before = value(watched, service, sample)
    watched.ended(watched.match("tictactoe", "slow", "greedy"))
    assert value(watched, service, sample) > before
    free = f'tycoon_worker_processes{{queues="{queues}",state="free"}}'
    eventually(lambda: value(watched, service, free) >= 1)


def test_one_scrape_gives_the_sum_over_all_processes_of_the_api(watched: Running) -> None:
    sample = 'tycoon_http_requests_total{method="GET",route="/v1/games",status="200"}'
    before = value(watched, "api", sample)
    for _ in range(20):  # a connection for each, so that every process gets some
        assert httpx.get(f"{watched.url}/v1/games").status_code == 200
    assert {value(watched, "api", sample) for _ in range(5)} == {before + 20}


def test_a_process_of_the_api_that_dies_takes_no_counts_along(watched: Running) -> None:
    sample = 'tycoon_http_requests_total{method="GET",route="/v1/games",status="200"}'
    for _ in range(20):
        httpx.get(f"{watched.url}/v1/games")
    before = value(watched, "api", sample)
    serving = [p for p in watched.tree("api")[1:] if p.children() == []]
    serving[-1].kill()
    serving[-1].wait(5)

    def answered() -> bool:
        try:
            return value(watched, "api", sample) == before
        except httpx.TransportError:
            return False  # it was this one that took the connection

    eventually(answered)


def test_one_id_leads_from_a_request_to_its_tasks(watched: Running) -> None:
    given = "order-4711.a_b"
    with watched.client() as client:
        seats = [{"kind": "bot", "level": "slow"}, {"kind": "bot", "level": "greedy"}]
        answer = client.post(
            "/v1/matches",
            json={"game": "tictactoe", "seats": seats},
            headers={"X-Request-Id": given},
        )
    assert answer.headers["X-Request-Id"] == given
    match = answer.json()["match"]["id"]
    watched.ended(match)

    [request] = [line for line in lines(watched, "api") if line.get("correlation") == given]
    assert (request["event"], request["command"]) == ("request", "create_match")
    assert (request["match"], request["status"]) == (match, 201)

    def tasks(service: str) -> list[dict[str, Any]]:
        found = [line for line in lines(watched, service) if line.get("correlation") == given]
        return [line for line in found if line["event"] == "task"]

    [thought, *_] = eventually(lambda: tasks("thinker"))
    [advance, *_] = eventually(lambda: tasks("worker"))
    for line, command in ((thought, "think"), (advance, "advance")):
        assert (line["command"], line["match"]) == (command, match)
    assert advance["duration_ms"] >= 0
    assert "duration_ms" not in thought, "how long a bot thinks is told after the match"
    appends = [line for line in lines(watched, "thinker") if line["event"] == "append"]
    [first, *_] = [line for line in appends if line["correlation"] == given]
    assert (first["match"], first["command"]) == (match, "think")
    assert first["version"] == thought["version"] + 1


def test_an_id_that_looks_like_a_secret_is_replaced(watched: Running) -> None:
    given = watched.api_key
    answer = httpx.get(f"{watched.url}/v1/games", headers={"X-Request-Id": given})
    assert answer.headers["X-Request-Id"] != given
    for service in ("api", *WATCHED):
        assert given not in watched.log(service)


@pytest.mark.parametrize("service", ["api", *WATCHED])
def test_they_say_that_they_live(watched: Running, service: str) -> None:
    assert ask(watched, service, "/livez").status_code == 200
    assert ask(watched, service, "/nothing").status_code == 404


def test_without_a_broker_nobody_asks_to_be_replaced(watched: Running) -> None:
    watched.kill("broker")
    try:
        sample = 'tycoon_sweeps_total{result="unsent"}'
        before = value(watched, "ticker", sample)
        eventually(lambda: value(watched, "ticker", sample) > before + 3, within_s=20)
        for service in WATCHED:
            assert ask(watched, service, "/livez").status_code == 200
        away = 'tycoon_store_up{server="broker"}'
        eventually(lambda: value(watched, "ticker", away) == 0, within_s=20)
        assert value(watched, "ticker", 'tycoon_store_up{server="events"}') == 1
    finally:
        watched.start("broker")
    eventually(lambda: value(watched, "ticker", away) == 1, within_s=20)
