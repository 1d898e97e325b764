"""Who dies is started again, a little later each time, and not for ever."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from api.cli import processes
from api.cli.home import Home
from api.cli.processes import Leash, Program
from api.cli.servers import SetupError
from api.cli.supervisor import DEATHS, LONGEST_PAUSE_S, WITHIN_S, Supervisor
from tests.shared.conftest import eventually


class FakeService:
    """A process that a test lets die."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self.running = True
        self.starts = 0
        self.process: Any = SimpleNamespace(returncode=-9)

    def start(self) -> None:
        self.starts += 1
        self.running = True


@pytest.fixture
def worker(tmp_path: Path) -> FakeService:
    log = tmp_path / "worker.log"
    log.write_text("first words\nlast words\n")
    return FakeService(log)


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def supervisor(worker: FakeService, told: list[str]) -> Supervisor:
    return Supervisor({"worker": worker}, told.append)


def test_who_runs_is_left_alone(
    supervisor: Supervisor, worker: FakeService, told: list[str]
) -> None:
    supervisor.look(0)
    supervisor.look(1)
    assert (worker.starts, told) == (0, [])


def test_who_died_is_started_again_after_a_moment(
    supervisor: Supervisor, worker: FakeService, told: list[str]
) -> None:
    worker.running = False
    supervisor.look(10)
    supervisor.look(10.1)
    assert worker.starts == 0
    supervisor.look(10.3)
    assert worker.starts == 1
    assert told == [f"The worker process ended (-9) and is started again; see {worker.log}"]


def test_the_moment_grows(supervisor: Supervisor, worker: FakeService) -> None:
    now, pauses = 0.0, []
    for _ in range(DEATHS - 1):
        worker.running = False
        died = now
        while not worker.running:
            supervisor.look(now)
            now += 0.05
        pauses.append(now - died)
    assert pauses == sorted(pauses)
    assert pauses[0] < 0.4 < 1.5 < pauses[-1] <= LONGEST_PAUSE_S


def test_who_dies_all_the_time_is_given_up(supervisor: Supervisor, worker: FakeService) -> None:
    def die_and_be_started(at: float) -> None:
        worker.running = False
        supervisor.look(at)
        supervisor.look(at + LONGEST_PAUSE_S)

    for n in range(DEATHS - 1):
        die_and_be_started(n * 6)
    with pytest.raises(SetupError, match=r"^The worker process ended 5 times .*: last words \(its"):
        die_and_be_started((DEATHS - 1) * 6)


def test_who_dies_now_and_then_is_always_started_again(
    supervisor: Supervisor, worker: FakeService
) -> None:
    for n in range(4 * DEATHS):
        worker.running = False
        supervisor.look(n * WITHIN_S)
        supervisor.look(n * WITHIN_S + LONGEST_PAUSE_S)
    assert worker.starts == 4 * DEATHS


def test_who_can_be_done_without_stops_nobody(worker: FakeService, told: list[str]) -> None:
    supervisor = Supervisor({"series": worker}, told.append)
    for n in range(4 * DEATHS):
        worker.running = False
        supervisor.look(n * 6)
        supervisor.look(n * 6 + LONGEST_PAUSE_S)
    assert worker.starts == len(told) == 4 * DEATHS


def test_at_the_start_nobody_may_die(supervisor: Supervisor, worker: FakeService) -> None:
    supervisor.must_run()
    worker.running = False
    with pytest.raises(SetupError, match="The worker process ended at once: last words"):
        supervisor.must_run()


def python(code: str, log: Path, leash: Leash) -> Program:
    return Program([sys.executable, "-c", code], {}, log, group=leash.group)


STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
    "print('up', flush=True); time.sleep(60)"
)


def test_who_does_not_end_when_asked_is_killed(tmp_path: Path) -> None:
    with Home(tmp_path).held() as lock, Leash(lock) as leash:
        program = python(STUBBORN, tmp_path / "log", leash)
        program.start()
        eventually(lambda: "up" in program.log.read_text())
        processes.stop([program], 0.1)
        assert not program.running
        assert program.process is not None
        assert program.process.returncode == -signal.SIGKILL


def test_all_have_one_deadline(tmp_path: Path) -> None:
    with Home(tmp_path).held() as lock, Leash(lock) as leash:
        programs = [python(STUBBORN, tmp_path / f"log{n}", leash) for n in range(3)]
        for program in programs:
            program.start()
        eventually(lambda: all("up" in program.log.read_text() for program in programs))
        began = time.monotonic()
        processes.stop(programs, 0.5)
        assert 0.5 <= time.monotonic() - began < 1


def test_nothing_outlives_the_leash(tmp_path: Path) -> None:
    with Home(tmp_path).held() as lock:
        with Leash(lock) as leash:
            program = python(STUBBORN, tmp_path / "log", leash)
            program.start()
            eventually(lambda: "up" in program.log.read_text())
        assert program.process is not None
        assert program.process.wait(5) == -signal.SIGKILL


HOLDER = """
import sys, time
from pathlib import Path
from api.cli.home import Home
from api.cli.processes import Leash, Program
folder = Path(sys.argv[1])
with Home(folder).held() as lock, Leash(lock) as leash:
    command = [sys.executable, "-c", sys.argv[2]]
    child = Program(command, {}, folder / "log", group=leash.group)
    child.start()
    print(child.process.pid, flush=True)
    time.sleep(60)
"""


def test_nothing_outlives_its_holder_however_that_one_ends(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path), STUBBORN], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        eventually(lambda: "up" in (tmp_path / "log").read_text())
        process.kill()
    eventually(lambda: not Path(f"/proc/{child}/cmdline").exists() or _zombie(child))


def _zombie(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


class TestHome:
    def test_secrets_are_made_once_and_for_their_owner_only(self, tmp_path: Path) -> None:
        home = Home(tmp_path)
        first = home.secrets()
        assert home.secrets() == first
        assert (tmp_path / "secrets.json").stat().st_mode & 0o777 == 0o600
        assert len(first.server_key) >= 32
        assert len({first.server_key, first.operator_key, first.api_key}) == 3

    def test_broken_secrets_are_never_replaced(self, tmp_path: Path) -> None:
        (tmp_path / "secrets.json").write_text("{")
        with pytest.raises(SetupError, match=r"secrets\.json can't be read"):
            Home(tmp_path).secrets()
        assert (tmp_path / "secrets.json").read_text() == "{"

    def test_one_folder_serves_one_tycoon(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("api.cli.home.WAIT_S", 0.1)
        with Home(tmp_path).held():
            in_use = pytest.raises(SetupError, match="in use by another `tycoon up`")
            with in_use, Home(tmp_path).held():
                pass
        with Home(tmp_path).held():
            pass

    def test_a_folder_that_cannot_be(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        no_folder = pytest.raises(
            SetupError, match=r"can't be used \(Not a directory\).*--data-dir"
        )
        with no_folder, Home(tmp_path / "file" / "data").held():
            pass

    def test_the_log_before_is_kept_once(self, tmp_path: Path) -> None:
        with Home(tmp_path).held():
            for words in ("one", "two", "three"):
                Home(tmp_path).log("api").write_text(words)
        assert (tmp_path / "logs/api.log").read_text() == "three"
        assert (tmp_path / "logs/api.old").read_text() == "two"
