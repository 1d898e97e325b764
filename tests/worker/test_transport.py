"""What a worker's connection does once its broker is lost."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kombu.message import Message

from api.cli.servers import EmbeddedServer, find_server, free_port
from shared.settings import Settings
from shared.tasks import Sender, Unsent, broker_app
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
