"""What names something names what is there: selectors, ports, volumes, paths, autoscalers."""

from __future__ import annotations

from functools import cache
from urllib.parse import urlsplit

from shared.settings import from_env
from tests.api.server import Server
from tests.ops.rules.reading import (
    WORKLOADS,
    Faults,
    Object,
    containers,
    labels,
    name,
    of_kind,
    pod,
    processes,
    program,
    queue,
    selected,
    variables,
)

SCRAPED = {"scrape": "true", "path": "/metrics"}
PLACES = {"secrets": "/secrets", "tmp": "/tmp", "data": "/data", "conf": "/etc/tycoon"}
"""Volume -> where it is mounted."""


def selectors_match(objects: list[Object]) -> Faults:
    for workload in of_kind(objects, *WORKLOADS):
        if selected(objects, workload["spec"]["selector"]) != [workload]:
            yield f"{name(workload)}: its selector takes other pods than its own"
    for found in of_kind(objects, "Service"):
        if len(selected(objects, {"matchLabels": found["spec"]["selector"]})) != 1:
            yield f"Service {name(found)} has not one workload behind it"
    for found in of_kind(objects, "PodDisruptionBudget"):
        if len(selected(objects, found["spec"]["selector"])) != 1:
            yield f"PodDisruptionBudget {name(found)} protects not one workload"
    for found in of_kind(objects, "NetworkPolicy"):
        if not selected(objects, found["spec"]["podSelector"]):
            yield f"NetworkPolicy {name(found)} is for no pod"
        for direction, side in (("ingress", "from"), ("egress", "to")):
            peers = [p for rule in found["spec"].get(direction, ()) for p in rule.get(side, ())]
            for peer in peers:
                if "podSelector" not in peer or "namespaceSelector" in peer:
                    continue
                if not selected(objects, peer["podSelector"]):
                    yield f"NetworkPolicy {name(found)} names a pod that there is not"
    for workload in of_kind(objects, *WORKLOADS):
        affinity = pod(workload).get("affinity", {}).get("podAntiAffinity", {})
        for row in affinity.get("preferredDuringSchedulingIgnoredDuringExecution", ()):
            if selected(objects, row["podAffinityTerm"]["labelSelector"]) != [workload]:
                yield f"{name(workload)}: its anti-affinity is about other pods"


def ports_exist(objects: list[Object]) -> Faults:
    for workload in of_kind(objects, *WORKLOADS):
        known = _ports(workload)
        for container in containers(workload):
            for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
                asked = container.get(probe, {})
                port = asked.get("httpGet", asked.get("tcpSocket", {})).get("port")
                if port is not None and port not in known:
                    yield f"{name(workload)}: {probe} asks port {port}"
        told = workload["spec"]["template"]["metadata"].get("annotations", {})
        port = told.get("prometheus.io/port")
        scraped = {f"prometheus.io/{n}": v for n, v in SCRAPED.items()} | {
            "prometheus.io/port": port
        }
        if program(workload) and (told != scraped or port not in map(str, known)):
            yield f"{name(workload)}: Prometheus is told {told}"
    for found in of_kind(objects, "Service"):
        for behind in selected(objects, {"matchLabels": found["spec"]["selector"]}):
            for row in found["spec"]["ports"]:
                if row["targetPort"] not in _ports(behind):
                    yield f"Service {name(found)} leads to port {row['targetPort']}"
    for found in of_kind(objects, "NetworkPolicy"):
        yield from _policy_ports(objects, found)
    services = {
        name(s): {p["name"] for p in s["spec"]["ports"]} for s in of_kind(objects, "Service")
    }
    for found in of_kind(objects, "Ingress"):
        for path in (p for rule in found["spec"]["rules"] for p in rule["http"]["paths"]):
            behind = path["backend"]["service"]
            if behind["port"]["name"] not in services.get(behind["name"], ()):
                yield f"Ingress {name(found)} leads {path['path']} nowhere"


def _ports(workload: Object) -> set[int | str]:
    rows = [row for c in containers(workload) for row in c.get("ports", ())]
    return {row["name"] for row in rows} | {row["containerPort"] for row in rows}


def _policy_ports(objects: list[Object], policy: Object) -> Faults:
    """Every port that a policy opens is open at some pod that it leads to."""
    for rule in policy["spec"].get("ingress", ()):
        known = {p for w in selected(objects, policy["spec"]["podSelector"]) for p in _ports(w)}
        for row in rule.get("ports", ()):
            if row["port"] not in known:
                yield f"NetworkPolicy {name(policy)} lets in at port {row['port']}"
    for rule in policy["spec"].get("egress", ()):
        inside = [p["podSelector"] for p in rule.get("to", ()) if set(p) == {"podSelector"}]
        known = {p for s in inside for w in selected(objects, s) for p in _ports(w)}
        for row in rule.get("ports", ()) if inside else ():
            if row["port"] not in known:
                yield f"NetworkPolicy {name(policy)} lets out to port {row['port']}"


def config_maps_exist(objects: list[Object]) -> Faults:
    known = {name(found) for found in of_kind(objects, "ConfigMap")}
    for workload in of_kind(objects, *WORKLOADS):
        sources = [s for c in containers(workload) for s in c.get("envFrom", ())]
        asked = [s["configMapRef"]["name"] for s in sources]
        asked += [v["configMap"]["name"] for v in pod(workload)["volumes"] if "configMap" in v]
        for missing in set(asked) - known:
            yield f"{name(workload)}: there is no ConfigMap {missing}"


