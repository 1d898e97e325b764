"""Over HTTP: whoever knows no rules can play and draw the table from the answers alone.

Every answer and every accepted move is held against the OpenAPI document by the client.
"""

import random

import pytest

from services.games.landlords_game import GAME
from tests.api.server import PERSON, Server, bot, refused

LOAN = {
    "type": "propose_loan",
    "role": "borrow",
    "other": 1,
    "principal": 10,
    "interest": 1,
    "due_round": 2,
    "lots": [],
}


@pytest.fixture
def server():
    return Server()


def filled(listed, dice):
    """A move from a listed entry, read as JSON: ranges and lists are all that a client needs."""
    if listed["type"] == "bank_terms":
        notes = dice.randint(listed["notes"]["low"], listed["notes"]["high"])
        return {"type": "borrow_bank", "notes": notes, "lots": listed["lots"]}
    if listed["type"] != "loan_terms":
        return listed
    offer = dice.choice(listed["offers"])
    principal = dice.randint(offer["principal"]["low"], offer["principal"]["high"])
    return {
        "type": "propose_loan",
        "role": offer["role"],
        "other": offer["other"],
        "principal": principal,
        "interest": dice.randint(offer["interest"]["low"], principal),
        "due_round": dice.randint(offer["due_round"]["low"], offer["due_round"]["high"]),
        "lots": dice.sample(offer["lots"], dice.randint(0, len(offer["lots"]))),
    }


@pytest.mark.parametrize("variant", ["tickets", "no_tickets"])
def test_a_client_without_rules_plays_by_the_listed_moves(server, variant):
    dice = random.Random(variant)
    options = {"variant": variant, "rounds": 2}
    table = server.start(PERSON, PERSON, bot(), game=GAME.slug, options=options, pace_ms=0)
    sent = set()
    for _ in range(70):
        match = table.look()
        if match["status"] == "ended":
            break
        (seat,) = match["active"]
        if seat not in table.seats:
            server.advance(table.id)
            continue
        client = table.seats[seat]
        view = client.get(table.at).json["view"]
        assert (view["active"], view["asked"]["seat"]) == ([seat], seat)
        assert view["asked"]["kind"] in GAME.texts
        listed = client.get(f"{table.at}/moves", preview=True).json["moves"]
        move = filled(dice.choice(listed)["move"], dice)
        assert table.move(seat, move).status_code == 201
        sent.add(move["type"])
    assert len(sent) > 5


def test_the_answers_show_the_whole_table(server):
    table = server.start(PERSON, PERSON, game=GAME.slug, options={"variant": "no_tickets"})
    view = server.host.get(table.at).json["view"]
    assert [space["index"] for space in view["board"]] == list(range(40))
    assert view["board"][12] == {
        "index": 12,
        "kind": "lot",
        "name": "lot",
        "lot": 7,
        "price": 70,
        "amount": 7,
    }
    assert len(view["owners"]) == 22
    assert [player["cash"] for player in view["players"]] == [100, 100]
    assert set(view["boxes"]) == {"bank", "wages", "public_treasury", "railroad"}
    assert view["asked"]["kind"] == "turn_start"


def test_terms_that_are_refused_name_field_and_rule(server):
    options = {"variant": "no_tickets", "first_player": "seat0"}
    table = server.start(PERSON, PERSON, game=GAME.slug, options=options)
    problem = refused(
        table.move(0, LOAN | {"principal": 101}), 422, "landlords-game.principal-out-of-range"
    )
    assert problem["rule"] == "LG-10.4"
    assert "`principal`" in problem["detail"]
    problem = refused(table.move(0, LOAN | {"principal": "all"}), 400, "request.invalid")
    assert problem["errors"][0]["pointer"] == "/move/principal"
    refused(table.move(1, {"type": "throw"}), 409, "move.not-your-turn")
    assert table.move(0, LOAN).status_code == 201


def test_the_clock_plays_the_turn_and_sends_to_jail(server):
    options = {"variant": "no_tickets", "first_player": "seat0"}
    table = server.start(
        PERSON, PERSON, game=GAME.slug, options=options, clock={"per_move_s": 30},
        chance={"throw/1/1": 0, "throw/1/2": 0},
    )  # fmt: skip
    server.now += 31_000
    server.tycoon.timekeeper.time_out(table.id)
    view = server.host.get(table.at).json["view"]
    assert (view["players"][0]["place"], view["turn"]) == ("jail", 1)
    tags = server.log(table.id)
    assert tags[-6:] == [
        "match.timed_out",
        "landlords_game.dice_thrown",
        "landlords_game.moved",
        "landlords_game.paid",
        "landlords_game.sent_to_jail",
        "landlords_game.turn_started",
    ]
