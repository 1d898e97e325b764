"""`tycoon series`: on the server of these tests, and on this machine alone."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import re

import msgspec
import pytest
from rich.console import Console

from api.cli import series, series_table
from services.series.again import Again
from services.series.queries import read_spec
from services.series.reporting import series_doc
from services.series.rows import failed_row
from services.series.tally import Spread, count
from shared.series_store import Counts, Record
from tests.api.cli.conftest import decoded
from tests.services.series.table import HALL, SEED, a_spec, played
from tests.toys.breaking import EXTRA_GAMES

LINE_UP = ("--bots", "greedy,random", "--matches", "12", "--seed", SEED)
EXTRA = {"TYCOON_EXTRA_GAMES": "tests.toys.tictactoe:GAME"}
MEASURED = {"created_at", "started_at", "ended_at", "thinking_ms", "matches_per_s", "moves_per_s"}
"""What depends on the clock."""


@pytest.fixture(autouse=True)
def workers(here):
    """Before every request the workers play a slice of each series. `interrupt` is a Ctrl-C."""
    answered = here.handle_request
    here.interrupt = False

    def handle_request(request):
        world = here.world
        for name, _ in world.stores.series.active() if here.workers else ():
            looks = iter(range(10**6))
            world.tycoon.series_worker._stopping = lambda looks=looks: next(looks) > 60
            world.tycoon.series_worker.work(name)
        if here.interrupt and request.method == "GET":
            raise KeyboardInterrupt
        return answered(request)

    here.handle_request = handle_request


def comparable(document):
    """A series' document without times and its name."""
    if isinstance(document, dict):
        return {k: comparable(v) for k, v in document.items() if k not in MEASURED | {"id"}}
    return [comparable(held) for held in document] if isinstance(document, list) else document


def test_run_follows_a_series_to_its_end_and_prints_its_table(run, here):
    result = run("series", "run", "tictactoe", *LINE_UP)
    assert result.exit_code == 0
    [name] = re.findall(r"Series (s_[a-z2-7]{26})\n", result.stderr)
    assert result.stdout.startswith(f"{name}  done")
    assert "12 of 12 matches, 0 failed" in result.stdout
    assert "greedy,random" in result.stdout
    assert f"seed {SEED}" in result.stdout
    assert here.pauses
    assert set(here.pauses) == {0.5}


@pytest.mark.parametrize("local", [(), ("--local",)], ids=["server", "local"])
def test_a_terminal_shows_a_bar(run, local):
    result = run("series", "run", "tictactoe", *LINE_UP, *local, **EXTRA, TTY_COMPATIBLE="1")
    assert result.exit_code == 0
    assert "12/12 matches" in result.stderr
    assert "matches/s" in result.stderr


def test_run_leaves_to_the_server_what_was_not_said(run_json, here):
    run_json("series", "run", "tictactoe", "--bots", "greedy,random", "--matches", "2")
    sent = json.loads(here.requests[0].content)
    assert sent == {
        "game": "tictactoe",
        "bots": [{"level": "greedy"}, {"level": "random"}],
        "matches": 2,
        "options": {},
    }


def test_run_takes_every_wish_along(run_json, here):
    document = run_json(
        *("series", "run", "daifugo", "--bots", "greedy,random*4", "--matches", "5"),
        *("--option", "rounds=1", "--seed", SEED, "--rotation", "cyclic", "--unpaired"),
        *("--keep", "sample", "--at-once", "2"),
    )
    assert document["bots"] == ["greedy", *["random"] * 4]
    assert document["options"]["rounds"] == 1
    assert (document["seed"], document["rotation"], document["paired"]) == (SEED, "cyclic", False)
    assert (document["keep"], document["at_once"], document["status"]) == ("sample", 2, "done")


