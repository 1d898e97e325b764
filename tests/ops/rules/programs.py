"""Programs, their settings, secrets, queues and times."""

from __future__ import annotations

import contextlib
import io
from importlib.util import find_spec

from shared.settings import Settings, SettingsError, from_env
from shared.tasks import HARD_LIMIT_S, VISIBILITY_TIMEOUT_S
from tests.ops.rules.reading import (
    WORKLOADS,
    Faults,
    Object,
    containers,
    name,
    of_kind,
    pod,
    processes,
    program,
    queue,
    variables,
)
from worker.__main__ import _parser

SETTINGS = set(Settings.__struct_fields__)

SECRET = "tycoon"
SECRET_KEYS = {
    "server_key",
    "operator_key",
    "bootstrap_api_key",
    *(
        f"{store}{part}"
        for store in ("events", "broker")
        for part in ("_url", "_address", "_password", ".acl")
    ),
}
"""What `scripts/make-secrets` writes."""

RESERVE_S = 10
"""What is left of an API's grace when it has drained and finished its requests."""

LEVELS = ("debug", "info", "warning", "error")

COUNTED_IN = "PROMETHEUS_MULTIPROC_DIR"
"""The one variable that is none of our settings."""

NEEDED_BY = {
    "api": {"server_key", "events_url", "broker_url", "bootstrap_api_key", "operator_key"},
    "worker": {"server_key", "events_url", "broker_url"},
    "ticker": {"server_key", "events_url", "broker_url"},
}
"""Program -> the secrets that it is given, and no more."""


def settings_exist(objects: list[Object]) -> Faults:
    for workload in processes(objects):
        given = variables(objects, workload)
        for variable in set(given) - {COUNTED_IN}:
            setting = variable.removeprefix("TYCOON_").removesuffix("_FILE").lower()
            if not variable.startswith("TYCOON_") or setting not in SETTINGS:
                yield f"{name(workload)}: there is no setting {variable}"
        for variable in [v for v in given if v.endswith("_FILE")]:
            if variable.removesuffix("_FILE") in given:
                yield f"{name(workload)}: {variable} is given as a value too"
        if pod(workload).get("enableServiceLinks", True):
            yield f"{name(workload)}: services would add variables of their own"
        yield from _values(workload, given)


def _values(workload: Object, given: dict[str, str]) -> Faults:
    """What the settings class itself says against the values."""
    known = {f"TYCOON_{field.upper()}" for field in Settings.__struct_fields__}
    try:
        from_env({variable: value for variable, value in given.items() if variable in known})
    except SettingsError as wrong:
        yield f"{name(workload)}: {wrong}"
    for variable in ("TYCOON_DRAIN_S", "TYCOON_FINISH_S", "TYCOON_METRICS_PORT"):
        if not given.get(variable, "0").isdigit():
            yield f"{name(workload)}: {variable} is {given[variable]}"
    if given.get("TYCOON_LOG_LEVEL") not in LEVELS:
        yield f"{name(workload)}: there is no such log level"


def secrets_are_files(objects: list[Object]) -> Faults:
    """Each process has the secrets that it needs as files, and no others."""
    for workload in of_kind(objects, *WORKLOADS):
        mounted: set[str] = set()
        for volume in (v["secret"] for v in pod(workload)["volumes"] if "secret" in v):
            if volume["secretName"] != SECRET:
                yield f"{name(workload)}: there is no Secret {volume['secretName']}"
            if volume["defaultMode"] & 0o007:
                yield f"{name(workload)}: its secrets are for everyone to read"
            for item in volume["items"]:
                if item["key"] not in SECRET_KEYS or item["path"] != item["key"]:
                    yield f"{name(workload)}: no secret is called {item['key']}"
                mounted.add(f"/secrets/{item['path']}")
        if not program(workload):
            continue
        wanted = {f"/secrets/{key}" for key in NEEDED_BY.get(program(workload), ())}
        given = variables(objects, workload)
        named = {value for variable, value in given.items() if variable.endswith("_FILE")}
        if not mounted == named == wanted:
            yield f"{name(workload)}: secrets {mounted} mounted, {named} named, {wanted} needed"
        for variable, value in given.items():
            if variable.endswith("_FILE") and value != f"/secrets/{variable[7:-5].lower()}":
                yield f"{name(workload)}: {variable} is {value}"


def commands_are_ours(objects: list[Object]) -> Faults:
    for workload in of_kind(objects, "Deployment"):
        if workload not in processes(objects):
            yield f"{name(workload)}: it runs none of our programs"
    for workload in processes(objects):
        module, *arguments = containers(workload)[0]["command"][2:]
        if not _runs(module):
            yield f"{name(workload)}: there is no program {module}"
        if module != "worker":
            if arguments:
                yield f"{name(workload)}: {module} takes no {arguments}"
            continue
        if wrong := worker_usage(arguments):
            yield f"{name(workload)}: {wrong}"


