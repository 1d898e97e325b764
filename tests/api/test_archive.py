"""Archived matches over HTTP: nobody but the operator notices where a match lies."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from services.archive import commands
from services.projections.rebuilding import Part
from shared.store import PARTITIONS
from tests.api.server import (
    API_KEY,
    OPEN,
    OPERATOR,
    OTHER_KEY,
    PERSON,
    Server,
    Table,
    bot,
    refused,
)

NDJSON = {"content_type": "application/x-ndjson"}
ARCHIVE = "/v1/admin/archive"
ANN = {**PERSON, "name": "Ann", "ref": "user-1"}


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return Server(archive_url=str(tmp_path))


def finished(server: Server, game: str = "tictactoe", **more: Any) -> Table:
    """A match of one person with bots, moved to its end, with all its projections."""
    seats = 2 if game == "tictactoe" else 4
    options = {"rounds": 1} if game == "daifugo" else {}
    bots = [bot()] * (seats - 1)
    table = server.start(ANN, *bots, game=game, options=options, pace_ms=0, **more)
    table.play()
    server.advance(table.id)
    return table


def archive(server: Server, *matches: str, ask: str = ARCHIVE) -> list[str]:
    answer = server.client(OPERATOR).post(ask, {"matches": list(matches)})
    assert answer.status_code == 200
    items = answer.json["items"]
    assert [item["match"] for item in items] == list(matches)
    return [item["outcome"] for item in items]


def restore(server: Server, *matches: str) -> list[str]:
    return archive(server, *matches, ask=f"{ARCHIVE}/restore")


def the_file(folder: Path) -> Path:
    [path] = (folder / "matches").rglob("*.gz")
    return path


def everything(server: Server, table: Table) -> dict[str, bytes]:
    """Every answer about a match that is over, to everybody who may ask."""
    asks = ["", "?version=1", "?version=7", "?seat=1", "/events", "/events?after=3&limit=4"]
    asks += ["/thoughts", "/thoughts?limit=2&cursor=2", "/export"]
    clients = {"host": server.host, "seat": table.seats[0], "nobody": server.nobody}
    found = {}
    for name, client in clients.items():
        for ask in asks:
            answer = client.get(f"{table.at}{ask}")
            assert answer.status_code == 200, answer.text
            found[f"{name} {ask}"] = answer.data
    return found


@pytest.mark.parametrize("game", ["tictactoe", "daifugo", "secrets"])
def test_every_query_answers_as_before(server: Server, game: str) -> None:
    table = finished(server, game)
    before = everything(server, table)
    listed = [server.host.get("/v1/matches").json["items"]]

    assert archive(server, table.id) == ["archived"]

    assert server.stores.events.events(table.id) == [], "the store has nothing of it"
    assert everything(server, table) == before, "a process that had it"
    server.app = server.make_app()
    assert everything(server, table) == before, "a process that never had it"
    assert [server.host.get("/v1/matches").json["items"]] == listed
    assert server.client(OTHER_KEY).get(f"{table.at}/export").status_code == 200
    refused(server.nobody.get(f"{table.at}?version=9999"), 409, "match.version-not-reached")

    assert restore(server, table.id) == ["restored"]
    assert server.stores.events.events(table.id) != []
    assert everything(server, table) == before


def test_a_private_match_stays_private(server: Server) -> None:
    table = finished(server, visibility="private")
    archive(server, table.id)
    refused(server.nobody.get(table.at), 404, "match.unknown")
    refused(server.client(OTHER_KEY).get(f"{table.at}/export"), 404, "match.unknown")
    assert table.seats[0].get(table.at).status_code == 200


def test_a_custom_match_keeps_its_script(server: Server) -> None:
    table = finished(server, "daifugo", chance={"dealer": 2})
    before = everything(server, table)
    assert archive(server, table.id) == ["archived"]
    server.app = server.make_app()
    assert everything(server, table) == before


def test_an_archived_match_is_over_for_every_command(server: Server) -> None:
    table = finished(server)
    version = table.version
    archive(server, table.id)
    for _ in range(2):
        seat, body = table.seats[0], {"move": {"type": "place", "at": 0}}
        for given in ({}, {"expected_version": version}, {"expected_version": 3}):
            answer = seat.post(f"{table.at}/moves", {**body, **given}, key="new")
            refused(answer, 409, "match.over")
        refused(seat.post(f"{table.at}/resign"), 409, "match.over")
        refused(server.host.delete(table.at), 409, "match.over")
        taken = server.nobody.post(f"{table.at}/seats", {"seat": 0})
        assert taken.status_code in (403, 409)
        server.app = server.make_app()


def test_repeated_commands_are_answered_alike(server: Server) -> None:
    new = {"game": "tictactoe", "seats": [OPEN, bot()], "pace_ms": 0}
    made = server.host.post("/v1/matches", new, key="create")
    table = Table(server, made.json)
    join = {"code": table.links[0]["code"], "name": "Ann"}
    joined = server.nobody.post(f"{table.at}/seats", join, key="a-join-of-sixteen")
    seat = table.sit(joined.json)
    assert server.host.post(f"{table.at}/start", key="start").status_code == 201
    if table.active() == [1]:
        server.advance(table.id)
    body = {"move": table.first_move(0)}
    moved = seat.post(f"{table.at}/moves", body, key="move")
    assert moved.status_code == 201
    resigned = seat.post(f"{table.at}/resign", key="resign")
    assert resigned.status_code == 201
    server.advance(table.id)

    assert archive(server, table.id) == ["archived"]

    for _ in range(2):
        again = [
            (made, server.host.post("/v1/matches", new, key="create")),
            (joined, server.nobody.post(f"{table.at}/seats", join, key="a-join-of-sixteen")),
            (moved, seat.post(f"{table.at}/moves", body, key="move")),
            (resigned, seat.post(f"{table.at}/resign", key="resign")),
        ]
        for first, repeated in again:
            assert repeated.headers["Idempotency-Replayed"] == "true"
            assert (repeated.status_code, repeated.data) == (first.status_code, first.data)
        other = {**new, "seats": [bot(), bot()]}
        refused(server.host.post("/v1/matches", other, key="create"), 422, "request.key-reused")
        server.app = server.make_app()


def test_a_file_without_its_first_line_can_be_imported(server: Server, tmp_path: Path) -> None:
    table = finished(server)
    exported = server.host.get(f"{table.at}/export").data
    archive(server, table.id)
    _, _, transcript = gzip.decompress(the_file(tmp_path).read_bytes()).partition(b"\n")
    assert transcript == exported
    made = Server().host.ask("POST", "/v1/matches/import", data=transcript, **NDJSON)
    assert made.status_code == 201


def test_no_name_is_in_a_file(server: Server, tmp_path: Path) -> None:
    table = finished(server)
    archive(server, table.id)
    content = gzip.decompress(the_file(tmp_path).read_bytes())
    assert b"Ann" not in content
    assert b"user-1" not in content
    assert table.look()["seats"][0]["name"] == "Ann", "the store has it"


def test_an_imported_match_is_archived_like_any_other(server: Server) -> None:
    table = finished(server)
    exported = server.host.get(f"{table.at}/export").data
    send = {"data": exported, **NDJSON}
    made = server.host.ask("POST", "/v1/matches/import", **send)
    match = made.json["id"]
    server.advance(match)
    assert archive(server, match) == ["archived"]
    assert server.host.get(f"/v1/matches/{match}").json == made.json
    again = server.host.ask("POST", "/v1/matches/import", **send)
    assert (again.status_code, again.json) == (201, made.json)


def test_a_removed_match_never_comes_again(server: Server) -> None:
    new = {"game": "tictactoe", "seats": [bot(), bot()], "pace_ms": 0}
    made = server.host.post("/v1/matches", new, key="create").json["match"]["id"]
    server.advance(made)
    exported = server.host.get(f"/v1/matches/{made}/export").data
    send = {"data": exported, **NDJSON}
    imported = server.host.ask("POST", "/v1/matches/import", **send).json["id"]
    server.advance(imported)
    for match in (made, imported):
        assert server.stores.wholes.remove(match)

    refused(server.host.get(f"/v1/matches/{made}"), 404, "match.unknown")
    refused(server.host.post("/v1/matches", new, key="create"), 409, "match.exists")
    refused(server.host.ask("POST", "/v1/matches/import", **send), 409, "match.exists")
    assert archive(server, made) == restore(server, made) == ["unknown"]


def test_a_rebuild_lists_archived_matches_too(server: Server) -> None:
    table = finished(server)
    archive(server, table.id)
    listed = server.host.get("/v1/matches").json["items"]
    results = server.nobody.get("/v1/games/tictactoe/results").json["items"]

    generation, _ = server.tycoon.rebuilding.begin()
    for partition in range(PARTITIONS):
        server.tycoon.rebuilding.rebuild(generation, Part(partition))

    assert server.tycoon.rebuilding.progress(generation).failed == 0
    assert server.host.get("/v1/matches").json["items"] == listed
    assert server.nobody.get("/v1/games/tictactoe/results").json["items"] == results
    assert server.stores.wholes.place(table.id) is not None, "it did not come back"


def test_the_operator_archives_and_restores_and_looks(server: Server) -> None:
    old, young = finished(server), finished(server)
    running = server.start(PERSON, PERSON)
    server.now += 31 * 86_400_000
    new = finished(server)
    unknown = "m_" + "a" * 26
    looked = server.client(OPERATOR).get(ARCHIVE).json
    assert (looked["in_store"], looked["due"], looked["archived"]) == (3, 2, 0)

    asked = (old.id, running.id, unknown, old.id, new.id)
    told = ["archived", "running", "unknown", "already", "archived"]
    assert archive(server, *asked) == told
    looked = server.client(OPERATOR).get(ARCHIVE).json
    assert (looked["in_store"], looked["due"], looked["archived"]) == (1, 1, 2)

    told = ["restored", "already", "unknown", "already"]
    assert restore(server, old.id, young.id, unknown, running.id) == told
    looked = server.client(OPERATOR).get(ARCHIVE).json
    assert (looked["in_store"], looked["due"], looked["archived"]) == (2, 1, 1), "it ended now"


def test_what_is_archived_is_listed_page_by_page(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "PAGE", 1)
    matches = [finished(server).id for _ in range(4)]
    archive(server, *matches[:3])
    operator, found, cursor = server.client(OPERATOR), [], None
    while True:
        page = operator.get(f"{ARCHIVE}/matches", **({"cursor": cursor} if cursor else {})).json
        for match in page["items"]:
            assert restore(server, match) == ["restored"]
        found += page["items"]
        cursor = page["next"]
        if cursor is None:
            break
    assert sorted(found) == sorted(matches[:3]), "restoring a page loses nothing of the next one"
    refused(operator.get(f"{ARCHIVE}/matches", cursor="0x"), 400, "request.bad-cursor")


def test_what_was_just_played_has_to_be_folded_first(server: Server) -> None:
    table = server.start(PERSON, PERSON)
    table.play()
    assert archive(server, table.id) == ["busy"]
    server.advance(table.id)
    assert archive(server, table.id) == ["archived"]


@pytest.mark.parametrize(
    "body", [{}, {"matches": []}, {"matches": ["m_x"]}, {"matches": ["m_" + "a" * 26] * 101}]
)
@pytest.mark.parametrize("at", [ARCHIVE, f"{ARCHIVE}/restore"])
def test_what_names_no_matches_is_refused(server: Server, body: Any, at: str) -> None:
    refused(server.client(OPERATOR).post(at, body), 400, "request.invalid")


def test_it_is_the_operators_alone(server: Server) -> None:
    table = server.start(PERSON, PERSON)
    asks = [("GET", ""), ("GET", "/matches"), ("POST", ""), ("POST", "/restore")]
    for method, path in ((method, f"{ARCHIVE}{below}") for method, below in asks):
        given = {"json": {"matches": [table.id]}} if method == "POST" else {}
        refused(server.nobody.ask(method, path, **given), 401, "auth.required")
        for client in (server.client(API_KEY), table.seats[0]):
            refused(client.ask(method, path, **given), 403, "auth.operator-required")


def damaged(path: Path, how: str) -> None:
    data = path.read_bytes()
    if how == "missing":
        path.unlink()
    elif how == "truncated":
        path.write_bytes(data[: len(data) // 2])
    elif how == "a bit":
        middle = len(data) // 2
        path.write_bytes(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])
    elif how == "another match":
        other = gzip.decompress(data).replace(b"tycoon-archive/1", b"tycoon-archive/2", 1)
        path.write_bytes(gzip.compress(other))
    elif how == "no file":
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(b"")


@pytest.mark.parametrize(
    "how", ["missing", "truncated", "a bit", "another match", "empty", "no file"]
)
def test_a_damaged_file_is_the_fault_of_its_match_alone(
    server: Server, tmp_path: Path, how: str
) -> None:
    table = finished(server)
    archive(server, table.id)
    damaged(the_file(tmp_path), how)
    other = finished(server)
    archive(server, other.id)
    server.app = server.make_app()

    for ask in ("", "?version=3", "/events", "/thoughts", "/export"):
        refused(server.host.get(f"{table.at}{ask}"), 500, "store.unreadable")
        assert server.host.get(f"{other.at}{ask}").status_code == 200
    assert restore(server, table.id, other.id) == ["failed", "restored"]
    assert table.id in [row["id"] for row in server.host.get("/v1/matches").json["items"]]


def test_an_archive_that_is_away_is_a_refusal_for_archived_matches_alone(
    server: Server, tmp_path: Path
) -> None:
    table, other = finished(server), finished(server)
    archive(server, table.id)
    running = server.start(PERSON, bot(), pace_ms=0)
    tmp_path.rename(tmp_path.with_name("elsewhere"))
    server.app = server.make_app()

    for ask in ("", "?version=3", "/events", "/thoughts", "/export"):
        answer = server.host.get(f"{table.at}{ask}")
        refused(answer, 503, "archive.unavailable")
        assert int(answer.headers["Retry-After"]) > 0
        assert server.host.get(f"{other.at}{ask}").status_code == 200
    answer = server.client(OPERATOR).post(f"{ARCHIVE}/restore", {"matches": [table.id]})
    refused(answer, 503, "archive.unavailable")

    for match in (table.id, running.id):
        server.stores.work.mark(match)
    server.tycoon.advancer.advance([table.id, running.id])
    running.play()
    assert running.look()["status"] == "ended", "no batch is held up"

    tmp_path.with_name("elsewhere").rename(tmp_path)
    assert server.host.get(table.at).status_code == 200
