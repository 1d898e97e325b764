"""A primary of a Redis Cluster is killed and replaced under load: `TYCOON_WAIT_REPLICAS=1`."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.redis_keys import match_keys
from tests.cluster import Cluster, cluster
from tests.e2e.campaign import SEED, check, check_acknowledged, play, seat_people
from tests.e2e.harness import Running, running

pytestmark = pytest.mark.e2e
TABLES = 8


def test_primaries_are_killed_and_replaced_under_load(tmp_path: Path) -> None:
    print(f"TYCOON_FAULT_SEED={SEED}")
    nodes = tmp_path / "nodes"
    nodes.mkdir()
    with (
        cluster(nodes, node_timeout_ms=1_500) as whole,
        running(tmp_path / "tycoon", events_url=whole.url, wait_replicas="1") as system,
    ):
        of_bots = bots(system)
        tables = seat_people(system, TABLES)
        home = match_keys(tables[0].id).events

        # The second to die is the one that took the first one's place, which takes it back.
        play(system, tables, lambda: kill_and_replace(whole, home), times=2)

        check_acknowledged(system, tables)
        for match in of_bots:
            assert system.ended(match, 60)["result"]["reason"] == "completed"
        check(system, [*of_bots, *(table.id for table in tables)])


def bots(system: Running) -> list[str]:
    one_round = {"pace_ms": 20, "options": {"rounds": 1}}
    return [system.match("daifugo", *["random"] * 5, **one_round) for _ in range(4)]


def kill_and_replace(whole: Cluster, key: str) -> None:
    killed = whole.primary_of(key)
    following = whole.fail_over(killed)
    whole.replace(killed)
    assert whole.primary_of(key) is following
    assert whole.replica_of(following) is killed
