"""How the rules read rendered manifests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Object = dict[str, Any]
Faults = Iterator[str]
Rule = Callable[[list[Object]], Faults]

WORKLOADS = ("Deployment", "StatefulSet")


def of_kind(objects: list[Object], *kinds: str) -> list[Object]:
    return [found for found in objects if found["kind"] in kinds]


def name(found: Object) -> str:
    return str(found["metadata"]["name"])


def pod(workload: Object) -> Object:
    return dict(workload["spec"]["template"]["spec"])


def containers(workload: Object) -> list[Object]:
    return list(pod(workload)["containers"])


def labels(workload: Object) -> dict[str, str]:
    return dict(workload["spec"]["template"]["metadata"]["labels"])


def program(workload: Object) -> str:
    """`api`, `worker` or `ticker`; empty for a store."""
    command = containers(workload)[0]["command"]
    if command[:2] != ["python", "-m"]:
        return ""
    return {"api": "api", "worker": "worker", "worker.ticker": "ticker"}.get(command[2], command[2])


def queue(workload: Object) -> str:
    command = containers(workload)[0]["command"]
    return str(command[command.index("--queues") + 1]) if "--queues" in command else ""


def processes(objects: list[Object]) -> list[Object]:
    return [found for found in of_kind(objects, *WORKLOADS) if program(found)]


def selects(selector: Object, given: dict[str, str]) -> bool:
    """Whether a label selector takes these labels; every selector that is empty takes all."""
    if unknown := set(selector) - {"matchLabels", "matchExpressions"}:
        raise ValueError(f"no selector has {sorted(unknown)}")
    if not selector.get("matchLabels", {}).items() <= given.items():
        return False
    for asked in selector.get("matchExpressions", ()):
        # `In` is the only one that we use; with another the selector takes nothing here.
        if asked["operator"] != "In" or given.get(asked["key"]) not in asked["values"]:
            return False
    return True


def selected(objects: list[Object], selector: Object) -> list[Object]:
    return [w for w in of_kind(objects, *WORKLOADS) if selects(selector, labels(w))]


def variables(objects: list[Object], workload: Object) -> dict[str, str]:
    """Every environment variable of a workload's container, with its value."""
    maps = {name(found): found["data"] for found in of_kind(objects, "ConfigMap")}
    given: dict[str, str] = {}
    for container in containers(workload):
        for source in container.get("envFrom", ()):
            given |= maps.get(source["configMapRef"]["name"], {})
        given |= {row["name"]: row["value"] for row in container.get("env", ())}
    return given
