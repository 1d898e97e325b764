"""`tycoon keys` and `tycoon projections`."""

from shared.store import PARTITIONS


def test_a_key_is_made_listed_used_and_revoked(run, run_json):
    made = run_json("keys", "create", "--label", "our web site")
    assert made["key"].startswith("tyk_")
    listed = run_json("keys", "list")["items"]
    assert ("our web site", made["id"]) in [(key["name"], key["id"]) for key in listed]
    words = ["match", "new", "tictactoe", "--bots", "greedy:2", "--api-key", made["key"]]
    assert run(*words).exit_code == 0
    assert run_json("keys", "revoke", made["id"]) == {"revoked": made["id"]}
    assert made["id"] not in [key["id"] for key in run_json("keys", "list")["items"]]
    assert run(*words).exit_code == 4


def test_people_get_the_key_alone_and_a_table(run):
    key = run("keys", "create").stdout.strip()
    assert key.startswith("tyk_")
    table = run("keys", "list").stdout
    assert key.split("_")[1] in table
    assert key not in table


def test_an_unknown_key_cant_be_revoked(run):
    result = run("keys", "revoke", "nosuchkey")
    assert result.exit_code == 1
    assert result.stderr.startswith("auth.unknown-key: ")


def test_a_rebuild_is_waited_for(run, run_json):
    run_json("match", "new", "tictactoe", "--bots", "greedy:2", "--wait")
    done = run_json("projections", "rebuild")
    assert done["finished"]
    assert (done["partitions_done"], done["matches"], done["failed"]) == (PARTITIONS, 1, 0)
    told = run("projections", "rebuild")
    assert told.exit_code == 0
    assert "finished: 256 of 256 partitions, 1 matches, 0 failed." in told.stdout


def test_a_rebuild_that_is_not_waited_for_has_only_begun(run_json):
    assert run_json("projections", "rebuild", "--no-wait")["finished"] is False
