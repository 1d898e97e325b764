"""The state of the whole system, from one place and not too often."""

from __future__ import annotations

from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from services.hosted import Hall
from shared.errors import Unavailable
from shared.redis_client import Memory
from shared.tasks import HARD_LIMIT_S, Sender, Unsent, broker_app
from tests.services.world import PERSON, World, bot
from tests.toys import tictactoe
from worker.system_state import FRESH_S, Events, SystemState, system_state


class Scene:
    """A world with a broker that can be away."""

    def __init__(self) -> None:
        self.world = World()
        self.time = 0.0
        self.away: set[str] = set()
        self.asked = 0
        self.bound = 4_000
        self.state = SystemState(
            events=self.events,
            broker=lambda: self.answering("broker", Memory(50, 0)),
            games=["tictactoe"],
            queued=self.queued,
            now=lambda: self.time,
        )
        self.registry = CollectorRegistry()
        self.registry.register(self.state)

    def events(self) -> Events:
        self.answering("events", None)
        tycoon = self.world.tycoon
        return Events(
            work=tycoon.stores.work,
            lists=tycoon.lists,
            series=tycoon.stores.series,
            wholes=tycoon.stores.wholes,
            memory=lambda: self.answering("events", Memory(1_000, self.bound)),
        )

    def answering(self, server: str, answer: Any) -> Any:
        if server in self.away:
            raise Unavailable("store.unavailable", "The store does not answer.")
        return answer

    def queued(self, queue: str) -> int:
        self.asked += 1
        if "queues" in self.away:
            raise Unsent("away")
        return len(queue)

    def value(self, name: str, **labels: str) -> float | None:
        self.time += FRESH_S
        return self.registry.get_sample_value(name, labels)


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_open_matches_by_game_and_status_whoever_they_are_of(scene: Scene) -> None:
    world = scene.world
    running = [world.create(bot(), PERSON) for _ in range(2)]
    waiting = world.create(PERSON, PERSON, visibility="private")
    over = world.create(bot(), bot())
    for match in (*running, waiting, over):
        world.advance(match)
    count = {
        status: scene.value("tycoon_open_matches", game="tictactoe", status=status)
        for status in ("waiting", "running")
    }
    assert world.match(over).status == "ended"
    expected = [world.match(match).status for match in (*running, waiting)]
    assert count == {status: expected.count(status) for status in count}


def test_matches_that_are_over_by_where_they_lie(scene: Scene) -> None:
    matches = [scene.world.create(bot(), bot()) for _ in range(3)]
    for match in matches:
        scene.world.advance(match)
    scene.world.tycoon.archive.archive(matches[:1])
    found = {s: scene.value("tycoon_matches_over", shelf=s) for s in ("ended", "archived", "named")}
    assert found == {"ended": 2, "archived": 1, "named": 0}


def test_lag_is_the_age_of_the_oldest_mark(scene: Scene) -> None:
    assert scene.value("tycoon_projection_lag_seconds") == 0
    scene.world.create(PERSON, PERSON)
    scene.world.now += 7_500
    assert scene.value("tycoon_projection_lag_seconds") == 7.5


def test_queues_and_memory(scene: Scene) -> None:
    for queue in HARD_LIMIT_S:
        assert scene.value("tycoon_queue_length", queue=queue) == len(queue)
    assert scene.value("tycoon_store_memory_used_bytes", server="events") == 1_000
    assert scene.value("tycoon_store_memory_max_bytes", server="events") == 4_000
    assert scene.value("tycoon_store_memory_used_bytes", server="broker") == 50
    # A server without a bound has none: a zero would read as full.
    assert scene.value("tycoon_store_memory_max_bytes", server="broker") is None


def test_a_server_that_is_away_is_told_and_no_old_number(scene: Scene) -> None:
    scene.away = {"events", "broker"}
    assert scene.value("tycoon_store_up", server="events") == 0
    assert scene.value("tycoon_store_up", server="broker") == 0
    assert scene.value("tycoon_projection_lag_seconds") is None
    assert scene.value("tycoon_queue_length", queue="ops") is None
    scene.away = {"queues"}
    assert scene.value("tycoon_store_up", server="events") == 1
    assert scene.value("tycoon_projection_lag_seconds") == 0
    assert scene.value("tycoon_store_up", server="broker") == 0
    scene.away = set()
    assert scene.value("tycoon_store_up", server="broker") == 1


def test_scrapes_at_the_same_time_cost_one_look(scene: Scene) -> None:
    for _ in range(10):
        list(scene.registry.collect())
    assert scene.asked == len(HARD_LIMIT_S)
    scene.time += FRESH_S
    list(scene.registry.collect())
    assert scene.asked == 2 * len(HARD_LIMIT_S)


def test_real_servers(real_redis: Any, redis_url: str, scene: Scene) -> None:
    settings = scene.world.settings.__class__(
        events_url=redis_url, broker_url=redis_url, server_key="k" * 40
    )
    sender = Sender(broker_app(settings))
    sender.advance(["m_a"])
    registry = CollectorRegistry()
    registry.register(system_state(settings, Hall([tictactoe.GAME]), sender))
    value = registry.get_sample_value
    assert value("tycoon_store_up", {"server": "events"}) == 1
    assert value("tycoon_queue_length", {"queue": "advance"}) == 1
    assert value("tycoon_open_matches", {"game": "tictactoe", "status": "running"}) == 0
    used = value("tycoon_store_memory_used_bytes", {"server": "events"})
    assert used is not None
    assert used > 100_000
    real_redis.config_set("maxmemory", 10**9)
    try:
        other = CollectorRegistry()
        other.register(system_state(settings, Hall([tictactoe.GAME]), sender))
        bound = other.get_sample_value("tycoon_store_memory_max_bytes", {"server": "events"})
    finally:
        real_redis.config_set("maxmemory", 0)
    assert bound == 10**9
