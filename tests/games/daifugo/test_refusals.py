"""Every refusal: its code, its rule, and that it changes nothing. Also what the schema refuses."""

import msgspec
import pytest

from services.games.daifugo import GAME
from services.games.daifugo.moves import DaifugoMove, GiveCards, PlayCards
from services.games.daifugo.texts import REFUSALS
from tests.games.daifugo.table import (
    PASS,
    cards,
    decide,
    first_round,
    give,
    play,
    refused,
    second_round,
    table,
)

REST = ("KC KD", "QC QD", "JC JD")


@pytest.mark.parametrize(
    ("move", "code", "rule"),
    [
        (play("9D"), "card-not-held", "DF-6.1"),
        (play("9C 9D"), "card-not-held", "DF-6.1"),
        (play("9C J2"), "card-not-held", "DF-6.1"),
        (play("J1 J2"), "card-not-held", "DF-6.1"),
        (play("9C 9C"), "duplicate-card", "DF-2.2"),
        (play(""), "no-cards", "DF-6.1"),
        (play("5C 5D 5H 5S J1"), "too-many-cards", "DF-6.1"),
        (play("9C TC"), "not-a-set", "DF-6.1"),
        (play("9C TC J1"), "not-a-set", "DF-6.1"),
        (PASS, "leader-must-play", "DF-7.3"),
        (give("9C"), "no-exchange-now", "DF-4.1"),
    ],
)
def test_a_leader_is_refused(move, code, rule):
    state = table("5C 5D 5H 5S 9C TC J1", *REST)
    with refused(state, code, rule):
        decide(state, 0, move)
    with refused(state, code, rule):
        GAME.check(state, 0, move)


@pytest.mark.parametrize(
    ("seat", "move", "code", "rule"),
    [
        (0, give("9C 9C"), "duplicate-card", "DF-2.2"),
        (0, give("9C"), "wrong-gift-count", "DF-4.1"),
        (0, give("9C 9D 9H"), "wrong-gift-count", "DF-4.1"),
        (0, give(""), "wrong-gift-count", "DF-4.1"),
        (0, give("9C 9S"), "card-not-held", "DF-4.3"),
        (0, play("9C"), "exchange-first", "DF-4.1"),
        (0, PASS, "exchange-first", "DF-4.1"),
        (4, give("3C"), "not-asked", "DF-4.3"),
        (2, play("3C"), "not-asked", "DF-4.3"),
    ],
)
def test_a_giver_is_refused(seat, move, code, rule):
    state = second_round({0: "9C 9D 9H", 2: "9S"})
    with refused(state, code, rule):
        decide(state, seat, move)


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_who_is_not_asked_is_refused_whatever_they_hold(seat):
    state = table("5C 9C", *REST)
    assert GAME.legal_moves(state, seat) == ()
    for move in (play("KC"), play("3C"), PASS, give("KC")):
        with refused(state, "not-asked", "DF-7.1"):
            decide(state, seat, move)


def test_nobody_is_asked_when_the_match_is_over():
    state = table("9C", "KC", "", "", phase="ended", turn=None)
    with refused(state, "not-asked", "DF-7.1"):
        decide(state, 0, play("9C"))


@pytest.mark.parametrize(
    ("hand", "field", "move", "code", "rule"),
    [
        ("9C TC", "4D", give("9C 9C"), "no-exchange-now", "DF-4.1"),
        ("9C TC", "4D", play("3D 3D"), "duplicate-card", "DF-2.2"),
        ("9C TC", "4D", play("9C 3D"), "card-not-held", "DF-6.1"),
        ("9C TC", "JD", play("9C TC"), "not-a-set", "DF-6.1"),
        ("9C 9D TC", "JD", play("9C 9D"), "wrong-count", "DF-6.4"),
        ("8C", "JD", play("8C"), "not-stronger", "DF-6.4"),
        ("8C 8D", "4D", play("8C 8D"), "wrong-count", "DF-6.4"),
    ],
)
def test_df_19_6_a_move_wrong_in_several_ways_is_refused_for_the_first(
    hand, field, move, code, rule
):
    with refused(table(hand, *REST, field=field), code, rule):
        decide(table(hand, *REST, field=field), 0, move)


def test_df_19_6_no_set_comes_before_the_missing_start_card():
    state = first_round({1: "3D 9C TC"})
    with refused(state, "not-a-set", "DF-6.1"):
        decide(state, 1, play("9C TC"))


def test_df_19_3_the_order_of_named_cards_does_not_matter():
    assert play("J1 5S 5C") == play("5C J1 5S")
    assert give("2S 3C") == give("3C 2S")
    decoded = msgspec.json.decode(b'{"type":"play_cards","cards":["TS","TH"]}', type=DaifugoMove)
    assert decoded == PlayCards(cards=cards("TH TS"))
    assert decoded.cards == cards("TH TS")


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"play_cards"}',
        '{"type":"play_cards","cards":["10C"]}',
        '{"type":"play_cards","cards":["J3"]}',
        '{"type":"play_cards","cards":"5C"}',
        '{"type":"play_cards","cards":["5C"],"seat":1}',
        '{"type":"pass","cards":[]}',
        '{"type":"swap"}',
    ],
)
def test_df_19_3_the_schema_refuses_what_is_no_move(text):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=DaifugoMove)


def test_df_19_4_moves_and_events_carry_the_tags_of_the_wire():
    assert msgspec.json.encode(GiveCards(cards=cards("3C"))) == (
        b'{"type":"give_cards","cards":["3C"]}'
    )
    tags = {kind.__struct_config__.tag for kind in GAME.event_types + GAME.move_types}
    assert tags <= set(GAME.texts)
    assert all(code.startswith("daifugo.") for code in REFUSALS)
    assert all(text.en and text.ja for text in GAME.texts.values())
