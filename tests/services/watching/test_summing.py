"""Sums over processes: of those that live and those that are gone, never less than before."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from services.watching.folder import VARIABLE, folder_of, prepare

ROOT = Path(__file__).parents[3]
COUNT = """
import os, sys
from pathlib import Path
from prometheus_client import CollectorRegistry, Counter, Histogram
from services.watching.summing import exposed
registry = CollectorRegistry()
counter = Counter("tycoon_things", "Things.", ("kind",), registry=registry)
times = Histogram("tycoon_thing_seconds", "Time.", ("kind",), buckets=(1, 2), registry=registry)
for seconds in map(float, sys.argv[1:]):
    counter.labels("a").inc()
    times.labels("a").observe(seconds)
print(exposed(registry, Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])).decode(), flush=True)
"""


def counting(folder: Path, *seconds: float) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", COUNT + "sys.stdin.read()", *map(str, seconds)],
        cwd=ROOT,
        env={**os.environ, VARIABLE: str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def scraped(folder: Path) -> dict[str, float]:
    """What a process that counts nothing itself is told."""
    with counting(folder) as process:
        text, _ = process.communicate()
    return {
        name: float(value)
        for name, value in re.findall(r"^([^#\s]\S*) (\S+)$", text, flags=re.MULTILINE)
    }


def wait_for_count(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert process.stdout.readline().startswith("# HELP")


SUMS = {
    'tycoon_things_total{kind="a"}': 3,
    'tycoon_thing_seconds_bucket{kind="a",le="1.0"}': 1,
    'tycoon_thing_seconds_bucket{kind="a",le="2.0"}': 2,
    'tycoon_thing_seconds_bucket{kind="a",le="+Inf"}': 3,
    'tycoon_thing_seconds_count{kind="a"}': 3,
    'tycoon_thing_seconds_sum{kind="a"}': 7,
}


def test_the_living_are_added_up(tmp_path: Path) -> None:
    with counting(tmp_path, 0.5, 1.5) as one, counting(tmp_path, 5) as other:
        wait_for_count(one)
        wait_for_count(other)
        assert scraped(tmp_path) == SUMS
        one.kill()
        other.kill()


def test_the_dead_are_added_up_and_leave_few_files(tmp_path: Path) -> None:
    for seconds in (0.5, 1.5, 5):
        with counting(tmp_path, seconds) as process:
            process.communicate()
    for _ in range(3):  # a sum that is summed again stays what it is
        assert scraped(tmp_path) == SUMS
    assert sorted(file.name for file in tmp_path.glob("*.db")) == ["counter_0.db", "histogram_0.db"]


def test_one_that_is_killed_is_still_counted(tmp_path: Path) -> None:
    with counting(tmp_path, 0.5, 1.5, 5) as process:
        wait_for_count(process)
        process.kill()
    assert scraped(tmp_path) == SUMS


def test_a_new_start_begins_at_nothing(tmp_path: Path) -> None:
    with counting(tmp_path, 5) as process:
        process.communicate()
    assert prepare({VARIABLE: str(tmp_path)}) == tmp_path
    assert scraped(tmp_path) == {}


def test_a_folder_is_made_where_none_is_named() -> None:
    code = (
        "from services.watching.folder import prepare; import os;"
        "folder = prepare(os.environ); print(folder); assert folder.is_dir()"
    )
    env = {name: value for name, value in os.environ.items() if name != VARIABLE}
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    )
    assert not Path(told.stdout.strip()).exists()  # it went with its process


@pytest.mark.parametrize("env", [{}, {VARIABLE: ""}])
def test_without_the_variable_there_is_no_folder(env: dict[str, str]) -> None:
    assert folder_of(env) is None
