"""Series over HTTP: their life, their lists and results, and what is refused."""

from __future__ import annotations

import csv
import io
import json
from itertools import count
from pathlib import Path
from typing import Any, get_args

import pytest

from services.matches.events import Fault
from services.series.made_by import this_build
from services.series.rows import Row
from tests.api.server import (
    API_KEY,
    OPERATOR,
    OTHER_KEY,
    PERSON,
    Client,
    Json,
    Server,
    document,
    refused,
)
from tests.services.series.table import SEED, a_spec, all_rows

NEW: Json = {
    "game": "tictactoe",
    "bots": [{"level": "greedy"}, {"level": "random"}],
    "matches": 12,
    "seed": SEED,
}
NOWHERE = "/v1/series/s_" + "a" * 26


def create(client: Client, **more: Any) -> Json:
    answer = client.post("/v1/series", {**NEW, **more})
    assert answer.status_code == 202, answer.text
    return answer.json


def at(series: Json) -> str:
    return f"/v1/series/{series['id']}"


def work(server: Server, series: Json, moves: int | None = None) -> None:
    """A worker's task: to the end, or only so many moves of one slice."""
    looks = count()
    worker = server.tycoon.series_worker
    worker._stopping = lambda: moves is not None and next(looks) > moves
    worker.work(series["id"])


def lines(answer: Any) -> list[Json]:
    assert answer.status_code == 200
    return [json.loads(line) for line in answer.text.splitlines()]


