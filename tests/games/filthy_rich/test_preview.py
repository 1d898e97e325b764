"""What `preview` tells about a move: the money it moves and the signs it hides, as they then do."""

import pytest

from services.games.filthy_rich import GAME
from services.games.filthy_rich import moves as m
from services.games.filthy_rich.binder import seen
from services.games.filthy_rich.evolve import fold
from services.games.filthy_rich.state import Options
from tests.games.filthy_rich.table import act, decide, open_, paid, ready, sign, table
from tests.laws.match import play, secret


def preview(state, move, seat=0):
    return GAME.preview(GAME.view(state, seat), move)


def test_a_placement_tells_cost_compensation_and_what_vanishes():
    signs = [sign(1, "B06-1", 2, "6 9"), sign(2, "B08-1", 1, "5 6"), sign(0, "B02-1", 1, "3")]
    state = table(30, 0, 0, hands={0: "B05-1"}, page=3, signs=signs)
    assert preview(state, open_("B05-1", "3 6")) == {
        "pays": [{"seat": None, "amount": 12}, {"seat": 1, "amount": 2}],
        "gains": [],
        "vanish": [
            {"business": "B02", "owner": 0, "slot": 3},
            {"business": "B06", "owner": 1, "slot": 6},
        ],
        "appear": [
            {"business": "B05", "owner": 0, "slot": 3},
            {"business": "B05", "owner": 0, "slot": 6},
        ],
        "cash_after": 16,
    }


def test_a_page_turned_and_a_sale_tell_what_appears():
    signs = [sign(1, "B02-1", 1, "5"), sign(0, "B09-1", 2, "2 5 8")]
    state = table(30, 0, hands={0: "A04-1"}, page=2, signs=signs)
    facts = preview(state, act("A04-1", page=1))
    assert [part["slot"] for part in facts["vanish"]] == [2, 5, 8]
    assert facts["appear"] == [{"business": "B02", "owner": 1, "slot": 5}]
    assert facts["dice"] == 1
    facts = preview(state, m.SellBusiness("B09"))
    assert facts["gains"] == [{"seat": None, "amount": 6}]
    assert facts["appear"] == [{"business": "B02", "owner": 1, "slot": 5}]
    assert facts["tax_due"] == 0


def test_a_moved_sign_tells_its_old_and_new_slots():
    signs = [sign(0, "B06-1", 2, "1 4"), sign(1, "B02-1", 1, "1"), sign(1, "B05-1", 1, "4 7")]
    state = table(9, 0, hands={0: "A09-1"}, page=2, signs=signs)
    facts = preview(state, act("A09-1", business="B06", slots="4 7"))
    assert facts["pays"] == [{"seat": 1, "amount": 4}]
    assert {part["slot"] for part in facts["vanish"]} == {1, 7}
    assert {part["slot"] for part in facts["appear"]} == {1, 7}


STATE = table(
    60, 1, 9, hands={0: "A10-1 A11-1 A01-1 A03-1 A08-1 A05-1 A06-1 S01-1 S06-1 B01-1"},
    signs=[sign(1, "B02-1", 1, "1"), sign(0, "B05-1", 1, "2 5")], assets={0: "S01-2"},
    luxuries={1: "L02"},
)  # fmt: skip
LUXURY = table(60, 1, phase="luxury", luxuries={0: "L01 L02"})


@pytest.mark.parametrize(
    ("state", "move", "facts"),
    [
        (STATE, m.DiscardForOne("A10-1"), {"cash_after": 61}),
        (STATE, m.PlayAsset("S06-1"), {"cash_after": 55}),
        (STATE, m.PlayAsset("S01-1"), {"cash_after": 72}),
        (STATE, m.RepayLoan("S01-2"), {"cash_after": 48}),
        (STATE, act("A10-1"), {"cash_after": 64}),
        (STATE, act("A11-1"), {"cash_after": 63}),
        (STATE, act("A08-1", business="B02"), {"cash_after": 55}),
        (STATE, act("A03-1", business="B02"), {"owner_gains": 2, "cash_after": 60}),
        (STATE, act("A01-1", target=1), {"target_tax": 3, "cash_after": 60}),
        (STATE, act("A05-1"), {"dice": 3, "cash_after": 60}),
        (STATE, act("A06-1"), {"dice": 1, "cash_after": 60}),
        (LUXURY, m.BuyLuxury("L12"), {"wins": True, "cash_after": 15}),
        (LUXURY, m.SKIP_LUXURY, {"cash_after": 60}),
        (ready(5, 5, page=4, extra_dice=2), m.ROLL, {"dice": 6, "cash_after": 5}),
    ],
)
def test_facts_agree_with_what_is_decided(state, move, facts):
    found = preview(state, move)
    assert found.items() >= facts.items()
    if not isinstance(move, m.Roll):
        events = decide(state, 0, move)
        assert fold(state, events).cash[0] == facts["cash_after"]
        mine = [part for part in paid(events) if part[0] == 0]
        assert sum(part["amount"] for part in found["pays"]) == sum(part[2] for part in mine)


def test_facts_of_a_tax_and_an_auction():
    state = ready(10, 10, luxuries={0: "L02"})
    state = fold(state, decide(state, 0, m.ROLL, {"dice/9/1": 9}))
    assert preview(state, m.TAX_DONE)["pays"] == [{"seat": None, "amount": 2}]
    state = ready(0, 20, 20, luxuries={0: "L02", 1: "L01 L03"})
    state = fold(state, decide(state, 0, m.ROLL, {"dice/9/1": 9}))
    for seat in range(3):
        state = fold(state, decide(state, seat, m.TAX_DONE))
    assert preview(state, m.Bid(12), seat=1) == {
        "pays": [{"seat": None, "amount": 12}], "gains": [], "wins": True, "cash_after": 6,
    }  # fmt: skip


UNSURE = (m.Roll, m.TaxDone, m.Bid, m.PassBid)
"""What follows from these depends on dice and on others."""


@pytest.mark.parametrize("seats", [2, 4])
def test_every_preview_of_a_random_match_comes_true(seats):
    match = play(GAME, Options(), seats, seats)
    for number, before in match.positions("preview", 60):
        seat = min(GAME.active_seats(before))
        view = GAME.view(before, seat)
        for move in GAME.legal_moves(before, seat)[:25]:
            if isinstance(move, (*UNSURE, m.BidRange)):
                continue
            facts = GAME.preview(view, move)
            after = fold(before, GAME.decide(before, seat, move, secret(number)))
            assert after.cash[seat] == facts["cash_after"], move
            was, now = shown(before), shown(after)
            assert now - was == parts(facts.get("appear", [])), move
            assert was - now == parts(facts.get("vanish", [])), move


def shown(state):
    """The sign cards that are seen: business and slot."""
    sight = seen(state.signs, state.page)
    return {(s.business, slot) for slot, s in enumerate(sight) if s}


def parts(facts):
    return {(part["business"], part["slot"]) for part in facts}


def test_a_spectator_has_no_moves():
    with pytest.raises(ValueError, match="spectator"):
        GAME.preview(GAME.view(STATE, None), m.ROLL)
