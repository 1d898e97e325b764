"""The commands of `k8s/README.md` that stop and start everybody, on a model of a cluster.

The model knows what a person forgets: a manifest that names no number of replicas changes none, an
autoscaler is off at 0, and KEDA counts up again whatever it was not told to leave alone.
"""

from __future__ import annotations

import re

import pytest

from tests.ops.compose import ROOT
from tests.ops.kustomize import rendered
from tests.ops.rules.reading import labels, name, of_kind, program

README = (ROOT / "k8s" / "README.md").read_text()
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
STOPPED = "scale deployment --all --replicas=0"
PAUSED = "autoscaling.keda.sh/paused-replicas"


class Cluster:
    """How many of each there are while an overlay is applied."""

    def __init__(self, overlay: str) -> None:
        self._overlay = overlay
        objects = rendered(overlay)
        self._told = {name(o): o["spec"].get("replicas") for o in of_kind(objects, "Deployment")}
        self._least = {
            name(o): o["spec"]["minReplicaCount"] for o in of_kind(objects, "ScaledObject")
        }
        self.paused = False
        self.replicas = {deployment: told or 1 for deployment, told in self._told.items()}

    def run(self, line: str) -> None:
        command = line.partition("  #")[0].strip()
        if "# keda only" in line and not self._least:
            return
        if found := re.search(r" scale deployment(?: --all|/([\w-]+)) --replicas=(\d+)$", command):
            for deployment in [found[1]] if found[1] else list(self.replicas):
                self.replicas[deployment] = int(found[2])
        elif " scaledobject " in command:
            assert self._least, f"{self._overlay} has no such kind: {command}"
            assert "--all" in command
            self.paused = command.endswith(f"{PAUSED}=0")
            assert self.paused or command.endswith(f"{PAUSED}-")
        elif command.startswith("kubectl apply"):
            self.replicas |= {d: told for d, told in self._told.items() if told is not None}
        for deployment, least in self._least.items():
            counted = max(self.replicas[deployment], least)
            self.replicas[deployment] = 0 if self.paused else counted


def lines(*, with_apply: bool, overlay: str) -> list[str]:
    """Of the blocks that stop (and go on to start) an overlay."""
    found = [b for b in BLOCKS if STOPPED in b or (with_apply and "deployment/ticker" in b)]
    store_inside = overlay == "dev"
    return [
        line
        for block in found
        if store_inside == ("restore.sh" in block)
        for line in block.splitlines()
    ]


@pytest.mark.parametrize("overlay", ["dev", "prod", "keda"])
class TestStopping:
    def test_nobody_writes_when_the_copy_is_put_in_place(self, overlay: str) -> None:
        cluster = Cluster(overlay)
        told = lines(with_apply=False, overlay=overlay)
        for line in told[: [" wait " in line for line in told].index(True) + 1]:
            cluster.run(line)
        assert set(cluster.replicas.values()) == {0}

    def test_everybody_is_back_at_the_end(self, overlay: str) -> None:
        cluster = Cluster(overlay)
        for line in lines(with_apply=True, overlay=overlay):
            cluster.run(line)
        assert not [d for d, count in cluster.replicas.items() if count < 1]
        assert not cluster.paused

    def test_whoever_waits_for_the_end_waits_for_all_that_write(self, overlay: str) -> None:
        processes = [o for o in of_kind(rendered(overlay), "Deployment") if program(o)]
        assert {labels(o).get("tier") for o in processes} == {"process"}
        waits = [line for line in lines(with_apply=False, overlay=overlay) if " wait " in line]
        assert ["--selector tier=process" in line for line in waits] == [True]


def test_a_rollback_rebuilds_the_projections() -> None:
    section = README.partition("## Upgrade and roll back")[2].partition("### ")[0]
    assert "`tycoon projections rebuild`" in section
    assert "needs no step" not in README
