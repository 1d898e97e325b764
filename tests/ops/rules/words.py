"""Words that the schemas leave open, though a cluster knows but a few; labels; quantities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.ops.rules.reading import WORKLOADS, Faults, Object, labels, name, of_kind, program
from tests.ops.rules.safety import quantity

WORDS: dict[str, set[str]] = {
    "accessModes": {"ReadWriteOnce", "ReadWriteMany"},
    "fsGroupChangePolicy": {"OnRootMismatch"},
    "imagePullPolicy": {"IfNotPresent"},
    "ingressClassName": {"nginx"},
    "medium": {"Memory"},
    "pathType": {"Prefix", "Exact"},
    "protocol": {"TCP", "UDP"},
    "topologyKey": {"kubernetes.io/hostname"},
    "type": {"RollingUpdate", "RuntimeDefault", "Resource", "Utilization", "Pods", "redis"},
}
"""Field -> what it may say."""

TARGET = {"apiVersion": "apps/v1", "kind": "Deployment"}
QUANTITIES = {"cpu", "memory", "storage", "sizeLimit"}

NAME, COMPONENT = "app.kubernetes.io/name", "app.kubernetes.io/component"
POD_SECURITY = {f"pod-security.kubernetes.io/{mode}" for mode in ("enforce", "warn")}


def words_are_known(objects: list[Object]) -> Faults:
    for found in objects:
        for field, value in _leaves(found):
            if field in WORDS and value not in WORDS[field]:
                yield f"{found['kind']} {name(found)}: {field} {value}"
            if field in QUANTITIES and not quantity(value) > 0:
                yield f"{found['kind']} {name(found)}: {field} {value}"
    for found in of_kind(objects, "HorizontalPodAutoscaler"):
        target = found["spec"]["scaleTargetRef"]
        if {key: target.get(key) for key in TARGET} != TARGET:
            yield f"{name(found)} counts no Deployment"
        if [row["resource"]["name"] for row in found["spec"]["metrics"]] != ["cpu"]:
            yield f"{name(found)} measures something else"
    for found in of_kind(objects, "PersistentVolumeClaim"):
        if "storage" not in found["spec"]["resources"]["requests"]:
            yield f"{name(found)} asks for no room"
    for workload in of_kind(objects, "StatefulSet"):
        for claim in workload["spec"]["volumeClaimTemplates"]:
            if "storage" not in claim["spec"]["resources"]["requests"]:
                yield f"{name(workload)} asks for no room"


def _leaves(found: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Every text with the field that it is in; a list's rows are in the list's field."""
    if isinstance(found, dict):
        for key, value in found.items():
            yield from _leaves(value, key)
    elif isinstance(found, list):
        for value in found:
            yield from _leaves(value, field)
    elif isinstance(found, str):
        yield field, found


def labels_are_ours(objects: list[Object]) -> Faults:
    components = {name(workload) for workload in of_kind(objects, *WORKLOADS)}
    for found in objects:
        claims = found.get("spec", {}).get("volumeClaimTemplates", ())
        for labelled in (found, *claims):
            told = dict(labelled["metadata"].get("labels", {}))
            if found["kind"] == "ConfigMap":
                continue  # they are generated, and found by name
            component = told.pop(COMPONENT, None)
            if component is not None and component not in components:
                yield f"{found['kind']} {name(found)}: component {component}"
            if component is None and found["kind"] in (*WORKLOADS, "Service"):
                yield f"{found['kind']} {name(found)} names no component"
            known = POD_SECURITY if found["kind"] == "Namespace" else set()
            if told.pop(NAME, None) != "tycoon" or set(told) != known:
                yield f"{found['kind']} {name(found)}: labels {told}"
            if not set(told.values()) <= {"restricted"}:
                yield f"{found['kind']} {name(found)}: labels {told}"
    for workload in of_kind(objects, *WORKLOADS):
        tier = "process" if program(workload) else "store"
        wanted = {NAME: "tycoon", COMPONENT: name(workload), "tier": tier}
        if labels(workload) != wanted:
            yield f"{name(workload)}: its pods are labelled {labels(workload)}"
