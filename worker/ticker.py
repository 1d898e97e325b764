"""`python -m worker.ticker`: asks for a sweep every 200 ms. Two of them do no harm."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable

import structlog

from shared.settings import SettingsError, from_env
from shared.tasks import Sender, Unsent, broker_app
from worker import logs

EVERY_S = 0.2


class Ticker:
    """Sends sweeps; a broker that is away is told once, and once when it is back."""

    def __init__(self, sweep: Callable[[], None]) -> None:
        self._sweep = sweep
        self._away = False
        self._log = structlog.stdlib.get_logger("worker.ticker")

    def tick(self) -> None:
        """Asks for one sweep, if the broker can be reached."""
        try:
            self._sweep()
        except Unsent as away:
            if not self._away:
                self._log.warning("broker away", error=str(away))
            self._away = True
            return
        if self._away:
            self._log.warning("broker back")
        self._away = False


def main() -> int:
    """Ticks until it is ended."""
    # It has nothing to finish, so a signal ends it at once. (As the first process of a container
    # it would otherwise not be ended by one at all.)
    signal.signal(signal.SIGTERM, lambda number, frame: os._exit(0))
    signal.signal(signal.SIGINT, lambda number, frame: os._exit(0))
    try:
        settings = from_env(os.environ)
        logs.set_up(settings.log_level)
        ticker = Ticker(Sender(broker_app(settings)).sweep)
    except (SettingsError, ValueError) as wrong:
        print(wrong, file=sys.stderr)
        return 1
    while True:
        ticker.tick()
        time.sleep(EVERY_S)


if __name__ == "__main__":
    sys.exit(main())
