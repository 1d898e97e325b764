"""The composition root: builds every service from settings; nothing is made at import time."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from services.hosted import Hall
from services.matches.advancing import Advancer
from services.matches.cache import MatchCache
from services.matches.commands import Commands
from services.matches.committing import Committer
from services.matches.importing import Importer
from services.matches.loading import Loader
from services.matches.playing import Limit, Player
from services.matches.queries import Queries
from services.matches.thinking import Hold, Thinker
from services.matches.timing import Timekeeper
from services.projections.generation import Generation
from services.projections.lists import Lists
from services.projections.projector import Projector
from services.projections.rebuilding import Rebuilding
from services.registry import GAMES
from shared.game import AnyGame
from shared.redis_client import connect
from shared.redis_lists import RedisLists
from shared.redis_store import RedisEvents
from shared.redis_work import RedisWork
from shared.settings import Settings, SettingsError
from shared.store import EventStore, Lease, ListStore, WorkQueue

Clock = Callable[[], int]


@dataclass(frozen=True, slots=True)
class Stores:
    """The adapters of the ports."""

    events: EventStore
    work: WorkQueue
    lists: ListStore


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
    timekeeper: Timekeeper
    rebuilding: Rebuilding


def redis_stores(settings: Settings) -> Stores:
    """The stores of a process, over one client: never share them across a fork.

    Raises:
        Unavailable: a cluster that can't be reached.
    """
    client = connect(settings.events_url, timeout_ms=settings.store_timeout_ms)
    return Stores(RedisEvents(client), RedisWork(client), RedisLists(client))


def games(settings: Settings) -> list[AnyGame]:
    """The registered games and those that a setting adds.

    Raises:
        SettingsError: an extra game cannot be imported.
    """
    found = list(GAMES.values())
    for name in filter(None, settings.extra_games.split(",")):
        module, _, attribute = name.strip().partition(":")
        try:
            found.append(getattr(importlib.import_module(module), attribute))
        except (ImportError, AttributeError, ValueError) as wrong:
            raise SettingsError(f"TYCOON_EXTRA_GAMES: can't import {name!r}: {wrong}.") from wrong
    return found


def build(
    settings: Settings,
    stores: Stores,
    *,
    clock: Clock,
    wake: Callable[[str], None],
    think: Callable[[str, int], None],
    report: Callable[[str, Exception], None],
    limit: Limit | None = None,
    hold: Hold | None = None,
    wait: Callable[[int], None] = lambda ms: None,
) -> Tycoon:
    """Wires the services.

    Args:
        clock: ms since 1970.
        wake: asks for a match's work to be done soon; may be lost.
        think: asks for one long thought; may be lost.
        report: told of a match that this build cannot read.
        limit, hold, wait: what only a worker's process can do: end a thought that takes too long,
            keep a lease while it goes on, pass time (ms).
    """
    hall = Hall(games(settings))
    key = settings.server_key.encode()
    generation = Generation(stores.lists, clock)
    cache = MatchCache(settings.cache_matches)
    loader = Loader(stores.events, hall, cache, generation)
    committer = Committer(stores.events, loader, settings, clock)
    projector = Projector(stores.events, stores.lists, generation, key)
    player = Player(limit or _no_limit)
    return Tycoon(
        settings=settings,
        hall=hall,
        stores=stores,
        clock=clock,
        commands=Commands(committer, stores.events, hall, settings),
        queries=Queries(stores.events, loader, settings),
        lists=Lists(stores.lists, hall, key),
        importer=Importer(stores.events, hall, settings),
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
        timekeeper=Timekeeper(committer, settings, clock, wake, report),
        rebuilding=Rebuilding(
            stores.events, stores.lists, loader, projector, clock, report, stores.work
        ),
    )


def _no_limit(ms: int) -> AbstractContextManager[None]:
    return nullcontext()


def _no_hold(lease: Lease) -> AbstractContextManager[Callable[[], Lease]]:
    return nullcontext(lambda: lease)
