"""Dashboard and alerts ask only for what the processes expose, and a slip of the pen is caught."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from services.registry import games
from shared.settings import Settings
from shared.tasks import QUEUES
from tests.ops.exposed import Samples, at_start, everything
from tests.ops.promql import faults, labels_left
from worker.sweeping import QUEUED

OPS = Path(__file__).parents[2] / "ops"
DASHBOARD: Any = json.loads((OPS / "grafana" / "tycoon.json").read_text())
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
RULES: list[Any] = [
    rule
    for group in yaml.safe_load((OPS / "prometheus" / "alerts.yml").read_text())["groups"]
    for rule in group["rules"]
]
QUERIES = [
    *(rule["expr"] for rule in RULES),
    *(target["expr"] for panel in PANELS for target in panel["targets"]),
]
EXPOSED = everything()


@pytest.mark.parametrize("query", QUERIES)
def test_every_query_can_find_something(query: str) -> None:
    assert faults(query, EXPOSED) == []


def words(query: str) -> list[str]:
    """Metrics, labels and values that a query names."""
    named = re.findall(r"tycoon_\w+", query)
    labels = [
        label
        for group in re.findall(r"\bby \(([^)]*)\)", query)
        for label in re.findall(r"\w+", group)
    ]
    return [*named, *labels, *re.findall(r"(\w+)=", query), *re.findall(r'="(\w+)"', query)]


@pytest.mark.parametrize("query", QUERIES)
def test_every_misspelled_word_of_every_query_is_caught(query: str) -> None:
    assert words(query)
    for word in words(query):
        for slip in (word[:-1] + "x", word[:-1], word + "s"):
            if slip:
                misspelled = re.sub(rf"\b{word}\b", slip, query, count=1)
                assert misspelled != query
                assert faults(misspelled, EXPOSED), misspelled


@pytest.mark.parametrize(
    "query",
    ["sum(", "1 + 1", "sum(rate(http_requests_total[5m]))", 'tycoon_store_up{server=~"post.*"}'],
)
def test_what_is_no_query_of_ours_is_caught(query: str) -> None:
    assert faults(query, EXPOSED)


class TestNames:
    """House rules for what is exposed."""

    def test_names(self) -> None:
        units = ("_total", "_seconds", "_bytes", "_info", "_bucket", "_sum", "_count")
        plain = {"tycoon_queue_length", "tycoon_open_matches", "tycoon_store_up"}
        plain |= {"tycoon_worker_processes", "tycoon_series_chunks_waiting"}
        plain |= {"tycoon_matches_over"}
        for name in EXPOSED:
            assert re.fullmatch(r"tycoon_[a-z_]+", name), name
            assert name.endswith(units) or name in plain, name

    def test_no_label_is_a_match_a_name_or_a_secret(self) -> None:
        labels = {label for of in EXPOSED.values() for label in of}
        assert labels == {
            *("method", "route", "status", "game", "code", "command", "outcome", "level", "kind"),
            *("task", "result", "error", "queue", "queues", "state", "server", "shelf"),
            *("service", "version", "rules", "le"),
        }
        values = {v for of in EXPOSED.values() for values in of.values() for v in values}
        assert not [value for value in values if re.search(r"m_[a-z2-7]{5}|ty[kso]_", value)]

    def test_levels_are_few(self) -> None:
        levels = EXPOSED["tycoon_bot_thinking_seconds_count"]["level"]
        assert levels == {"random", "greedy", "search", "other"}

    def test_everything_that_is_exposed_is_shown(self) -> None:
        asked = {name for query in QUERIES for name in re.findall(r"tycoon_\w+", query)}
        whole = {re.sub(r"_(bucket|sum|count)$", "", name) for name in asked}
        exposed = {re.sub(r"_(bucket|sum|count)$", "", name) for name in EXPOSED}
        assert exposed == whole


class TestAlerts:
    @pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
    def test_each_says_what_it_means_and_what_to_do(self, rule: Any) -> None:
        assert set(rule) <= {"alert", "expr", "for", "labels", "annotations"}
        assert re.fullmatch(r"Tycoon[A-Za-z]+", rule["alert"])
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert set(rule["annotations"]) == {"summary", "description"}
        assert len(rule["annotations"]["summary"]) < 100
        assert len(rule["annotations"]["description"].split()) >= 10
        assert re.fullmatch(r"[0-9]+m", rule.get("for", "0m"))
        said = " ".join(rule["annotations"].values())
        for label in re.findall(r"\$labels\.(\w+)", said):
            assert label in labels_left(rule["expr"])

    def test_their_names_are_unique(self) -> None:
        names = [rule["alert"] for rule in RULES]
        assert len(set(names)) == len(names)

    @pytest.mark.parametrize(
        "rule",
        [rule for rule in RULES if "increase(" in rule["expr"] or "sweeps" in rule["expr"]],
        ids=lambda rule: rule["alert"],
    )
    def test_the_first_of_its_kind_counts(self, rule: Any) -> None:
        """A count grows only from what was seen before: each is there with 0 at the start."""
        found = re.findall(r"tycoon_\w+_total", rule["expr"])
        assert found
        hosted = {game.slug for game in games(Settings())}
        start = at_start(hosted)
        looked_up: Samples = {"tycoon_series_chunks_waiting": {}}  # no count
        assert faults(rule["expr"], start | looked_up) == []
        whole = {"task": set(QUEUES), "game": hosted}
        for metric in found:
            for label, values in start[metric].items():
                assert values >= whole.get(label, set())
                assert values >= EXPOSED[metric][label]

    def test_a_queue_that_sweeps_no_longer_fill_is_long(self) -> None:
        [rule] = [rule for rule in RULES if rule["alert"] == "TycoonQueueLong"]
        [bound] = re.findall(r">= (\d+)$", rule["expr"])
        assert QUEUED / 2 < int(bound) < QUEUED
        assert "deriv" not in rule["expr"]
        [left_out] = re.findall(r'queue!="(\w+)"', rule["expr"])
        assert left_out == "series"
        assert "TycoonSeriesStand" in {rule["alert"] for rule in RULES}

    def test_the_broker_refuses_no_command(self) -> None:
        for rule in RULES:
            if "store.full" in rule["annotations"]["description"]:
                assert 'server="events"' in rule["expr"]
        full = [rule for rule in RULES if "memory_used" in rule["expr"]]
        assert any('server="broker"' in rule["expr"] for rule in full)

    def test_an_upgrade_is_no_damage(self) -> None:
        """`Newer` is a build that comes to know, `Corrupt` is a log that does not mend."""
        told = {r["alert"]: r for r in RULES if "tycoon_matches_failed_total" in r["expr"]}
        assert set(told) == {"TycoonMatchesFail", "TycoonMatchesNewer"}
        assert 'error!="Newer"' in told["TycoonMatchesFail"]["expr"]
        assert "newer" not in told["TycoonMatchesFail"]["annotations"]["description"]
        assert 'error="Newer"' in told["TycoonMatchesNewer"]["expr"]

    def test_a_ratio_without_a_bound_is_never_full(self) -> None:
        """A division by a bound of 0 would be infinite, and an alert for nothing."""
        [rule] = [rule for rule in RULES if rule["alert"] == "TycoonStoreFull"]
        assert "tycoon_store_memory_max_bytes" in rule["expr"]


class TestDashboard:
    def test_its_source_is_chosen_by_whoever_imports_it(self) -> None:
        [variable] = DASHBOARD["templating"]["list"]
        assert (variable["name"], variable["type"]) == ("datasource", "datasource")
        source = {"type": "prometheus", "uid": "${datasource}"}
        for panel in PANELS:
            assert panel["datasource"] == source
            assert [t["datasource"] for t in panel["targets"]] == [source] * len(panel["targets"])
        assert DASHBOARD["uid"] == "tycoon"
        assert DASHBOARD["schemaVersion"] >= 36

    def test_ids_are_unique(self) -> None:
        ids = [panel["id"] for panel in DASHBOARD["panels"]]
        assert len(set(ids)) == len(ids)
        for panel in PANELS:
            refs = [target["refId"] for target in panel["targets"]]
            assert len(set(refs)) == len(refs) > 0

    def test_panels_fill_the_width_and_lie_on_nobody(self) -> None:
        taken: set[tuple[int, int]] = set()
        for panel in DASHBOARD["panels"]:
            at = panel["gridPos"]
            cells = {
                (x, y)
                for x in range(at["x"], at["x"] + at["w"])
                for y in range(at["y"], at["y"] + at["h"])
            }
            assert not taken & cells, panel["title"]
            assert at["x"] + at["w"] <= 24
            taken |= cells

    @pytest.mark.parametrize("panel", PANELS, ids=lambda panel: f"{panel['id']} {panel['title']}")
    def test_each_panel_says_what_it_shows(self, panel: Any) -> None:
        assert panel["type"] in ("timeseries", "stat", "table")
        assert panel["title"]
        assert len(panel["description"].split()) >= 3
        assert panel["fieldConfig"]["defaults"]["unit"]
        for target in panel["targets"]:
            legend = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
            left = labels_left(target["expr"])
            assert legend == (set() if panel["type"] == "table" else left)


def test_a_defect_in_the_checker_itself_would_be_seen() -> None:
    none: Samples = {}
    assert all(faults(query, none) for query in QUERIES)
