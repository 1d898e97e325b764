"""`tycoon match thoughts`."""

import pytest


@pytest.fixture
def finished(run_json):
    created = run_json("match", "new", "tictactoe", "--bots", "search-20,greedy", "--wait")
    return created["match"]


def test_thoughts_are_told_as_one_document(run_json, finished):
    document = run_json("match", "thoughts", finished["id"])
    assert document["as_of"] == finished["version"]
    assert document["next"] is None
    assert {item["level"] for item in document["items"]} == {"search-20", "greedy"}


def test_thoughts_are_lines_for_people(run, finished):
    result = run("match", "thoughts", finished["id"])
    assert result.exit_code == 0
    assert "search-20  0.2 ms  20x" in result.stdout
    assert "Place a mark" in result.stdout
    assert "greedy  0.2 ms" in result.stdout


def test_thoughts_of_a_match_that_is_not_over_are_refused(run, run_json):
    created = run_json("match", "new", "tictactoe", "--seat", "person", "--bots", "search-20")
    result = run("match", "thoughts", created["match"]["id"])
    assert result.exit_code == 1
    assert "match.not-over" in result.stderr
