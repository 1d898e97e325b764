"""A process of the API over real servers, and the one thread that speaks to the broker."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
import structlog

from api.cli.servers import EmbeddedServer, find_server, free_port
from api.metrics import Metrics
from api.process import make_app
from api.waking import BATCH, WAITING, Waker
from shared import correlation
from shared.settings import SettingsError
from tests.api.server import API_KEY, OPERATOR, PERSON, Client, bot, refused
from tests.api.serving import eventually, serving
from tests.cluster import cluster

ROOT = Path(__file__).parents[2]
AWAY = "redis://127.0.0.1:1/0"
QUIET = structlog.wrap_logger(None, processors=[lambda logger, method, facts: facts["event"]])


def environment(url: str, **more: str) -> dict[str, str]:
    return {
        "TYCOON_SERVER_KEY": "s" * 40,
        "TYCOON_EVENTS_URL": url,
        "TYCOON_BROKER_URL": url,
        "TYCOON_BOOTSTRAP_API_KEY": API_KEY,
        "TYCOON_OPERATOR_KEY": OPERATOR,
        "TYCOON_LOG_LEVEL": "critical",
        "TYCOON_EXTRA_GAMES": "tests.toys.tictactoe:GAME,tests.toys.secrets:GAME",
        **more,
    }


def test_a_match_over_a_real_store(real_redis: redis.Redis, redis_url: str) -> None:
    app = make_app(environment(redis_url))
    host = Client(app, API_KEY)
    assert host.get("/readyz").status_code == 200
    new = {"game": "tictactoe", "seats": [PERSON, bot()], "chance": {"first": 0}}
    created = host.post("/v1/matches", new, key="k").json
    person = Client(app, created["tokens"][0]["token"])
    at = f"/v1/matches/{created['match']['id']}"
    body = {"move": {"type": "place", "at": 4}, "expected_version": 3}

    moved = person.post(f"{at}/moves", body, key="k")

    assert moved.status_code == 201
    assert person.post(f"{at}/moves", body, key="k").data == moved.data
    assert host.post("/v1/matches", new, key="k").json == created
    # Another process over the same store sees and knows the same.
    other = Client(make_app(environment(redis_url)), person.credential)
    assert other.get(at, min_version=4).json == moved.json["match"]
    # The bot is asked for on its queue.
    eventually(lambda: real_redis.llen("advance"))
    begun = Client(app, OPERATOR).post("/v1/admin/rebuilds")
    assert begun.status_code == 202
    assert real_redis.llen("ops") == 1


def test_processes_share_their_rates_over_the_broker_and_store_no_credential(
    real_redis: redis.Redis, redis_url: str
) -> None:
    limits = {"TYCOON_RATE_PER_KEY": "4/hour", "TYCOON_RATE_PER_SEAT": "4/hour"}
    apps = [make_app(environment(redis_url, **limits)) for _ in range(2)]
    new = {"game": "tictactoe", "seats": [PERSON, PERSON]}
    created = Client(apps[0], API_KEY).post("/v1/matches", new).json
    at = f"/v1/matches/{created['match']['id']}"
    token = created["tokens"][0]["token"]

    by_key = [Client(apps[n % 2], API_KEY).get(at).status_code for n in range(5)]
    by_seat = [Client(apps[n % 2], token).get(at).status_code for n in range(8)]

    assert by_key == [200] * 3 + [429] * 2
    assert by_seat == [200] * 6 + [429] * 2, "each process counts its first for the address"
    rates = [key.decode() for key in real_redis.keys("tycoon:rate:*")]
    assert len(rates) == 3
    assert not [key for key in rates if token in key or API_KEY in key or "127.0.0.1" in key]


@pytest.fixture
def own_store(tmp_path: Path) -> Iterator[EmbeddedServer]:
    """A real server that a test may do anything to."""
    program = find_server(os.environ).path
    with EmbeddedServer(program, free_port(), tmp_path / "store", "events") as server:
        yield server


@pytest.fixture
def granian(real_redis: redis.Redis, redis_url: str) -> Iterator[int]:
    """The port of the server that is used in production, over a real store."""
    with serving(environment(redis_url)) as (port, _):
        yield port


def ask_raw(port: int, head: bytes, body: bytes = b"", *, cut: bool = False) -> bytes:
    """The answer's bytes; with `cut` this side ends before it has sent all that it announced."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
        client.sendall(head + b"Connection: close\r\n\r\n" + body)
        if cut:
            client.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: client.recv(65_536), b""))


