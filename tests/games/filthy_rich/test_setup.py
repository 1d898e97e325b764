"""FR-1 and FR-2: players and the opening."""

import msgspec
import pytest

from services.games.filthy_rich import GAME
from services.games.filthy_rich.events import FirstPlayerDrawn, HandsDealt, TurnBegan
from services.games.filthy_rich.evolve import fold
from services.games.filthy_rich.state import Options
from shared.errors import Unprocessable
from tests.games.filthy_rich.table import DECK, chance, tags


def opened(seats: int, script=None):
    state = GAME.initial(Options(), seats)
    return fold(state, GAME.open(state, chance(script)))


def test_fr_1_1_two_to_five_players():
    assert list(GAME.seats) == [2, 3, 4, 5]
    for seats in (1, 6):
        with pytest.raises(Unprocessable) as refusal:
            GAME.check_options(Options(), seats)
        assert refusal.value.code == "filthy-rich.wrong-number-of-seats"
        assert refusal.value.rule == "FR-1.1"


@pytest.mark.parametrize("seats", GAME.seats)
def test_fr_2_1_all_luxuries_and_signs_lie_in_their_supplies(seats):
    view = GAME.view(opened(seats), None)
    assert len(view.supply) == 12
    assert len(view.sign_supply) == 22
    assert view.sign_supply.count("B11") == 4


@pytest.mark.parametrize("seats", GAME.seats)
def test_fr_2_2_each_player_is_dealt_five_cards(seats):
    state = opened(seats)
    assert [len(hand) for hand in state.hands] == [5] * seats
    assert len({card for hand in state.hands for card in hand}) == 5 * seats


def test_fr_2_2_cards_are_dealt_one_at_a_time_from_seat_0():
    script = {f"deal/{n + 1}": card for n, card in enumerate(DECK[:10])}
    state = opened(2, script)
    assert state.hands == (DECK[0:10:2], DECK[1:10:2])


def test_fr_2_3_the_rest_is_the_draw_pile_and_nothing_is_discarded():
    state = opened(3)
    assert len(state.pile) == 73 - 15
    assert not set(state.pile) & {card for hand in state.hands for card in hand}
    assert state.discard == ()


def test_fr_2_4_everyone_has_ten_dollars_and_nothing_else():
    state = opened(4)
    assert state.cash == (10, 10, 10, 10)
    assert state.assets == state.luxuries == ((), (), (), ())
    assert state.signs == ()


def test_fr_1_8_the_bank_never_runs_out():
    assert opened(4).bank == -40  # what it has paid out counts below nothing


def test_fr_2_5_page_1_is_open():
    assert opened(2).page == 1


def test_fr_2_6_the_first_player_is_drawn():
    for first in range(3):
        state = opened(3, {"first": first})
        assert state.player == state.first == first
    events = GAME.open(GAME.initial(Options(), 2), chance())
    assert tags(events) == ["HandsDealt", "FirstPlayerDrawn", "TurnBegan"]
    kinds = (HandsDealt, FirstPlayerDrawn, TurnBegan)
    assert all(isinstance(event, kind) for event, kind in zip(events, kinds, strict=True))


def test_fr_11_8_the_turn_limit_is_the_only_option():
    assert Options().turn_limit == 400
    assert Options.__struct_fields__ == ("turn_limit",)
    for good in (1, 2000):
        assert msgspec.convert({"turn_limit": good}, Options).turn_limit == good
    for bad in (0, 2001, True, "5", 1.5):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"turn_limit": bad}, Options)
