"""Series over HTTP: their life, who may see them, and their lists."""

from __future__ import annotations

import pytest

from services.series.made_by import this_build
from tests.api.series import NEW, NOWHERE, at, create, levels, lines, work
from tests.api.server import (
    API_KEY,
    OPERATOR,
    OTHER_KEY,
    PERSON,
    Client,
    Server,
    refused,
)


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
