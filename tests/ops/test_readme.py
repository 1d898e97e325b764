"""What `k8s/README.md` names is there. Its commands need an engine or a cluster."""

from __future__ import annotations

import re
from typing import Any

import yaml

from shared.tasks import HARD_LIMIT_S, VISIBILITY_TIMEOUT_S
from tests.ops.compose import ROOT
from tests.ops.kustomize import rendered
from tests.ops.rules.programs import SETTINGS
from tests.ops.rules.reading import containers, name, of_kind, pod, variables

README = (ROOT / "k8s" / "README.md").read_text()


def test_it_links_to_files_that_are_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / "k8s" / link).exists()] == []


def test_its_commands_name_files_and_objects_that_are_there() -> None:
    blocks = "".join(re.findall(r"^```sh\n(.*?)^```$", README, re.MULTILINE | re.DOTALL))
    paths = re.findall(r"(?<![\w.])(?:k8s|scripts)/[\w./-]+", blocks)
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []
    known = {f"deployment/{name(o)}" for o in of_kind(rendered("dev"), "Deployment")}
    assert set(re.findall(r"deployment/[\w-]+", README)) <= known


def test_it_names_settings_that_there_are() -> None:
    named = {n.lower() for n in re.findall(r"TYCOON_([A-Z_]+)", README)}
    assert named
    assert named <= SETTINGS


def test_its_numbers_are_those_of_code_and_manifests() -> None:
    assert f"| visibility timeout | {VISIBILITY_TIMEOUT_S} |" in README
    (row,) = re.findall(r"^\| hard limit \|(.*?)\|", README, re.MULTILINE)
    told = {q: int(s) for s, qs in re.findall(r"(\d+) \((.*?)\)", row) for q in qs.split(", ")}
    assert told.items() >= HARD_LIMIT_S.items()
    graces = {
        pod(o)["terminationGracePeriodSeconds"]
        for o in of_kind(rendered("dev"), "Deployment")
        if name(o).startswith("worker-")
    }
    assert [f"| grace | {grace} |" in README for grace in graces] == [True]


def test_the_drain_is_told_as_it_is_set() -> None:
    (api,) = (o for o in of_kind(rendered("prod"), "Deployment") if name(o) == "api")
    drain = variables(rendered("prod"), api)["TYCOON_DRAIN_S"]
    assert f"`TYCOON_DRAIN_S` ({drain} s," in README
    decided = (ROOT / "ARCHITECTURE.md").read_text()
    assert f"`TYCOON_DRAIN_S` (0 alone, {drain} on Kubernetes," in decided


def test_it_says_how_secrets_change_and_names_each() -> None:
    section = README.partition("### Change a secret")[2].partition("### ")[0]
    assert "rollout restart deployment" in section
    for key in ("operator_key", "bootstrap_api_key", "server_key"):
        assert f"`{key}`" in section
    assert {f"..._{part}" for part in ("url", "password")} <= set(
        re.findall(r"`(\.{3}\w+)`", section)
    )


def test_its_table_of_resources_says_what_is_asked_for() -> None:
    for workload in of_kind(rendered("dev"), "Deployment", "StatefulSet"):
        rows = re.findall(rf"^\| {name(workload)}[ ,].*", README, re.MULTILINE)
        (row,) = (r for r in rows if "MiB" in r)
        cells = [cell.strip() for cell in row.strip("|").split("|")][-2:]
        given = containers(workload)[0]["resources"]
        assert cells == [_told(given["requests"]), _told(given["limits"])]


def test_its_table_of_alerts_says_what_the_rules_say() -> None:
    groups = yaml.safe_load((ROOT / "ops/prometheus/alerts.yml").read_text())["groups"]
    wanted = [_row(rule) for group in groups for rule in group["rules"]]
    rows = re.findall(r"^\| `(Tycoon.*?)\|[^|]*\|$", README, re.MULTILINE)
    assert [row.replace("`", "").strip() for row in rows] == wanted


def _row(rule: dict[str, Any]) -> str:
    bound = re.search(r"(?:==|>=|>|<) [\d.]+$", rule["expr"])
    absent = rule["expr"].startswith("absent(")
    assert absent or bound
    cells = rule["alert"], rule["labels"]["severity"], rule.get("for", "0m")
    return " | ".join((*cells, "absent" if absent else bound[0] if bound else ""))


def _told(given: dict[str, str]) -> str:
    cpu = str(given["cpu"])
    cores = f"{int(cpu[:-1]) / 1000:g}" if cpu.endswith("m") else cpu
    memory = re.sub(r"([MG])i$", r" \1iB", given["memory"])
    return f"{cores}, {memory}"
