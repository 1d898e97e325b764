"""Export and import of finished matches."""

from __future__ import annotations

import json

import pytest

from tests.api.server import OTHER_KEY, PERSON, Server, bot, refused

IMPORT = "/v1/matches/import"
NDJSON = {"content_type": "application/x-ndjson"}


def finished(server: Server, game: str = "daifugo", **more):
    seats = 2 if game == "tictactoe" else 4
    options = {"rounds": 1} if game == "daifugo" else {}
    table = server.start(
        PERSON, *[bot()] * (seats - 1), game=game, options=options, pace_ms=0, **more
    )
    table.play()
    return table


@pytest.mark.parametrize("game", ["tictactoe", "daifugo", "secrets"])
def test_what_is_exported_is_imported_elsewhere(server: Server, game: str) -> None:
    table = finished(server, game)
    exported = table.seats[0].get(f"{table.at}/export")
    assert exported.status_code == 200

    taken = Server().client(OTHER_KEY)
    made = taken.ask("POST", IMPORT, data=exported.data, **NDJSON)

    assert made.status_code == 201
    match = made.json
    assert match["imported"] is True
    assert match["result"] == table.look()["result"]
    assert match["id"] != table.id
    at = made.headers["Location"]
    again = taken.get(f"{at}/export")
    assert again.data.splitlines()[2:] == exported.data.splitlines()[2:]
    # The same file is the same match.
    assert taken.ask("POST", IMPORT, data=exported.data, **NDJSON).json == match


def test_a_running_match_is_not_exported(server: Server) -> None:
    table = server.start(PERSON, PERSON)
    answer = table.seats[0].get(f"{table.at}/export")
    assert refused(answer, 409, "match.not-over")["version"] == table.version


def test_a_transcript_that_was_touched_is_refused(server: Server) -> None:
    table = finished(server)
    lines = table.seats[0].get(f"{table.at}/export").data.splitlines()
    before = server.snapshot()
    for number in range(len(lines)):
        dropped = b"\n".join(lines[:number] + lines[number + 1 :])
        assert server.host.ask("POST", IMPORT, data=dropped, **NDJSON).status_code in (400, 422)
    last = json.loads(lines[-1])
    other = json.dumps({**last, "seed": "0" * 64}).encode()
    touched = b"\n".join([*lines[:-1], other])
    assert server.host.ask("POST", IMPORT, data=touched, **NDJSON).status_code in (400, 422)
    assert server.snapshot() == before


def test_what_is_no_transcript(server: Server) -> None:
    for data in (b"", b"{}", b"\xff\n\xfe\n\xfd", b"[]\n[]\n[]\n", b"[" * 60_000 + b"\n\n1\n2\n3"):
        answer = server.host.ask("POST", IMPORT, data=data, **NDJSON)
        refused(answer, 400, "match.bad-transcript")
    answer = server.host.ask("POST", IMPORT, data=b"{}", content_type="application/json")
    refused(answer, 415, "request.unsupported-media-type")


def test_a_transcript_has_a_limit_of_its_own() -> None:
    server = Server(body_limit=500, import_limit=100_000)
    table = finished(server, "tictactoe")
    exported = server.host.get(f"{table.at}/export").data
    assert len(exported) > 500
    assert server.host.ask("POST", IMPORT, data=exported, **NDJSON).status_code == 201
    large = exported + b"\n" * 100_000
    refused(server.host.ask("POST", IMPORT, data=large, **NDJSON), 413, "request.too-large")


def test_a_transcript_has_no_more_events_than_a_match_may_have() -> None:
    table = finished(server := Server(), "tictactoe")
    exported = server.host.get(f"{table.at}/export").data
    events = len(exported.splitlines()) - 2
    small, before = Server(events_limit=events - 1), Server().snapshot()
    answer = small.host.ask("POST", IMPORT, data=exported, **NDJSON)
    refused(answer, 422, "match.too-long")
    assert small.snapshot() == before
    enough = Server(events_limit=events)
    assert enough.host.ask("POST", IMPORT, data=exported, **NDJSON).status_code == 201
