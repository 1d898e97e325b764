"""MR-11.6: which reason comes first, and that every code exists, is reached and has a title."""

import re
from pathlib import Path

import pytest

from services.games import mint_rails
from services.games.mint_rails import GAME
from services.games.mint_rails.moves import LayTrack
from services.games.mint_rails.texts import REFUSALS
from tests.games.mint_rails.table import (
    buy,
    decide,
    drafted,
    lay,
    opened,
    pick,
    refused,
    table,
)

LAY = lay("black", "0,2", "Highmoor", "pink")
NOWHERE = LayTrack(company="black", path=(), city="N9z")


@pytest.mark.parametrize(
    ("state", "seat", "move", "code", "rule"),
    [
        (table(phase="ended", turn=None), 0, NOWHERE, "unknown-city", "MR-11.3"),
        (table(), 1, NOWHERE, "unknown-city", "MR-11.3"),
        (table(phase="ended", turn=None), 0, LAY, "game-over", "MR-8.1"),
        (table(1, phase="ended", turn=None), 1, LAY, "game-over", "MR-8.1"),
        (table(1), 1, LAY, "rival-plays-itself", "MR-10.1"),
        (opened(1, start=0), 1, pick("black"), "rival-plays-itself", "MR-10.1"),
        (opened(2), 1, pick("black"), "not-your-pick", "MR-4.2"),
        (opened(2), 1, LAY, "not-your-pick", "MR-4.2"),
        (opened(2), 0, LAY, "draft-first", "MR-4.2"),
        (opened(2), 0, buy("black"), "draft-first", "MR-4.2"),
        (drafted(opened(2), "black", "pink"), 0, pick("black"), "not-your-pick", "MR-4.3"),
        (drafted(opened(2), "black", "pink"), 1, buy("pink"), "draft-first", "MR-4.3"),
        (table(), 1, LAY, "not-your-turn", "MR-5.3"),
        (table(), 1, pick("black"), "not-your-turn", "MR-5.3"),
        (table(), 0, pick("black"), "draft-over", "MR-5.1"),
        (GAME.initial(mint_rails.Options(), 2), 0, NOWHERE, "not-your-turn", "MR-5.3"),
    ],
)
def test_mr_11_6_the_first_reason_that_applies(state, seat, move, code, rule):
    with refused(state, code, rule):
        decide(state, seat, move)
    with refused(state, code, rule):
        GAME.check(state, seat, move)


@pytest.mark.parametrize(
    ("track", "asset", "move", "code", "rule"),
    [
        ("0,3", 4, lay("black", "9,9", "Highmoor"), "company-in-city", "MR-6.3a"),
        ("0,2", 4, lay("black", "0,2 9,9", "Highmoor"), "cube-in-path", "MR-6.3b"),
        ("", 4, lay("black", "0,3 0,3", "Highmoor"), "not-beige", "MR-6.3b"),
        ("", 0, lay("black", "4,4 8,2", "Highmoor"), "broken-path", "MR-6.3c"),
        ("", 0, lay("black", "-1,3", "Highmoor"), "no-start", "MR-6.3d"),
        ("", 0, lay("black", "1,2 0,2", "Highmoor"), "not-shortest", "MR-6.3e"),
        ("", 1, lay("black", "0,2", "Highmoor"), "too-few-cubes", "MR-6.3f"),
        ("", 2, lay("black", "0,2", "Highmoor"), "icon-missing", "MR-6.7"),
        ("", 2, lay("black", "0,2", "Highmoor", "white"), "icon-not-shown", "MR-6.7"),
    ],
)
def test_mr_11_6_the_order_of_reasons_against_a_lay(track, asset, move, code, rule):
    state = table(track={"black": track}, asset=(asset, 4, 4, 4))
    with refused(state, code, rule):
        decide(state, 0, move)


def test_mr_11_6_none_in_the_market_comes_before_the_fund():
    with refused(table(market=(0, 3, 3, 3)), "none-in-market", "MR-7.1"):
        decide(table(market=(0, 3, 3, 3)), 0, buy("black"))


def test_every_code_is_refused_somewhere_in_these_tests():
    folder = Path(__file__).parent
    tests = " ".join(path.read_text() for path in folder.glob("test_*.py"))
    for code in REFUSALS:
        kebab = code.removeprefix("mint-rails.")
        assert re.search(rf'"(mint-rails\.)?{kebab}"', tests), f"{code} is never tried"


def test_codes_and_tags_have_titles_in_both_languages():
    source = Path(mint_rails.__file__).parent
    text = " ".join(path.read_text() for path in source.glob("*.py"))
    raised = re.findall(r'(?:IllegalMove|Unprocessable)\(\s*"([a-z.-]+)"', text)
    assert set(raised) == set(REFUSALS)
    tags = {kind.__struct_config__.tag for kind in GAME.event_types + GAME.move_types}
    assert tags | GAME.outcome_reasons <= set(GAME.texts)
    assert all(
        tag.startswith("mint_rails.") for tag in (t.__struct_config__.tag for t in GAME.event_types)
    )
    assert all(title.en and title.ja for title in GAME.texts.values())
