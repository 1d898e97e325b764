"""`tycoon match new|show|log|export`."""

import json

import pytest

from tests.api.cli.conftest import decoded

ONE_ROUND = ("--option", "rounds=1")


@pytest.fixture
def finished(run_json):
    """A finished match of five bots."""
    return run_json(
        "match", "new", "daifugo", "--bots", "greedy*5", "--option", "rounds=1", "--wait"
    )


def test_new_creates_what_was_asked_for(run_json, tmp_path):
    script = tmp_path / "script.json"
    script.write_text('{"first": 1}')
    created = run_json(
        *("match", "new", "tictactoe", "--seat", "person:Ann", "--seat", "open"),
        *("--option", "size=4", "--clock", "30", "--pace", "5", "--private", "--chance", script),
    )
    match = created["match"]
    assert [seat["kind"] for seat in match["seats"]] == ["person", "open"]
    assert match["seats"][0]["name"] == "Ann"
    assert match["options"] == {"size": 4}
    assert (match["clock"], match["pace_ms"]) == ({"per_move_s": 30}, 5)
    assert (match["visibility"], match["custom"]) == ("private", True)
    assert [held["seat"] for held in created["tokens"]] == [0]
    assert [link["seat"] for link in created["links"]] == [1]


def test_new_leaves_to_the_server_what_was_not_said(run_json, here):
    run_json("match", "new", "tictactoe", "--bots", "greedy,random")
    sent = json.loads(here.requests[0].content)
    assert sent == {
        "game": "tictactoe",
        "seats": [{"kind": "bot", "level": "greedy"}, {"kind": "bot", "level": "random"}],
    }


def test_new_prints_tokens_and_links_whole_for_people(run):
    result = run("match", "new", "tictactoe", "--seat", "agent", "--seat", "open", COLUMNS="40")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert any(line.startswith("seat 0  token tys_0_") for line in lines)
    assert any(line.startswith("seat 1  join http") and "code=" in line for line in lines)


def test_new_waits_until_the_match_is_over(finished):
    assert finished["match"]["status"] == "ended"
    assert finished["match"]["result"]["reason"] == "completed"


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--seat", "ghost"],
        ["--seat", "open:x"],
        ["--seat", "bot:"],
        ["--bots", "greedy*0"],
        ["--bots", "greedy*99"],
        ["--bots", "search-100*"],
        ["--bots", "*3"],
        ["--bots", "greedy*2", "--option", "rounds"],
        ["--bots", "greedy*2", "--chance", "/no/such/file"],
        ["--bots", "greedy*2", "--url", "ftp://here"],
        ["--bots", "greedy*2", "--url", "nothing"],
    ],
)
def test_new_tells_wrong_usage_and_asks_no_server(run, here, words):
    result = run("match", "new", "daifugo", *words)
    assert result.exit_code == 2
    assert "Error: " in result.stderr
    assert here.requests == []


@pytest.mark.parametrize("text", ["not json", "[1]"])
def test_new_refuses_a_script_that_is_no_object(run, tmp_path, text):
    script = tmp_path / "script.json"
    script.write_text(text)
    result = run("match", "new", "tictactoe", "--bots", "greedy:2", "--chance", script)
    assert result.exit_code == 2


def test_show_renders_the_view_with_the_catalogues_titles(run, finished):
    match_id = finished["match"]["id"]
    english = run("match", "show", match_id).stdout
    assert f"Daifugō  {match_id}  over" in english
    assert "round: 1" in english
    assert "Tycoon" in english
    assert "Match over: played to the end (All rounds played)" in english
    for japanese in (
        run("match", "show", match_id, "--lang", "ja").stdout,
        run("match", "show", match_id, LANG="ja_JP.UTF-8").stdout,
    ):
        assert "大富豪" in japanese
        assert "対戦終了: 最後まで対戦 (全ラウンド終了)" in japanese


def test_show_takes_versions_and_seats(run_json, finished):
    match_id = finished["match"]["id"]
    early = run_json("match", "show", match_id, "--version", "3", "--seat", "1")
    assert early["version"] == 3
    hands = early["view"]["hands"]
    assert isinstance(hands[1], list)
    assert isinstance(hands[0], int)


def test_show_sees_a_hand_with_its_token_alone(run_json):
    created = run_json("match", "new", "daifugo", "--seat", "person", "--bots", "greedy*3")
    match_id, token = created["match"]["id"], created["tokens"][0]["token"]
    assert isinstance(run_json("match", "show", match_id)["view"]["hands"][0], int)
    with_token = run_json("match", "show", match_id, "--token", token)
    assert with_token["you"] == 0
    assert isinstance(with_token["view"]["hands"][0], list)
    assert run_json("match", "show", match_id, TYCOON_TOKEN=token)["you"] == 0


def test_show_keeps_other_peoples_names_from_steering_the_terminal(run):
    created = run("match", "new", "tictactoe", "--seat", "person:[red]x\u202ey", "--seat", "open")
    assert created.exit_code == 0
    assert "[red]x\ufffdy" in created.stdout


def test_log_has_every_event_once(run, run_json, finished):
    match_id, head = finished["match"]["id"], finished["match"]["version"]
    page = run_json("match", "log", match_id)
    assert [item["version"] for item in page["items"]] == list(range(1, head + 1))
    assert page["as_of"] == head
    after = run_json("match", "log", match_id, "--after", head - 1)
    assert [item["type"] for item in after["items"]] == ["match.ended"]
    told = run("match", "log", match_id).stdout.splitlines()
    assert len(told) == head
    assert "Match created" in told[0]
    assert "Cards dealt" in told[2]


def test_log_reads_more_pages_than_one(run_json):
    created = run_json(
        "match", "new", "daifugo", "--bots", "greedy*8", "--option", "rounds=3", "--wait"
    )
    head = created["match"]["version"]
    assert head > 200
    items = run_json("match", "log", created["match"]["id"])["items"]
    assert [item["version"] for item in items] == list(range(1, head + 1))


def test_log_follows_a_match_until_it_is_over(run, run_json):
    created = run_json("match", "new", "tictactoe", "--bots", "greedy,greedy", "--pace", "900")
    result = run("match", "log", created["match"]["id"], "--follow", "--json")
    items = decoded(result.stdout)
    assert [item["version"] for item in items] == list(range(1, len(items) + 1))
    assert items[-1]["type"] == "match.ended"


def test_export_writes_a_transcript_that_verifies(run, run_json, finished, tmp_path):
    match_id, file = finished["match"]["id"], tmp_path / "match.jsonl"
    printed = run("match", "export", match_id)
    assert printed.exit_code == 0
    written = run_json("match", "export", match_id, "-o", file)
    assert written == {"file": str(file), "bytes": len(printed.stdout.encode())}
    assert file.read_text() == printed.stdout
    assert run_json("match", "verify", file)["draws"]["result"] == "passed"


def test_export_of_a_running_match_is_refused_and_writes_nothing(run, run_json, tmp_path):
    created = run_json("match", "new", "tictactoe", "--seat", "person", "--seat", "open")
    file = tmp_path / "match.jsonl"
    result = run("match", "export", created["match"]["id"], "-o", file)
    assert result.exit_code == 1
    assert result.stderr.startswith("match.not-over: ")
    assert not file.exists()


def test_bots_of_search_are_named_with_their_budget(run_json):
    created = run_json("match", "new", "daifugo", "--bots", "greedy,search-100*2,search-250ms:2")
    levels = [seat["level"] for seat in created["match"]["seats"]]
    assert levels == ["greedy", "search-100", "search-100", "search-250ms", "search-250ms"]
