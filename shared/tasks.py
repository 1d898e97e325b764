"""Names and queues of the tasks, and the one way to send them.

Every task carries ids and versions, never data; all may be lost, doubled or reordered: the work
marks in the store are the truth, a task is only the quick way to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from celery import Celery
from kombu.exceptions import OperationalError

from shared import correlation
from shared.settings import Settings, SettingsError

ADVANCE, THINK, HINT, SWEEP = "advance", "think", "hint", "sweep"
TIME_OUT, REBUILD, SERIES = "time_out", "rebuild", "series"
CLEAN, RETAIN, ERASE = "clean", "retain", "erase"

QUEUES = {
    ADVANCE: "advance",
    THINK: "think",
    HINT: "think",
    SWEEP: "ops",
    TIME_OUT: "ops",
    REBUILD: "ops",
    SERIES: "series",
    CLEAN: "series",
    RETAIN: "series",
    ERASE: "series",
}
"""Task -> queue."""

LAST = 9
"""Priority of what is taken from a queue only when nothing else is there. (0 comes first.)"""

PRIORITY = {HINT: LAST}
"""Task -> its priority, where that is not 0."""

BETWEEN = ":"
"""Between a queue's name and a priority, in the name of the broker's list. (kombu's own are two
control characters, which whoever counts a list from outside can't well name.)"""

HARD_LIMIT_S = {"advance": 20, "think": 60, "ops": 20, "series": 85}
"""Queue -> seconds after which a task's process is killed. One of series plays for some seconds,
has patience with the thought that it is in then, and after that with a store that is away."""

SOFT_LEAD_S = 5
"""So long before it is killed, a task is interrupted by an exception."""

VISIBILITY_TIMEOUT_S = 180
"""Above twice every hard limit, so that no task is delivered again while it still runs."""

SWEEP_EXPIRES_S = 10.0
"""A sweep that nobody came to is worth nothing; small enough that they never pile up, and large
enough for clocks that are some seconds apart."""

THINK_EXPIRES_S = 30.0
"""The mark asks again for a thought that was not begun, and whoever wants a hint may ask again;
unread requests must not pile up."""

WAKE_EXPIRES_S = 30.0
"""The mark asks again for what was not done; without workers, wakes must not fill the broker."""


def lists(queue: str) -> set[str]:
    """The broker's lists in which a queue's tasks wait: one for each priority that they have."""
    steps = {PRIORITY.get(task, 0) for task, on in QUEUES.items() if on == queue}
    return {f"{queue}{BETWEEN}{step}" if step else queue for step in steps}


class Unsent(Exception):
    """The broker does not take a task now. The marks in the store repair that by themselves."""


def broker_app(settings: Settings) -> Celery:
    """The Celery application: settings by measurement, see ARCHITECTURE.md.

    Raises:
        SettingsError: the broker's address is a cluster's, which Celery cannot use.
    """
    if "cluster=" in urlsplit(settings.broker_url).query:
        raise SettingsError(
            "TYCOON_BROKER_URL must be a single server: Celery can't use a cluster as its broker."
        )
    app = Celery("tycoon", broker=settings.broker_url, backend=None)
    app.conf.update(
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_serializer="json",
        accept_content=["json"],
        task_routes={task: {"queue": queue} for task, queue in QUEUES.items()},
        task_create_missing_queues=True,
        worker_prefetch_multiplier=1,
        worker_max_tasks_per_child=20_000,
        worker_send_task_events=False,
        worker_hijack_root_logger=False,
        worker_redirect_stdouts=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,  # a worker never gives up a broker that is away
        broker_transport_options={
            "visibility_timeout": VISIBILITY_TIMEOUT_S,
            "sep": BETWEEN,
            "priority_steps": [0, LAST],
            # The defaults give lost tasks back after 100 s only.
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            # A sender must not wait for a broker that is away (kombu's own is 6 s, or for ever):
            # the sweep does what could not be sent. Workers have a loop of their own to reconnect.
            "max_retries": 0,
            "interval_start": 0,
            "socket_timeout": 5,
            "socket_connect_timeout": 2,
            "socket_keepalive": True,
            "health_check_interval": 10,
        },
    )
    return app


class Sender:
    """Sends tasks, trying once only. Who sends decides whether a task that got lost matters."""

    def __init__(self, app: Celery) -> None:
        self._app = app
        # A connection that breaks while it is in use fails with the driver's own errors.
        self._lost: tuple[type[BaseException], ...] = (
            OperationalError,
            *app.connection_for_write().connection_errors,
        )

    def send(
        self,
        task: str,
        *args: Any,
        expires_s: float | None = None,
        matches: Sequence[str] = (),
    ) -> None:
        """Puts a task on its queue, with the ids that its `matches` are worked on for.

        Raises:
            Unsent: the broker is away.
        """
        root, by_match = correlation.told(matches)
        try:
            self._app.send_task(
                task,
                args=args,
                queue=QUEUES[task],
                expires=expires_s,
                priority=PRIORITY.get(task, 0),
                retry=False,
                ignore_result=True,
                root_id=root,
                headers={correlation.HEADER: by_match} if by_match else None,
            )
        except OperationalError as away:
            raise Unsent(f"{task} was not sent: {away}") from away

    def advance(self, match_ids: Sequence[str]) -> None:
        """Asks for these matches to be folded, and their bots to be played. Raises `Unsent`."""
        self.send(ADVANCE, list(match_ids), expires_s=WAKE_EXPIRES_S, matches=match_ids)

    def think(self, match_id: str, version: int) -> None:
        """Asks for one long thought. Raises `Unsent`."""
        self.send(THINK, match_id, version, expires_s=THINK_EXPIRES_S, matches=[match_id])

    def hint(self, match_id: str, seat: int, version: int) -> None:
        """Asks for a seat's hint to be thought, when no bot has to think. Raises `Unsent`."""
        self.send(
            HINT,
            *(match_id, seat, version),
            expires_s=THINK_EXPIRES_S,
            matches=[match_id],
        )

    def sweep(self) -> None:
        """Asks for a look at all marks and deadlines. Raises `Unsent`."""
        self.send(SWEEP, expires_s=SWEEP_EXPIRES_S)

    def time_out(self, match_ids: Sequence[str]) -> None:
        """Asks for the clock to act on these matches. Raises `Unsent`."""
        self.send(TIME_OUT, list(match_ids), matches=match_ids)

    def rebuild(self, generation: int, *part: int | str) -> None:
        """Asks for a part of the projections to be built anew. Raises `Unsent`."""
        self.send(REBUILD, generation, *part)

    def series(self, series_id: str) -> None:
        """Asks for some chunks of a series to be played. Raises `Unsent`."""
        self.send(SERIES, series_id)

    def clean(self) -> None:
        """Asks for what is left of deleted series to be removed. Raises `Unsent`."""
        self.send(CLEAN)

    def retain(self, until: int) -> None:
        """Asks for what is due for the archive to be put there, and so on. Raises `Unsent`.

        It is asked for again while more is due, but not after `until` (ms since 1970).
        """
        self.send(RETAIN, until)

    def erase(self) -> None:
        """Asks for names to be erased that are too old, and for what follows an erasure.

        Raises `Unsent`.
        """
        self.send(ERASE)

    def queued(self, queue: str) -> int:
        """Tasks that wait in a queue, without those that a worker has taken. Raises `Unsent`."""
        try:
            with self._app.connection_or_acquire() as connection:
                declared = connection.default_channel.queue_declare(queue)
                return int(declared.message_count)
        except self._lost as away:
            raise Unsent(f"the broker is away: {away}") from away
