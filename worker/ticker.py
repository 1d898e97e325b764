"""`python -m worker.ticker`: asks for a sweep every 200 ms. Two of them do no harm."""

from __future__ import annotations

import os
import signal

if __name__ == "__main__":
    # It has nothing to finish, so a signal ends it at once, also while its imports take their time.
    # (The first process of a container would otherwise not be ended by one at all.)
    signal.signal(signal.SIGTERM, lambda number, frame: os._exit(0))
    signal.signal(signal.SIGINT, lambda number, frame: os._exit(0))

import sys
import time
from collections.abc import Callable

import structlog
from prometheus_client import CollectorRegistry, Counter

from services.watching import logs
from services.watching.serving import serve
from services.watching.summing import exposed
from shared.redis_broker import refuse_cluster
from shared.settings import Settings, SettingsError, from_env
from shared.tasks import Sender, Unsent, broker_app
from worker.progress import Ticking

EVERY_S = 0.2


class Ticker:
    """Sends sweeps; a broker that is away is told once, and once when it is back."""

    def __init__(self, sweep: Callable[[], None]) -> None:
        self._sweep = sweep
        self._away = False
        self._log = structlog.stdlib.get_logger("worker.ticker")
        self.registry = CollectorRegistry()
        self.ticking = Ticking()
        self._sweeps = Counter(
            "tycoon_sweeps",
            "Sweeps that were asked for, by whether the broker took them (sent, unsent).",
            ("result",),
            registry=self.registry,
        )
        for result in ("sent", "unsent"):
            self._sweeps.labels(result)  # from 0 on: what is not there has no rate

    def tick(self) -> None:
        """Asks for one sweep, if the broker can be reached."""
        try:
            self._ask()
        finally:
            self.ticking.came_round()

    def _ask(self) -> None:
        try:
            self._sweep()
        except Unsent as away:
            self._sweeps.labels("unsent").inc()
            if not self._away:
                self._log.warning("broker away", error=str(away))
            self._away = True
            return
        self._sweeps.labels("sent").inc()
        if self._away:
            self._log.warning("broker back")
        self._away = False


def main() -> int:
    """Ticks until it is ended."""
    try:
        settings = from_env(os.environ)
        logs.set_up(settings.log_level)
        refuse_cluster(settings)
        ticker = Ticker(Sender(broker_app(settings)).sweep)
        if settings.metrics_port:
            _watch(settings, ticker)
    except SettingsError as wrong:
        print(wrong, file=sys.stderr)
        return 1
    while True:
        ticker.tick()
        time.sleep(EVERY_S)


def _watch(settings: Settings, ticker: Ticker) -> None:
    """Answers `/metrics` with what the ticker counts and the state of the whole system."""
    # Only who is watched needs the games and the store.
    from services.hosted import Hall
    from services.registry import games
    from services.watching.build import Build
    from worker.system_state import system_state

    found = games(settings)
    state = system_state(settings, Hall(found), Sender(broker_app(settings)))
    build = Build("ticker", found)
    serve(
        settings,
        metrics=lambda: exposed(ticker.registry, None, build, state),
        trouble=ticker.ticking.trouble,
    )


if __name__ == "__main__":
    sys.exit(main())
