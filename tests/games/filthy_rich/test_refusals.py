"""FR-4.12: every refusal has its code and rule, in the right order; and what no schema takes."""

import re
from pathlib import Path

import msgspec
import pytest

from services.games.filthy_rich import GAME
from services.games.filthy_rich import moves as m
from services.games.filthy_rich.moves import RichMove
from services.games.filthy_rich.texts import REFUSALS
from tests.games.filthy_rich.table import act, decide, open_, refused, sign, table

TESTS = Path(__file__).parent


def test_every_code_is_tested_somewhere():
    found = "".join(path.read_text() for path in TESTS.glob("test_*.py"))
    for code in REFUSALS:
        assert f'"{code.removeprefix("filthy-rich.")}"' in found or f'"{code}"' in found, code


def test_every_code_in_the_rules_has_a_title_and_the_other_way_round():
    folder = Path(GAME.check.__code__.co_filename).parent
    source = "".join(p.read_text() for p in folder.glob("*.py") if p.name != "texts.py")
    assert set(re.findall(r'"(filthy-rich\.[a-z-]+)"', source)) == set(REFUSALS)


ORDER = [
    (open_("B02-2", "1 2"), "not-a-business-in-hand", "FR-5.2"),
    (open_("B05-2", "1 2"), "sign-in-binder", "FR-3.7"),
    (open_("B09-1", "1 2"), "wrong-shape", "FR-3.5"),
    (open_("B09-1", "1 4 7"), "slot-filled", "FR-3.6"),
    (open_("B09-1", "2 5 8"), "placing-too-dear", "FR-3.10"),
    (m.PlayAsset("S07-2"), "not-an-asset-in-hand", "FR-5.3"),
    (m.PlayAsset("S07-1"), "asset-too-dear", "FR-5.3"),
    (act("A01-2"), "not-an-action-in-hand", "FR-5.5"),
    (act("S07-1"), "not-an-action-in-hand", "FR-5.5"),
    (act("A09-1", business="B02", slots="1"), "wrong-business", "FR-14.4"),
    (act("A09-1", business="B05", slots="1 4"), "same-position", "FR-14.4"),
    (act("A09-1", business="B05", slots="1 2"), "wrong-shape", "FR-3.5"),
    (act("A09-1", business="B05", slots="6 9"), "slot-filled", "FR-3.6"),
    (m.Give("S07-1"), "not-now", "FR-4.9"),
    (m.BuyLuxury("L01"), "not-now", "FR-4.9"),
    (m.Bid(5), "not-now", "FR-4.9"),
    (m.TAX_DONE, "not-now", "FR-4.9"),
]


@pytest.mark.parametrize(("move", "code", "rule"), ORDER)
def test_fr_4_12_the_first_broken_rule_is_cited(move, code, rule):
    signs = [sign(0, "B05-1", 1, "1 4"), sign(1, "B02-1", 1, "9")]
    state = table(5, 10, hands={0: "B05-2 B09-1 S07-1 A09-1"}, signs=signs)
    with refused(state, code, rule):
        decide(state, 0, move)
    with refused(state, code, rule):
        GAME.check(state, 0, move)


def test_fr_4_9_what_is_not_listed_is_refused_and_changes_nothing():
    state = table(10, 10)
    before = msgspec.json.encode(state)
    for kind in (m.ROLL, m.PASS, m.SKIP_LUXURY, m.TAX_DONE):
        with refused(state, "not-now", "FR-4.9"):
            decide(state, 0, kind)
    assert msgspec.json.encode(state) == before


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"buy_luxury"}',
        '{"type":"buy_luxury","luxury":1}',
        '{"type":"play_business","card":"B05-1"}',
        '{"type":"play_business","card":"B05-1","slots":"14"}',
        '{"type":"play_business","card":"B05-1","slots":[1.5,4]}',
        '{"type":"play_business","card":"B05-1","slots":[true,4]}',
        '{"type":"roll","dice":[10]}',
        '{"type":"bid","amount":"9"}',
        '{"type":"bid","amount":9.5}',
        '{"type":"play_action","card":"A01-1","seat":1}',
        '{"type":"steal"}',
        "[]",
    ],
)
def test_fr_4_12_the_schema_refuses_what_is_no_move(text):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=RichMove)


def test_moves_on_the_wire():
    move = msgspec.json.decode(
        b'{"type":"play_business","card":"B05-1","slots":[4,1]}', type=RichMove
    )
    assert move == open_("B05-1", "1 4")
    assert msgspec.json.encode(act("A04-1", page=2)) == (
        b'{"type":"play_action","card":"A04-1","page":2}'
    )
    assert msgspec.json.encode(m.DiscardForOne("A01-1")) == (
        b'{"type":"discard_for_1","card":"A01-1"}'
    )


def test_every_tag_and_word_has_a_title():
    types = GAME.event_types + GAME.move_types + GAME.template_types
    assert {kind.__struct_config__.tag for kind in types} <= set(GAME.texts)
    assert all(text.en and text.ja for text in GAME.texts.values())