def test_the_server_in_front_hands_on_a_cut_body_and_it_is_refused(granian: int) -> None:
    head = (
        b"POST /v1/matches HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        b"Authorization: Bearer " + API_KEY.encode() + b"\r\n"
    )
    body = b'{"game": "tictactoe", "seats": [{"kind": "person"}, {"kind": "open"}]}'
    chunked = b"Transfer-Encoding: chunked\r\n"
    size = f"{len(body):x}".encode()

    whole = ask_raw(granian, head + f"Content-Length: {len(body)}\r\n".encode(), body)
    cut = ask_raw(granian, head + b"Content-Length: 5000\r\n", body, cut=True)
    streamed = ask_raw(granian, head + chunked, size + b"\r\n" + body + b"\r\n0\r\n\r\n")
    halved = ask_raw(granian, head + chunked, size + b"\r\n" + body[:30], cut=True)

    assert whole.startswith(b"HTTP/1.1 201")
    assert cut.startswith(b"HTTP/1.1 400")
    assert b"request.incomplete" in cut
    assert streamed.startswith(b"HTTP/1.1 201")
    assert b"request.invalid-json" in halved


def test_a_bootstrap_key_that_was_revoked_does_not_come_back_with_a_restart(
    real_redis: redis.Redis, redis_url: str
) -> None:
    app = make_app(environment(redis_url))
    key_id = API_KEY.split("_")[1]
    assert Client(app, OPERATOR).delete(f"/v1/admin/keys/{key_id}").status_code == 204
    again = make_app(environment(redis_url))
    refused(Client(again, API_KEY).get("/v1/matches"), 401, "auth.bad-key")


def test_a_broker_that_is_down_keeps_no_caller_waiting(
    real_redis: redis.Redis, redis_url: str
) -> None:
    dead = f"redis://127.0.0.1:{free_port()}/0"
    app = make_app(environment(redis_url, TYCOON_BROKER_URL=dead))
    host = Client(app, API_KEY)
    new = {"game": "tictactoe", "seats": [bot(), bot()]}

    started = time.monotonic()
    for _ in range(5):
        assert host.post("/v1/matches", new).status_code == 201
    assert time.monotonic() - started < 1.0

    def lost() -> bool:
        text = host.get("/metrics").text
        return "tycoon_wakes_lost_total 5.0" in text

    eventually(lost, within_s=30)
    begun = Client(app, OPERATOR).post("/v1/admin/rebuilds")
    refused(begun, 503, "store.broker-unavailable")


def test_a_store_that_is_down_is_503_and_not_ready() -> None:
    dead = f"redis://127.0.0.1:{free_port()}/0"
    app = make_app(environment(dead, TYCOON_BOOTSTRAP_API_KEY=""))
    client = Client(app, API_KEY)
    refused(client.get("/readyz"), 503, "store.unavailable")
    answer = client.post("/v1/matches", {"game": "tictactoe", "seats": [PERSON, PERSON]})
    refused(answer, 503, "store.unavailable")
    assert client.get("/livez").status_code == 200


def test_a_store_that_is_away_at_the_start_puts_the_bootstrap_key_off(
    own_store: EmbeddedServer,
) -> None:
    own_store.kill()
    app = make_app(environment(own_store.url))
    client = Client(app, API_KEY)
    refused(client.get("/readyz"), 503, "store.unavailable")
    own_store.start()
    assert client.get("/readyz").status_code == 200
    assert client.get("/v1/matches").status_code == 200


def test_a_cluster_that_is_away_at_the_start_makes_it_unready_and_is_found(tmp_path: Path) -> None:
    with cluster(tmp_path) as whole:
        for node in whole.nodes:
            node.kill()
        client = Client(make_app(environment(whole.url, TYCOON_BROKER_URL=AWAY)), API_KEY)
        refused(client.get("/readyz"), 503, "store.unavailable")
        refused(client.get("/v1/matches"), 503, "store.unavailable")

        for node in whole.nodes:
            node.start()
        whole.wait()

        assert client.get("/readyz").status_code == 200
        assert client.get("/v1/matches").status_code == 200


