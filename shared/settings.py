"""All settings, read once from the environment (`TYCOON_<NAME>`) by the composition root.

`TYCOON_<NAME>_FILE` names a file that holds the value, as secrets are handed to containers.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec


class SettingsError(Exception):
    """A setting that cannot be used; the sentence names it."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Every setting with its default. Times in the unit that the name says."""

    events_url: str = "redis://127.0.0.1:6379/0"
    """Store of events and projections."""
    broker_url: str = "redis://127.0.0.1:6380/0"
    """Celery's broker: another server, never a cluster."""
    server_key: str = ""
    """At least 32 characters; ids and tokens are derived from it. Keep it for ever."""
    bootstrap_api_key: str = ""
    """An API key that is made at the start if it does not exist."""
    operator_key: str = ""
    """The operator's key (`tyo_...`); empty switches `/v1/admin` off."""
    http_host: str = "127.0.0.1"
    http_port: int = 8000
    http_workers: int = 2
    http_threads: int = 16
    """Requests that one process of the API works on at the same time. Measured on two cores, 4, 16
    and 32 answer equally many; with more, a slow store holds up fewer others."""
    drain_s: int = 0
    """So long an API that was told to stop still takes requests, while `/readyz` says no."""
    finish_s: int = 10
    """After the draining, so long requests in flight may take; then they are cut."""
    public_url: str = ""
    """Address that join links begin with; empty takes the request's own."""
    data_dir: str = ".tycoon"
    archive_url: str = ""
    """Address (fsspec) of the archive and of the files of series; empty is the folder `archive` in
    the data folder."""
    archive_days: int = 30
    """A match that is over so long goes from the store to the archive; 0 for never."""
    remove_days: int = 0
    """A match that is over so long is removed for good, from store and archive; 0 for never."""
    series_days: int = 0
    """A series that is over so long is deleted with its files; 0 for never."""
    cors_origins: str = ""
    """Comma-separated origins that browsers may call from; `*` for all."""
    extra_games: str = ""
    """Comma-separated `module:NAME` of further games to host."""
    log_level: str = "info"
    metrics_port: int = 0
    """Where a process answers `/metrics` and `/livez` beside its work, at `http_host`; 0 for not.
    (The API has both at its own port as well; there they wait behind other requests.)"""

    body_limit: int = 65_536
    import_limit: int = 8_388_608
    depth_limit: int = 16
    open_matches_limit: int = 10_000
    """Matches not yet ended that one API key may have."""
    events_limit: int = 20_000
    """Events that one match may have; it ends as expired when it gets there."""
    series_limit: int = 100
    """Series not yet over that one API key may have."""
    series_matches_limit: int = 100_000
    """Matches that one series may have."""
    trusted_proxies: int = 0
    """So many proxies stand before the API, and each adds its caller's address to
    `X-Forwarded-For`: rates are counted for the address that the first of them saw."""
    rate_per_key: str = "3000/second"
    """Requests of one API key, as the `limits` library writes it; empty for no limit."""
    rate_per_seat: str = "200/second"
    """Requests of one seat's token; empty for no limit."""

    waiting_hours: int = 24
    """A match that is not started by then expires."""
    idle_days: int = 30
    """A running match without a move for so long expires."""
    names_days: int = 0
    """Names and references of people are erased so long after the end of their match; 0 for
    never."""
    rewrite_minutes: int = 10
    """So often, at most, the store is asked to write its files anew, once names were erased that
    they may still hold; 0 for never."""
    person_pace_ms: int = 700
    """Default pause before a built-in bot's move where a person sits."""
    stand_in_level: str = "greedy"
    """The level that plays on for a seat whose holder left; every hosted game must have it."""
    hint_level: str = "search-200ms"
    """The level that a hint is thought at where its asker names none; empty switches hints off."""
    cache_matches: int = 2_000
    """Folded matches that one process keeps."""
    store_timeout_ms: int = 5_000
    wait_replicas: int = 0
    """So many replicas of the events store must have a write before it is acknowledged. Without, a
    replica that takes over may lack the last ones; with 1, none that was acknowledged."""

    def check(self) -> None:
        """Raises `SettingsError` with one sentence for the first setting that can't be used."""
        if len(self.server_key) < 32:
            raise SettingsError("TYCOON_SERVER_KEY must be set to at least 32 secret characters.")
        for name in ("events_url", "broker_url"):
            if not getattr(self, name).startswith(("redis://", "rediss://", "unix://")):
                raise SettingsError(f"TYCOON_{name.upper()} must be a redis:// address.")
        if self.archive_url.startswith("memory:"):  # what a worker puts there ends with it
            raise SettingsError("TYCOON_ARCHIVE_URL must be a place that all processes share.")
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if isinstance(value, int) and value < 0:
                raise SettingsError(f"TYCOON_{name.upper()} must not be negative.")


def from_env(env: Mapping[str, str]) -> Settings:
    """Reads settings.

    Raises:
        SettingsError: a value of the wrong kind, a file that can't be read, or a setting that is
            given both as a value and as a file.
    """
    given = {
        name: value
        for name in Settings.__struct_fields__
        if (value := _given(env, f"TYCOON_{name.upper()}")) is not None
    }
    try:
        return msgspec.convert(given, Settings, strict=False)
    except msgspec.ValidationError as wrong:
        path = str(wrong).rpartition("`$.")[2].rstrip("`")
        raise SettingsError(f"TYCOON_{path.upper()} can't be used: {wrong}.") from wrong


def _given(env: Mapping[str, str], variable: str) -> str | None:
    if (named := env.get(f"{variable}_FILE")) is None:
        return env.get(variable)
    if variable in env:
        raise SettingsError(f"{variable} and {variable}_FILE are both set: keep one of them.")
    try:
        # Who writes such a file by hand leaves a line's end behind.
        return Path(named).read_text("utf-8").rstrip("\r\n")
    except OSError as failed:
        raise SettingsError(
            f"{variable}_FILE names {named}, which can't be read: {failed.strerror}."
        ) from failed
    except ValueError as binary:
        raise SettingsError(f"{variable}_FILE names {named}, which is no UTF-8 text.") from binary
