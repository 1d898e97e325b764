"""Every command that the README shows does what it says, in its order."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from shared.settings import Settings
from tests.e2e.harness import ROOT, Running

pytestmark = pytest.mark.e2e
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def commands(block: str) -> list[str]:
    """The commands of a block: a line that is indented, or follows a `\\`, belongs to the last."""
    found: list[str] = []
    for line in block.splitlines():
        if found and (line.startswith(" ") or found[-1].endswith("\\")):
            found[-1] += "\n" + line
        else:
            found.append(line)
    return found


def run(command: str, env: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", "-c", command],
        env=env,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        input="help\nresign\nyes\nquit\n",
    )


def test_the_commands_of_the_readme_work(system: Running, tmp_path: Path) -> None:
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "bin").symlink_to(Path(sys.executable).parent)
    env = {
        **os.environ,
        "KEY": system.api_key,
        "URL": system.url,
        "TYCOON_URL": system.url,
        "TYCOON_API_KEY": system.api_key,
        "TYCOON_OPERATOR_KEY": system.operator_key,
        "TYCOON_DATA_DIR": str(system.system.home.folder),
        "PYTHONPATH": str(ROOT),  # where these games are
        "TYCOON_EXTRA_GAMES": system.system.settings.extra_games,
    }
    made: dict[str, str] = {}
    ran = 0
    for command in (c for block in BLOCKS for c in commands(block)):
        if command.startswith("make "):
            target = command.split()[1]
            asked = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True)
            assert asked.returncode == 0, target
            continue
        if command.startswith("export "):
            env.update({name: held for name, held in made.items() if f"{name}=" in command})
            continue
        done = run(command, env, tmp_path)
        assert done.returncode == 0, (command, done.stdout[-2000:], done.stderr[-2000:])
        ran += 1
        made |= _made(system, command, done.stdout)
    assert ran > 15


EXPECTED = {
    "request.invalid",
    "match.stale-version",
    "move.not-your-turn",
    "daifugo.leader-must-play",
}
"""Refusals that the README speaks of."""


def _made(system: Running, command: str, output: str) -> dict[str, str]:
    """What a reader copies from an answer; a bots' match is waited for."""
    if not command.startswith("curl") or not output:
        return {}
    answer = json.loads(output)
    assert answer.get("code", "request.invalid") in EXPECTED, output
    if answer.get("id", "").startswith("s_"):
        return {"SERIES": answer["id"]}
    if "tokens" not in answer:
        return {}
    match = answer["match"]["id"]
    if not answer["tokens"]:
        system.ended(match)
        return {"MATCH": match}
    links = {"LINK": answer["links"][0]["url"]} if answer["links"] else {}
    return {"MATCH": match, "TOKEN": answer["tokens"][0]["token"], **links}


def test_every_setting_stands_in_the_readme() -> None:
    named = set(re.findall(r"`TYCOON_([A-Z_]+)`", README))
    assert named - {"REDIS_SERVER", "URL", "API_KEY"} == {
        name.upper() for name in Settings.__struct_fields__
    }


def test_the_readme_links_to_files_that_are_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_first_match_is_read_in_a_minute() -> None:
    begin, end = README.index("## A first match"), README.index("Now you, against")
    words = len(README[begin:end].split())
    assert words < 250
