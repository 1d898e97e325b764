"""DF-2 to DF-5: cards, deal, exchange and the first lead."""

import pytest

from services.games.daifugo import GAME
from services.games.daifugo.cards import DECK, cards_of, mask_of
from services.games.daifugo.events import CardsDealt, CardsGiven, LeadAssigned
from services.games.daifugo.evolve import fold
from services.games.daifugo.sets import STRONGER, STRONGEST
from services.games.daifugo.state import Options
from shared.chance import check_script
from shared.errors import Unprocessable
from tests.games.daifugo.table import (
    PASS,
    after,
    cards,
    chance,
    decide,
    first_round,
    given,
    legal,
    names,
    play,
    refused,
    second_round,
    table,
)


@pytest.mark.parametrize("seats", [3, 9])
def test_df_2_1_four_to_eight_players(seats):
    with pytest.raises(Unprocessable) as refusal:
        GAME.check_options(Options(), seats)
    assert refusal.value.code == "daifugo.wrong-number-of-seats"
    assert refusal.value.code in GAME.texts
    assert list(GAME.seats) == [4, 5, 6, 7, 8]
    for number in GAME.seats:
        GAME.check_options(Options(), number)


def test_df_2_2_fifty_three_cards():
    assert len(set(DECK)) == 53
    assert "J1" in DECK
    assert "J2" not in DECK


def test_df_2_3_rank_order_normal_and_in_a_revolution():
    ranks = "3456789TJQKA2"
    normal, revolution = STRONGER
    for rank in range(13):
        assert [ranks[r] for r in normal[rank][:-1]] == list(ranks[rank + 1 :])
        assert [ranks[r] for r in revolution[rank][:-1]] == list(reversed(ranks[:rank]))
        assert normal[rank][-1] == revolution[rank][-1] == 13  # the joker beats every rank


def test_df_2_4_the_strongest_rank_now_is_what_only_the_joker_beats():
    assert ["3456789TJQKA2"[rank] for rank in STRONGEST] == ["2", "3"]
    for revolution, strongest in enumerate(STRONGEST):
        assert STRONGER[revolution][strongest] == (13,)


@pytest.mark.parametrize(
    ("seats", "sizes"),
    [
        (4, [14, 13, 13, 13]),
        (5, [11, 11, 11, 10, 10]),
        (6, [9, 9, 9, 9, 9, 8]),
        (7, [8, 8, 8, 8, 7, 7, 7]),
        (8, [7, 7, 7, 7, 7, 6, 6, 6]),
    ],
)
def test_df_3_1_all_cards_are_dealt_from_the_player_after_the_dealer(seats, sizes):
    state = GAME.initial(Options(), seats)
    dealt = GAME.open(state, chance({"dealer": 2, "deal/1": DECK}))[0]

    assert isinstance(dealt, CardsDealt)
    clockwise = [dealt.hands[(3 + i) % seats] for i in range(seats)]
    assert [len(hand) for hand in clockwise] == sizes
    assert [hand[0] for hand in clockwise] == list(DECK[:seats])
    assert clockwise[0][1] == DECK[seats]


def test_df_3_2_first_dealer_by_lot_later_the_daihinmin():
    draw = chance()
    GAME.open(GAME.initial(Options(), 5), draw)
    assert [label for label, _, _ in draw.draws] == ["dealer", "deal/1"]
    assert second_round({}, order=(3, 1, 0, 4, 2)).dealer == 2


def test_df_3_3_a_revolution_does_not_outlast_its_round():
    state = table("4C 4D", "6C", "", "", revolution=True)
    state = after(state, (0, play("4C 4D")))
    assert state.round == 2
    assert state.revolution is False


def test_df_4_1_strongest_cards_of_the_poor_move_at_once():
    state = second_round({4: "2S AS", 3: "KS"})
    assert [(e.poor, e.rich, e.taken) for e in state.exchanges] == [
        (4, 0, cards("AS 2S")),
        (3, 1, cards("KS")),
    ]
    assert set(cards("AS 2S")) <= set(cards_of(state.hands[0]))
    assert "KS" in cards_of(state.hands[1])
    assert [hand.bit_count() for hand in state.hands] == [13, 12, 11, 9, 8]


