"""`tycoon play`: whole sessions with typed input, any game, through the API alone."""

import json

import httpx
import pytest

from api.cli.matches import POLL_S
from tests.api.cli.conftest import decoded

ALWAYS_FIRST = "1\n" * 400


def events_of(lines):
    return [line["event"] for line in lines if "event" in line]


def result_of(lines):
    return lines[-1]["result"]


def test_tictactoe_is_played_to_its_result(run):
    played = run("play", "tictactoe", "--bots", "greedy", "--name", "Ann", typed=ALWAYS_FIRST)
    assert played.exit_code == 0, played.output
    assert "1) Place a mark" in played.stdout
    assert "First seat chosen" in played.stdout
    assert "seat 1  Mark placed" in played.stdout
    assert "Ann" in played.stdout
    assert "Match over: played to the end" in played.stdout
    assert "place  seat  score" in played.stdout


def test_daifugo_is_played_to_its_result(run, here):
    played = run("play", "daifugo", "--option", "rounds=1", "--lang", "ja", typed=ALWAYS_FIRST)
    assert played.exit_code == 0, played.output
    assert "パス" in played.stdout
    assert "対戦終了: 最後まで対戦 (全ラウンド終了)" in played.stdout


def test_as_json_every_message_is_a_line_and_every_version_is_told_once(run):
    played = run("play", "daifugo", "--option", "rounds=2", "--json", typed=ALWAYS_FIRST)
    assert played.exit_code == 0, played.output
    lines = decoded(played.stdout)
    versions = [event["version"] for event in events_of(lines)]
    result = result_of(lines)
    assert versions == list(range(1, result["version"] + 1))
    assert result["result"]["reason"] == "completed"
    assert result["result"]["outcome"]["reason"] == "rounds_played"


def test_a_template_asks_for_values_until_they_are_in_range(run):
    give, bid, refused, taken = "1\n", "2\n", "many\n0\n99\n", "4\n"
    played = run("play", "secrets", "--json", typed=give + bid + refused + taken + ALWAYS_FIRST)
    assert played.exit_code == 0
    lines = decoded(played.stdout)
    assert [line["ask"] for line in lines if "coins" in line.get("ask", "")] == [
        "coins (1 to 10)"
    ] * 4
    assert {"type": "bid", "coins": 4} in [event.get("move") for event in events_of(lines)]
    assert result_of(lines)["status"] == "ended"


def test_waiting_for_others_asks_for_a_newer_version_and_pauses(run, here, tmp_path):
    asked = []
    plain = here.handle_request

    def late(request):
        if "min_version" in request.url.params:
            asked.append(request.url.params["min_version"])
            here.workers = len(asked) > 3
        return plain(request)

    here.workers = False
    here.handle_request = late
    bot_begins = tmp_path / "chance.json"
    bot_begins.write_text('{"first": 1}')
    told = run("play", "tictactoe", "--chance", bot_begins, typed="quit\n")
    assert told.exit_code == 0
    assert len(set(asked)) == 1
    assert len(asked) == 4
    assert here.pauses == [POLL_S] * 3


def test_facts_are_told_on_request(run):
    told = run("play", "daifugo", typed="?\nquit\n")
    before, after = told.stdout.split("move> ")[:2]
    assert "cards left" not in before
    assert "cards left 1" in after


def test_help_view_and_log_are_told_again_and_change_nothing(run, here):
    told = run("play", "tictactoe", typed="help\nview\nlog\nquit\n")
    assert "leave the match for good" in told.stdout
    assert told.stdout.count("board") == 2
    assert told.stdout.count("First seat chosen") == 2
    posts = [request for request in here.requests if request.method == "POST"]
    assert len(posts) == 1


def test_what_is_not_understood_is_asked_again(run):
    told = run("play", "tictactoe", typed="0\n99\nhello\n\nquit\n")
    assert told.stdout.count("Type a move's number, or help.") == 4


def test_an_illegal_move_is_told_with_its_rule_and_asked_again(run):
    taken = json.dumps({"type": "place", "at": 24})
    told = run("play", "tictactoe", typed=f"{taken}\n{ALWAYS_FIRST}")
    assert told.exit_code == 0
    assert "tictactoe.off-board (TTT-1): The board has no such cell." in told.stderr
    assert "Match over: played to the end" in told.stdout


def test_a_malformed_move_is_told_and_asked_again(run):
    told = run("play", "tictactoe", typed='{"type": "fly"}\nquit\n')
    assert told.exit_code == 0
    assert told.stderr.startswith("request.invalid: ")


def test_resigning_is_asked_twice_and_ends_a_match_of_two(run):
    told = run("play", "tictactoe", typed="resign\nno\nresign\nyes\n")
    assert told.exit_code == 0
    assert "Match over: resigned" in told.stdout


def test_resigning_from_a_bigger_match_leaves_it_to_a_stand_in(run, here):
    told = run("play", "daifugo", "--json", typed="resign\nyes\n")
    assert told.exit_code == 0
    match_id = decoded(told.stdout)[0]["match_id"]
    assert "match.seat_resigned" in here.world.log(match_id)


@pytest.mark.parametrize("typed", ["quit\n", ""])
def test_who_quits_can_go_on_with_the_same_seat(run, typed):
    left = run("play", "tictactoe", "--json", typed=typed)
    assert left.exit_code == 0
    words = decoded(left.stdout)[-1]["go_on"].split()
    assert words[:2] == ["tycoon", "play"]
    again = run(*words[1:], "--json", typed=ALWAYS_FIRST)
    assert again.exit_code == 0
    lines = decoded(again.stdout)
    assert result_of(lines)["status"] == "ended"
    assert events_of(lines)[0]["version"] > 1


def test_a_server_that_goes_away_ends_with_the_way_back(run, here):
    plain = here.handle_request

    def goes_away(request):
        if request.url.path.endswith("/moves") and request.method == "POST":
            raise httpx.ConnectError("gone")
        return plain(request)

    here.handle_request = goes_away
    told = run("play", "tictactoe", typed="1\n")
    assert told.exit_code == 3
    assert told.stdout.rstrip().splitlines()[-1].startswith("To go on: tycoon play --match m_")
    assert told.stderr.startswith("server.unreachable: ")


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--match", "m_x"],
        ["tictactoe", "--match", "m_x", "--token", "t"],
        ["daifugo", "--seats", "4", "--bots", "greedy:4"],
    ],
)
def test_wrong_usage_is_told(run, words):
    assert run("play", *words).exit_code == 2


def test_the_seats_are_filled_with_bots(run):
    lines = decoded(run("play", "daifugo", "--json", "--seats", "6", "--bots", "random").stdout)
    seats = next(line["match"]["seats"] for line in lines if "match" in line)
    assert [seat["level"] for seat in seats] == [None, "random", *["greedy"] * 4]
    assert [seat["kind"] for seat in seats] == ["person", *["bot"] * 5]


def test_an_unknown_game_is_refused(run):
    told = run("play", "chess")
    assert told.exit_code == 1
    assert told.stderr.startswith("game.unknown: ")
