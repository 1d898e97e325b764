"""The forms of moves, events and refusals; malformed input."""

import re
from pathlib import Path

import msgspec
import pytest

from services.games import landlords_game
from services.games.landlords_game import GAME
from services.games.landlords_game.check import COMMANDS
from services.games.landlords_game.moves import BorrowBank, LandlordsMove, MoveChecker, ProposeLoan
from services.games.landlords_game.texts import REFUSALS
from tests.games.landlords_game.table import ride

FOLDER = Path(landlords_game.__file__).parent
TESTS = Path(__file__).parent


def codes_in(paths, pattern):
    return set(re.findall(pattern, "".join(path.read_text() for path in paths)))


def test_every_code_that_is_raised_has_a_title_and_no_title_is_idle():
    sources = [FOLDER / "check.py", FOLDER / "setup.py"]
    raised = codes_in(sources, r'"landlords-game\.([a-z-]+)"')
    assert raised == set(REFUSALS)


def test_every_code_is_met_in_a_test():
    met = codes_in(
        [path for path in TESTS.glob("test_*.py") if path != Path(__file__)],
        r'"(?:landlords-game\.)?((?:[a-z]+-)+[a-z]+|over)"',
    )
    assert set(REFUSALS) <= met


def test_lg_4_8_moves_and_events_carry_the_tags_of_the_wire_with_titles():
    tags = {
        kind.__struct_config__.tag
        for kind in (*GAME.event_types, *GAME.move_types, *GAME.template_types)
    }
    assert tags <= set(GAME.texts)
    assert all(text.en and text.ja for text in GAME.texts.values())
    assert all(code.startswith(("landlords-game.",)) for code in GAME.texts if "-" in code)


def test_lg_4_7_each_command_has_a_phase():
    assert {kind for row in COMMANDS.values() for kind in row} == set(GAME.move_types)


def test_lg_17_6_every_name_that_a_view_uses_has_a_title():
    schema = msgspec.json.schema(GAME.view_type)
    words = set(re.findall(r"'enum': \[([^\]]*)\]", str(schema)))
    named = {word.strip(" '") for row in words for word in row.split(",")}
    settings = {"tickets", "no_tickets", "throw", "seat0", "any", "next", "forward", "backward"}
    settings |= {"borrow", "lend", "setup", "moving"}
    assert named - settings <= set(GAME.texts)


def test_lg_17_3_the_order_in_which_lots_are_named_does_not_matter():
    assert BorrowBank(notes=1, lots=(9, 3)) == BorrowBank(notes=1, lots=(3, 9))
    text = (
        b'{"type":"propose_loan","role":"lend","other":1,"principal":5,'
        b'"interest":0,"due_round":2,"lots":[9,3]}'
    )
    decoded = msgspec.json.decode(text, type=LandlordsMove)
    assert decoded == ProposeLoan("lend", 1, 5, 0, 2, (3, 9))
    assert decoded.lots == (3, 9)


def test_lg_17_3_the_examples_of_the_game_s_pages_are_moves_and_leave_none_out():
    page = (FOLDER / "README.md").read_text()
    blocks = re.findall(r"```json\n(.*?)```", page, re.S)
    lines = "".join(blocks).splitlines()
    moves = [msgspec.json.decode(line, type=LandlordsMove) for line in lines if line]
    assert {type(move) for move in moves} == set(GAME.move_types)
    quoted = re.findall(r"`(\{\"type\".*?\})`", (FOLDER / "RULES.md").read_text())
    assert {type(msgspec.json.decode(q, type=LandlordsMove)) for q in quoted} == set(
        GAME.move_types
    )


def test_lg_17_5_the_game_s_pages_name_every_setting_event_and_field():
    page, rules = ((FOLDER / name).read_text() for name in ("README.md", "RULES.md"))
    for name in GAME.options_type.__struct_fields__:
        assert f"`{name}`" in page
    for kind in GAME.event_types:
        assert f"`{kind.__struct_config__.tag.removeprefix('landlords_game.')}`" in rules
    for name in set(GAME.view_type.__struct_fields__) - {"options", "seat", "first", "throws"}:
        assert name in page or name in ("loans_made", "asked_in", "turn_limit")


def test_lg_4_8_a_jump_may_be_left_out():
    plain = msgspec.json.decode(b'{"type":"move","direction":"forward"}', type=LandlordsMove)
    assert plain == MoveChecker(direction="forward")
    text = b'{"type":"move","direction":"forward","jump":{"from":5,"to":15}}'
    assert msgspec.json.decode(text, type=LandlordsMove) == ride(5, 15)
    assert msgspec.json.encode(ride(5, 15)) == text


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"sell_lot","lot":1}',
        '{"type":"throw","dice":[6,6]}',
        '{"type":"buy_ticket"}',
        '{"type":"buy_ticket","lot":"7"}',
        '{"type":"buy_ticket","lot":true}',
        '{"type":"move","direction":"up"}',
        '{"type":"move","direction":"forward","jump":{"from":5}}',
        '{"type":"move","direction":"forward","jump":{"from":5,"to":15,"by":1}}',
        '{"type":"move","direction":"forward","jump":[5,15]}',
        '{"type":"borrow_bank","notes":1.5,"lots":[22]}',
        '{"type":"borrow_bank","notes":1,"lots":22}',
        '{"type":"propose_loan","role":"give","other":1,"principal":5,"interest":0,'
        '"due_round":2,"lots":[]}',
        '{"type":"propose_loan","role":"lend","other":1,"principal":5,"interest":0,"lots":[]}',
        "{}",
        "[]",
    ],
)
def test_lg_4_8_the_schema_refuses_what_is_no_move(text):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=LandlordsMove)
