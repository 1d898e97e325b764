"""The compose file as an engine reads it, and our rules of it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import compose_spec
import yaml

from shared.settings import SettingsError, from_env
from shared.tasks import HARD_LIMIT_S, VISIBILITY_TIMEOUT_S
from tests.ops.rules.programs import COUNTED_IN, LEVELS, SETTINGS, worker_usage
from tests.ops.rules.stores import store_settings

Object = dict[str, Any]

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docker-compose.yml"

VARIABLE = re.compile(r"\$\{([A-Z_]+):-([^}]*)\}")
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
STORES = ("events", "broker")


def loaded() -> tuple[Object, set[str]]:
    """The file with its merges and defaults filled in, and the variables that it asks for."""
    text = FILE.read_text()
    filled = yaml.safe_load(VARIABLE.sub(r"\2", text))
    assert "$" not in str(filled), "a variable without a default"
    told = {key: value for key, value in filled.items() if not key.startswith("x-")}
    return told, {name for name, _ in VARIABLE.findall(text)}


def schema_faults(told: Object) -> list[str]:
    """What the Compose specification says against it."""
    try:
        compose_spec.PyCompose.from_json(json.dumps(told)).to_spec()
    except ValueError as wrong:
        return [str(wrong)]
    return []


def faults(told: Object) -> list[str]:
    """What is wrong with it beside the specification."""
    services = told.get("services", {})
    return [
        *_whole(told),
        *(f"{n}: {fault}" for n, s in services.items() for fault in _hardened(s)),
        *(f"{n}: {fault}" for n, s in services.items() for fault in _wired(told, n, s)),
        *(f"{n}: {fault}" for n, s in processes(told).items() for fault in _process(n, s)),
        *(f"{n}: {fault}" for n in STORES for fault in _store(n, services.get(n, {}))),
    ]


def processes(told: Object) -> dict[str, Object]:
    """Services that run one of our programs for good."""
    services = told.get("services", {})
    return {n: s for n, s in services.items() if n not in (*STORES, "secrets")}


def command(service: Object) -> list[str]:
    """What a service runs; the image's own command is the API's."""
    return list(service.get("command", ["python", "-m", "api"]))


def _whole(told: Object) -> Iterator[str]:
    services = told.get("services", {})
    queues = sorted(c[4] for s in services.values() if (c := command(s))[2:3] == ["worker"])
    if queues != sorted(HARD_LIMIT_S):
        yield f"workers serve {queues}"
    if not {"secrets", *STORES, "api", "ticker"} <= set(services):
        yield "a part is missing"
    maker = services.get("secrets", {})
    if command(maker) != ["make-secrets", "/secrets"] or maker.get("network_mode") != "none":
        yield "nobody makes the secrets, or somebody could send them away"
    open_to = [name for name, service in services.items() if service.get("ports")]
    if open_to != ["api"]:
        yield f"{open_to} can be reached from outside"
    if told.get("networks", {}).get("stores", {}).get("internal") is not True:
        yield "the stores' network leads outside"


def _hardened(service: Object) -> Iterator[str]:
    if service.get("read_only") is not True:
        yield "its root file system can be written"
    if service.get("cap_drop") != ["ALL"] or service.get("security_opt") != [
        "no-new-privileges:true"
    ]:
        yield "it may gain privileges"
    limits = service.get("deploy", {}).get("resources", {}).get("limits", {})
    if set(limits) != {"cpus", "memory"}:
        yield "its resources are not bounded"


def _wired(told: Object, name: str, service: Object) -> Iterator[str]:
    ours = {"image": f"tycoon:{VERSION}", "build": "."}
    if name not in STORES and {key: service.get(key) for key in ours} != ours:
        yield f"its image is {service.get('image')}"
    for network in service.get("networks", ()):
        if network not in told.get("networks", {}):
            yield f"there is no network {network}"
    for volume in service.get("volumes", ()):
        source, target, *mode = volume.split(":")
        if source.startswith("./"):
            if not (ROOT / source).is_file():
                yield f"there is no file {source}"
        elif source not in told.get("volumes", {}):
            yield f"there is no volume {source}"
        if source in ("secrets", "archive") and target != f"/{source}":
            yield f"{source} is mounted at {target}"
        may_write = {"secrets": {"secrets"}, "archive": {"api", "worker-series"}}
        if source in may_write and (mode == []) != (name in may_write[source]):
            yield f"it may write {source}, or should"
    for other, on in service.get("depends_on", {}).items():
        wanted = "service_completed_successfully" if other == "secrets" else "service_healthy"
        if other not in told["services"] or on.get("condition") != wanted:
            yield f"it waits for {other}, {on}"
    if name != "secrets" and service.get("restart") != "unless-stopped":
        yield "it stays away when it has ended"


def _process(name: str, service: Object) -> Iterator[str]:
    given = {k: str(v) for k, v in service.get("environment", {}).items()}
    for variable, value in given.items():
        setting = variable.removeprefix("TYCOON_").removesuffix("_FILE").lower()
        if variable == COUNTED_IN:
            if [value] != service.get("tmpfs"):
                yield "its processes do not count together in memory"
        elif not variable.startswith("TYCOON_") or setting not in SETTINGS:
            yield f"there is no setting {variable}"
        elif variable.endswith("_FILE") and value != f"/secrets/{setting}":
            yield f"{variable} is {value}"
    if given.get("TYCOON_LOG_LEVEL") not in LEVELS:
        yield "there is no such log level"
    try:
        from_env({k: v for k, v in given.items() if not k.endswith("_FILE")})
    except SettingsError as wrong:
        yield str(wrong)
    wanted = {"SERVER_KEY", "EVENTS_URL", "BROKER_URL"}
    wanted |= {"BOOTSTRAP_API_KEY", "OPERATOR_KEY"} if name == "api" else set()
    if {k for k in given if k.endswith("_FILE")} != {f"TYCOON_{w}_FILE" for w in wanted}:
        yield "it has not the secrets that it needs"
    if given.get("TYCOON_HTTP_HOST") != "0.0.0.0":
        yield "nobody outside its container would reach it"
    if given.get("TYCOON_ARCHIVE_URL") != "file:///archive":
        yield "its archive is elsewhere"
    mounted = {volume.partition(":")[0] for volume in service.get("volumes", ())}
    if ("archive" in mounted) != (name != "ticker"):
        yield "it can't read the archive, or need not"
    if set(service.get("depends_on", {})) != {"secrets", *STORES}:
        yield "it does not wait for what it needs"
    yield from _program(name, service, given)


def _program(name: str, service: Object, given: dict[str, str]) -> Iterator[str]:
    run = command(service)
    modules = {"api": "api", "ticker": "worker.ticker"}
    if run[:3] != ["python", "-m", modules.get(name, "worker")]:
        yield f"it runs {run}"
        return
    if run[2] == "worker" and (wrong := worker_usage(run[3:])):
        yield wrong
    if run[2] == "worker" and name != f"worker-{run[4]}":
        yield f"it serves {run[4]}"
    variable, path = (
        ("TYCOON_HTTP_PORT", "readyz") if name == "api" else ("TYCOON_METRICS_PORT", "livez")
    )
    url = f"http://127.0.0.1:{given.get(variable)}/{path}"
    asked = f'import urllib.request as u; u.urlopen("{url}", timeout=4)'
    if service.get("healthcheck", {}).get("test") != ["CMD", "python", "-c", asked]:
        yield f"its health is not asked for at {url}"
    if name == "api":
        (port,) = service.get("ports", [""])
        if port.rpartition(":")[2] != given.get(variable):
            yield f"{port} leads nowhere"
    grace = seconds(service.get("stop_grace_period", "10s"))
    if run[2] == "worker" and not HARD_LIMIT_S.get(run[4], 0) < VISIBILITY_TIMEOUT_S < grace:
        yield f"a task may come again before it is killed after {grace} s"


def _store(name: str, service: Object) -> Iterator[str]:
    if not re.fullmatch(r"valkey/valkey:\d+\.\d+\.\d+-alpine", service.get("image", "")):
        yield f"image {service.get('image')}"
    conf = f"/etc/tycoon/{name}.conf"
    if command(service) != ["valkey-server", conf]:
        yield "it is not started with its settings"
    wanted = {f"./k8s/stores/{name}.conf:{conf}:ro", f"{name}:/data", "secrets:/secrets:ro"}
    if set(service.get("volumes", ())) != wanted:
        yield f"volumes {service.get('volumes')}"
    if service.get("user") != "999:1000":
        yield "it runs as somebody else than its data's owner"
    limit = service.get("deploy", {}).get("resources", {}).get("limits", {}).get("memory", "0M")
    most = store_settings((ROOT / "k8s/stores" / f"{name}.conf").read_text())["maxmemory"]
    if 2 * int(most.removesuffix("mb")) > mib(limit):
        yield f"maxmemory {most} of {limit}"
    ping = "valkey-cli --no-auth-warning --user probe --pass probe ping | grep -q PONG"
    if service.get("healthcheck", {}).get("test") != ["CMD-SHELL", ping]:
        yield "it is not asked whether it answers"


def seconds(text: str) -> int:
    """A duration in whole seconds; 0 for what is none."""
    form = re.fullmatch(r"(\d+)s", text)
    return int(form[1]) if form else 0


def mib(text: str) -> int:
    """A size in MiB; 0 for what is none."""
    form = re.fullmatch(r"(\d+)([MG])", text)
    return int(form[1]) * {"M": 1, "G": 1024}[form[2]] if form else 0