class TestLife:
    def test_a_new_series_is_accepted_and_tells_what_it_was_resolved_to(
        self, server: Server
    ) -> None:
        answer = server.host.post("/v1/series", {**NEW, "seed": None, "options": {"size": 4}})
        assert answer.status_code == 202
        made = answer.json
        assert answer.headers["Location"] == at(made)
        assert (made["status"], made["options"]) == ("running", {"size": 4})
        assert (made["rotation"], made["paired"]) == ("cyclic", True)
        assert (made["keep"], made["at_once"]) == ("results", 16)
        assert len(bytes.fromhex(made["seed"])) == 32
        assert made["made_by"]["build"] == this_build()
        assert made["made_by"]["rules"] == 1
        assert [bot["level"] for bot in made["made_by"]["bots"]] == ["greedy", "random"]
        assert made["progress"]["queued"] == 12
        assert made["progress"]["left_s"] is None
        assert server.host.get(at(made)).json == made

    def test_results_grow_until_all_is_done(self, server: Server) -> None:
        made = create(server.host, matches=400)
        work(server, made, moves=40)
        so_far = server.host.get(at(made)).json
        assert so_far["status"] == "running"
        assert 0 < so_far["progress"]["done"] < 12
        assert so_far["started_at"] is not None
        work(server, made)
        done = server.host.get(at(made)).json
        assert done["status"] == "done"
        assert (
            done["progress"] | {"done": 400, "queued": 0, "running": 0, "failed": 0}
            == (done["progress"])
        )
        greedy, random = done["results"]["bots"]
        assert (greedy["level"], random["level"]) == ("greedy", "random")
        assert greedy["matches"] == random["matches"] == 400
        assert greedy["win_rate"]["low"] > random["win_rate"]["high"]
        assert greedy["mean_rank"] < random["mean_rank"]
        assert greedy["mean_score"]["low"] > random["mean_score"]["high"]
        assert [seat["seat"] for seat in greedy["seats"]] == [0, 1]
        assert sum(done["results"]["reasons"].values()) == 400
        assert sum(b["matches"] for b in done["results"]["lengths"]["buckets"]) == 400
        assert greedy["thinking_ms"]["p50"] <= greedy["thinking_ms"]["p99"]

    def test_the_same_series_gives_the_same_results(self, server: Server) -> None:
        found = []
        for moves in (None, 7):
            made = create(server.host)
            while (doc := server.host.get(at(made)).json)["status"] != "done":
                work(server, made, moves)
            for tally in (*doc["results"]["bots"], *doc["results"]["seats"]):
                del tally["thinking_ms"]
                for seat in tally.get("seats", ()):
                    del seat["thinking_ms"]
            found.append((doc["results"], server.host.get(f"{at(made)}/results").data))
        assert found[0] == found[1]

    def test_a_paused_series_stands_still_and_goes_on(self, server: Server) -> None:
        made = create(server.host)
        for _ in range(2):
            paused = server.host.post(f"{at(made)}/pause")
            assert (paused.status_code, paused.json["status"]) == (200, "paused")
        work(server, made)
        assert server.host.get(at(made)).json["progress"]["done"] == 0
        for _ in range(2):
            resumed = server.host.post(f"{at(made)}/resume", {})
            assert (resumed.status_code, resumed.json["status"]) == (200, "running")
        work(server, made)
        assert server.host.get(at(made)).json["status"] == "done"

    def test_a_cancelled_series_keeps_what_it_has(self, server: Server) -> None:
        made = create(server.host, matches=400)
        work(server, made, moves=60)
        for _ in range(2):
            cancelled = server.host.post(f"{at(made)}/cancel")
            assert (cancelled.status_code, cancelled.json["status"]) == (200, "cancelled")
        done = cancelled.json["progress"]["done"]
        assert len(lines(server.host.get(f"{at(made)}/results"))) == done > 0
        work(server, made)
        assert server.host.get(at(made)).json["progress"]["done"] == done
        for verb in ("pause", "resume"):
            answer = server.host.post(f"{at(made)}/{verb}")
            assert refused(answer, 409, "series.over")["detail"].endswith("cancelled for good.")

    def test_what_is_done_can_be_neither_paused_nor_cancelled(self, server: Server) -> None:
        made = create(server.host)
        work(server, made)
        for verb in ("pause", "resume", "cancel"):
            refused(server.host.post(f"{at(made)}/{verb}"), 409, "series.over")

    def test_a_deleted_series_is_gone(self, server: Server) -> None:
        made = create(server.host, keep="all")
        work(server, made, moves=20)
        assert server.host.delete(at(made)).status_code == 204
        for path in ("", "/results", "/results.csv", "/matches/0"):
            refused(server.host.get(at(made) + path), 404, "series.unknown")
        refused(server.host.delete(at(made)), 404, "series.unknown")
        work(server, made)
        assert server.host.get("/v1/series").json["items"] == []

    def test_a_faulty_bot_loses_its_moves_and_the_series_goes_on(self, server: Server) -> None:
        made = create(server.host, bots=[{"level": "raises"}, {"level": "greedy"}])
        work(server, made)
        done = server.host.get(at(made)).json
        assert (done["status"], done["progress"]["failed"]) == ("done", 0)
        faulty, other = done["results"]["bots"]
        assert faulty["faults"] == faulty["moves"] > 0
        assert other["faults"] == 0

    def test_a_game_with_a_defect_costs_the_matches_where_it_shows(self) -> None:
        server = Server(extra_games="tests.toys.breaking:RAISING")
        host = Client(server.app, API_KEY, checked=False)  # the document has no such game
        body = {**NEW, "game": "raising", "bots": levels("random", "random"), "matches": 60}
        made = host.ask("POST", "/v1/series", json=body).json
        work(server, made)
        answer = host.get(at(made))
        failed = answer.json["progress"]["failed"]
        assert answer.json["results"]["errors"] == {"Defect": failed}
        assert failed > 0
        assert answer.json["progress"]["done"] == 60 - failed
        rows = host.get(f"{at(made)}/results")
        assert [row["failed"] for row in lines(rows)].count("Defect") == failed
        for told in (answer.text, rows.text, str(server.lines)):
            assert "the text may hold what is hidden" not in told


class TestRepeats:
    def test_the_same_key_makes_one_series(self, server: Server) -> None:
        body = {**NEW, "seed": None}
        first = server.host.post("/v1/series", body, key="a-key")
        again = server.host.post("/v1/series", body, key="a-key")
        assert (first.status_code, again.status_code) == (202, 202)
        assert first.json == again.json
        assert "Idempotency-Replayed" not in first.headers
        assert again.headers["Idempotency-Replayed"] == "true"
        assert again.headers["Location"] == first.headers["Location"]
        assert len(server.host.get("/v1/series").json["items"]) == 1

    def test_a_repeat_tells_how_far_the_series_is_now(self, server: Server) -> None:
        made = server.host.post("/v1/series", NEW, key="a-key").json
        work(server, made)
        again = server.host.post("/v1/series", NEW, key="a-key").json
        assert (again["id"], again["status"]) == (made["id"], "done")

    def test_a_key_stands_for_one_body_of_one_owner(self, server: Server) -> None:
        made = server.host.post("/v1/series", NEW, key="a-key").json
        other = server.host.post("/v1/series", {**NEW, "matches": 13}, key="a-key")
        refused(other, 422, "request.key-reused")
        stranger = server.client(OTHER_KEY).post("/v1/series", NEW, key="a-key")
        assert stranger.status_code == 202
        assert stranger.json["id"] != made["id"]


