"""Seats: who gets which token, and how long it is good for."""

from __future__ import annotations

from tests.api.server import API_KEY, OPEN, OTHER_KEY, PERSON, Server, refused

LONG = "a-key-that-nobody-guesses"


def test_who_leaves_loses_the_token_and_the_next_holder_gets_another(server: Server) -> None:
    table = server.start(PERSON, OPEN)
    code = table.links[1]["code"]
    bob = table.sit(server.nobody.post(f"{table.at}/seats", {"code": code, "name": "Bob"}).json)
    assert bob.get(table.at).json["you"] == 1

    left = bob.post(f"{table.at}/seats", {"action": "leave"})
    assert left.status_code == 201
    assert left.json["match"]["seats"][1] == {
        **table.created["match"]["seats"][1],
        "kind": "open",
        "name": None,
    }
    refused(bob.get(table.at), 401, "auth.bad-token")
    refused(bob.post(f"{table.at}/seats", {"action": "leave"}), 401, "auth.bad-token")

    cyd = table.sit(server.nobody.post(f"{table.at}/seats", {"code": code, "name": "Cyd"}).json)

    assert cyd.credential != bob.credential
    assert cyd.get(table.at).json["seats"][1]["name"] == "Cyd"
    refused(bob.get(table.at), 401, "auth.bad-token")


def test_a_repeated_join_gives_its_own_token_and_never_a_later_holders(server: Server) -> None:
    table = server.start(PERSON, OPEN)
    join = {"code": table.links[1]["code"]}
    first = server.nobody.post(f"{table.at}/seats", join, key=LONG)
    again = server.nobody.post(f"{table.at}/seats", join, key=LONG)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.data == first.data
    server.client(first.json["token"]).post(f"{table.at}/seats", {"action": "leave"})
    later = server.nobody.post(f"{table.at}/seats", join, key=f"{LONG}-too")

    late = server.nobody.post(f"{table.at}/seats", join, key=LONG)

    assert late.json["token"] == first.json["token"] != later.json["token"]
    refused(server.client(late.json["token"]).get(table.at), 401, "auth.bad-token")
    assert server.client(later.json["token"]).get(table.at).json["you"] == 1


def test_without_a_credential_a_key_that_anyone_could_guess_is_refused(server: Server) -> None:
    table = server.start(PERSON, OPEN)
    join = {"code": table.links[1]["code"]}
    refused(server.nobody.post(f"{table.at}/seats", join, key="1"), 400, "request.weak-key")
    assert server.host.post(f"{table.at}/seats", {}, key="1").status_code == 201


def test_a_renewed_token_makes_the_old_one_void(server: Server) -> None:
    table = server.start(PERSON, OPEN)
    old = table.seats[0]

    renewed = server.host.post(f"{table.at}/seats/0/token")

    assert renewed.status_code == 201
    refused(old.get(table.at), 401, "auth.bad-token")
    assert server.client(renewed.json["token"]).get(table.at).json["you"] == 0
    refused(old.post(f"{table.at}/seats/0/token"), 403, "auth.not-owner")
    refused(server.host.post(f"{table.at}/seats/1/token"), 409, "seat.nobody-there")
    refused(server.host.post(f"{table.at}/seats/7/token"), 404, "seat.unknown")


def test_a_join_keeps_the_names_of_the_others(server: Server) -> None:
    table = server.start({"kind": "person", "name": "Ann", "ref": "a"}, OPEN)

    server.nobody.post(f"{table.at}/seats", {"code": table.links[1]["code"], "name": "Bob"})

    assert [(seat["name"], seat["ref"]) for seat in table.look()["seats"]] == [
        ("Ann", "a"),
        ("Bob", None),
    ]


def test_who_may_join_without_a_code(server: Server) -> None:
    unlisted = server.start(PERSON, OPEN)
    public = server.start(PERSON, OPEN, visibility="public")
    stranger = server.client(OTHER_KEY)

    refused(stranger.post(f"{unlisted.at}/seats", {}), 403, "seat.code-required")
    refused(server.nobody.post(f"{public.at}/seats", {}), 403, "seat.code-required")
    refused(server.nobody.post(f"{public.at}/seats", {"code": "wrong"}), 403, "seat.bad-code")
    assert stranger.post(f"{public.at}/seats", {"kind": "agent"}).json["seat"] == 1
    assert server.client(API_KEY).post(f"{unlisted.at}/seats", {}).json["seat"] == 1
    refused(server.host.post(f"{unlisted.at}/seats", {}), 409, "seat.none-open")
    refused(server.host.post(f"{unlisted.at}/seats", {"seat": 1}), 409, "seat.taken")


def test_a_links_address_begins_as_the_setting_says() -> None:
    server = Server(public_url="https://play.example/")
    table = server.start(PERSON, OPEN)
    assert table.links[1]["url"].startswith(f"https://play.example/v1/matches/{table.id}/seats?")
