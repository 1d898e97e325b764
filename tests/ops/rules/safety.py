"""What a pod may do and use, who may speak to it, and how it may be moved."""

from __future__ import annotations

import re
import tomllib
from ipaddress import ip_network
from pathlib import Path

from tests.ops.rules.reading import (
    WORKLOADS,
    Faults,
    Object,
    containers,
    name,
    of_kind,
    pod,
    program,
    selected,
    variables,
)

PROJECT = Path(__file__).parents[3] / "pyproject.toml"
VERSION = tomllib.loads(PROJECT.read_text())["project"]["version"]
NEIGHBOURS = {"kube-system", "ingress-nginx", "monitoring"}
"""Namespaces that we speak with."""


def pods_are_restricted(objects: list[Object]) -> Faults:
    """The restricted Pod Security Standard, a read-only root file system, and no account."""
    for workload in of_kind(objects, *WORKLOADS):
        spec = pod(workload)
        outer = spec.get("securityContext", {})
        if spec.get("automountServiceAccountToken", True):
            yield f"{name(workload)}: it holds an account's token"
        if outer.get("runAsNonRoot") is not True or not outer.get("runAsUser"):
            yield f"{name(workload)}: it may run as root"
        if outer.get("seccompProfile", {}).get("type") != "RuntimeDefault":
            yield f"{name(workload)}: it has no seccomp profile"
        if {"hostNetwork", "hostPID", "hostIPC"} & set(spec):
            yield f"{name(workload)}: it is part of its host"
        allowed = {"configMap", "secret", "emptyDir", "persistentVolumeClaim"}
        for volume in spec["volumes"]:
            if not set(volume) - {"name"} <= allowed:
                yield f"{name(workload)}: volume {volume['name']} is none that is allowed"
        for container in [*spec["containers"], *spec.get("initContainers", ())]:
            inner = container.get("securityContext", {})
            if inner.get("allowPrivilegeEscalation") is not False:
                yield f"{name(workload)}: it may gain privileges"
            if inner.get("privileged"):
                yield f"{name(workload)}: it is privileged"
            if inner.get("readOnlyRootFilesystem") is not True:
                yield f"{name(workload)}: its root file system can be written"
            if inner.get("capabilities") != {"drop": ["ALL"]}:
                yield f"{name(workload)}: it keeps capabilities"


def resources_are_bounded(objects: list[Object]) -> Faults:
    for workload in of_kind(objects, *WORKLOADS):
        for container in containers(workload):
            given = container.get("resources", {})
            asked, most = given.get("requests", {}), given.get("limits", {})
            for what in ("cpu", "memory"):
                if what not in asked or what not in most:
                    yield f"{name(workload)}: {what} is not bounded"
                elif not 0 < quantity(asked[what]) <= quantity(most[what]):
                    yield f"{name(workload)}: {what} {asked[what]} to {most[what]}"


def quantity(text: str) -> float:
    """A quantity as Kubernetes writes it, in cores or bytes."""
    form = re.fullmatch(r"([\d.]+)(m|Ki|Mi|Gi)?", str(text))
    if form is None:
        return 0
    units = {None: 1.0, "m": 1e-3, "Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30}
    return float(form[1]) * units[form[2]]


def images_are_pinned(objects: list[Object]) -> Faults:
    """Ours to the version of this project, others to a release."""
    ours = re.compile(rf"(registry\.example\.com/)?tycoon:{re.escape(VERSION)}(-s3)?")
    theirs = re.compile(r"valkey/valkey:\d+\.\d+\.\d+-alpine")
    for workload in of_kind(objects, *WORKLOADS):
        for container in containers(workload):
            if not (ours if program(workload) else theirs).fullmatch(container["image"]):
                yield f"{name(workload)}: image {container['image']}"
        kept = variables(objects, workload).get("TYCOON_ARCHIVE_URL", "")
        if kept.startswith("s3:") != containers(workload)[0]["image"].endswith("-s3"):
            yield f"{name(workload)}: its image can't reach the archive, or need not"


def everything_is_denied_first(objects: list[Object]) -> Faults:
    denying = [
        found
        for found in of_kind(objects, "NetworkPolicy")
        if found["spec"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    ]
    if not denying:
        yield "no NetworkPolicy denies everything"
    for found in of_kind(objects, "NetworkPolicy"):
        for direction, side in (("ingress", "Ingress"), ("egress", "Egress")):
            if (direction in found["spec"]) and side not in found["spec"]["policyTypes"]:
                yield f"NetworkPolicy {name(found)}: its {direction} rules do nothing"
        if any("from" not in rule for rule in found["spec"].get("ingress", ())):
            yield f"NetworkPolicy {name(found)} lets everyone in"
        rules = [*found["spec"].get("ingress", ()), *found["spec"].get("egress", ())]
        for peer in (p for rule in rules for p in (*rule.get("from", ()), *rule.get("to", ()))):
            yield from (f"NetworkPolicy {name(found)}: {fault}" for fault in _peer(peer))
        for expression in found["spec"]["podSelector"].get("matchExpressions", ()):
            for value in expression["values"]:
                only = {**expression, "values": [value]}
                if not selected(objects, {"matchExpressions": [only]}):
                    yield f"NetworkPolicy {name(found)}: there is no {value}"


def _peer(peer: Object) -> Faults:
    if (outside := peer.get("namespaceSelector")) is not None:
        told = outside.get("matchLabels", {})
        if set(told) != {"kubernetes.io/metadata.name"} or not set(told.values()) <= NEIGHBOURS:
            yield f"there is no namespace {told}"
        if peer.get("podSelector", {}).get("matchLabels", {}) not in ({}, {"k8s-app": "kube-dns"}):
            yield f"{peer['podSelector']} is in no other namespace"
    if "ipBlock" in peer:
        try:
            ip_network(peer["ipBlock"]["cidr"])
        except ValueError as wrong:
            yield str(wrong)


def pods_may_be_moved(objects: list[Object]) -> Faults:
    """Every Deployment but the ticker has a budget, and none keeps a node from being drained."""
    protected = []
    for found in of_kind(objects, "PodDisruptionBudget"):
        if found["spec"].get("maxUnavailable", 0) in (0, "0%"):
            yield f"PodDisruptionBudget {name(found)} would block"
        protected += [name(w) for w in selected(objects, found["spec"]["selector"])]
    wanted = [name(w) for w in of_kind(objects, "Deployment") if program(w) != "ticker"]
    if sorted(protected) != sorted(wanted):
        yield f"budgets protect {sorted(protected)}, not {sorted(wanted)}"
    for workload in of_kind(objects, "Deployment"):
        if program(workload) != "ticker" and "affinity" not in pod(workload):
            yield f"{name(workload)}: all its pods may be on one node"
        if workload["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] != 0:
            yield f"{name(workload)}: an upgrade would take pods away before others are there"


def everything_is_in_one_namespace(objects: list[Object]) -> Faults:
    (namespace,) = of_kind(objects, "Namespace")
    told = namespace["metadata"].get("labels", {})
    if told.get("pod-security.kubernetes.io/enforce") != "restricted":
        yield "the namespace does not enforce the restricted standard"
    for found in objects:
        if found["kind"] != "Namespace" and found["metadata"].get("namespace") != name(namespace):
            yield f"{found['kind']} {name(found)} is in another namespace"
    identities = [(found["kind"], name(found)) for found in objects]
    if len(identities) != len(set(identities)):
        yield "two objects have one name"
