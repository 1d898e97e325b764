"""The stores inside the cluster."""

from __future__ import annotations

import re

from shared.tasks import lists
from tests.ops.rules.programs import SECRET
from tests.ops.rules.reading import (
    Faults,
    Object,
    containers,
    name,
    of_kind,
    pod,
    queue,
)
from tests.ops.rules.safety import quantity


def stores_keep_what_they_have(objects: list[Object]) -> Faults:
    """Settings of the stores inside: a log, no eviction, memory within the container's."""
    for workload in of_kind(objects, "StatefulSet"):
        kind = name(workload)
        maps = {name(found): found["data"] for found in of_kind(objects, "ConfigMap")}
        volume = next(v["configMap"]["name"] for v in pod(workload)["volumes"] if "configMap" in v)
        told = store_settings(maps.get(volume, {}).get(f"{kind}.conf", ""))
        wanted = {
            "appendonly": "yes",
            "appendfsync": "always" if kind == "events" else "everysec",
            "maxmemory-policy": "noeviction",
            "save": '""',
            "port": "6379",
            "dir": "/data",
            "aclfile": f"/secrets/{kind}.acl",
        }
        if wanted.items() - told.items():
            yield f"{kind}: {sorted(wanted.items() - told.items())} must be set"
        if unknown := set(told) - set(wanted) - {"maxmemory"}:
            yield f"{kind}: {sorted(unknown)} is set"
        limit = quantity(containers(workload)[0]["resources"]["limits"].get("memory", "0"))
        most = re.fullmatch(r"(\d+)mb", told.get("maxmemory", ""))
        if most is None or 2 * int(most[1]) * 2**20 > limit:
            yield f"{kind}: maxmemory must be half of the container's memory at most"

        if containers(workload)[0]["command"] != ["valkey-server", f"/etc/tycoon/{kind}.conf"]:
            yield f"{kind}: it is not started with its settings"
        if containers(workload)[0]["readinessProbe"].get("exec", {}).get("command") != PING:
            yield f"{kind}: it is not asked whether it answers"


PING = [
    *("sh", "-c"),
    "valkey-cli --no-auth-warning --user probe --pass probe ping | grep -q PONG",
]
"""A server that still reads its log back answers LOADING, and one without its settings NOAUTH."""


def stores_are_found(objects: list[Object]) -> Faults:
    """By the addresses that `scripts/make-secrets` writes."""
    services = {name(found): found["spec"] for found in of_kind(objects, "Service")}
    for workload in of_kind(objects, "StatefulSet"):
        kind = name(workload)
        if kind not in ("events", "broker") or workload["spec"]["serviceName"] != kind:
            yield f"StatefulSet {kind}: nobody looks for it there"
        told = services.get(kind, {})
        ports = [(row["name"], row["port"]) for row in told.get("ports", ())]
        if told.get("clusterIP") != "None" or ports != [("redis", 6379)]:
            yield f"Service {kind}: {ports}, cluster IP {told.get('clusterIP')}"
    wanted = {0: [], 2: ["broker", "events"]}.get(len(of_kind(objects, "StatefulSet")))
    if sorted(map(name, of_kind(objects, "StatefulSet"))) != wanted:
        yield "events store and broker are inside together, or not at all"


def queues_are_counted(objects: list[Object]) -> Faults:
    """Each ScaledObject counts all lists of its own worker's queue, with what opens the broker."""
    scaled = of_kind(objects, "ScaledObject")
    queues = {name(found): queue(found) for found in of_kind(objects, "Deployment")}
    opening = {name(found) for found in of_kind(objects, "TriggerAuthentication")}
    for found in scaled:
        target = found["spec"]["scaleTargetRef"]["name"]
        counted = sorted(trigger["metadata"]["listName"] for trigger in found["spec"]["triggers"])
        if counted != sorted(lists(queues.get(target, ""))):
            yield f"{name(found)} counts the lists {counted}"
        for trigger in found["spec"]["triggers"]:
            if trigger.get("authenticationRef", {}).get("name") not in opening:
                yield f"{name(found)} can't open the broker"
        least, most = (found["spec"].get(f"{end}ReplicaCount", 0) for end in ("min", "max"))
        if not 1 <= least < most:
            yield f"{name(found)} keeps {least} to {most}: a task under way is in no list"
    if scaled and {name(f) for f in scaled} != {n for n, served in queues.items() if served}:
        yield "some queues are counted, and some are not"
    for found in of_kind(objects, "TriggerAuthentication"):
        rows = found["spec"]["secretTargetRef"]
        told = {(row["parameter"], row["name"], row["key"]) for row in rows}
        if told != {(p, SECRET, f"broker_{p}") for p in ("address", "password")}:
            yield f"TriggerAuthentication {name(found)}: {sorted(told)}"


def store_settings(conf: str) -> dict[str, str]:
    """Name and value of each line."""
    lines = (line.strip() for line in conf.splitlines())
    rows = (line.partition(" ") for line in lines if line and not line.startswith("#"))
    return {setting: value.strip() for setting, _, value in rows}
