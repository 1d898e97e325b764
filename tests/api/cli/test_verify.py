"""`tycoon match verify`: two results, without a server."""

import json

import pytest

from tests.golden.library import path_of, unpacked

ENDS = ("abandoned", "cancelled", "completed-one-round", "completed-with-people", "expired")
"""One golden match a way to end: tests/golden verifies all of them, without the command."""
ONE_ROUND = unpacked(path_of("daifugo", "completed-one-round")).decode()


@pytest.fixture
def golden(tmp_path):
    """Exports a golden match."""

    def export(slug, name):
        file = tmp_path / f"{name}.jsonl"
        file.write_bytes(unpacked(path_of(slug, name)))
        return file

    return export


@pytest.fixture
def one_round(golden):
    return golden("daifugo", "completed-one-round")


@pytest.fixture
def tampered(tmp_path):
    """Changes the first line of a golden match that holds some text, and gives the file."""

    def tamper(old, new):
        lines = ONE_ROUND.splitlines(keepends=True)
        at = next(number for number, line in enumerate(lines) if old in line)
        lines[at] = lines[at].replace(old, new, 1)
        file = tmp_path / "tampered.jsonl"
        file.write_text("".join(lines))
        return file

    return tamper


def checked(run, file, **env):
    result = run("match", "verify", file, "--json", **env)
    return result.exit_code, json.loads(result.stdout)


@pytest.mark.parametrize("name", ENDS)
def test_a_golden_match_passes_both_checks(run, here, golden, name):
    code, found = checked(run, golden("daifugo", name))
    assert code == 0
    assert found["draws"]["result"] == found["decisions"]["result"] == "passed"
    assert found["draws"]["faults"] == found["decisions"]["faults"] == []
    assert here.requests == []


def test_people_read_two_lines(run, one_round):
    told = run("match", "verify", one_round).stdout.splitlines()
    assert told[0] == "draws: passed (2 checked)"
    assert told[1].startswith("decisions: passed (")


def test_a_changed_shuffle_fails_the_draws(run, tampered):
    code, found = checked(run, tampered('["deal/1",53,["5C","2D"', '["deal/1",53,["2D","5C"'))
    assert code == 1
    assert found["draws"]["result"] == "failed"
    assert found["draws"]["faults"] == ["version 2: 'deal/1' is not what the seed gives"]


def test_a_changed_commitment_fails_the_draws_alone(run, tampered):
    old = json.loads(ONE_ROUND.splitlines()[0])["commitment"]
    file = tampered(old, "0" * 64)
    file.write_text(file.read_text().replace(old, "0" * 64))
    code, found = checked(run, file)
    assert code == 1
    assert (found["draws"]["result"], found["decisions"]["result"]) == ("failed", "passed")
    assert "does not fit the commitment" in found["draws"]["faults"][0]


def test_a_changed_move_fails_the_decisions_alone(run, tampered):
    code, found = checked(
        run, tampered('"move":{"type":"pass"}', '"move":{"type":"play_cards","cards":["2S"]}')
    )
    assert code == 1
    assert (found["draws"]["result"], found["decisions"]["result"]) == ("passed", "failed")


def test_other_rules_are_not_checked(run, tampered):
    code, found = checked(run, tampered('"command":"-","rules":1', '"command":"-","rules":999'))
    assert code == 0
    assert found["decisions"]["result"] == "not checked"
    assert found["decisions"]["unchecked"] > 0
    assert found["draws"]["result"] == "passed"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('["dealer",5,0]', '["dealer",5,[7]]'),
        ('["dealer",5,0]', '["dealer",1099511627776,0]'),
        ('["dealer",5,0]', '["dealer",0,0]'),
        ('["dealer",5,0]', "[null,5,0]"),
        ('["dealer",5,0]', '["\\u00e9",5,0]'),
        ('["deal/1",53,', '["deal/1",53,0],["x",53,'),
        ('"next":1}', '"next":7}'),
    ],
)
def test_a_file_that_makes_no_sense_fails_without_a_crash(run, tampered, old, new):
    result = run("match", "verify", tampered(old, new), "--json")
    assert result.exit_code == 1
    assert result.exception is None or isinstance(result.exception, SystemExit)
    json.loads(result.stdout or result.stderr)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", "match.bad-transcript"),
        ("no transcript\n" * 4, "match.bad-transcript"),
        ('{"format":"tycoon-match/2"}\n' * 4, "match.bad-transcript"),
        (ONE_ROUND.rpartition('{"result"')[0], "match.bad-transcript"),
        (ONE_ROUND.replace('"daifugo"', '"unheard-of"', 1), "game.unknown"),
    ],
    ids=["empty", "text", "format", "cut", "game"],
)
def test_what_is_no_transcript_is_refused(run, tmp_path, content, code):
    file = tmp_path / "file.jsonl"
    file.write_text(content)
    result = run("match", "verify", file)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{code}: ")


def test_a_game_that_a_setting_adds_is_verified_too(run, golden):
    toy = golden("tictactoe", "filled-and-faulty")
    assert run("match", "verify", toy).exit_code == 1
    code, found = checked(run, toy, TYCOON_EXTRA_GAMES="tests.toys.tictactoe:GAME")
    assert code == 0
    assert found["decisions"]["result"] == "passed"


def test_a_game_that_cant_be_imported_is_a_sentence(run, one_round):
    result = run("match", "verify", one_round, TYCOON_EXTRA_GAMES="nowhere:GAME")
    assert result.exit_code == 1
    assert "TYCOON_EXTRA_GAMES" in result.stderr


def test_a_missing_file_is_wrong_usage(run):
    assert run("match", "verify", "no-such-file").exit_code == 2