def test_bots_of_search_are_named_with_their_budget(run_json):
    words = ("series", "run", "tictactoe", "--bots", "search-20,search-30", "--matches", "2")
    document = run_json(*words)
    assert document["bots"] == ["search-20", "search-30"]
    assert [bot["budget"]["iterations"] for bot in document["made_by"]["bots"]] == [20, 30]


@pytest.mark.parametrize(
    "given", [(), ("--unpaired", "--option", "size=4"), ("--rotation", "none")]
)
def test_local_play_equals_the_servers(run_json, here, given):
    ours = run_json("series", "run", "tictactoe", *LINE_UP, *given, "--local", **EXTRA)
    assert here.requests == []
    theirs = run_json("series", "run", "tictactoe", *LINE_UP, *given)
    assert ours["status"] == theirs["status"] == "done"
    assert comparable(ours) == comparable(theirs)
    assert ours["results"]["bots"][0]["matches"] == 12


def test_local_play_keeps_transcripts_in_a_folder(run_json, tmp_path):
    folder = tmp_path / "kept"
    words = ("series", "run", "tictactoe", *LINE_UP, "--local", "--keep", "all")
    run_json(*words, "--folder", folder, **EXTRA)
    assert len(list(folder.rglob("*.jsonl.gz"))) == 12


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--bots", "greedy,random"],
        ["--matches", "5"],
        ["--bots", "greedy,random", "--matches", "0"],
        ["--bots", "greedy,random", "--matches", "many"],
        ["--bots", "greedy*0", "--matches", "5"],
        ["--bots", "*2", "--matches", "5"],
        ["--bots", "greedy,random", "--matches", "5", "--keep", "some"],
        ["--bots", "greedy,random", "--matches", "5", "--rotation", "random"],
        ["--bots", "greedy,random", "--matches", "5", "--folder", "here"],
        ["--bots", "greedy,random", "--matches", "5", "--local", "--folder", "here"],
        ["--bots", "greedy,random", "--matches", "5", "--local", "--keep", "all"],
        ["--bots", "greedy*2", "--matches", "5", "--local", "--keep", "all", "--folder", "no://x"],
    ],
)
def test_run_tells_wrong_usage_and_asks_no_server(run, here, words):
    result = run("series", "run", "tictactoe", *words)
    assert result.exit_code == 2
    assert "Error: " in result.stderr
    assert here.requests == []


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--bots", "greedy,clever"], "match.unknown-level"),
        (["--bots", "greedy*3"], "match.seat-count"),
        (["--bots", "greedy,search-99999"], "match.bad-budget"),
        (["--bots", "greedy*2", "--option", "size=9"], "request.invalid"),
        (["--bots", "greedy*2", "--matches", "100001"], "series.match-count"),
        (["--bots", "greedy*2", "--rotation", "none", "--paired"], "series.pairs-without-rotation"),
    ],
)
@pytest.mark.parametrize("local", [(), ("--local",)], ids=["server", "local"])
def test_a_refusal_is_the_same_here_and_there(run, words, code, local):
    result = run("series", "run", "tictactoe", "--matches", "5", *words, *local, **EXTRA)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{code}")
    assert result.stdout == ""


def test_a_series_some_matches_of_which_broke_off_is_no_success(run):
    words = ("--bots", "random*2", "--matches", "30", "--seed", SEED, "--local")
    result = run("series", "run", "raising", *words, TYCOON_EXTRA_GAMES=EXTRA_GAMES)
    assert "x failed: Defect" in result.stdout
    assert result.exit_code == 1


def test_nor_is_one_on_a_server(run, monkeypatch):
    def broken(*args):
        raise ZeroDivisionError

    monkeypatch.setattr("services.series.playing._play", broken)
    result = run("series", "run", "tictactoe", *LINE_UP)
    assert "12x failed: ZeroDivisionError" in result.stdout
    assert result.exit_code == 1


def test_a_folder_that_cannot_be_written_is_told(run, tmp_path):
    (tmp_path / "series").write_text("in the way")
    words = ("series", "run", "tictactoe", *LINE_UP, "--local", "--keep", "all")
    result = run(*words, "--folder", tmp_path, **EXTRA)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("series.files-unavailable: ")


