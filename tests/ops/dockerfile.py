"""Runs the steps of our Dockerfile in an empty folder, for where no engine is.

Knows only what our Dockerfile uses, and refuses everything else. Absolute paths that COPY or
WORKDIR name lie below the folder; all stages use the same one in turn, as each has its own `/`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

BASE = {
    "tools": (
        *(f"lib/python3.11/site-packages/{name}/__init__.py" for name in ("pip", "setuptools")),
        "lib/python3.11/site-packages/wheel/__init__.py",
        "lib/python3.11/site-packages/distutils-precedence.pth",
        "lib/python3.11/ensurepip/__init__.py",
        *(f"bin/{name}" for name in ("pip", "pip3", "pip3.11")),
    ),
    "rest": ("lib/python3.11/os.py", "bin/python3.11-config"),
}
"""What an official image of Python has below /usr/local, as far as we touch it: empty files."""

ROOT = Path(__file__).parents[2]
FILE = ROOT / "Dockerfile"


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction: its word, its flags (`--from=build`), and the rest."""

    word: str
    flags: dict[str, str]
    rest: str


def steps(text: str) -> Iterator[Step]:
    """The instructions in order, their lines joined."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    for line in re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines():
        if not line.strip():
            continue
        word, rest = line.split(None, 1)
        flags = {}
        while flag := re.match(r"--(\w+)=(\S+)\s+", rest):
            flags[flag[1]] = flag[2]
            rest = rest[flag.end() :]
        yield Step(word, flags, rest)


def context(folder: Path) -> Path:
    """What an engine would be sent: the repository without what `.dockerignore` leaves out."""
    first, *rules = (ROOT / ".dockerignore").read_text().split()
    kept = [rule[1:] for rule in rules if rule.startswith("!")]
    left_out = [rule for rule in rules if not rule.startswith("!")]
    if first != "*" or left_out != ["**/__pycache__"]:
        raise ValueError(f"the reader does not know these rules: {rules}")
    folder.mkdir(parents=True)
    for name in kept:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(
                source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
            )
        else:
            shutil.copy2(source, folder / name)
    return folder


@dataclass
class Image:
    """What the steps have made.

    Attributes:
        root: stands for `/` of the last stage.
        base: the image that the last stage begins with.
    """

    root: Path
    base: str = ""
    env: dict[str, str] = field(default_factory=dict)
    workdir: str = "/"
    user: str = "root"
    command: list[str] = field(default_factory=list)


class Builder:
    """Runs every step.

    Args:
        folder: an empty folder.
        args: what `--build-arg` would give.
    """

    def __init__(self, folder: Path, args: Mapping[str, str] | None = None) -> None:
        self._folder = folder
        self._context = context(folder / "context")
        self._given = dict(args or {})
        self._args: dict[str, str] = {}
        self._steps = list(steps(FILE.read_text()))
        self._stages: dict[str, Path] = {}
        self._stage = ""
        self.image = Image(folder / "root")
        # In place of the image's python: the one that runs the tests, outside of its environment.
        self._tools = folder / "tools"
        self._tools.mkdir()
        python = self._tools / "python"
        python.write_text(f'#!/bin/sh\nexec "{os.path.realpath(sys.executable)}" "$@"\n')
        python.chmod(0o755)

    def build(self) -> Image:
        """Raises `CalledProcessError` with what a step said that failed."""
        for step in self._steps:
            getattr(self, f"_{step.word.lower()}")(step)
        return self.image

    def last_base(self) -> Image:
        """The base of the last stage, after what the stage does to it."""
        begin = max(index for index, step in enumerate(self._steps) if step.word == "FROM")
        for step in self._steps[begin:]:
            if step.word in ("FROM", "RUN"):
                getattr(self, f"_{step.word.lower()}")(step)
        return self.image

    def _from(self, step: Step) -> None:
        if self._stage:
            self._stages[self._stage] = self._folder / f"stage-{self._stage}"
            self.image.root.rename(self._stages[self._stage])
        base, _, self._stage = step.rest.partition(" AS ")
        self.image = Image(self.image.root, base)
        self.image.root.mkdir()
        for name in (*BASE["tools"], *BASE["rest"]):
            file = self.image.root / "usr/local" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
        self._args = {}

    def _workdir(self, step: Step) -> None:
        self.image.workdir = step.rest
        self._path(step.rest).mkdir(parents=True, exist_ok=True)

    def _env(self, step: Step) -> None:
        self.image.env |= dict(pair.split("=", 1) for pair in step.rest.split())

    def _arg(self, step: Step) -> None:
        name, _, default = step.rest.partition("=")
        self._args[name] = self._given.get(name, default)

    def _user(self, step: Step) -> None:
        self.image.user = step.rest

    def _expose(self, step: Step) -> None:
        """Tells people only."""

    def _cmd(self, step: Step) -> None:
        self.image.command = re.findall(r'"([^"]*)"', step.rest)

    def _copy(self, step: Step) -> None:
        *sources, target = step.rest.split()
        if set(step.flags) - {"from", "chown", "chmod"}:
            raise ValueError(f"the reader does not know {step}")
        origin = self._stages[step.flags["from"]] if "from" in step.flags else self._context
        for source in sources:
            at = origin / source.lstrip("/")
            to = self._path(target)
            if at.is_dir():
                shutil.copytree(at, to, symlinks=True, dirs_exist_ok=True)
                continue
            to = to / at.name if target.endswith("/") else to
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(at, to)
            if "chmod" in step.flags:
                to.chmod(int(step.flags["chmod"], 8))

    def _run(self, step: Step) -> None:
        command = self.placed(step.rest)
        for path in re.findall(r"(?<![\w.*$-])/[\w.*-][^\s;:]*", command):
            if not path.startswith(f"{self._folder}/"):
                raise ValueError(f"{path} is this machine's own: {step}")
        subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=self._path(self.image.workdir),
            env=self.environment(),
            capture_output=True,
            text=True,
            check=True,
            timeout=280,
        )

    def environment(self) -> dict[str, str]:
        """This machine's, without ours and Python's, then the image's. Its pip may keep a cache."""
        outer = {k: v for k, v in os.environ.items() if not k.startswith(("TYCOON_", "PYTHON"))}
        inner = {k: self.placed(v) for k, v in self.image.env.items() if k != "PIP_NO_CACHE_DIR"}
        path = f"{inner.get('PATH', '')}:{self._tools}:/usr/bin:/bin"
        return {**outer, **self._args, **inner, "PATH": path.lstrip(":")}

    def placed(self, text: str) -> str:
        """A text with the paths of the image where they lie here."""
        places = "|".join(sorted(map(re.escape, self._places()), key=len, reverse=True))
        return re.sub(
            rf"(?<![\w./-])({places})(?![\w-])", lambda found: f"{self.image.root}{found[1]}", text
        )

    def _places(self) -> set[str]:
        named = [
            word for s in self._steps if s.word in ("COPY", "WORKDIR") for word in s.rest.split()
        ]
        return {"/usr/local", *(word for word in named if word.startswith("/"))}

    def _path(self, name: str) -> Path:
        at = name if name.startswith("/") else f"{self.image.workdir}/{name}"
        return self.image.root / at.lstrip("/")
