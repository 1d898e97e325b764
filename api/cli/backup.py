"""`tycoon backup` and `tycoon restore`: all that can't be made again, as one file."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from api.cli.direct import bar, now, reported, tycoon_of
from api.cli.output import EXIT_CODES, REFUSED, Output, spoken
from shared.settings import Settings

if TYPE_CHECKING:
    from services.bootstrap import Stores
    from services.upkeep.backup import Truth
    from services.upkeep.files import Place
    from services.upkeep.form import Header
    from services.upkeep.restoring import Restored

WORDS = {
    "match": "matches",
    "series": "series",
    "key": "API keys",
    "deleted": "traces of deleted series",
}


@click.command("backup", epilog=EXIT_CODES)
@click.argument("to")
@spoken
def backup(to: str, out: Output) -> None:
    """Write everything that can't be made again to the file TO, while the service goes on.

    TO is a path, or an address as fsspec writes it (s3://...). It is there whole or not at all.
    Copy the archive after it. It holds the seeds of running matches and people's names: keep it
    from others. Ends with 1 where a match is damaged; all others are in it then.
    """
    from services.series.made_by import this_build
    from services.upkeep.backup import back_up, check_value
    from services.upkeep.form import FORMAT, Header, Writer

    with _terminated(), _files_told(out), reported(out) as settings:
        _, truth = _opened(settings)
        header = Header(
            format=FORMAT,
            at=now(),
            build=this_build(),
            server_key=check_value(settings.server_key),
        )
        with _place(to).writing() as write, bar(out, "matches") as tell:
            writer = Writer(write, header)
            damaged = back_up(truth, writer, tell)
    document = {"backup": to, "counts": _all(writer.counts), "damaged": damaged}
    out.note(document, f"{to} has {_listed(writer.counts)}.")
    if damaged:
        out.errors.print(f"Left out, as they can't be read: {', '.join(damaged)}.", soft_wrap=True)
        click.get_current_context().exit(REFUSED)


@click.command("restore", epilog=EXIT_CODES)
@click.argument("source", metavar="FROM")
@click.option("--check", is_flag=True, help="Only say whether it is whole; no store is needed.")
@click.option(
    "--other-key",
    is_flag=True,
    help="Restore though TYCOON_SERVER_KEY is another one: every seat's token is void then.",
)
@spoken
def restore(source: str, check: bool, other_key: bool, out: Output) -> None:
    """Put the backup FROM back, into an empty store or a running one.

    It is read through before anything is written. What is there already is left as it is, so it
    can be done again after it was stopped. Ends with 1 where something that is there differs.
    """
    if check:
        with _files_told(out):
            header, counts = _read_through(_place(source), out)
        document = {"backup": source, "at": header.at, "build": header.build}
        out.note({**document, "counts": _all(counts)}, f"{source} is whole: {_listed(counts)}.")
        return
    from services.upkeep.backup import check_value
    from services.upkeep.form import Reader
    from services.upkeep.restoring import restore

    with _files_told(out), reported(out) as settings:
        place = _place(source)
        header, counts = _read_through(place, out)
        if header.server_key != check_value(settings.server_key) and not other_key:
            detail = (
                "The backup was made with another TYCOON_SERVER_KEY: every seat's token would be "
                "void. Restore that key first, or give --other-key."
            )
            out.problem({"code": "backup.other-key", "detail": detail})
            click.get_current_context().exit(REFUSED)
        stores, truth = _opened(settings)
        with place.reading(lambda done, size: None) as lines, bar(out, "lines") as tell:
            found = restore(truth, Reader(lines), counts.total(), tell)
        rebuild = _rebuild(settings, stores) if found.restored["match"] else None
    _tell(out, found, rebuild)


def _tell(out: Output, found: Restored, rebuild: int | None) -> None:
    differing = [{"type": kind, "id": name} for kind, name in found.differing]
    document = {
        "restored": _all(found.restored),
        "there": _all(found.there),
        "differing": differing,
        "rebuild": rebuild,
    }
    said = [f"Restored: {_listed(found.restored)}.", f"There already: {_listed(found.there)}."]
    if rebuild is not None:
        said.append(f"Rebuild {rebuild} of the projections has begun.")
    elif found.restored["match"]:
        said.append("The broker is away: run `tycoon projections rebuild` when it is back.")
    out.note(document, "\n".join(said))
    if found.differing:
        names = ", ".join(f"{kind} {name}" for kind, name in found.differing)
        out.errors.print(f"Other than in the backup, and left so: {names}.", soft_wrap=True)
        click.get_current_context().exit(REFUSED)


def _rebuild(settings: Settings, stores: Stores) -> int | None:
    """Begins a rebuild of the projections; `None` where the broker takes no task for it."""
    from shared.tasks import QUEUES, REBUILD, Sender, Unsent, broker_app

    sender = Sender(broker_app(settings))
    try:
        sender.queued(QUEUES[REBUILD])  # or a rebuild would be begun that nobody goes on with
        generation, part = tycoon_of(settings, stores).rebuilding.begin()
        sender.rebuild(generation, *part)
    except Unsent:
        return None
    return generation


def _opened(settings: Settings) -> tuple[Stores, Truth]:
    from services.bootstrap import redis_stores
    from services.upkeep.backup import Truth
    from shared.redis_client import connect
    from shared.redis_keystore import RedisKeys
    from shared.redis_waiting import Replicas

    stores = redis_stores(settings)
    client = connect(settings.events_url, timeout_ms=settings.store_timeout_ms)
    keys = RedisKeys(client, Replicas.within(settings.store_timeout_ms, settings.wait_replicas))
    return stores, Truth(stores.events, stores.wholes, stores.series, keys)


def _read_through(place: Place, out: Output) -> tuple[Header, Counter[str]]:
    """What a whole backup has. Raises `Damaged`."""
    from services.upkeep.form import Reader

    with bar(out, "bytes") as tell, place.reading(tell) as lines:
        reader = Reader(lines)
        for _ in reader.lines():
            pass
    return reader.header, reader.counts


def _place(url: str) -> Place:
    from services.upkeep.files import Place

    return Place(url)


@contextmanager
def _terminated() -> Iterator[None]:
    """Who is asked to end does so as by Ctrl-C: no draft is left, with what stands in it."""
    asked = (signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(number, signal.default_int_handler) for number in asked]
    try:
        yield
    finally:
        for number, handler in zip(asked, before, strict=True):
            signal.signal(number, handler)


@contextmanager
def _files_told(out: Output) -> Iterator[None]:
    from services.upkeep.files import FileTrouble
    from services.upkeep.form import Damaged

    try:
        yield
    except FileTrouble as trouble:
        out.problem({"code": "backup.file", "detail": str(trouble)})
    except Damaged as damaged:
        out.problem({"code": "backup.damaged", "detail": str(damaged)})
    else:
        return
    click.get_current_context().exit(REFUSED)


def _all(counts: Mapping[str, int]) -> dict[str, int]:
    return {kind: counts.get(kind, 0) for kind in WORDS}


def _listed(counts: Mapping[str, int]) -> str:
    found = [f"{number} {WORDS[kind]}" for kind, number in _all(counts).items() if number]
    return ", ".join(found) or "nothing"