class TestAccess:
    def test_another_keys_series_is_as_unknown_as_none(self, server: Server) -> None:
        made = create(server.host, keep="all")
        work(server, made)
        stranger = server.client(OTHER_KEY)
        for where in (at(made), NOWHERE):
            answers = [
                *(stranger.get(where + path) for path in ("", "/results", "/results.csv")),
                stranger.get(f"{where}/matches/0"),
                *(stranger.post(f"{where}/{verb}") for verb in ("pause", "resume", "cancel")),
                stranger.delete(where),
            ]
            problems = [refused(answer, 404, "series.unknown") for answer in answers]
            assert {problem["detail"] for problem in problems} == {"There is no such series."}
        assert stranger.get("/v1/series").json["items"] == []
        assert server.host.get(at(made)).json["status"] == "done"

    @pytest.mark.parametrize("who", ["nobody", "seat", "operator"])
    def test_series_are_for_api_keys(self, server: Server, who: str) -> None:
        made = create(server.host)
        seat = server.start(PERSON, PERSON).seats[0]
        client = {"nobody": server.nobody, "seat": seat, "operator": server.client(OPERATOR)}[who]
        status, code = (401, "auth.required") if who == "nobody" else (403, "auth.key-required")
        for answer in (
            client.post("/v1/series", NEW),
            client.get("/v1/series"),
            client.get(at(made)),
            client.get(f"{at(made)}/results"),
            client.post(f"{at(made)}/cancel"),
            client.delete(at(made)),
        ):
            refused(answer, status, code)
        assert server.host.get(at(made)).json["status"] == "running"

    def test_a_key_has_only_so_many_at_the_same_time(self) -> None:
        server = Server(series_limit=2)
        first, _ = create(server.host), create(server.host)
        refused(server.host.post("/v1/series", NEW), 429, "series.too-many")
        assert create(server.client(OTHER_KEY))
        work(server, first)
        assert create(server.host)


class TestLists:
    def test_pages_by_creation_without_gaps_or_repeats(self, server: Server) -> None:
        made = []
        for number in range(7):
            server.now += number % 2  # some at the same ms
            made.append((server.now, create(server.host)["id"]))
        seen: list[str] = []
        cursor = None
        while True:
            page = server.host.get("/v1/series", limit=3, cursor=cursor).json
            seen += [row["id"] for row in page["items"]]
            if (cursor := page["next"]) is None:
                break
        assert seen == [name for _, name in sorted(made)]

    def test_a_row_tells_how_far_a_series_is(self, server: Server) -> None:
        work(server, create(server.host))
        [row] = server.host.get("/v1/series").json["items"]
        assert (row["status"], row["game"], row["done"]) == ("done", "tictactoe", 12)
        assert row["bots"] == ["greedy", "random"]

    @pytest.mark.parametrize("cursor", ["x", "!!", "8J+YgA==", "9" * 200])
    def test_a_cursor_that_was_never_given_out(self, server: Server, cursor: str) -> None:
        refused(server.host.get("/v1/series", cursor=cursor), 400, "request.bad-cursor")

    def test_a_page_has_a_limit(self, server: Server) -> None:
        for limit in (0, 201, "all"):
            refused(server.host.get("/v1/series", limit=limit), 400, "request.invalid")


class TestResults:
    def test_json_lines_are_what_each_match_gives_alone(self, server: Server) -> None:
        made = create(server.host)
        work(server, made)
        answer = server.host.get(f"{at(made)}/results")
        assert answer.mimetype == "application/x-ndjson"
        wanted = all_rows(a_spec("greedy", "random", matches=12))
        assert lines(answer) == [_plain(row) for row in wanted]

    @pytest.mark.parametrize("level", ["greedy", "raises"])
    def test_csv_equals_the_rows(self, server: Server, level: str) -> None:
        made = create(server.host, bots=[{"level": level}, {"level": "random"}])
        work(server, made)
        answer = server.host.get(f"{at(made)}/results.csv")
        assert answer.mimetype == "text/csv"
        rows = lines(server.host.get(f"{at(made)}/results"))
        table = list(csv.DictReader(io.StringIO(answer.text, newline="")))
        assert [_from_csv(cells) for cells in table] == [_seen_in_csv(row) for row in rows]
        assert len(rows) == 12

    def test_before_the_first_match_there_are_none(self, server: Server) -> None:
        made = create(server.host)
        assert lines(server.host.get(f"{at(made)}/results")) == []
        table = server.host.get(f"{at(made)}/results.csv").text
        assert table.startswith("match,deal,rotation,seed,digest,")
        assert table.count("\n") == 1


