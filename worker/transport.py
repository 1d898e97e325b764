"""Kombu's Redis transport, mended where a lost broker would end a worker or leave it deaf.

Some places of kombu 5.7 break the promise that a broker that is gone costs little time only:

- A channel of a connection that was given up still tries to connect, and finds no address: an
  `AttributeError`, which is not among the errors that Celery reconnects after, so the worker ends.
  It happens whenever the broker goes away while a task runs beside a free slot.
- An acknowledgement that does not reach the broker leaves its task counted as running for ever.
  After one for each slot, the worker takes nothing any more though it is connected.
- The pauses between attempts to connect grow up to half a minute, which no setting changes.
- A broker that refuses to write, because it is full or can't save, answers with errors that nothing
  reconnects after either. It counts as away here, until it takes a write.
- A message that can't be read ends the worker, and the next one, if it is given back.
"""

from __future__ import annotations

import base64
import json
from typing import Any

import kombu
import structlog
from celery import Celery
from kombu.transport import redis, virtual

from shared.redis_refusing import refusing

PAUSE_S = 4
"""The longest pause between two attempts to connect."""

WRITTEN = "_kombu.taken"
"""What a new connection writes, for a moment."""

log = structlog.stdlib.get_logger("worker.transport")


class QoS(redis.QoS):
    """Counts what is not acknowledged yet.

    A message whose acknowledgement got lost comes again after the visibility timeout; whether it
    gets lost or not, its slot here is free.
    """

    def ack(self, delivery_tag: str) -> None:
        try:
            super().ack(delivery_tag)
        finally:
            virtual.QoS.ack(self, delivery_tag)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        try:
            super().reject(delivery_tag, requeue)
        finally:
            virtual.QoS.ack(self, delivery_tag)


class Channel(redis.Channel):
    """Knows when its connection was given up."""

    QoS = QoS

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        """How to connect.

        Raises:
            ConnectionError: its connection was given up, there is nowhere to connect to.
        """
        if self.connection is None or self.connection.client is None:
            raise ConnectionError("The connection of this channel was given up.")
        found: dict[str, Any] = super()._connparams(asynchronous)  # type: ignore[misc]  # no stub
        found["connection_class"] = refusing(found["connection_class"])
        return found

    def _brpop_read(self, **options: Any) -> bool:
        try:
            return bool(super()._brpop_read(**options))  # type: ignore[misc]  # no stub
        except (json.JSONDecodeError, UnicodeDecodeError) as broken:
            _dropped(type(broken).__name__)
            return True


class Transport(redis.Transport):
    """Redis with such channels."""

    Channel = Channel

    def establish_connection(self) -> Any:
        """Connects to a broker that takes writes.

        Raises:
            redis.ConnectionError: there is none, or it is full.
        """
        made: Any = super().establish_connection()
        # Without this, a worker would connect to a full broker and lose it again without a pause.
        try:
            with made._avail_channels[-1].conn_or_acquire() as client:
                client.set(WRITTEN, "", px=1)
        except (
            BaseException
        ):  # whoever called never gets it, whatever ended this: nobody else closes it
            self.close_connection(made)
            raise
        return made

    def _deliver(self, message: Any, queue: str | None) -> None:
        if not _is_message(message):
            _dropped("shape")
            return
        super()._deliver(message, queue)


class Connection(kombu.Connection):
    """A connection over that transport, whatever scheme its address has."""

    def ensure_connection(  # type: ignore[override]  # it takes what its parent takes
        self, *args: Any, **options: Any
    ) -> kombu.Connection:
        return super().ensure_connection(*args, **{"interval_max": PAUSE_S, **options})

    def get_transport_cls(self) -> type[Transport]:
        return Transport


def _is_message(raw: Any) -> bool:
    """Whether it has what is read before Celery looks at it, which refuses what it can't read."""
    properties = raw.get("properties") if isinstance(raw, dict) else None
    if not isinstance(properties, dict) or not isinstance(properties.get("delivery_tag"), str):
        return False
    if properties.get("body_encoding") not in (None, "base64"):
        return False
    try:
        if properties.get("body_encoding") is not None:
            base64.b64decode(raw.get("body") or "")
    except (TypeError, ValueError):
        return False
    delivery = properties.get("delivery_info")
    return isinstance(delivery, dict) and {"exchange", "routing_key"} <= set(delivery)


def _dropped(why: str) -> None:
    """Tells of a message that is gone; the marks in the store ask again for what it asked for."""
    log.error("unreadable message dropped", error=why)


def mend(app: Celery) -> None:
    """Every connection that this app makes from now on is such a `Connection`."""
    app.amqp.Connection = Connection
