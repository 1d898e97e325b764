"""What `k8s/overlays/prod` and the bases beneath it give each kind of process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

K8S = Path(__file__).parents[3] / "k8s"


class Shipped(NamedTuple):
    """Cores are the most that the limits of all pods allow together."""

    api_pods: int
    api_cores: float
    advance_cores: float
    ops_processes: int


def shipped() -> Shipped:
    """As the manifests say."""
    scaler = _one(K8S / "overlays/prod/autoscaler.yaml", "HorizontalPodAutoscaler")
    overlay = yaml.safe_load((K8S / "overlays/prod/kustomization.yaml").read_text())
    replicas = {row["name"]: row["count"] for row in overlay["replicas"]}
    pods = scaler["spec"]["maxReplicas"]
    return Shipped(
        api_pods=pods,
        api_cores=pods * _cores("api"),
        advance_cores=replicas["worker-advance"] * _cores("worker-advance"),
        ops_processes=replicas["worker-ops"] * _concurrency("worker-ops"),
    )


def _container(name: str) -> dict[str, Any]:
    deployment = _one(K8S / f"base/{name}.yaml", "Deployment")
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    found: dict[str, Any] = container
    return found


def _cores(name: str) -> float:
    return float(_container(name)["resources"]["limits"]["cpu"])


def _concurrency(name: str) -> int:
    command = _container(name)["command"]
    return int(command[command.index("--concurrency") + 1])


def _one(path: Path, kind: str) -> Any:
    return next(doc for doc in _documents(path) if doc["kind"] == kind)


def _documents(path: Path) -> Iterator[Any]:
    yield from (doc for doc in yaml.safe_load_all(path.read_text()) if doc)
