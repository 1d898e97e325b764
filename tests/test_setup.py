"""What `make` promises before any Python of ours runs: the set-up and the locked requirements."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
REQUIREMENTS = ROOT / "requirements"

# Stands in for a Python that is fit: writes down what it is told, and lays the environment out.
RECORDER = """#!/bin/sh
case "$*" in
    *version_info*) echo 3.12 ;;
    *sys.executable*) echo "$0" ;;
    *-m\\ venv*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
esac
case "$*" in -m*) echo "$*" >> calls ;; esac
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of everything that the set-up reads."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    for name in ("requirements", "scripts"):
        shutil.copytree(ROOT / name, tmp_path / name)
    return tmp_path


def pretend_python(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


def make(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # Without the variables by which the `make` that runs these tests speaks to its children.
    env = {
        k: v
        for k, v in os.environ.items()
        if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "PYTHON")
    }
    return subprocess.run(
        ["make", *arguments],
        cwd=tree,
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


class TestPython:
    @pytest.mark.parametrize("target", ["up", "test"])
    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("#!/bin/sh\necho 3.10\n", "is Python 3.10."),
            ("#!/bin/sh\necho 3.14\n", "is Python 3.14."),
            ("#!/bin/sh\nexit 127\n", "cannot be run."),
            (
                '#!/bin/sh\ncase "$*" in *ensurepip*) exit 1 ;; *) echo 3.11 ;; esac\n',
                "(Python 3.11) cannot make virtual environments: install its venv package",
            ),
        ],
    )
    def test_an_unfit_one_gets_a_sentence(
        self, tree: Path, target: str, text: str, sentence: str
    ) -> None:
        python = pretend_python(tree / "python", text)
        run = make(tree, target, f"PYTHON={python}")
        assert run.returncode != 0
        first, *rest = run.stderr.splitlines()
        assert first.startswith("Tycoon needs Python 3.11, 3.12 or 3.13: ")
        assert sentence in first
        assert len(rest) == 1
        assert rest[0].startswith("make: ***")
        assert not (tree / ".venv").exists()

    def test_the_one_of_this_run_is_fit(self) -> None:
        found = subprocess.run(
            [ROOT / "scripts/find-python"],
            env={**os.environ, "PYTHON": sys.executable},
            capture_output=True,
            text=True,
            check=True,
        )
        assert found.stdout.strip() == sys.executable

    def test_an_empty_shim_on_the_path_is_passed_over(self, tmp_path: Path) -> None:
        pretend_python(tmp_path / "python3.13", "#!/bin/sh\nexit 127\n")
        fit = pretend_python(tmp_path / "python3.12", RECORDER)
        found = subprocess.run(
            ["/bin/sh", ROOT / "scripts/find-python"],
            env={"PATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert found.stdout.strip() == str(fit)


class TestEnvironment:
    def test_it_is_built_once_and_anew_when_a_lock_changes(self, tree: Path) -> None:
        python = pretend_python(tree / "python", RECORDER)

        def calls() -> list[str]:
            run = make(tree, ".venv/dev", f"PYTHON={python}")
            assert run.returncode == 0, run.stderr
            log = tree / "calls"
            said = log.read_text().splitlines() if log.exists() else []
            log.unlink(missing_ok=True)
            return said

        first = calls()
        assert first[0] == "-m venv .venv"
        locks = [line.rpartition(" ")[2] for line in first if "--require-hashes" in line]
        assert locks == ["requirements/base.txt", "requirements/dev.txt"]
        assert calls() == []

        newer = (tree / ".venv/dev").stat().st_mtime + 5
        os.utime(tree / "requirements/dev.txt", (newer, newer))
        assert calls() == first

    def test_a_set_up_that_failed_is_begun_again(self, tree: Path) -> None:
        broken = RECORDER + 'case "$*" in *base.txt*) echo no network >&2; exit 1 ;; esac\n'
        assert (
            make(tree, ".venv/dev", f"PYTHON={pretend_python(tree / 'a', broken)}").returncode != 0
        )
        assert not (tree / ".venv/base").exists()
        assert not (tree / ".venv/dev").exists()


def pins(lock: str) -> dict[str, str]:
    """Name and version of everything that a lock file names."""
    text = (REQUIREMENTS / lock).read_text()
    return {canonicalize_name(n): v for n, v in re.findall(r"^([\w.-]+)==(\S+)", text, re.M)}


def wanted(source: str) -> list[Requirement]:
    lines = (
        line.partition(" #")[0].strip() for line in (REQUIREMENTS / source).read_text().splitlines()
    )
    return [Requirement(line) for line in lines if line and not line.startswith(("#", "-"))]


SOURCES = {"base.txt": ["base.in"], "dev.txt": ["base.in", "dev.in"], "s3.txt": ["s3.in"]}
"""What each lock must hold."""


@pytest.mark.parametrize("lock", SOURCES)
class TestLocks:
    def test_every_pin_has_a_hash(self, lock: str) -> None:
        entries = re.split(r"^(?=[\w.-]+==)", (REQUIREMENTS / lock).read_text(), flags=re.M)[1:]
        assert entries
        assert [e for e in entries if not re.search(r"--hash=sha256:[0-9a-f]{64}", e)] == []

    def test_it_names_no_index(self, lock: str) -> None:
        text = (REQUIREMENTS / lock).read_text()
        assert re.findall(r"\S*(?:://|--\S*(?:index|find-links|host))\S*", text) == []

    def test_everything_asked_for_is_pinned(self, lock: str) -> None:
        pinned = pins(lock)
        asked = [named for source in SOURCES[lock] for named in wanted(source)]
        assert [r.name for r in asked if canonicalize_name(r.name) not in pinned] == []
        assert [
            r.name for r in asked if not r.specifier.contains(pinned[canonicalize_name(r.name)])
        ] == []


def test_tests_run_on_the_very_versions_that_are_served() -> None:
    assert pins("base.txt").items() <= pins("dev.txt").items()


def test_what_an_image_adds_changes_nothing_of_what_was_tested() -> None:
    base, added = pins("base.txt"), pins("s3.txt")
    assert {name: base[name] for name in base.keys() & added.keys()}.items() <= added.items()


def test_ci_runs_what_everyone_can_run() -> None:
    script = ROOT / ".ci/run"
    assert os.access(script, os.X_OK)
    assert "make test" in script.read_text()