def _runs(module: str) -> bool:
    target = module if module == "worker.ticker" else f"{module}.__main__"
    try:
        return find_spec(target) is not None
    except ModuleNotFoundError:
        return False


def worker_usage(arguments: list[str]) -> str:
    """What the worker's own reader of its command line says against these; empty if nothing."""
    parser = _parser()
    parser.allow_abbrev = False
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            parser.parse_args(arguments)
    except SystemExit:
        return said.getvalue().strip().rpartition("\n")[2]
    return ""


def queues_are_served(objects: list[Object]) -> Faults:
    """Each queue of the tasks has a worker of its own."""
    served = sorted(queue(w) for w in processes(objects) if program(w) == "worker")
    if served != sorted(HARD_LIMIT_S):
        yield f"workers serve {served}, the tasks' queues are {sorted(HARD_LIMIT_S)}"


def tasks_end_before_they_come_again(objects: list[Object]) -> Faults:
    """Hard limit < visibility timeout < grace, and an API's drain within its grace."""
    for workload in processes(objects):
        grace = pod(workload)["terminationGracePeriodSeconds"]
        if program(workload) == "worker":
            limit = HARD_LIMIT_S.get(queue(workload), VISIBILITY_TIMEOUT_S)
            if not limit < VISIBILITY_TIMEOUT_S < grace:
                yield f"{name(workload)}: not {limit} < {VISIBILITY_TIMEOUT_S} < {grace}"
        if program(workload) == "api":
            given = variables(objects, workload)
            drain, finish = (_whole(given.get(f"TYCOON_{n}_S")) for n in ("DRAIN", "FINISH"))
            unready = _unready_after_s(containers(workload)[0]["readinessProbe"])
            if not unready <= drain < drain + finish <= grace - RESERVE_S:
                yield f"{name(workload)}: unready {unready}, {drain} + {finish} s, grace {grace} s"


def _whole(text: str | None) -> int:
    return int(text) if text is not None and text.isdigit() else 0


def _unready_after_s(probe: Object) -> int:
    return int(probe["failureThreshold"] * probe["periodSeconds"] + probe["timeoutSeconds"])


def probes_fit(objects: list[Object]) -> Faults:
    paths = {"startupProbe": "/livez", "livenessProbe": "/livez", "readinessProbe": "/readyz"}
    for workload in processes(objects):
        container = containers(workload)[0]
        wanted = {"startupProbe", "livenessProbe"}
        wanted |= {"readinessProbe"} if program(workload) == "api" else set()
        if missing := wanted - set(container):
            yield f"{name(workload)}: it has no {sorted(missing)}"
        for probe in wanted & set(container):
            asked = container[probe].get("httpGet", {})
            if asked.get("path") != paths[probe]:
                yield f"{name(workload)}: {probe} must ask {paths[probe]}"
            # At the port of requests it would wait behind them while a store hangs.
            if paths[probe] == "/livez" and asked.get("port") != "metrics":
                yield f"{name(workload)}: {probe} must not wait behind requests"
    for workload in of_kind(objects, "StatefulSet"):
        if missing := {"startupProbe", "livenessProbe", "readinessProbe"} - set(
            containers(workload)[0]
        ):
            yield f"{name(workload)}: it has no {sorted(missing)}"


def listens_where_it_is_asked(objects: list[Object]) -> Faults:
    for workload in processes(objects):
        given = variables(objects, workload)
        named = {"metrics": given.get("TYCOON_METRICS_PORT")}
        named |= {"http": given.get("TYCOON_HTTP_PORT")} if program(workload) == "api" else {}
        ports = {r["name"]: str(r["containerPort"]) for r in containers(workload)[0]["ports"]}
        if ports != named or len(set(ports.values())) != len(ports):
            yield f"{name(workload)}: ports {ports}, its settings say {named}"
        if given.get("TYCOON_HTTP_HOST") != "0.0.0.0":
            yield f"{name(workload)}: nobody outside its pod would reach it"
        if program(workload) == "api" and given.get(COUNTED_IN) not in _in_memory(workload):
            yield f"{name(workload)}: its processes do not count together in memory"


def _in_memory(workload: Object) -> set[str]:
    rows = [v for v in pod(workload)["volumes"] if v.get("emptyDir", {}).get("medium") == "Memory"]
    mounts = {m["name"]: m["mountPath"] for c in containers(workload) for m in c["volumeMounts"]}
    return {mounts[row["name"]] for row in rows if row["name"] in mounts}