def test_a_setting_that_cannot_be_used_is_told(run):
    words = ("series", "run", "tictactoe", *LINE_UP, "--local")
    result = run(*words, TYCOON_EXTRA_GAMES="no.such:GAME")
    assert result.exit_code == 1
    assert "TYCOON_EXTRA_GAMES" in result.stderr


def test_ctrl_c_leaves_a_series_running_and_says_how_to_look_again(here, run, run_json):
    here.workers, here.interrupt = False, True
    result = run("series", "run", "tictactoe", *LINE_UP)
    assert result.exit_code == 130
    here.workers, here.interrupt = True, False
    [row] = map(json.loads, run("series", "list", "--json").stdout.splitlines())
    assert row["status"] == "running"
    assert f"tycoon series show {row['id']} --follow" in result.stderr
    assert run_json("series", "show", row["id"], "--follow")["status"] == "done"


@pytest.fixture
def done(run_json):
    return run_json("series", "run", "tictactoe", *LINE_UP, "--keep", "sample")


def test_show_has_the_table(run, run_json, done):
    assert comparable(run_json("series", "show", done["id"])) == comparable(done)
    told = run("series", "show", done["id"]).stdout
    assert told.startswith(f"{done['id']}  done  tictactoe  greedy,random\n")
    greedy = done["results"]["bots"][0]
    [line] = [line for line in told.splitlines() if line.startswith("greedy ") and "±" in line]
    assert line.split()[1:3] == ["12", str(greedy["wins"])]
    assert done["results"]["digest"] in told
    assert done["made_by"]["build"] in told


def test_list_has_a_line_for_each_oldest_first(run, here):
    here.workers = False
    for name in ("greedy,random", "random*2"):
        here.interrupt = True
        run("series", "run", "tictactoe", "--bots", name, "--matches", "6")
        here.interrupt = False
    told = run("series", "list").stdout.splitlines()
    assert [line.split()[1:] for line in told] == [
        ["running", "tictactoe", "0/6", "greedy,random"],
        ["running", "tictactoe", "0/6", "random*2"],
    ]
    rows = decoded(run("series", "list", "--json").stdout)
    assert [row["bots"] for row in rows] == [["greedy", "random"], ["random", "random"]]


def test_results_are_lines_or_csv(run, done, tmp_path):
    rows = decoded(run("series", "results", done["id"]).stdout)
    assert [row["match"] for row in rows] == list(range(12))
    table = run("series", "results", done["id"], "--csv").stdout
    cells = list(csv.DictReader(io.StringIO(table, newline="")))
    assert [line["digest"] for line in cells] == [row["digest"] for row in rows]
    file = tmp_path / "rows.jsonl"
    assert run("series", "results", done["id"], "-o", file).stdout == ""
    assert decoded(file.read_text()) == rows


def test_pause_resume_cancel_and_delete(run, run_json, here):
    here.workers, here.interrupt = False, True
    run("series", "run", "tictactoe", *LINE_UP)
    here.interrupt = False
    name = json.loads(run("series", "list", "--json").stdout)["id"]
    for verb, status in (("pause", "paused"), ("resume", "running"), ("cancel", "cancelled")):
        assert run("series", verb, name).stdout == f"{name} is {status}.\n"
    assert run_json("series", "show", name, "--follow")["status"] == "cancelled"
    refused = run("series", "resume", name)
    assert (refused.exit_code, refused.stderr.split()[0]) == (1, "series.over:")
    assert run("series", "delete", name).stdout == f"{name} is deleted.\n"
    gone = run("series", "show", name)
    assert (gone.exit_code, gone.stderr.split()[0]) == (1, "series.unknown:")


