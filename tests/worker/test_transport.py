"""What a worker's connection does once its broker is lost."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
import structlog
from kombu.message import Message

from api.cli.servers import EmbeddedServer, find_server, free_port
from shared.settings import Settings
from shared.tasks import Sender, Unsent, broker_app
from tests.shared.conftest import eventually
from worker.transport import PAUSE_S, Connection, mend

QUEUE = "ops"


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[EmbeddedServer]:
    with EmbeddedServer(find_server(os.environ).path, free_port(), tmp_path, "broker") as server:
        yield server


@pytest.fixture
def connection(broker: EmbeddedServer) -> Iterator[Any]:
    app = broker_app(Settings(broker_url=broker.url))
    mend(app)
    with app.connection_for_read() as connection:
        yield connection


class Enough(Exception):
    """Ends an endless search for a broker."""


def taken(channel: Any, *, slots: int = 1) -> Message:
    """A message that a worker with so many slots has taken, and is at work at."""
    channel.basic_qos(0, slots, False)
    channel.queue_declare(QUEUE)
    channel.basic_publish(channel.prepare_message("{}"), exchange="", routing_key=QUEUE)
    return channel.basic_get(QUEUE)


def test_copies_and_addresses_stay_what_they_are(connection: Any) -> None:
    assert isinstance(connection.clone(), Connection)
    assert connection.as_uri().startswith("redis://")


def test_a_worker_soon_finds_a_broker_that_was_gone_for_long(
    connection: Any, broker: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    def tell(error: Exception, pause_s: float) -> None:
        pauses.append(pause_s)
        if len(pauses) == 20:
            raise Enough

    monkeypatch.setattr("kombu.utils.functional.sleep", lambda s: None)
    broker.kill()
    with pytest.raises(Enough):
        connection.ensure_connection(tell, None)
    assert max(pauses) == pauses[-1] == PAUSE_S


@pytest.mark.parametrize("answer", ["ack", "reject", "requeue"])
def test_a_slot_is_free_again_though_the_answer_got_lost(
    connection: Any, broker: EmbeddedServer, answer: str
) -> None:
    channel = connection.default_channel
    message = taken(channel)
    assert not channel.qos.can_consume()
    broker.kill()
    with pytest.raises(connection.connection_errors):
        getattr(message, answer)()
    assert channel.qos.can_consume()


def test_a_worker_that_gives_up_its_connection_in_the_middle_of_a_task_gets_a_connection_error(
    connection: Any, broker: EmbeddedServer
) -> None:
    channel = connection.default_channel
    message = taken(channel, slots=2)
    # As Celery has them: a wait for the next task, and a second channel for remote control.
    channel.basic_consume(QUEUE, no_ack=False, callback=print, consumer_tag="worker")
    connection.transport.cycle.on_poll_start()
    control = connection.channel()
    control.exchange_declare("control", "fanout")
    control.queue_declare("box", auto_delete=True)
    control.queue_bind("box", "control", "")

    broker.kill()
    connection.collect()
    connection.close()
    with pytest.raises(ConnectionError, match="given up"):
        message.ack()


def test_who_asks_for_a_queues_length_as_the_broker_breaks_learns_that_it_is_away(
    broker: EmbeddedServer,
) -> None:
    sender = Sender(broker_app(Settings(broker_url=broker.url)))
    assert sender.queued(QUEUE) == 0
    broker.kill()
    with pytest.raises(Unsent):
        sender.queued(QUEUE)


def full(broker: EmbeddedServer, *, bound: str = "1") -> None:
    with redis.Redis.from_url(broker.url) as client:
        client.config_set("maxmemory-policy", "noeviction")
        client.config_set("maxmemory", bound)


def unable_to_save(broker: EmbeddedServer) -> None:
    """It answers MISCONF to every write from now on."""
    with redis.Redis.from_url(broker.url) as client:
        file = Path(client.config_get("dir")["dir"], client.config_get("dbfilename")["dbfilename"])
        client.config_set("stop-writes-on-bgsave-error", "yes")
        client.config_set("save", "3600 1")
        file.unlink(missing_ok=True)
        (file / "in its place").mkdir(parents=True)
        client.set("x", 1)
        client.bgsave()
        eventually(lambda: client.info("persistence")["rdb_last_bgsave_status"] == "err")


REFUSING = [full, unable_to_save]


@pytest.mark.parametrize("refuse", REFUSING)
def test_a_broker_that_refuses_writes_is_reconnected_to(
    connection: Any, broker: EmbeddedServer, refuse: Any
) -> None:
    channel = connection.default_channel
    channel.basic_consume(QUEUE, no_ack=False, callback=print, consumer_tag="worker")
    refuse(broker)
    with pytest.raises(connection.connection_errors):
        connection.transport.cycle.on_poll_init(connection.transport.cycle.poller)
    with pytest.raises(connection.connection_errors):
        channel.basic_publish(channel.prepare_message("{}"), exchange="", routing_key=QUEUE)
    broker.kill()  # it would not stop without having saved


@pytest.mark.parametrize("refuse", REFUSING)
def test_a_worker_waits_with_bounded_pauses_until_its_broker_takes_writes(
    connection: Any, broker: EmbeddedServer, refuse: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    def tell(error: Exception, pause_s: float) -> None:
        pauses.append(pause_s)
        if len(pauses) == 5:
            with redis.Redis.from_url(broker.url) as client:
                client.config_set("maxmemory", 0)
                client.config_set("stop-writes-on-bgsave-error", "no")

    monkeypatch.setattr("kombu.utils.functional.sleep", lambda s: None)
    refuse(broker)
    connection.ensure_connection(tell, None)
    assert len(pauses) == 5
    assert 0 < min(pauses) <= max(pauses) <= PAUSE_S
    broker.kill()


def test_who_sends_to_a_broker_that_is_full_learns_that_it_takes_nothing(
    broker: EmbeddedServer,
) -> None:
    app = broker_app(Settings(broker_url=broker.url))
    mend(app)
    full(broker)
    with pytest.raises(Unsent):
        Sender(app).sweep()


def test_wakes_that_nobody_comes_to_expire(broker: EmbeddedServer) -> None:
    Sender(broker_app(Settings(broker_url=broker.url))).advance(["m"])
    with redis.Redis.from_url(broker.url) as client:
        (raw,) = client.lrange("advance", 0, -1)
    assert json.loads(raw)["headers"]["expires"] is not None


UNREADABLE = {
    "no JSON": b"{hidden",
    "no text": b'"\xff\xfe"',
    "no object": b'["hidden"]',
    "no properties": b'{"body": "hidden"}',
    "no delivery": b'{"body": "hidden", "properties": {"delivery_tag": "1"}}',
    "no base64": b'{"body": "hid", "properties": {"delivery_tag": "1", "body_encoding": "base64",'
    b' "delivery_info": {"exchange": "", "routing_key": "ops"}}}',
    "no such encoding": b'{"body": "hidden", "properties": {"delivery_tag": "1",'
    b' "body_encoding": "x", "delivery_info": {"exchange": "", "routing_key": "ops"}}}',
}


@pytest.mark.parametrize("raw", UNREADABLE.values(), ids=UNREADABLE)
def test_a_message_that_cannot_be_read_is_dropped_and_the_next_one_taken(
    connection: Any, broker: EmbeddedServer, raw: bytes
) -> None:
    channel = connection.default_channel
    channel.queue_declare(QUEUE)
    got: list[Message] = []
    channel.basic_consume(QUEUE, no_ack=False, callback=got.append, consumer_tag="worker")
    with redis.Redis.from_url(broker.url) as client:
        client.lpush(QUEUE, raw)
    channel.basic_publish(channel.prepare_message("{}"), exchange="", routing_key=QUEUE)
    with structlog.testing.capture_logs() as lines:
        for _ in range(2):
            connection.drain_events(timeout=5)
    assert len(got) == 1
    assert [line["event"] for line in lines] == ["unreadable message dropped"]
    assert "hid" not in repr(lines)
