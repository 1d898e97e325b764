"""The README's drawing and tables come from the data, and its examples are real."""

import re
from xml.etree import ElementTree

import msgspec

from services.games.filthy_rich import GAME
from services.games.filthy_rich.drawing import binder_svg
from services.games.filthy_rich.handbook import DRAWING, EXAMPLE, README, drawing, with_tables
from services.games.filthy_rich.moves import BidRange, PlayBusiness, RichMove
from services.games.filthy_rich.shipped import SHIPPED
from services.games.filthy_rich.state import State
from tests.games.filthy_rich.table import decide, open_, paid, table


def test_the_tables_are_those_of_the_data():
    text = README.read_text()
    assert with_tables(text) == text
    cards = (SHIPPED.luxuries, SHIPPED.businesses, SHIPPED.assets, SHIPPED.actions)
    for rows in cards:
        for row in rows.values():
            assert f"| {row.id} | {row.name.en} | {row.name.ja} |" in text


def test_the_drawing_is_that_of_the_data():
    assert DRAWING.read_text() == drawing()


def test_the_drawing_shows_every_sign_card_and_what_is_seen():
    root = ElementTree.fromstring(drawing())
    texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count("B05") == 4  # two cards on page 3, both seen
    assert texts.count("B06") == 3  # slot 6 is covered
    assert texts.count("B04") == 1  # page 4 is turned away
    assert len(list(root.iter("{http://www.w3.org/2000/svg}rect"))) == 45
    empty = ElementTree.fromstring(binder_svg((), 1, SHIPPED))
    assert len(list(empty.iter("{http://www.w3.org/2000/svg}rect"))) == 45


def test_the_example_under_the_drawing_is_true():
    before = tuple(sign for sign in EXAMPLE if sign.business != "B05")
    state = table(30, 0, 0, hands={0: "B05-1"}, page=3, signs=before)
    money = paid(decide(state, 0, open_("B05-1", "3 6")))
    assert money == [(0, None, 12, "business"), (0, 1, 2, "compensation")]


def blocks():
    return re.findall(r"```json\n(.*?)```", README.read_text(), flags=re.DOTALL)


def test_the_moves_of_the_readme_are_moves():
    moves = [msgspec.json.decode(line, type=RichMove) for line in blocks()[0].splitlines()]
    assert len(moves) == 6
    template = re.search(r'`(\{"type": "bid_range".*?\})`', README.read_text(), flags=re.DOTALL)
    assert msgspec.json.decode(template[1], type=BidRange) == BidRange(9, 20)


def test_the_preview_of_the_readme_is_what_the_game_tells():
    before = tuple(sign for sign in EXAMPLE if sign.business not in ("B05", "B02"))
    state: State = table(30, 0, 0, hands={0: "B05-1"}, page=3, signs=before)
    facts = GAME.preview(GAME.view(state, 0), PlayBusiness("B05-1", (3, 6)))
    assert facts == msgspec.json.decode(blocks()[1])


def test_the_forms_of_rules_md_name_every_move_event_and_draw():
    rules = README.with_name("RULES.md").read_text()
    forms = rules[rules.index("## FR-16") :]
    for kind in GAME.move_types + GAME.template_types:
        assert f'"type": "{kind.__struct_config__.tag}"' in forms
    for kind in GAME.event_types:
        assert f"`{kind.__struct_config__.tag.partition('.')[2]}`" in forms
    for draw in GAME.draws(GAME.options_type(), 3):
        assert f"| `{draw.label.partition('/')[0]}" in forms
