"""What an adversary tried: forged files, damaged stores, old tokens, clocks that jump."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import Any

import msgspec
import pytest

from services.matches import transcript, verify
from services.projections.rebuilding import Part
from shared.errors import Unprocessable
from shared.ids import partition
from shared.store import Snapshot
from tests.api.server import API_KEY, OPEN, PERSON, Client, Server, bot


def line(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def forged(
    seats: Any = None, at: int = 1, mid: tuple[Any, ...] = (), seed: str = "ab" * 32, **created: Any
) -> bytes:
    """A transcript that was never played: created, something, cancelled."""
    proof = hashlib.sha256(bytes.fromhex(seed)).hexdigest()
    first = {
        "type": "match.created",
        "game": "tictactoe",
        "options": {},
        "seats": seats or [{"kind": "person"}] * 2,
        "owner": "x",
        "visibility": "public",
        "commitment": proof,
        "pace_ms": 0,
        **created,
    }
    last = {"type": "match.ended", "reason": "cancelled", "seed": seed}
    events = [
        {"event": first, "v": 1, "at": at, "command": "-", "rules": 1},
        *mid,
        {"event": last, "v": 1, "at": at, "command": "-"},
    ]
    header = {
        "format": "tycoon-match/1",
        "game": "tictactoe",
        "rules": 1,
        "options": {},
        "seats": [],
        "commitment": proof,
    }
    numbered = [{"version": number, **event} for number, event in enumerate(events, 1)]
    end = {"result": {"reason": "cancelled"}, "seed": seed}
    return b"\n".join(map(line, [header, *numbered, end]))


def imported(server: Server, data: bytes) -> Any:
    return server.host.ask(
        "POST",
        "/v1/matches/import",
        checked=False,
        data=data,
        content_type="application/x-ndjson",
    )


LEFT = {
    "event": {"type": "match.seat_left", "seat": -1},
    "v": 1,
    "at": 1,
    "seat": -5,
    "command": "-",
}
NOTED = {"event": {"type": "match.started", "note": "FREE TEXT"}, "v": 1, "at": 1, "command": "-"}


@pytest.mark.parametrize(
    "more",
    [
        {"at": 10**18},
        {"at": -(10**15)},
        {"options": {"x": 1}},
        {"seats": [{"kind": "bot"}] * 1000},
        {"seats": [{"kind": "bot", "level": "Ann Smith"}] * 2},
        {"mid": (LEFT,)},
        {"mid": (NOTED,)},
        {"pace_ms": 10**9},
        {"clock_ms": 1},
    ],
)
def test_what_never_was_a_match_is_not_imported(more: dict[str, Any]) -> None:
    server = Server()
    answer = imported(server, forged(**more))
    assert answer.status_code in (400, 422)
    assert server.stores.events.kept == {}


def test_an_honest_forgery_is_taken_but_stands_in_no_public_list() -> None:
    server = Server()
    answer = imported(server, forged())
    assert answer.status_code == 201
    server.advance(answer.json["id"])
    assert server.nobody.get("/v1/matches", scope="public").json["items"] == []
    assert len(server.host.get("/v1/matches").json["items"]) == 1


def test_a_rebuild_goes_on_past_a_match_that_cannot_be_folded() -> None:
    server = Server()
    table = server.start(*[PERSON] * 4, game="daifugo")
    table.play(1)
    log = server.stores.events.kept[table.id].events
    log[:] = [raw.replace(b'cards_played","seat":', b'cards_played","seat":7') for raw in log]
    generation, _ = server.tycoon.rebuilding.begin()
    server.tycoon.rebuilding.rebuild(generation, Part(partition(table.id)))
    assert server.tycoon.rebuilding.progress(generation).failed == 1


def test_a_renewed_token_is_good_at_once() -> None:
    server = Server()
    table = server.start(PERSON, PERSON)
    seat, version = table.active()[0], table.version
    move = table.first_move(seat)
    token = server.host.post(f"{table.at}/seats/{seat}/token").json["token"]
    body = {"move": move, "expected_version": version}
    assert server.client(token).post(f"{table.at}/moves", body).status_code == 201


def test_who_resigned_neither_moves_nor_looks_on() -> None:
    server = Server()
    table = server.start(*[PERSON] * 4, game="daifugo")
    seat = table.active()[0]
    me = table.seats[seat]
    version = table.version
    move = table.first_move(seat)
    me.post(f"{table.at}/resign", {})
    answer = me.post(f"{table.at}/moves", {"move": move, "expected_version": version + 1})
    assert (answer.status_code, answer.json["code"]) == (409, "seat.resigned")
    assert me.get(f"{table.at}/moves").status_code == 409
    assert me.get(table.at).json["view"]["seat"] is None


def test_a_clock_that_is_set_back_stalls_no_bot() -> None:
    server = Server()
    table = server.start(PERSON, bot(), bot(), bot(), game="daifugo")
    while table.active() == [0]:
        table.move(0)
    server.now += 3_600_000
    server.advance(table.id)
    server.now -= 3_600_000
    while table.active() == [0]:
        table.move(0)
    version = table.version
    for _ in range(60):
        server.now += 5_000
        server.advance(table.id)
    assert table.version > version


def test_a_script_belongs_to_a_custom_match() -> None:
    server = Server()
    table = server.start(*[bot()] * 4, game="daifugo", options={"rounds": 1})
    table.play()
    exported = server.host.ask("GET", f"{table.at}/export", checked=False).get_data()
    lines = [json.loads(raw) for raw in exported.splitlines()]
    script = {label: result for e in lines[1:-1] for label, _, result in e.get("draws", [])}
    told = msgspec.json.encode(script, order="deterministic")
    proof = hashlib.sha256(bytes(32) + told).hexdigest()
    lines[0]["commitment"] = lines[1]["event"]["commitment"] = proof
    for last in (lines[-2]["event"], lines[-1]):
        last |= {"seed": "00" * 32, "script": script}
    data = b"\n".join(map(line, lines))
    with pytest.raises(Unprocessable):
        transcript.read(server.tycoon.hall, data)
    assert imported(server, data).status_code == 422


def test_a_match_whose_cards_were_exchanged_or_whose_draws_are_gone_was_never_played() -> None:
    server = Server()
    table = server.start(*[bot()] * 4, game="daifugo", options={"rounds": 1})
    table.play()
    exported = server.host.ask("GET", f"{table.at}/export", checked=False).get_data()
    lines = [json.loads(raw) for raw in exported.splitlines()]
    for each in lines[1:-1]:
        each.pop("draws", None)
    text = b"\n".join(map(line, lines))
    for data in (text, text.replace(b'"3D"', b'"??"').replace(b'"2S"', b'"3D"')):
        read = transcript.read(server.tycoon.hall, data.replace(b'"??"', b'"2S"'))
        assert not verify.verify(server.tycoon.hall["daifugo"], read).holds
        assert imported(Server(), data.replace(b'"??"', b'"2S"')).status_code == 422


def test_a_repeated_leave_that_races_is_answered_alike() -> None:
    server = Server()
    table = server.start(PERSON, OPEN)
    token = server.nobody.post(table.links[1]["url"].split("localhost")[1], {}).json["token"]
    one, two = server.client(token), Client(server.make_app(), token)

    def leave(client: Client) -> Any:
        return client.post(f"{table.at}/seats", {"action": "leave"}, key="leave-0123456789")

    real, first = server.stores.events.append, []

    def append(command: Any) -> Any:
        if not first:
            first.append(command)
            leave(two)
        return real(command)

    server.stores.events.append = append
    assert leave(one).status_code == 201


def test_a_waiting_match_has_a_limit_too() -> None:
    server = Server(rate_per_seat="")
    table = server.start(PERSON, OPEN)
    for number in range(520):
        answer = table.seats[0].ask(
            "POST",
            f"{table.at}/seats",
            checked=False,
            json={"action": "seed", "client_seed": f"{number:064x}"},
        )
    assert answer.json["code"] == "match.too-restless"
    assert table.version == 500


def test_import_ids_are_no_ones_else() -> None:
    server = Server()
    data = forged()
    key = f"import:{hashlib.sha256(data).hexdigest()}"
    new = {"game": "tictactoe", "seats": [PERSON, PERSON]}
    made = server.host.post("/v1/matches", new, key=key).json["match"]
    assert imported(server, data).json["id"] != made["id"]


def test_a_thought_that_begins_at_once_is_thought() -> None:
    server = Server()
    table = server.start(bot("slow"), bot("slow"))
    tycoon, done = server.tycoon, []
    tycoon.advancer._think = lambda match, version: done.append(
        tycoon.stores.work.take(match, lease_ms=1_000)
    )
    tycoon.advancer.advance([table.id])
    assert done[0] is not None


def test_a_damaged_projection_is_folded_anew() -> None:
    server = Server()
    table = server.start(PERSON, PERSON)
    server.advance(table.id)
    real = server.stores.events.load_many

    def damaged(looks: Any) -> Any:
        return [
            dataclasses.replace(o, snapshot=Snapshot(o.head.version, 1, b"{]"), tail=())
            for o in real(looks)
        ]

    server.stores.events.load_many = damaged
    again = Client(server.make_app(), API_KEY)
    assert again.ask("GET", table.at, checked=False).status_code == 200


def test_people_that_cannot_be_read_hurt_their_own_match_alone() -> None:
    server = Server()
    bad, good = server.start(bot(), bot()), server.start(bot(), bot())
    real = server.stores.events.seated_many

    def garbled(matches: Any) -> Any:
        if bad.id in matches:
            raise msgspec.DecodeError("garbage")
        return real(matches)

    server.stores.events.seated_many = garbled
    server.tycoon.advancer.advance([bad.id, good.id])
    assert good.look()["status"] == "ended"
