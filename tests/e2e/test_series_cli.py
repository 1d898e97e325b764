"""`tycoon series` against a running Tycoon: the same results as without one; Ctrl-C ends none."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.harness import ROOT, Running, eventually

pytestmark = pytest.mark.e2e
LINE_UP = ("tictactoe", "--bots", "greedy,random", "--option", "size=4")
SEED = "5e" * 32
MEASURED = {"created_at", "started_at", "ended_at", "thinking_ms", "matches_per_s", "moves_per_s"}


def begun(system: Running, *words: str) -> subprocess.Popen[str]:
    env = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "TYCOON_URL": system.url,
        "TYCOON_API_KEY": system.api_key,
        "TYCOON_EXTRA_GAMES": "tests.toys.tictactoe:GAME",
    }
    command = [Path(sys.executable).parent / "tycoon", "series", *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=env, stdout=pipe, stderr=pipe, text=True)


def told(system: Running, *words: str, status: int = 0) -> str:
    with begun(system, *words) as command:
        out, errors = command.communicate(timeout=120)
    assert command.returncode == status, (words, out[-2000:], errors[-2000:])
    return out


def comparable(document: Any) -> Any:
    """A series' document without times and its name."""
    if isinstance(document, dict):
        return {k: comparable(v) for k, v in document.items() if k not in MEASURED | {"id"}}
    return [comparable(held) for held in document] if isinstance(document, list) else document


def shown(system: Running, series: str) -> dict[str, Any]:
    return dict(json.loads(told(system, "show", series, "--json")))


def test_a_series_on_the_server_equals_the_one_played_here(system: Running) -> None:
    words = ("run", *LINE_UP, "--matches", "300", "--seed", SEED, "--json")
    theirs = json.loads(told(system, *words))
    ours = json.loads(told(system, *words, "--local"))
    assert theirs["status"] == "done"
    assert comparable(theirs) == comparable(ours)
    rows = told(system, "results", theirs["id"]).splitlines()
    assert len(rows) == 300
    again = told(system, "match", theirs["id"], "123").splitlines()
    assert json.loads(again[-1])["seed"] == json.loads(rows[123])["seed"]


def test_ctrl_c_leaves_the_series_running_and_says_how_to_look_again(system: Running) -> None:
    with begun(system, "run", *LINE_UP, "--matches", "50000") as command:
        series = eventually(lambda: _running(system), 60)
        command.send_signal(signal.SIGINT)
        _, errors = command.communicate(timeout=30)
    assert command.returncode == 130
    assert f"tycoon series show {series} --follow" in errors
    before = shown(system, series)
    assert before["status"] == "running"
    eventually(lambda: shown(system, series)["progress"]["done"] > before["progress"]["done"], 60)
    told(system, "cancel", series)
    assert shown(system, series)["status"] == "cancelled"
    told(system, "delete", series)
    told(system, "show", series, status=1)


def _running(system: Running) -> str | None:
    """The series once it has played something, which is while the command looks on."""
    rows = [json.loads(line) for line in told(system, "list", "--json").splitlines()]
    found: Sequence[str] = [row["id"] for row in rows if row["status"] == "running" and row["done"]]
    return found[0] if found else None