def _plain(row: Row) -> Json:
    facts = {name: getattr(row, name) for name in row.__struct_fields__}
    return json.loads(json.dumps(facts))


def _from_csv(cells: dict[str, str]) -> Json:
    seats = range(2)
    return {
        **{name: int(cells[name]) for name in ("match", "deal", "rotation", "events")},
        **{name: cells[name] for name in ("seed", "digest", "reason")},
        "failed": cells["failed"] or None,
        "bots": [cells[f"bot_{seat}"] for seat in seats],
        "scores": [int(cells[f"score_{seat}"]) for seat in seats],
        "moves": [int(cells[f"moves_{seat}"]) for seat in seats],
        "faults": [int(cells[f"faults_{seat}"]) for seat in seats],
        "fault_kinds": [
            {kind: n for kind in get_args(Fault) if (n := int(cells[f"{kind}_{seat}"]))}
            for seat in seats
        ],
        "places": [float(cells[f"place_{seat}"]) for seat in seats],
    }


def _seen_in_csv(row: Json) -> Json:
    first = row["ranking"][0]
    places = [1.5] * 2 if len(first) == 2 else [1 if seat in first else 2 for seat in range(2)]
    return {name: value for name, value in row.items() if name != "ranking"} | {"places": places}


class TestTranscripts:
    def test_a_kept_one_can_be_had_and_is_a_match_like_any_other(self, server: Server) -> None:
        made = create(server.host, keep="all")
        work(server, made)
        answer = server.host.get(f"{at(made)}/matches/5")
        assert answer.mimetype == "application/x-ndjson"
        row = lines(server.host.get(f"{at(made)}/results"))[5]
        found = lines(answer)
        assert found[0]["format"] == "tycoon-match/1"
        assert len(found) == row["events"] + 2
        assert found[-1]["seed"] == row["seed"]
        imported = server.host.ask(
            "POST",
            "/v1/matches/import",
            data=answer.data,
            content_type="application/x-ndjson",
        )
        assert imported.status_code == 201

    def test_one_that_was_not_kept_names_the_command_that_makes_it_again(
        self, server: Server
    ) -> None:
        made = create(server.host, matches=300, keep="sample")
        work(server, made)
        assert server.host.get(f"{at(made)}/matches/7").status_code == 200
        problem = refused(server.host.get(f"{at(made)}/matches/4"), 404, "series.not-kept")
        assert f"`tycoon series match {made['id']} 4`" in problem["detail"]

    def test_there_is_none_of_a_match_that_was_not_played(self, server: Server) -> None:
        made = create(server.host, keep="all")
        for number in (0, 12, 999_999_999):
            answer = server.host.get(f"{at(made)}/matches/{number}")
            refused(answer, 404, "series.no-match")
        for word in ("-1", "first", "9" * 30):
            answer = server.host.ask("GET", f"{at(made)}/matches/{word}")
            refused(answer, 404, "request.unknown-route")


def levels(*names: str) -> Json:
    return [{"level": name} for name in names]


def searching(**budget: Any) -> Json:
    return [{"level": "search", "budget": budget}, {"level": "random"}]


