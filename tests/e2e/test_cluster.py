"""A primary of a Redis Cluster is killed and replaced under load: `TYCOON_WAIT_REPLICAS=1`."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.redis_keys import match_keys
from tests.cluster import cluster
from tests.e2e.campaign import ROUNDS, Campaign
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

        def kill_and_replace() -> None:
            # The second to die is the one that took the first one's place, which takes it back.
            killed = whole.primary_of(match_keys(campaign.tables[0].id).events)
            following = whole.fail_over(killed)
            whole.replace(killed)
            assert whole.replica_of(following) is killed

        campaign.fight([kill_and_replace] * 2 * ROUNDS, commands=60)
