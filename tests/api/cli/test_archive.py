"""`tycoon archive`."""

import pytest

from api.cli import archive
from services.archive import commands


@pytest.fixture
def over(run_json):
    """Matches of bots that are over."""

    def play(count: int) -> list[str]:
        words = ["match", "new", "tictactoe", "--bots", "greedy:2", "--wait"]
        return [run_json(*words)["match"]["id"] for _ in range(count)]

    return play


def test_matches_are_archived_shown_and_restored(run, run_json, over):
    one, two = over(2)
    outcomes = [{"match": m, "outcome": "archived"} for m in (one, two)]
    assert run_json("archive", "now", one, two)["items"] == outcomes
    assert run_json("archive", "show")["archived"] == 2
    assert run_json("match", "show", one)["status"] == "ended"
    told = run("archive", "restore", one, two, two)
    assert told.exit_code == 0
    assert told.stdout == "2 restored.\n"
    assert "in_store" in run("archive", "show").stdout


def test_all_that_is_archived_is_restored_by_one_command(run, run_json, over, monkeypatch):
    monkeypatch.setattr(archive, "AT_ONCE", 2)
    monkeypatch.setattr(commands, "PAGE", 1)
    one, two, three, _ = over(4)
    run("archive", "now", one, two, three)
    told = run("archive", "restore", "--all")
    assert (told.exit_code, told.stdout) == (0, "3 restored.\n")
    assert run_json("archive", "show")["archived"] == 0
    nothing = run("archive", "restore", "--all")
    assert (nothing.exit_code, nothing.stdout) == (0, "Nothing lies there.\n")


@pytest.mark.parametrize("words", [(), ("--all", "m_" + "a" * 26)])
def test_either_matches_are_named_or_all_are_meant(run, words):
    assert run("archive", "restore", *words).exit_code == 2


def test_many_are_asked_for_some_at_a_time(run, over, monkeypatch):
    monkeypatch.setattr(archive, "AT_ONCE", 2)
    told = run("archive", "now", *over(3))
    assert (told.exit_code, told.stdout) == (0, "3 archived.\n")


def test_what_was_not_done_is_told_and_ends_with_1(run):
    unknown = "m_" + "a" * 26
    told = run("archive", "now", unknown)
    assert told.exit_code == 1
    assert told.stdout == f"{unknown}: unknown\n1 unknown.\n"
    assert run("archive", "restore", unknown).exit_code == 1


def test_only_the_operator_may(run):
    assert run("archive", "show", "--operator-key", "tyo_wrong").exit_code == 4
