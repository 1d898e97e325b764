"""`tycoon backup`, `restore` and `refold` over a real server and over a cluster."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import redis
from click.testing import CliRunner, Result

from api.cli import main
from api.cli.direct import tycoon_of
from api.cli.home import Addresses, Home
from api.cli.servers import free_port
from services.bootstrap import Tycoon, redis_stores
from services.matches.creation import NewMatch
from shared.keystore import StoredKey
from shared.redis_client import connect
from shared.redis_keys import match_keys
from shared.redis_keystore import RedisKeys
from shared.settings import from_env
from tests.api.cli.conftest import decoded
from tests.cluster import Cluster
from tests.services.world import PERSON, SERVER_KEY, bot
from tests.toys import tictactoe

KEY = StoredKey(id="host", hash="h" * 64, name="a site", created_at=1)
Run = Callable[..., Result]


@pytest.fixture(params=["single", "cluster"])
def at(request: pytest.FixtureRequest) -> str:
    """The address of an empty store."""
    if request.param == "single":
        request.getfixturevalue("real_redis")
        return str(request.getfixturevalue("redis_url"))
    whole: Cluster = request.getfixturevalue("shared_cluster")
    whole.forget_everything()
    return whole.url


@pytest.fixture
def store(at: str) -> Iterator[Any]:
    """A client of it."""
    with closing(connect(at, timeout_ms=5_000)) as client:
        yield client


@pytest.fixture
def env(at: str, tmp_path: Path) -> dict[str, str]:
    return {
        "TYCOON_EVENTS_URL": at,
        "TYCOON_BROKER_URL": f"redis://127.0.0.1:{free_port()}/0",
        "TYCOON_SERVER_KEY": SERVER_KEY,
        "TYCOON_DATA_DIR": str(tmp_path / "data"),
        "TYCOON_EXTRA_GAMES": f"{tictactoe.__name__}:GAME",
    }


@pytest.fixture
def run(env: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs `tycoon ...` with the settings of the real store."""

    def run(*args: Any, **more: str) -> Result:
        for name in env:
            monkeypatch.delenv(name, raising=False)
        given = {"LC_ALL": "C", "COLUMNS": "300", **env, **more}
        return CliRunner().invoke(
            main, [str(arg) for arg in args], env={n: v or None for n, v in given.items()}
        )

    return run


@pytest.fixture
def matches(env: dict[str, str]) -> list[str]:
    """Matches of the store: two of bots that are over, one of people that runs."""
    settings = from_env(env)
    tycoon = tycoon_of(settings, redis_stores(settings))
    RedisKeys(connect(settings.events_url, timeout_ms=5_000)).add(KEY)
    made = [create(tycoon, bot(), bot()), create(tycoon, bot(), bot()), create(tycoon)]
    tycoon.advancer.advance(made)
    return made


def create(tycoon: Tycoon, *seats: Any) -> str:
    new = NewMatch(game="tictactoe", seats=seats or (PERSON, PERSON))
    return tycoon.commands.create(new, "host", None).id


def done(result: Result) -> Any:
    assert result.exit_code == 0, (result.stdout, result.stderr)
    return json.loads(result.stdout)


COUNTS = {"match": 3, "series": 0, "key": 1, "deleted": 0}
NOTHING = dict.fromkeys(COUNTS, 0)


