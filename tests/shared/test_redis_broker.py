"""A broker that is a cluster ends every program at its start, with one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from api.cli.servers import free_port
from shared.redis_broker import refuse_cluster
from shared.settings import Settings, SettingsError
from tests.cluster import Cluster

ROOT = Path(__file__).parents[2]
PROGRAMS = ("api", "worker", "worker.ticker")


def plain(whole: Cluster) -> str:
    """The address of a node, as if it were a single server."""
    return whole.url.partition("?")[0]


def test_a_node_of_a_cluster_is_refused(shared_cluster: Cluster) -> None:
    with pytest.raises(SettingsError, match="TYCOON_BROKER_URL must be a single server"):
        refuse_cluster(Settings(broker_url=plain(shared_cluster)))


def test_a_single_server_is_not_and_nor_is_one_that_is_away(redis_url: str) -> None:
    refuse_cluster(Settings(broker_url=redis_url))
    refuse_cluster(Settings(broker_url=f"redis://127.0.0.1:{free_port()}/0"))


def test_every_program_says_so_and_ends(shared_cluster: Cluster, redis_url: str) -> None:
    env = {
        **os.environ,
        "TYCOON_SERVER_KEY": "k" * 40,
        "TYCOON_EVENTS_URL": redis_url,
        "TYCOON_BROKER_URL": plain(shared_cluster),
        "TYCOON_HTTP_PORT": str(free_port()),
    }
    started = [
        subprocess.Popen(
            [sys.executable, "-m", program], cwd=ROOT, env=env, stderr=subprocess.PIPE, text=True
        )
        for program in PROGRAMS
    ]
    for process in started:
        _, said = process.communicate(timeout=120)
        assert said.startswith("TYCOON_BROKER_URL must be a single server: the one that it names")
        assert (process.returncode, said.count("\n")) == (1, 1)
