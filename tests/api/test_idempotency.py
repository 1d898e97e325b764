"""Commands that come twice, and commands that come at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.api.server import OPEN, OTHER_KEY, PERSON, Server, bot, refused

NEW = {"game": "tictactoe", "seats": [PERSON, OPEN]}


def test_a_repeated_create_gives_the_same_bytes_with_the_same_tokens(server: Server) -> None:
    first = server.host.post("/v1/matches", NEW, key="k1")
    again = server.host.post("/v1/matches", NEW, key="k1")

    assert first.status_code == again.status_code == 201
    assert again.data == first.data
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.headers["Location"] == f"/v1/matches/{first.json['match']['id']}"


def test_a_repeated_create_after_others_joined_and_moved_is_still_the_same(server: Server) -> None:
    first = server.host.post("/v1/matches", NEW, key="k1")
    at = f"/v1/matches/{first.json['match']['id']}"
    server.nobody.post(f"{at}/seats", {"code": first.json["links"][0]["code"], "name": "Bob"})
    server.host.post(f"{at}/start")

    assert server.host.post("/v1/matches", NEW, key="k1").data == first.data


def test_a_key_is_one_callers_and_one_bodys(server: Server) -> None:
    first = server.host.post("/v1/matches", NEW, key="k1")

    other = {**NEW, "seats": [PERSON, bot()]}
    refused(server.host.post("/v1/matches", other, key="k1"), 422, "request.key-reused")
    stranger = server.client(OTHER_KEY).post("/v1/matches", NEW, key="k1")
    assert stranger.json["match"]["id"] != first.json["match"]["id"]


def test_the_order_of_a_bodys_members_does_not_matter(server: Server) -> None:
    turned = dict(reversed(NEW.items()))
    first = server.host.post("/v1/matches", NEW, key="k1")
    assert server.host.post("/v1/matches", turned, key="k1").data == first.data


def test_fifty_equal_moves_at_once_are_one_move(server: Server) -> None:
    table = server.start(PERSON, PERSON)
    seat, before = table.active()[0], table.version
    body = {"move": {"type": "place", "at": 4}}

    with ThreadPoolExecutor(16) as pool:
        answers = list(
            pool.map(
                lambda _: table.seats[seat].post(f"{table.at}/moves", body, key="k"), range(50)
            )
        )

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.data for answer in answers}) == 1
    assert sum("Idempotency-Replayed" not in answer.headers for answer in answers) == 1
    assert table.version == before + 1


def test_another_seat_with_the_same_key_and_body_gets_its_own_answer(server: Server) -> None:
    table = server.start(PERSON, PERSON, PERSON, PERSON, game="daifugo")
    seat = table.active()[0]
    body = {"move": table.first_move(seat)}
    made = table.seats[seat].post(f"{table.at}/moves", body, key="k")
    assert made.status_code == 201
    other = (seat + 1) % 4

    answer = table.seats[other].post(f"{table.at}/moves", body, key="k")

    assert "Idempotency-Replayed" not in answer.headers
    assert answer.status_code in (409, 422)
    again = table.seats[seat].post(f"{table.at}/moves", body, key="k")
    assert again.data == made.data
    assert again.json["match"]["you"] == seat
    assert isinstance(again.json["match"]["view"]["hands"][other], int)


def test_a_repeat_is_answered_as_it_was_though_the_match_went_on(server: Server) -> None:
    table = server.start(PERSON, PERSON)
    seat = table.active()[0]
    body = {"move": {"type": "place", "at": 0}, "expected_version": table.version}
    made = table.seats[seat].post(f"{table.at}/moves", body, key="k")
    table.play()

    assert table.seats[seat].post(f"{table.at}/moves", body, key="k").data == made.data
    other = {**body, "move": {"type": "place", "at": 1}}
    reused = table.seats[seat].post(f"{table.at}/moves", other, key="k")
    refused(reused, 422, "request.key-reused")


def test_a_refusal_is_not_kept(server: Server) -> None:
    table = server.start(PERSON, PERSON, chance={"first": 0})
    body = {"move": {"type": "place", "at": 0}}
    refused(table.seats[1].post(f"{table.at}/moves", body, key="k"), 409, "move.not-your-turn")
    table.move(0, {"type": "place", "at": 5})

    assert table.seats[1].post(f"{table.at}/moves", body, key="k").status_code == 201


def test_of_eight_moves_on_one_version_one_counts(server: Server) -> None:
    table = server.start(PERSON, PERSON)
    seat, version = table.active()[0], table.version

    def move(at: int):
        body = {"move": {"type": "place", "at": at}, "expected_version": version}
        return table.seats[seat].post(f"{table.at}/moves", body)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(move, range(8)))

    won = [answer for answer in answers if answer.status_code == 201]
    lost = [answer for answer in answers if answer.status_code != 201]
    assert len(won) == 1
    for answer in lost:
        assert refused(answer, 409, "match.stale-version")["version"] == version + 1


def test_a_move_names_a_version_or_has_a_key(server: Server) -> None:
    table = server.start(PERSON, PERSON)
    seat = table.active()[0]
    body = {"move": {"type": "place", "at": 0}}
    refused(table.seats[seat].post(f"{table.at}/moves", body), 428, "request.version-required")


@pytest.mark.parametrize("key", ["", "a b", "x" * 256, "schlüssel", "tab\tbed"])
def test_a_key_is_1_to_255_visible_ascii_characters(server: Server, key: str) -> None:
    headers = {"Idempotency-Key": key}
    answer = server.host.post("/v1/matches", NEW, headers=headers)
    assert refused(answer, 400, "request.invalid")["errors"][0]["header"] == "Idempotency-Key"


def test_a_leave_can_be_sent_again_though_its_token_is_void(server: Server) -> None:
    table = server.start(PERSON, OPEN)
    leave = {"action": "leave"}
    left = table.seats[0].post(f"{table.at}/seats", leave, key="k")
    again = table.seats[0].post(f"{table.at}/seats", leave, key="k")
    assert (again.status_code, again.data) == (201, left.data)
    refused(table.seats[0].post(f"{table.at}/seats", leave, key="k2"), 401, "auth.bad-token")
    other = {"action": "seed", "client_seed": "0" * 64}
    refused(table.seats[0].post(f"{table.at}/seats", other, key="k"), 401, "auth.bad-token")


def test_every_command_can_be_sent_again(server: Server) -> None:
    table = server.start(PERSON, OPEN, PERSON, PERSON, game="daifugo")
    seed = {"action": "seed", "client_seed": "00" * 32}
    commands = [
        lambda: table.seats[0].post(f"{table.at}/seats", seed, key="seed"),
        lambda: server.host.post(f"{table.at}/start", {"fill": "greedy"}, key="start"),
        lambda: table.seats[0].post(f"{table.at}/resign", key="resign"),
        lambda: server.host.delete(table.at, key="cancel"),
    ]
    for command in commands:
        first, again = command(), command()
        assert first.status_code < 300
        assert again.data == first.data
        assert again.headers["Idempotency-Replayed"] == "true"