def test_df_4_1_the_rich_choose_any_cards_the_weakest_included():
    state = second_round({})
    hand = cards_of(state.hands[0])
    assert len(legal(state, 0)) == len(hand) * (len(hand) - 1) // 2
    assert " ".join(hand[:2]) in legal(state, 0)
    assert legal(state, 1) == list(cards_of(state.hands[1]))
    state = given(state)
    assert [hand.bit_count() for hand in state.hands] == [11, 11, 11, 10, 10]


@pytest.mark.parametrize(
    ("hand", "taken"),
    [
        ("J1 2S 2H 2D 2C", "2S J1"),
        ("2S 2H 2D 2C", "2H 2S"),
        ("2D 2C AS", "2C 2D"),
        ("2C AC AD AH AS", "AS 2C"),
    ],
)
def test_df_4_2_joker_first_then_spades_hearts_diamonds_clubs(hand, taken):
    assert second_round({4: hand}).exchanges[0].taken == cards(taken)


def test_df_4_3_both_choose_at_the_same_time_in_any_order():
    state = second_round({})
    assert GAME.active_seats(state) == {0, 1}
    gift = GAME.legal_moves(state, 1)[0]
    events = decide(state, 1, gift)
    assert events == [CardsGiven(seat=1, to=3, cards=gift.cards)]
    state = fold(state, events)
    assert GAME.active_seats(state) == {0}
    assert legal(state, 1) == []
    last = decide(state, 0, GAME.legal_moves(state, 0)[0])
    assert names(last) == ["CardsGiven", "LeadAssigned"]


def test_df_4_4_commoners_exchange_nothing_and_round_1_has_no_exchange():
    before, state = first_round({}), second_round({})
    assert before.phase == "play"
    assert before.exchanges == ()
    assert all(2 not in (e.poor, e.rich) for e in state.exchanges)


def test_df_4_5_who_does_not_choose_gives_the_weakest():
    state = second_round({0: "3C 3D 3H", 1: "4D 4H", 2: "3S 4C"})
    assert GAME.time_out(state, 0, chance())[0].cards == cards("3C 3D")
    assert GAME.time_out(state, 1, chance())[0].cards == cards("4D")


def test_df_5_1_the_holder_of_the_three_of_diamonds_leads_with_it():
    state = first_round({2: "3D 3H 9C"})
    assert GAME.active_seats(state) == {2}
    assert all("3D" in move for move in legal(state, 2))
    with refused(state, "start-card-missing", "DF-5.1"):
        decide(state, 2, play("9C"))
    state = after(state, (2, play("3D")))
    assert "pass" in legal(state, 3)


def test_df_5_1_only_the_first_play_is_bound():
    state = first_round({2: "3D 9C", 3: "4D 5D"})
    state = after(state, (2, play("3D")), (3, play("4D")))  # a follower has no 3 of diamonds
    for seat in (4, 0, 1, 2):
        state = after(state, (seat, PASS))
    assert state.turn == 3
    assert "5D" in legal(state, 3)
    state = after(state, (3, play("5D")))  # nor has a later leader
    assert state.turn == 4


def test_df_5_2_later_the_daihinmin_leads_with_any_play():
    state = given(second_round({}, order=(3, 1, 0, 4, 2)))
    assert state.turn == 2
    assert state.start_card is None
    singles = [move for move in legal(state, 2) if len(move) == 2]
    assert singles == list(cards_of(state.hands[2]))


def test_df_14_5_the_deal_is_a_declared_draw():
    seats = 6
    draw = chance()
    state = GAME.initial(Options(), seats)
    GAME.open(state, draw)
    check_script({label: result for label, _, result in draw.draws}, GAME.draws(Options(), seats))


def test_a_scripted_deal_is_followed():
    state = GAME.initial(Options(), 4)
    events = GAME.open(state, chance({"dealer": 3, "deal/1": DECK}))
    assert fold(state, events).hands[0] == mask_of(DECK[::4])
    assert events[-1] == LeadAssigned(leader=1, start_card="3D")
