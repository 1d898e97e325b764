"""The API key that a setting names: it is there before the first request is taken."""

from __future__ import annotations

from typing import Any

from services.keys import Keys
from shared.settings import SettingsError


class BootstrapKey:
    """Stored once; a store that is away only puts it off.

    Args:
        key: empty for none.
        keys: over a store whose patience is short, as probes wait for it.
        log: a structlog logger.
    """

    def __init__(self, key: str, keys: Keys, log: Any) -> None:
        self._key = key
        self._keys = keys
        self._log = log

    def ensure(self) -> None:
        """Stores it, unless that was done.

        Raises:
            SettingsError: it has not the form of an API key, or its id is another key's.
            Unavailable: the store is away; try again.
        """
        if not self._key:
            return
        if not self._keys.ensure(self._key):
            self._log.warning("bootstrap_key_revoked")
        self._key = ""

    def catch_up(self) -> None:
        """`ensure` for a server that serves already: a key that can't be had is told, once.

        Raises:
            Unavailable: the store is away; try again.
        """
        try:
            self.ensure()
        except SettingsError as wrong:
            self._log.error("bootstrap_key_unusable", reason=str(wrong))
            self._key = ""
