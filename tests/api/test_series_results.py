"""The results of series over HTTP, and their kept transcripts."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import get_args

import pytest

from services.matches.events import Fault
from services.series.rows import Row
from tests.api.series import at, create, lines, work
from tests.api.server import (
    Json,
    Server,
    refused,
)
from tests.services.series.table import a_spec, all_rows


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
