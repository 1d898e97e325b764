"""Exit codes, and where sentences and documents go."""

import json

import httpx
import pytest
from click.testing import CliRunner

from api.cli import main
from api.cli.client import Link
from api.cli.servers import free_port
from tests.api.cli.conftest import OPERATOR

UNKNOWN = "m_" + "a" * 26


def test_0_is_success_and_says_nothing_on_standard_error(run):
    result = run("match", "new", "tictactoe", "--bots", "greedy:2")
    assert result.exit_code == 0
    assert result.stderr == ""


def test_1_is_a_refusal_with_its_code(run):
    result = run("match", "show", UNKNOWN)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("match.unknown: There is no such match")


def test_1_tells_which_part_of_a_request_is_wrong(run):
    result = run("match", "new", "daifugo", "--bots", "greedy:5", "--option", "rounds=many")
    assert result.exit_code == 1
    first, second = result.stderr.splitlines()
    assert first.startswith("request.invalid: ")
    assert second.startswith("  /options/rounds: ")


@pytest.mark.parametrize("words", [["match", "show"], ["nothing"], ["play"], ["keys", "revoke"]])
def test_2_is_wrong_usage(run, words):
    assert run(*words).exit_code == 2


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (["match", "show", "\udcff"], "tyk_x"),
        (["match", "new", "daifugo", "--seat", "person:\udcff"], "tyk_x"),
        (["match", "show", UNKNOWN], "tyk_\u00e9"),
    ],
)
def test_2_is_what_can_not_be_sent(run, words, key):
    result = run(*words, TYCOON_API_KEY=key)
    assert result.exit_code == 2
    assert "can't be sent" in result.stderr


def test_1_is_an_option_that_is_no_json_value(run):
    result = run("match", "new", "daifugo", "--bots", "greedy:5", "--option", "rounds=NaN")
    assert result.exit_code == 1
    assert "/options/rounds" in result.stderr


def test_3_is_a_server_that_does_not_answer():
    url = f"http://127.0.0.1:{free_port()}"
    link = Link(pause=lambda seconds: None)
    result = CliRunner().invoke(main, ["match", "show", UNKNOWN, "--url", url], obj=link)
    assert result.exit_code == 3
    assert result.stderr.startswith(f"server.unreachable: {url}")
    assert "Traceback" not in result.output


@pytest.mark.parametrize("status", [500, 503])
def test_3_is_a_server_that_fails(run, here, status):
    broken = {"code": "store.unavailable", "detail": "The store does not answer."}
    here.down = [httpx.Response(status, json=broken) for _ in range(4)]
    result = run("match", "show", UNKNOWN)
    assert result.exit_code == 3
    assert result.stderr.startswith("store.unavailable: The store does not answer.")


def test_4_is_a_key_that_is_missing(run):
    result = run("match", "new", "tictactoe", "--bots", "greedy:2", TYCOON_API_KEY=None)
    assert result.exit_code == 4
    assert "auth.required" in result.stderr
    assert "--api-key or set TYCOON_API_KEY" in result.stderr


@pytest.mark.parametrize("words", [["match", "new", "tictactoe", "--bots", "greedy:2"]])
def test_4_is_a_key_that_is_void(run, words):
    result = run(*words, TYCOON_API_KEY="tyk_none_" + "x" * 40)
    assert result.exit_code == 4
    assert result.stderr.startswith("auth.bad-key: ")


def test_4_is_a_key_that_may_not_do_this(run, here):
    result = run("keys", "list", TYCOON_OPERATOR_KEY=here.api_key)
    assert result.exit_code == 4
    assert result.stderr.startswith("auth.operator-required: ")


def test_with_json_a_refusal_is_its_problem_document_on_standard_error(run):
    result = run("match", "show", UNKNOWN, "--json")
    assert result.exit_code == 1
    assert result.stdout == ""
    problem = json.loads(result.stderr)
    assert (problem["code"], problem["status"]) == ("match.unknown", 404)


def test_an_answer_that_was_lost_is_asked_for_again(run_json, here):
    here.down = [httpx.ConnectError("refused")]
    assert run_json("match", "new", "tictactoe", "--bots", "greedy:2")["match"]["version"]
    first, second = here.requests[:2]
    assert first.headers["Idempotency-Key"] == second.headers["Idempotency-Key"]


def keep(tmp_path, here):
    secrets = {"server_key": "k", "operator_key": OPERATOR, "api_key": here.api_key}
    (tmp_path / "secrets.json").write_text(json.dumps(secrets))


def test_the_keys_of_this_folders_tycoon_are_taken_where_none_is_given(run_json, here, tmp_path):
    keep(tmp_path, here)
    none = {"TYCOON_API_KEY": None, "TYCOON_OPERATOR_KEY": None}
    assert run_json("match", "new", "tictactoe", "--bots", "greedy:2", **none)
    assert run_json("keys", "list", **none)


def test_the_keys_of_this_folders_tycoon_are_for_no_other_machine(run, here, tmp_path):
    keep(tmp_path, here)
    words = ["match", "new", "tictactoe", "--bots", "greedy:2", "--url", "http://elsewhere"]
    result = run(*words, TYCOON_API_KEY=None)
    assert result.exit_code == 4
    assert "Authorization" not in here.requests[-1].headers


def test_help_tells_the_exit_codes(run):
    assert "3 the server" in run("match", "new", "--help").stdout
