"""The composition root: builds every service from settings; nothing is made at import time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

from services.archive.archiving import Archiver
from services.archive.commands import ArchiveCommands
from services.archive.files import Archive
from services.archive.reading import ArchivedEvents
from services.archive.retention import Retention
from services.bots.levels import check_hint, policy_for
from services.erasing.erasing import Eraser
from services.erasing.files import Rewriter
from services.files import archive_url
from services.hosted import Hall
from services.matches.advancing import Advancer
from services.matches.cache import MatchCache
from services.matches.commands import Commands
from services.matches.committing import Committer
from services.matches.hinting import Hinter, Hints
from services.matches.importing import Importer
from services.matches.loading import Loader
from services.matches.playing import Limit, Player, microseconds
from services.matches.queries import Queries
from services.matches.thinking import Hold, Thinker
from services.matches.timing import Timekeeper
from services.projections.generation import Generation
from services.projections.lists import Lists
from services.projections.projector import Projector
from services.projections.rebuilding import Rebuilding
from services.registry import games
from services.series.cleaning import Cleaner
from services.series.commands import SeriesCommands
from services.series.files import Files
from services.series.queries import SeriesQueries
from services.series.working import HoldChunk, ReportSeries, SeriesWorker, Sliced
from services.upkeep.comparing import Comparing
from services.upkeep.refolding import Refolding
from shared.errors import Unprocessable
from shared.game import AnyGame
from shared.hintstore import HintStore
from shared.list_store import ListStore
from shared.observing import NOBODY, Observer
from shared.redis_client import connect
from shared.redis_files import RedisFiles
from shared.redis_hintstore import RedisHints
from shared.redis_lists import RedisLists
from shared.redis_series import RedisSeries
from shared.redis_store import RedisEvents
from shared.redis_waiting import Replicas
from shared.redis_wholes import RedisWholes
from shared.redis_work import RedisWork
from shared.series_store import SeriesStore
from shared.settings import Settings, SettingsError
from shared.store import EventStore
from shared.store_files import StoreFiles
from shared.whole_store import WholeStore
from shared.work_queue import Lease, WorkQueue

Clock = Callable[[], int]


@dataclass(frozen=True, slots=True)
class Stores:
    """The adapters of the ports."""

    events: EventStore
    work: WorkQueue
    lists: ListStore
    series: SeriesStore
    hints: HintStore
    wholes: WholeStore
    files: StoreFiles


@dataclass(frozen=True, slots=True, kw_only=True)
class Tycoon:
    """Every service, wired."""

    settings: Settings
    hall: Hall
    stores: Stores
    clock: Clock
    commands: Commands
    queries: Queries
    lists: Lists
    importer: Importer
    advancer: Advancer
    thinker: Thinker
    hints: Hints
    hinter: Hinter
    timekeeper: Timekeeper
    rebuilding: Rebuilding
    eraser: Eraser
    rewriter: Rewriter
    refolding: Refolding
    series: SeriesCommands
    series_queries: SeriesQueries
    series_worker: SeriesWorker
    series_cleaner: Cleaner
    archive: ArchiveCommands
    retention: Retention


def redis_stores(settings: Settings, observer: Observer = NOBODY) -> Stores:
    """The stores of a process, over one client: never share them across a fork."""
    client = connect(settings.events_url, timeout_ms=settings.store_timeout_ms)
    replicas = Replicas.within(settings.store_timeout_ms, settings.wait_replicas)
    return Stores(
        RedisEvents(client, observer, replicas),
        RedisWork(client),
        RedisLists(client),
        RedisSeries(client, replicas),
        RedisHints(client),
        RedisWholes(client, replicas),
        RedisFiles(client),
    )


def check_levels(settings: Settings, games: Iterable[AnyGame]) -> None:
    """Every level that a setting names must be there in every game.

    Raises:
        SettingsError: one is not, or the hint's is no level of search.
    """
    for game in games:
        try:
            policy_for(game, settings.stand_in_level)
        except Unprocessable as wrong:
            raise SettingsError(f"TYCOON_STAND_IN_LEVEL can't be used: {wrong}") from wrong
    if settings.hint_level:
        try:
            check_hint(settings.hint_level)
        except Unprocessable as wrong:
            raise SettingsError(f"TYCOON_HINT_LEVEL can't be used: {wrong}") from wrong


def build(
    settings: Settings,
    stores: Stores,
    *,
    clock: Clock,
    wake: Callable[[str], None],
    think: Callable[[str, int], None],
    report: Callable[[str, Exception], None],
    limit: Limit | None = None,
    series_limit: Limit | None = None,
    report_series: ReportSeries | None = None,
    hold: Hold | None = None,
    hold_chunk: HoldChunk | None = None,
    wait: Callable[[int], None] = lambda ms: None,
    stopping: Callable[[], bool] = lambda: False,
    stopwatch: Callable[[], int] = microseconds,
    observer: Observer = NOBODY,
    sliced: Sliced = lambda game, answer, played: None,
) -> Tycoon:
    """Wires the services.

    Args:
        clock: ms since 1970.
        wake: asks for a match's work to be done soon; may be lost.
        think: asks for one long thought; may be lost.
        report: told of a match that this build cannot read.
        limit, hold, hold_chunk, wait, stopping: what only a worker's process can do: end a thought
            that takes too long, keep a lease while work goes on, pass time (ms), know that it was
            asked to end.
        series_limit: as `limit` in series, where a thought may be ended because of that, too.
        report_series: told of what goes wrong at a series; without it `report` is.
        stopwatch: microseconds, for how long bots think.
        observer: told of the bots' thoughts and faults; not of those in series.
        sliced: told of each slice of a series.

    Raises:
        SettingsError: a game can't be imported, a level that a setting names is not there, or the
            archive's address can't be used.
    """
    hosted = games(settings)
    check_levels(settings, hosted)
    hall = Hall(hosted)
    archive = Archive(archive_url(settings))
    here = stores.events
    stores = replace(stores, events=ArchivedEvents(here, archive))
    key = settings.server_key.encode()
    generation = Generation(stores.lists, clock)
    cache = MatchCache(settings.cache_matches)
    loader = Loader(stores.events, hall, cache, generation)
    committer = Committer(stores.events, loader, settings, clock)
    projector = Projector(stores.events, stores.lists, generation, key)
    limit = limit or _no_limit
    player = Player(limit, stopwatch=stopwatch, observer=observer)
    queries = Queries(stores.events, loader, settings)
    files = Files(archive_url(settings))
    series_queries = SeriesQueries(stores.series, files, hall, clock)
    series_commands = SeriesCommands(stores.series, files, series_queries, hall, settings, clock)

    def calendar() -> int:
        """The earlier of two clocks: one that jumps ahead ends nothing before its days are over."""
        return min(clock(), stores.wholes.now())

    archiver = Archiver(stores.wholes, archive, hall, clock)
    return Tycoon(
        settings=settings,
        hall=hall,
        stores=stores,
        clock=clock,
        commands=Commands(committer, stores.events, hall, settings),
        queries=queries,
        lists=Lists(stores.lists, hall, key),
        importer=Importer(stores.events, hall, settings, clock),
        advancer=Advancer(
            store=stores.events,
            work=stores.work,
            committer=committer,
            projector=projector,
            player=player,
            clock=clock,
            think=think,
            report=report,
        ),
        thinker=Thinker(
            store=stores.events,
            work=stores.work,
            committer=committer,
            player=player,
            clock=clock,
            hold=hold or _no_hold,
            wait=wait,
        ),
        hints=Hints(queries, stores.hints, settings),
        hinter=Hinter(loader, stores.hints, key, limit),
        timekeeper=Timekeeper(committer, stores.work, settings, clock, wake, report),
        rebuilding=Rebuilding(
            stores.events,
            stores.lists,
            loader,
            projector,
            clock,
            report,
            stores.work,
            stores.wholes,
        ),
        eraser=Eraser(
            store=stores.events,
            wholes=stores.wholes,
            lists=stores.lists,
            work=stores.work,
            files=stores.files,
            loader=loader,
            queries=queries,
            hall=hall,
            settings=settings,
            clock=clock,
            calendar=calendar,
            report=report,
        ),
        rewriter=Rewriter(stores.files, settings, clock),
        refolding=Refolding(
            stores.events, stores.lists, loader, Comparing(hall, generation, key), wait
        ),
        series=series_commands,
        series_queries=series_queries,
        series_worker=SeriesWorker(
            store=stores.series,
            files=files,
            hall=hall,
            limit=series_limit or limit,
            hold=hold_chunk or nullcontext,
            wait=wait,
            stopwatch=clock,
            stopping=stopping,
            sliced=sliced,
            report=report_series or (lambda series, match, broken: report(series, broken)),
        ),
        series_cleaner=Cleaner(stores.series, files, clock),
        archive=ArchiveCommands(stores.wholes, archiver, settings, clock, report),
        retention=Retention(
            events=here,
            wholes=stores.wholes,
            work=stores.work,
            lists=stores.lists,
            series=stores.series,
            series_commands=series_commands,
            archive=archive,
            archiver=archiver,
            settings=settings,
            clock=clock,
            calendar=calendar,
            report=report,
        ),
    )


def _no_limit(ms: int) -> AbstractContextManager[None]:
    return nullcontext()


def _no_hold(lease: Lease) -> AbstractContextManager[Callable[[], Lease]]:
    return nullcontext(lambda: lease)