def test_a_bootstrap_key_that_turns_out_to_be_taken_late_is_told_and_stops_nobody(
    own_store: EmbeddedServer, capfd: pytest.CaptureFixture[str]
) -> None:
    make_app(environment(own_store.url))
    own_store.stop()
    other = API_KEY[:-1] + "z"
    late = environment(own_store.url, TYCOON_BOOTSTRAP_API_KEY=other, TYCOON_LOG_LEVEL="error")
    client = Client(make_app(late), API_KEY)
    own_store.start()
    assert [client.get("/readyz").status_code for _ in range(2)] == [200, 200]
    assert capfd.readouterr().err.count("has the id of another API key") == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TYCOON_SERVER_KEY", "short"),
        ("TYCOON_EVENTS_URL", "http://x"),
        ("TYCOON_BROKER_URL", "redis://127.0.0.1:1/0?cluster=1"),
        ("TYCOON_BOOTSTRAP_API_KEY", "tyk_bad"),
        ("TYCOON_RATE_PER_KEY", "often"),
        ("TYCOON_LOG_LEVEL", "loud"),
        ("TYCOON_EXTRA_GAMES", "no.such:GAME"),
        ("TYCOON_BODY_LIMIT", "many"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(redis_url: str, name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name):
        make_app(environment(redis_url, **{name: value}))


def test_the_server_ends_with_one_sentence_where_it_cannot_serve() -> None:
    env = {**os.environ, "TYCOON_SERVER_KEY": "short"}
    done = subprocess.run(
        [sys.executable, "-m", "api"],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == "TYCOON_SERVER_KEY must be set to at least 32 secret characters.\n"


def test_one_scrape_sees_all_processes_that_share_a_directory(tmp_path: Path) -> None:
    code = (
        "import os; from pathlib import Path; from api.metrics import Metrics;"
        "m = Metrics(Path(os.environ['PROMETHEUS_MULTIPROC_DIR']));"
        "m.conflict('x'); print(m.text().decode())"
    )
    env = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    told = [
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=env,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        ).stdout
        for _ in range(2)
    ]
    assert 'tycoon_conflicts_total{code="x"} 1.0' in told[0]
    assert 'tycoon_conflicts_total{code="x"} 2.0' in told[1]


def test_ids_that_come_while_one_task_is_sent_go_into_the_next() -> None:
    sent: list[list[str]] = []
    free = threading.Event()

    def advance(batch: object) -> None:
        sent.append(list(batch))  # type: ignore[call-overload]  # a list of ids
        free.wait(5)

    waker = Waker(advance, Metrics(), QUIET)
    waker.wake("m0")
    eventually(lambda: sent)
    for number in [*range(1, 61), 1, 1]:
        waker.wake(f"m{number}")
    free.set()

    eventually(lambda: len(sent) == 3)
    assert sent[0] == ["m0"]
    assert len(sent[1]) == BATCH
    assert {name for batch in sent for name in batch} == {f"m{number}" for number in range(61)}


def test_what_is_asked_for_keeps_the_id_of_its_request() -> None:
    sent: dict[tuple[str, int], str | None] = {}
    waker: Waker[tuple[str, int]] = Waker(sent.update, Metrics(), QUIET)
    for request, wanted in (("r1", ("m", 0)), ("r2", ("m", 1)), ("r3", ("n", 0))):
        with correlation.correlated(request, {}):
            waker.wake(wanted)
    eventually(lambda: sent == {("m", 0): "r1", ("m", 1): "r2", ("n", 0): "r3"})


def test_a_queue_that_is_full_drops_and_counts() -> None:
    stuck = threading.Event()
    metrics = Metrics()
    waker = Waker(lambda batch: stuck.wait(5) and None, metrics, QUIET)
    for number in range(WAITING + 100):
        waker.wake(f"m{number}")
    stuck.set()
    lost = re.search(r"^tycoon_wakes_lost_total (\S+)$", metrics.text().decode(), re.MULTILINE)
    assert lost
    assert float(lost[1]) >= 100 - BATCH