BAD: list[tuple[Json, int, str]] = [
    ({"matches": 0}, 400, "request.invalid"),
    ({"matches": -1}, 400, "request.invalid"),
    ({"matches": 1.5}, 400, "request.invalid"),
    ({"matches": "10"}, 400, "request.invalid"),
    ({"matches": 100_001}, 422, "series.match-count"),
    ({"matches": 10**18}, 400, "request.invalid"),
    ({"at_once": 0}, 400, "request.invalid"),
    ({"at_once": 65}, 400, "request.invalid"),
    ({"game": "chess"}, 422, "match.unknown-game"),
    ({"game": ""}, 400, "request.invalid"),
    ({"bots": []}, 400, "request.invalid"),
    ({"bots": levels("greedy")}, 422, "match.seat-count"),
    ({"bots": levels("greedy", "random", "random")}, 422, "match.seat-count"),
    ({"game": "daifugo", "bots": levels(*["random"] * 3)}, 422, "daifugo.wrong-number-of-seats"),
    ({"game": "daifugo", "bots": levels(*["random"] * 9)}, 422, "daifugo.wrong-number-of-seats"),
    ({"bots": levels(*["random"] * 17)}, 400, "request.invalid"),
    ({"bots": levels("greedy", "clever")}, 422, "match.unknown-level"),
    ({"bots": levels("greedy", "search-0")}, 422, "match.unknown-level"),
    ({"bots": levels("greedy", "search-99999")}, 422, "match.bad-budget"),
    ({"bots": levels("greedy", "search-5ms")}, 422, "match.bad-budget"),
    ({"bots": ["greedy", "random"]}, 400, "request.invalid"),
    ({"bots": [{"level": "greedy", "name": "Bo"}, {"level": "random"}]}, 400, "request.invalid"),
    ({"bots": [{"level": "greedy", "budget": {"iterations": 9}}] * 2}, 422, "match.bad-budget"),
    ({"bots": searching()}, 422, "match.bad-budget"),
    ({"bots": searching(iterations=0)}, 422, "match.bad-budget"),
    ({"bots": searching(iterations=10_001)}, 422, "match.bad-budget"),
    ({"bots": searching(ms=9)}, 422, "match.bad-budget"),
    ({"bots": searching(ms=20_001)}, 422, "match.bad-budget"),
    ({"bots": searching(iterations=50, ms=50)}, 422, "match.bad-budget"),
    ({"bots": searching(iterations="50")}, 400, "request.invalid"),
    ({"bots": searching(hours=1)}, 400, "request.invalid"),
    ({"options": {"size": 9}}, 400, "request.invalid"),
    ({"options": {"colour": "red"}}, 400, "request.invalid"),
    ({"options": []}, 400, "request.invalid"),
    ({"seed": "5e" * 31}, 400, "request.invalid"),
    ({"seed": "5E" * 32}, 400, "request.invalid"),
    ({"seed": 7}, 400, "request.invalid"),
    ({"rotation": "random"}, 400, "request.invalid"),
    ({"rotation": "none", "paired": True}, 422, "series.pairs-without-rotation"),
    ({"paired": "yes"}, 400, "request.invalid"),
    ({"keep": "nothing"}, 400, "request.invalid"),
    ({"pace_ms": 0}, 400, "request.invalid"),
    ({"chance": {"first": 0}}, 400, "request.invalid"),
    ({"bots": None}, 400, "request.invalid"),
]


@pytest.mark.parametrize(("more", "status", "code"), BAD, ids=[str(more) for more, *_ in BAD])
def test_what_cannot_be_played_is_refused_and_nothing_stored(
    server: Server, more: Json, status: int, code: str
) -> None:
    before = server.snapshot()
    for key in (None, "a-key"):
        answer = server.host.post("/v1/series", {**NEW, **more}, key=key)
        problem = refused(answer, status, code)
        assert problem["detail"].endswith(".")
    assert server.snapshot() == before
    assert server.host.post("/v1/series", NEW, key="a-key").status_code == 202


@pytest.mark.parametrize("name", ["game", "bots", "matches"])
def test_what_must_be_named(server: Server, name: str) -> None:
    body = {key: value for key, value in NEW.items() if key != name}
    problem = refused(server.host.post("/v1/series", body), 400, "request.invalid")
    assert [error["pointer"] for error in problem["errors"]] == [f"/{name}"]


def test_budgets_in_time_are_marked_as_not_reproducible(server: Server) -> None:
    exact = create(server.host, bots=searching(iterations=50))
    assert exact["reproducible"]
    assert exact["bots"] == ["search-50", "random"]
    assert exact["made_by"]["bots"][0]["budget"] == {"iterations": 50, "ms": None}
    timed = create(server.host, bots=searching(ms=50))
    assert not timed["reproducible"]
    assert timed["made_by"]["bots"][0]["budget"] == {"iterations": None, "ms": 50}


def test_files_that_are_away_are_a_problem_and_come_back(tmp_path: Path) -> None:
    server = Server(archive_url=str(tmp_path))
    made = create(server.host)
    work(server, made)
    [rows] = (tmp_path / "series").glob(f"{made['id']}-*/rows")
    away = rows.rename(tmp_path / "away")
    for path in ("results", "results.csv"):
        answer = server.host.get(f"{at(made)}/{path}")
        refused(answer, 503, "series.files-unavailable")
    assert server.host.get(at(made)).json["status"] == "done"
    away.rename(rows)
    assert len(lines(server.host.get(f"{at(made)}/results"))) == 12


def test_each_games_form_of_a_new_series_is_exact() -> None:
    schemas = document().content["components"]["schemas"]
    daifugo = schemas["NewDaifugoSeries"]["properties"]
    assert document().resolve(daifugo["options"])["additionalProperties"] is False
    assert (daifugo["bots"]["minItems"], daifugo["bots"]["maxItems"]) == (4, 8)
