"""Moves made from templates, by the catalogue's schemas alone."""

import msgspec
import pytest

from api.cli import forms
from services.catalogue import game_doc
from tests.toys import secrets

SECRETS = msgspec.to_builtins(game_doc(secrets.GAME))["moves"]


def schema(tag, **members):
    return {"properties": {"type": {"enum": [tag]}, **members}}


LOANS = {
    "$defs": {
        "Offer": schema(
            "offer",
            to={"type": "integer"},
            coins={"type": "integer"},
            rate={"type": "integer"},
            note={"type": "string"},
            deeds={"type": "array", "items": {"type": "string"}},
            open={"$ref": "#/$defs/Open"},
        ),
        "Open": {"type": "boolean"},
        "Pass": schema("pass"),
    }
}


def typed(*lines):
    """Someone who types these lines; `asked` tells what for."""
    left, asked = list(lines), []

    def ask(label):
        asked.append(label)
        return left.pop(0)

    return ask, asked


def test_a_listed_move_is_no_template():
    assert not forms.is_template({"type": "bid", "coins": 3}, SECRETS)
    assert forms.is_template({"type": "bid_range", "low": 3, "high": 6}, SECRETS)


def test_a_value_is_asked_for_until_it_is_within_its_range():
    ask, asked = typed("many", "2", "7", "6")
    move = forms.filled({"type": "bid_range", "low": 3, "high": 6}, SECRETS, ask)
    assert move == {"type": "bid", "coins": 6}
    assert asked == ["coins (3 to 6)"] * 4


@pytest.mark.parametrize(
    "ends", [{"coins_min": 1, "coins_max": 5}, {"low_coins": 1, "high_coins": 5}, {"coins": [1, 5]}]
)
def test_settled_members_are_taken_over_and_each_kind_of_value_is_read(ends):
    ask, asked = typed("9", "5", "12", "for you", "A1, B2", "true")
    move = forms.filled({"type": "offer_terms", "to": 2, **ends}, LOANS, ask)
    assert move == {
        "type": "offer",
        "to": 2,
        "coins": 5,
        "rate": 12,
        "note": "for you",
        "deeds": ["A1", "B2"],
        "open": True,
    }
    assert asked == ["coins (1 to 5)", "coins (1 to 5)", "rate", "note", "deeds", "open"]


def test_a_template_that_names_no_move_asks_for_the_type():
    ask, asked = typed("none", "pass")
    assert forms.filled({"type": "anything"}, LOANS, ask) == {"type": "pass"}
    assert asked == ["type (offer, pass)"] * 2


def test_a_move_may_be_written_out():
    assert forms.written('{"type": "pass"}') == {"type": "pass"}
    assert forms.written("pass") is None
    assert forms.written("[1]") is None