def test_a_backup_is_made_checked_and_put_back(
    run: Run, store: Any, matches: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "a.gz"
    assert done(run("backup", file, "--json")) == {
        "backup": str(file),
        "counts": COUNTS,
        "damaged": [],
    }
    checked = done(run("restore", file, "--check", "--json", TYCOON_EVENTS_URL=""))
    assert checked["counts"] == COUNTS
    before = {key: store.dump(key) for key in store.keys("*:ev")}

    store.flushall()
    first = done(run("restore", file, "--json"))
    assert first == {"restored": COUNTS, "there": NOTHING, "differing": [], "rebuild": None}
    assert {key: store.dump(key) for key in store.keys("*:ev")} == before
    second = done(run("restore", file, "--json"))
    assert (second["restored"], second["there"]) == (NOTHING, COUNTS)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_backup_that_is_asked_to_end_leaves_nothing(
    run: Run, matches: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def asked(*_: object) -> list[str]:
        assert len(list(tmp_path.glob(".*.unfinished"))) == 1
        signal.raise_signal(number)
        return []

    monkeypatch.setattr("services.upkeep.backup.back_up", asked)
    before = signal.getsignal(number)
    assert run("backup", tmp_path / "a.gz").exit_code == 1
    assert list(tmp_path.iterdir()) == []
    assert signal.getsignal(number) is before


def test_people_are_told_in_sentences(
    run: Run, store: Any, matches: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "a.gz"
    assert run("backup", file).stdout == f"{file} has 3 matches, 1 API keys.\n"
    assert run("restore", file, "--check").stdout == f"{file} is whole: 3 matches, 1 API keys.\n"
    store.flushall()
    said = run("restore", file).stdout.splitlines()
    assert said == [
        "Restored: 3 matches, 1 API keys.",
        "There already: nothing.",
        "The broker is away: run `tycoon projections rebuild` when it is back.",
    ]
    assert run("restore", file).stdout.splitlines()[0] == "Restored: nothing."


def test_a_rebuild_begins_where_the_broker_takes_its_task(
    run: Run,
    store: Any,
    real_redis: redis.Redis,
    redis_url: str,
    matches: list[str],
    tmp_path: Path,
) -> None:
    run("backup", tmp_path / "a.gz")
    store.flushall()
    # A queue on the single server, maybe among the keys of the store: enough for one task.
    restored = done(run("restore", tmp_path / "a.gz", "--json", TYCOON_BROKER_URL=redis_url))
    assert restored["rebuild"] == 2
    (task,) = real_redis.lrange("ops", 0, -1)
    assert json.loads(task)["headers"]["task"] == "rebuild"


def test_1_is_a_match_that_differs_or_is_damaged(
    run: Run, store: Any, matches: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "a.gz"
    run("backup", file)
    store.hset(match_keys(matches[0]).meta, "head", 99)
    restored = run("restore", file, "--json")
    assert restored.exit_code == 1
    assert json.loads(restored.stdout)["differing"] == [{"type": "match", "id": matches[0]}]
    again = run("backup", file)
    assert again.exit_code == 1
    assert again.stderr == f"Left out, as they can't be read: {matches[0]}.\n"
    assert done(run("restore", file, "--check", "--json"))["counts"]["match"] == 2


def test_1_is_what_is_no_whole_backup_and_nothing_is_written(
    run: Run, store: Any, matches: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "a.gz"
    run("backup", file)
    file.write_bytes(file.read_bytes()[:-40])
    store.flushall()
    for words in (["restore", file, "--check"], ["restore", file]):
        result = run(*words)
        assert result.exit_code == 1
        assert result.stderr.startswith("backup.damaged: ")
    assert store.dbsize() == 0
    missing = run("restore", tmp_path / "nothing.gz")
    assert missing.exit_code == 1
    assert missing.stderr == f"backup.file: {tmp_path}/nothing.gz is not there.\n"
    assert run("backup", tmp_path / "no" / "folder").exit_code == 1


def test_1_is_another_servers_key_unless_that_is_meant(
    run: Run, store: Any, matches: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "a.gz"
    run("backup", file)
    assert SERVER_KEY.encode() not in file.read_bytes()
    store.flushall()
    other = {"TYCOON_SERVER_KEY": "x" * 40}
    refused = run("restore", file, **other)
    assert refused.exit_code == 1
    assert refused.stderr.startswith("backup.other-key: ")
    assert store.dbsize() == 0
    assert done(run("restore", file, "--other-key", "--json", **other))["restored"] == COUNTS


@pytest.mark.parametrize("words", [["backup", "a.gz"], ["refold", "--check"], ["restore", "a.gz"]])
def test_3_is_a_store_that_is_away_or_not_named(
    run: Run, matches: list[str], tmp_path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("backup", "a.gz").exit_code == 0
    away = run(*words, TYCOON_EVENTS_URL=f"redis://127.0.0.1:{free_port()}/0")
    assert away.exit_code == 3
    assert away.stderr == ("store.unavailable: The store does not answer; try again in a moment.\n")
    nowhere = run(*words, TYCOON_EVENTS_URL="")
    assert nowhere.exit_code == 3
    assert nowhere.stderr.startswith(f"store.not-found: No `tycoon up` runs in {tmp_path}/data: ")
    assert [file.name for file in tmp_path.iterdir()] == ["a.gz"]


def test_the_store_of_a_running_tycoon_up_is_found_by_its_folder(
    run: Run, env: dict[str, str], matches: list[str], tmp_path: Path
) -> None:
    home = Home(tmp_path / "data")
    here = {"TYCOON_EVENTS_URL": "", "TYCOON_SERVER_KEY": ""}
    with home.held():
        kept = home.secrets()
        assert run("refold", "--check", **here).exit_code == 3, "it is just being started"
        addresses = Addresses(events_url=env["TYCOON_EVENTS_URL"], broker_url="redis://x")
        home.tell(addresses)
        assert done(run("backup", tmp_path / "a.gz", "--json", **here))["counts"] == COUNTS
        assert run("restore", tmp_path / "a.gz").stderr.startswith("backup.other-key")
        same = {**here, "TYCOON_SERVER_KEY": kept.server_key}
        assert run("restore", tmp_path / "a.gz", **same).exit_code == 0
    assert home.addresses() is None
    assert run("backup", tmp_path / "a.gz", **here).exit_code == 3


def test_a_store_of_this_build_is_refolded_without_a_difference(
    run: Run, matches: list[str]
) -> None:
    counts = done(run("refold", "--check", "--json"))
    assert counts.pop("seconds") > 0
    assert counts == {"matches": 3, "archived": 0, "passed_over": 0, "differing": 0}
    said = run("refold", "--check").stdout
    assert said.startswith("3 matches (0 of them archived) folded, ")
    assert run("refold").exit_code == 2, "it has to be said that nothing is changed"


@pytest.mark.parametrize("words", [["--game", "daifogo"], ["--match", "m_a"]])
def test_what_is_not_there_is_no_go(run: Run, matches: list[str], words: list[str]) -> None:
    refused = run("refold", "--check", *words)
    assert refused.exit_code == 1
    assert refused.stderr.startswith("refold.missing: ")
    assert run("refold", "--check", "--match", matches[0], *words).exit_code == 1
    assert run("refold", "--check", "--game", "tictactoe").exit_code == 0


def test_what_differs_is_told_by_match(run: Run, store: Any, matches: list[str]) -> None:
    over, _, running = matches
    state = match_keys(running).state
    data = store.hget(state, "data")
    assert data is not None
    store.hset(state, "data", data.replace(b'"size":3', b'"size":4'))
    store.delete(match_keys(over).events)

    result = run("refold", "--check", "--json")
    assert result.exit_code == 1
    *differing, counts = decoded(result.stdout)
    found = {each["match"]: each for each in differing}
    assert found.keys() == {over, running}
    assert (counts["matches"], counts["differing"]) == (3, 2)
    assert (found[running]["game"], found[running]["what"]) == (
        "tictactoe",
        ["state: /table/size"],
    )
    assert found[over]["what"] == ["log: Corrupt"]

    table = run("refold", "--check")
    assert table.exit_code == 1
    assert f"{running} │ tictactoe │ 3       │ state: /table/size" in table.stdout
    assert done(run("refold", "--check", "--json", "--match", matches[1]))["matches"] == 1
    # A log that can't be read may be of any game.
    assert run("refold", "--check", "--game", "daifugo").exit_code == 1
