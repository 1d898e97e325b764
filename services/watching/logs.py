"""Log lines as JSON on standard error. They name matches and versions, never what is in them."""

from __future__ import annotations

import logging
import sys

import structlog

from shared.settings import SettingsError

QUIET = ("celery", "kombu", "amqp", "redis")
"""They tell of every task and connection; only their warnings are of interest."""


def set_up(level: str) -> None:
    """Sends every log line of this process, ours and the libraries', through one renderer.

    Raises:
        SettingsError: no such level.
    """
    number = number_of(level)
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(number)
    for name in QUIET:
        logging.getLogger(name).setLevel(max(root.level, logging.WARNING))


def number_of(level: str) -> int:
    """A level by its name. Raises `SettingsError`."""
    number = logging.getLevelNamesMapping().get(level.upper())
    if number is None:
        raise SettingsError(f"TYCOON_LOG_LEVEL is no level: {level!r}.")
    return number