def test_a_match_is_made_again_with_the_same_events(run, run_json, done, tmp_path):
    file = tmp_path / "match.jsonl"
    for number in (0, 7, 11):
        result = run("series", "match", done["id"], number, "-o", file, **EXTRA)
        assert (result.exit_code, result.output) == (0, "")
        verified = run_json("match", "verify", file, **EXTRA)
        assert verified["draws"]["result"] == verified["decisions"]["result"] == "passed"
        printed = run("series", "match", done["id"], number, **EXTRA)
        assert printed.stdout == file.read_text()


def test_a_match_made_again_is_the_transcript_that_was_kept(run, done, here):
    owner = here.world.stores.series.get(done["id"]).owner
    kept = here.world.tycoon.series_queries.transcript(done["id"], owner, 7)
    printed = run("series", "match", done["id"], 7, **EXTRA).stdout
    assert printed.encode() == b"".join(kept)


def test_other_events_than_the_series_had_are_told(run, done, here):
    """The rows were played from another seed: as another build's may be, its events are others."""
    held = here.world.stores.series._series[done["id"]]
    spec = msgspec.structs.replace(read_spec(held.new), seed="77" * 32)
    held.new = dataclasses.replace(held.new, spec=msgspec.json.encode(spec))
    result = run("series", "match", done["id"], 3, **EXTRA)
    assert result.exit_code == 1
    assert result.stderr.startswith("series.other-events: Match 3 has other events here")
    assert result.stdout.count("\n") > 5


def test_a_match_that_breaks_off_is_told():
    spec = a_spec("greedy", "random")
    problem = series._difference(4, None, Again(failed_row(spec, 4, "Defect"), (), ("a.py:1 f",)))
    assert problem["code"] == "series.match-failed"
    assert problem["detail"] == "Match 4 breaks off here: Defect."
    assert problem["where"] == ["a.py:1 f"]


def test_a_match_that_the_series_has_not_played_yet_is_made_all_the_same(run, here):
    here.workers, here.interrupt = False, True
    run("series", "run", "tictactoe", *LINE_UP)
    here.interrupt = False
    name = json.loads(run("series", "list", "--json").stdout)["id"]
    result = run("series", "match", name, 3, **EXTRA)
    assert result.exit_code == 0
    assert result.stdout.startswith('{"format":"tycoon-match/1"')


@pytest.mark.parametrize("number", [12, -1, "x"])
def test_a_match_that_does_not_exist_is_wrong_usage(run, done, number):
    assert run("series", "match", done["id"], number, **EXTRA).exit_code == 2


@pytest.mark.parametrize("score", [0, 3, -7, 250, -12_000, 180_000])
@pytest.mark.parametrize("level", ["greedy", "search-2000ms"])
def test_the_table_fits_80_columns(score, level):
    spec = a_spec(level, "random", matches=100_000)
    row = played(a_spec("greedy", "random"), 0).row
    sums = count([msgspec.structs.replace(row, bots=spec.bots)], {}, {})
    for tally in sums.tallies.values():
        tally.matches = 100_000
        tally.wins = Spread(1_000, 99_990, 100_000, 9_998_900, 9_999_000, 10**7)
        tally.scores = Spread(
            1_000, score * 9_000, 10_000, score**2 * 99_000, score * 95_000, 10**5
        )
    record = Record(
        id="s_" + "a" * 26,
        owner="host",
        body="",
        spec=msgspec.json.encode(spec),
        status="running",
        created_at=0,
        started_at=0,
        ended_at=None,
        ran_ms=1_000,
        counts=Counts(),
        held=2,
        born=0,
    )
    document = msgspec.to_builtins(series_doc(record, spec, sums, HALL["tictactoe"]))
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(series_table.whole(document))
    lines = [line.rstrip() for line in console.export_text().splitlines()]
    head = next(number for number, line in enumerate(lines) if line.startswith("bot "))
    assert max(map(len, lines[head:])) <= 80
    assert lines[head + 1].startswith(level)
    assert "…" not in "".join(lines)
