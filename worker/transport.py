"""Kombu's Redis transport, mended where a lost broker would end a worker or leave it deaf.

Three places of kombu 5.7 break the promise that a broker that is gone costs little time only:

- A channel of a connection that was given up still tries to connect, and finds no address: an
  `AttributeError`, which is not among the errors that Celery reconnects after, so the worker ends.
  It happens whenever the broker goes away while a task runs beside a free slot.
- An acknowledgement that does not reach the broker leaves its task counted as running for ever.
  After one for each slot, the worker takes nothing any more though it is connected.
- The pauses between attempts to connect grow up to half a minute, which no setting changes.
"""

from __future__ import annotations

from typing import Any

import kombu
from celery import Celery
from kombu.transport import redis, virtual

PAUSE_S = 4
"""The longest pause between two attempts to connect."""


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
        return found


class Transport(redis.Transport):
    """Redis with such channels."""

    Channel = Channel


class Connection(kombu.Connection):
    """A connection over that transport, whatever scheme its address has."""

    def ensure_connection(  # type: ignore[override]  # it takes what its parent takes
        self, *args: Any, **options: Any
    ) -> kombu.Connection:
        return super().ensure_connection(*args, **{"interval_max": PAUSE_S, **options})

    def get_transport_cls(self) -> type[Transport]:
        return Transport


def mend(app: Celery) -> None:
    """Every connection that this app makes from now on is such a `Connection`."""
    app.amqp.Connection = Connection
