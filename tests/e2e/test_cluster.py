"""A primary of a Redis Cluster is killed and replaced under load: `TYCOON_WAIT_REPLICAS=1`."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.redis_keys import match_keys
from tests.cluster import Cluster, cluster
from tests.e2e.campaign import Campaign
from tests.e2e.harness import running

pytestmark = pytest.mark.e2e


def test_primaries_are_killed_and_replaced_under_load(tmp_path: Path) -> None:
    nodes = tmp_path / "nodes"
    nodes.mkdir()
    with (
        cluster(nodes, node_timeout_ms=1_500) as whole,
        running(tmp_path / "tycoon", events_url=whole.url, wait_replicas="1") as system,
    ):
        campaign = Campaign(system)

        def harm() -> None:
            # The second to die is the one that took the first one's place, which takes it back.
            kill_and_replace(whole, match_keys(campaign.tables[0].id).events)

        campaign.fight([harm, harm], commands=120)


def kill_and_replace(whole: Cluster, key: str) -> None:
    killed = whole.primary_of(key)
    following = whole.fail_over(killed)
    whole.replace(killed)
    assert whole.primary_of(key) is following
    assert whole.replica_of(following) is killed