def volumes_match(objects: list[Object]) -> Faults:
    claims = {name(found) for found in of_kind(objects, "PersistentVolumeClaim")}
    for workload in of_kind(objects, *WORKLOADS):
        known = {volume["name"] for volume in pod(workload)["volumes"]}
        known |= {name(claim) for claim in workload["spec"].get("volumeClaimTemplates", ())}
        mounts = {m["name"]: m for c in containers(workload) for m in c["volumeMounts"]}
        if known != set(mounts):
            yield f"{name(workload)}: volumes {sorted(known)}, mounted {sorted(mounts)}"
        for volume in pod(workload)["volumes"]:
            claim = volume.get("persistentVolumeClaim", {}).get("claimName")
            if claim is not None and claim not in claims:
                yield f"{name(workload)}: there is no claim {claim}"
        url = variables(objects, workload).get("TYCOON_ARCHIVE_URL", "")
        for known_name, path in PLACES.items():
            if known_name in mounts and mounts[known_name]["mountPath"] != path:
                yield f"{name(workload)}: {known_name} must be mounted at {path}"
        reads = program(workload) in ("api", "worker")
        writes = program(workload) == "api" or queue(workload) == "series"
        if url.startswith("file://"):
            path = url.removeprefix("file://")
            at = [m for m in mounts.values() if m["mountPath"] == path]
            if reads != bool(at):
                yield f"{name(workload)}: {path} is mounted where it should not be, or is not"
            if writes and at and at[0].get("readOnly", False):
                yield f"{name(workload)}: it can't write what it must"


def one_counts(objects: list[Object]) -> Faults:
    """At most one autoscaler counts a workload, and where one does, the manifest does not."""
    counted: list[str] = []
    workloads = {name(found): found for found in of_kind(objects, "Deployment")}
    for found in of_kind(objects, "HorizontalPodAutoscaler", "ScaledObject"):
        target = found["spec"]["scaleTargetRef"]["name"]
        counted.append(target)
        if target not in workloads:
            yield f"{found['kind']} {name(found)} counts {target}, which there is not"
        elif "replicas" in workloads[target]["spec"]:
            yield f"{target}: an upgrade would undo what {found['kind']} {name(found)} counted"
    if len(counted) != len(set(counted)):
        yield f"counted twice: {sorted(counted)}"


def named_for_what_they_concern(objects: list[Object]) -> Faults:
    for workload in of_kind(objects, *WORKLOADS):
        names = {name(workload), labels(workload).get("app.kubernetes.io/component")}
        if names | {c["name"] for c in containers(workload)} != {name(workload)}:
            yield f"{workload['kind']} {name(workload)}: its pods are called otherwise"
    for found in of_kind(objects, "Service", "PodDisruptionBudget"):
        selector = found["spec"]["selector"]
        if found["kind"] == "Service":
            selector = {"matchLabels": selector}
        if [name(w) for w in selected(objects, selector)] != [name(found)]:
            yield f"{found['kind']} {name(found)} concerns another one"
    for found in of_kind(objects, "HorizontalPodAutoscaler", "ScaledObject"):
        if found["spec"]["scaleTargetRef"]["name"] != name(found):
            yield f"{found['kind']} {name(found)} counts another one"


def one_address(objects: list[Object]) -> Faults:
    """Ingress, certificate and the setting that join links are made of name one host."""
    given = [variables(objects, w) for w in processes(objects) if program(w) == "api"]
    public = urlsplit(given[0].get("TYCOON_PUBLIC_URL", "") if given else "")
    for found in of_kind(objects, "Ingress"):
        hosts = {rule.get("host") for rule in found["spec"]["rules"]}
        secured = {host for row in found["spec"].get("tls", ()) for host in row["hosts"]}
        if hosts != {public.netloc} or (secured and secured != hosts):
            yield f"hosts {hosts}, certificate {secured}, public address {public.geturl()}"
        if public.scheme != ("https" if secured else "http"):
            yield f"public address {public.geturl()}, certificate {secured}"


def ingress_paths(objects: list[Object]) -> list[tuple[str, str]]:
    """Path and its kind, of everything that comes in from outside."""
    rules = [rule for found in of_kind(objects, "Ingress") for rule in found["spec"]["rules"]]
    return [(p.get("path", ""), p["pathType"]) for rule in rules for p in rule["http"]["paths"]]


def ingress_leads_to_routes(objects: list[Object]) -> Faults:
    """What people and programs ask for comes in, and nothing that is for the cluster alone."""
    paths = ingress_paths(objects)
    for route in sorted(routes()):
        comes_in = any(route == path or _below(route, path, kind) for path, kind in paths)
        if comes_in == (route in INSIDE):
            yield f"{route} must {'not ' if comes_in else ''}come in"
    for path, kind in paths:
        if not any(route == path or _below(route, path, kind) for route in routes()):
            yield f"{path} leads to no route"


def ingress_lets_imports_in(objects: list[Object]) -> Faults:
    """A body as large as the API takes one; the controller's own bound is 1 MiB."""
    given = [variables(objects, w) for w in processes(objects) if program(w) == "api"]
    own = {k: v for each in given for k, v in each.items() if k == "TYCOON_IMPORT_LIMIT"}
    limit = from_env(own).import_limit
    wanted = {"nginx.ingress.kubernetes.io/proxy-body-size": f"{-(-limit // 2**20)}m"}
    for found in of_kind(objects, "Ingress"):
        if (told := found["metadata"].get("annotations", {})) != wanted:
            yield f"Ingress {name(found)}: {told}, where an import has {limit} bytes at most"


def _below(route: str, path: str, kind: str) -> bool:
    return kind == "Prefix" and route.startswith(path.rstrip("/") + "/")


INSIDE = {"/livez", "/readyz", "/metrics"}


@cache
def routes() -> frozenset[str]:
    """Every route of the application, as its map has them."""
    return frozenset(rule.rule for rule in Server().app.url_map.iter_rules())
