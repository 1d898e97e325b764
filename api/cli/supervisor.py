"""Keeps the processes of a Tycoon running: who dies is started again."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import NoReturn

from api.cli.processes import Service, last_words
from api.cli.servers import SetupError

DEATHS, WITHIN_S = 5, 30.0
"""Who dies so often in so short a time is not started again, unless it can be done without."""

DISPENSABLE = frozenset({"series"})
"""Whose deaths must never stop the others: people play without them."""

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.2, 5.0


class Supervisor:
    """Watches services by name.

    Args:
        tell: prints a line for people.
    """

    def __init__(self, services: Mapping[str, Service], tell: Callable[[str], None]) -> None:
        self._services = services
        self._tell = tell
        self._deaths: dict[str, deque[float]] = {name: deque(maxlen=DEATHS) for name in services}
        self._due: dict[str, float] = {}

    def must_run(self) -> None:
        """For the start: nothing may end.

        Raises:
            SetupError: something did; with what it said last.
        """
        for name, service in self._services.items():
            if not service.running:
                raise SetupError(
                    f"The {name} process ended at once: {last_words(service.log)} "
                    f"(its log is {service.log})"
                )

    def watch(self) -> NoReturn:
        """Goes on for ever.

        Raises:
            SetupError: somebody dies all the time, or can't be started again.
        """
        while True:
            self.look(time.monotonic())
            time.sleep(0.1)

    def look(self, now: float) -> None:
        """Plans the start of who has died, and starts those whose time has come."""
        for name, service in self._services.items():
            if service.running:
                continue
            if name not in self._due:
                self._due[name] = now + self._pause(name, service, now)
            if self._due[name] <= now:
                del self._due[name]
                service.start()

    def _pause(self, name: str, service: Service, now: float) -> float:
        deaths = self._deaths[name]
        deaths.append(now)
        recent = sum(1 for at in deaths if at > now - WITHIN_S)
        if recent == DEATHS and name not in DISPENSABLE:
            raise SetupError(
                f"The {name} process ended {DEATHS} times within {WITHIN_S:g} s: "
                f"{last_words(service.log)} (its log is {service.log})"
            )
        code = service.process.returncode if service.process else None
        self._tell(f"The {name} process ended ({code}) and is started again; see {service.log}")
        return min(FIRST_PAUSE_S * 2.0 ** (recent - 1), LONGEST_PAUSE_S)
