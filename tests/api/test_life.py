"""The whole life of a match over HTTP. Each answer is checked against the document."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from shared.store import Person
from tests.api.server import AGENT, OPEN, OTHER_KEY, PERSON, Server, bot, refused


def test_one_person_against_a_bot_to_the_end(server: Server) -> None:
    table = server.start({"kind": "person", "name": "Ann", "ref": "u1"}, bot())

    table.play()

    match = table.look()
    assert match["status"] == "ended"
    assert match["result"]["reason"] == "completed"
    assert match["active"] == []
    assert [seat["name"] for seat in match["seats"]] == ["Ann", None]
    assert match["seats"][0]["ref"] == "u1"  # for its API key
    assert table.seats[0].get(table.at).json["seats"][0]["ref"] is None


@pytest.mark.parametrize("game", ["daifugo", "secrets"])
def test_a_game_with_hidden_cards_to_the_end(server: Server, game: str) -> None:
    options = {"rounds": 1} if game == "daifugo" else {}
    table = server.start(PERSON, AGENT, bot(), bot("random"), game=game, options=options, pace_ms=0)

    table.play()

    assert table.look()["result"]["reason"] == "completed"
    for client in (*table.seats.values(), server.host, server.nobody):
        events = _whole_log(client, table.at)
        assert len(events) == table.version
        # After the end everybody sees everything.
        assert not any(event["type"] == "hidden" for event in events)
        assert any("draws" in event for event in events)


def _whole_log(client, at: str) -> list:
    events, after = [], "0"
    while after is not None:
        page = client.get(f"{at}/events", after=after, limit=40).json
        events += page["items"]
        after = page["next"]
    return events


def test_all_that_an_answer_shows_at_each_move_fits_the_document(server: Server) -> None:
    table = server.start(PERSON, PERSON, bot(), bot(), game="daifugo", pace_ms=0)

    for _ in range(15):
        server.advance(table.id)
        for seat, client in table.seats.items():
            client.get(table.at)
            client.get(f"{table.at}/moves", preview=True)
            client.get(f"{table.at}/events", after=max(table.version - 5, 0))
            if seat in table.active():
                assert table.move(seat).status_code == 201


def test_two_persons_join_by_their_links_and_seat_0_starts(server: Server) -> None:
    table = server.start(OPEN, OPEN)
    assert table.created["tokens"] == []
    assert table.look()["status"] == "waiting"

    # A link is for a POST as it stands, by somebody without any credential.
    for seat in (0, 1):
        url = table.links[seat]["url"].removeprefix("http://localhost")
        joined = server.nobody.post(url, {"name": f"P{seat}"})
        assert joined.status_code == 201
        assert joined.json["seat"] == joined.json["match"]["you"] == seat
        table.sit(joined.json)

    assert [seat["name"] for seat in table.look()["seats"]] == ["P0", "P1"]
    refused(table.seats[1].post(f"{table.at}/start"), 403, "auth.not-owner")
    started = table.seats[0].post(f"{table.at}/start")
    assert started.status_code == 201
    assert started.json["match"]["status"] == "running"
    table.play()
    assert table.look()["status"] == "ended"


def test_open_seats_are_filled_with_bots_at_the_start(server: Server) -> None:
    table = server.start(PERSON, OPEN)

    refused(server.host.post(f"{table.at}/start"), 409, "match.seats-open")
    refused(server.host.post(f"{table.at}/start", {"fill": "genius"}), 422, "match.unknown-level")
    started = server.host.post(f"{table.at}/start", {"fill": "greedy"})

    assert [seat["level"] for seat in started.json["match"]["seats"]] == [None, "greedy"]
    refused(server.host.post(f"{table.at}/start"), 409, "match.already-started")


def test_bots_are_woken_only_when_one_must_act(server: Server) -> None:
    table = server.start(PERSON, bot(), chance={"first": 0})
    assert server.woken == []

    table.move(0)

    assert server.woken == [table.id]


def test_a_resignation_leaves_the_seat_to_a_stand_in(server: Server) -> None:
    table = server.start(PERSON, PERSON, bot(), bot(), game="daifugo")

    resigned = table.seats[0].post(f"{table.at}/resign")

    assert resigned.status_code == 201
    seat = resigned.json["match"]["seats"][0]
    assert (seat["resigned"], seat["level"]) == (True, "greedy")
    refused(table.seats[0].post(f"{table.at}/resign"), 409, "seat.resigned")


def test_a_resignation_of_two_gives_the_match_to_the_other(server: Server) -> None:
    table = server.start(PERSON, PERSON)

    table.seats[1].post(f"{table.at}/resign")

    result = table.look()["result"]
    assert result["reason"] == "resigned"
    assert result["outcome"]["ranking"] == [[0], [1]]
    assert result["resigned"] == [1]


def test_a_match_is_cancelled_by_its_api_key_alone(server: Server) -> None:
    table = server.start(PERSON, PERSON)

    refused(table.seats[0].delete(table.at), 403, "auth.not-owner")
    cancelled = server.host.delete(table.at)

    assert cancelled.status_code == 200
    assert cancelled.json["match"]["result"]["reason"] == "cancelled"
    refused(server.host.delete(table.at), 409, "match.over")
    refused(table.seats[0].post(f"{table.at}/resign"), 409, "match.over")


def test_a_match_that_nobody_starts_expires(server: Server) -> None:
    table = server.start(PERSON, OPEN)

    server.now += server.settings.waiting_hours * 3_600_000

    assert server.tycoon.timekeeper.time_out(table.id)
    assert table.look()["result"]["reason"] == "expired"


def test_the_clock_plays_for_who_is_late(server: Server) -> None:
    table = server.start(PERSON, PERSON, clock={"per_move_s": 30}, chance={"first": 0})
    match = table.look()
    assert match["clock"] == {"per_move_s": 30}
    assert match["deadline"] == "2023-11-14T22:13:50.000Z"

    server.now += 30_000

    assert server.tycoon.timekeeper.time_out(table.id)
    log = server.host.get(f"{table.at}/events", after=match["version"]).json["items"]
    assert [event["type"] for event in log] == ["match.timed_out", "tictactoe.placed"]
    assert table.active() == [1]


def test_what_chance_would_bring_can_be_given(server: Server) -> None:
    table = server.start(PERSON, PERSON, chance={"first": 1})

    assert table.look()["custom"] is True
    assert table.active() == [1]

    wrong = {"game": "tictactoe", "seats": [PERSON, PERSON]}
    no_such = server.host.post("/v1/matches", {**wrong, "chance": {"third": 1}})
    refused(no_such, 422, "match.unknown-draw")
    impossible = server.host.post("/v1/matches", {**wrong, "chance": {"first": 2}})
    refused(impossible, 422, "match.impossible-draw")


def test_a_seat_adds_its_own_seed_before_the_start(server: Server) -> None:
    table = server.start(PERSON, OPEN)
    seed = {"action": "seed", "client_seed": "ab" * 32}

    given = table.seats[0].post(f"{table.at}/seats", seed)

    assert given.status_code == 201
    assert given.json["events"][0]["event"]["client_seed"] == "ab" * 32
    server.host.post(f"{table.at}/start", {"fill": "greedy"})
    refused(table.seats[0].post(f"{table.at}/seats", seed), 409, "match.already-started")


def test_a_match_as_it_was_and_through_other_eyes(server: Server) -> None:
    table = server.start(PERSON, PERSON, bot(), bot(), game="daifugo", options={"rounds": 1})
    refused(table.seats[0].get(table.at, seat=1), 403, "seat.not-yours")
    began = table.seats[0].get(table.at).json

    table.play()

    ended = table.seats[0].get(table.at).json
    assert ended["version"] > began["version"]
    assert table.seats[0].get(table.at, version=began["version"]).json == began
    other = table.seats[0].get(table.at, version=began["version"], seat=1).json
    assert isinstance(other["view"]["hands"][1], list)
    assert isinstance(other["view"]["hands"][0], int)
    late = table.seats[0].get(table.at, version=ended["version"] + 1)
    assert refused(late, 409, "match.version-not-reached")["version"] == ended["version"]
    refused(table.seats[0].get(table.at, seat=9), 404, "seat.unknown")


def test_a_match_that_the_caller_has_is_not_sent_again(server: Server) -> None:
    table = server.start(PERSON, PERSON)
    first = table.seats[0].get(table.at)

    same = table.seats[0].get(table.at, headers={"If-None-Match": first.headers["ETag"]})
    assert (same.status_code, same.data) == (304, b"")

    table.move(table.active()[0])

    newer = table.seats[0].get(table.at, headers={"If-None-Match": first.headers["ETag"]})
    assert newer.status_code == 200
    asked = table.seats[0].get(table.at, min_version=newer.json["version"])
    assert asked.json == newer.json
    refused(
        table.seats[0].get(table.at, min_version=newer.json["version"] + 1),
        409,
        "match.version-not-reached",
    )


def test_no_tag_stands_for_two_answers(server: Server) -> None:
    """Who asks, through whose eyes, at which version: equal tags are equal bytes."""
    table = server.start({**PERSON, "ref": "r0"}, PERSON)
    table.play()
    callers = [server.nobody, server.host, server.client(OTHER_KEY), *table.seats.values()]
    told: dict[str, set[bytes]] = defaultdict(set)
    for client in callers:
        for seat in (None, 0, 1):
            for version in (None, 2, 3):
                answer = client.get(table.at, seat=seat, version=version)
                told[answer.headers["ETag"]].add(answer.data)
    assert all(len(bodies) == 1 for bodies in told.values())
    assert len(told) == len(set().union(*told.values())) > 10


def test_a_name_that_changed_is_sent_again(server: Server) -> None:
    table = server.start({**PERSON, "name": "Ann"}, PERSON)
    had = {"If-None-Match": server.nobody.get(table.at).headers["ETag"]}
    assert server.nobody.get(table.at, headers=had).status_code == 304
    people: Any = server.stores.events
    people.kept[table.id].people[0] = Person("Eve")

    newer = server.nobody.get(table.at, headers=had)

    assert (newer.status_code, newer.json["seats"][0]["name"]) == (200, "Eve")


def test_a_condition_that_fails_is_a_problem(server: Server) -> None:
    table = server.start(PERSON, PERSON)
    tag = server.nobody.get(table.at).headers["ETag"]
    assert server.nobody.get(table.at, headers={"If-Match": tag}).status_code == 200
    other = server.nobody.get(table.at, headers={"If-Match": '"other"'})
    refused(other, 412, "request.precondition-failed")
    page = server.nobody.ask("GET", "/docs/docs.css", headers={"If-Match": '"other"'})
    refused(page, 412, "request.precondition-failed")
