"""DF-6 to DF-10: plays, tricks, eights, revolutions and going out."""

import pytest

from services.games.daifugo import GAME
from services.games.daifugo.events import (
    CardsPlayed,
    LeadPassed,
    OrderReversed,
    Passed,
    SeatFinished,
    TableCleared,
)
from services.games.daifugo.state import LeadPass, Play
from tests.games.daifugo.table import PASS, after, cards, decide, legal, names, play, refused, table

REST = ("KC KD", "QC QD", "JC JD")
"""Hands of the seats that a test does not look at."""


def test_df_6_1_a_set_has_one_to_four_cards_of_one_rank():
    state = table("5C 5D 5H 5S 6C 7C", *REST)
    fives = [m for m in legal(state, 0) if m.startswith("5")]
    assert [len(cards(m)) for m in fives] == [1] * 4 + [2] * 6 + [3] * 4 + [4]
    assert legal(state, 0)[-2:] == ["6C", "7C"]


def test_df_6_2_the_joker_completes_a_set_with_a_natural_card():
    state = table("5C 7C 7D 7H J1", *REST)
    assert {"5C J1", "7C 7D 7H J1", "J1"} <= set(legal(state, 0))
    assert "5C 7C" not in legal(state, 0)


def test_df_6_2_the_joker_adds_no_strength():
    state = table("9C 9D 9H 4C J1", *REST, field="TC TD")
    assert "9C J1" not in legal(state, 0)
    with refused(state, "not-stronger", "DF-6.4"):
        decide(state, 0, play("9C J1"))


def test_df_6_3_the_leader_chooses_the_number():
    state = table("5C 5D 5H 9C", *REST)
    assert {len(cards(m)) for m in legal(state, 0)} == {1, 2, 3}


@pytest.mark.parametrize("move", ["6C", "6C 6D 6H"])
def test_df_6_4_as_many_cards_as_the_field(move):
    state = table("6C 6D 6H 9C", *REST, field="5C 5D")
    assert legal(state, 0) == ["pass", "6C 6D", "6C 6H", "6D 6H"]
    with refused(state, "wrong-count", "DF-6.4"):
        decide(state, 0, play(move))


@pytest.mark.parametrize("field", ["9D", "TD"])
def test_df_6_4_equal_or_weaker_does_not_beat(field):
    state = table("9C 3C", *REST, field=field)
    assert legal(state, 0) == ["pass"]
    with refused(state, "not-stronger", "DF-6.4"):
        decide(state, 0, play("9C"))


def test_df_6_5_a_single_joker_beats_every_single():
    for revolution in (False, True):
        state = table("J1 7C", *REST, field="3D" if revolution else "2D", revolution=revolution)
        assert legal(state, 0) == ["pass", "J1"]


def test_df_6_6_a_play_that_beats_the_field_may_still_not_be_the_last():
    assert "2C" in legal(table("2C 3C", *REST, field="KH"), 0)
    assert "2C" not in legal(table("2C", *REST, field="KH"), 0)


def test_df_7_1_a_player_may_pass_although_able_to_play():
    state = table("9C 3C", *REST, field="4D", by=3)
    assert legal(state, 0) == ["pass", "9C"]
    assert decide(state, 0, PASS) == [Passed(seat=0, next=1)]


def test_df_7_2_passing_does_not_bind():
    state = table("AC 3C", *REST, field="4D", by=3)
    state = after(state, (0, PASS), (1, PASS), (2, play("QC")), (3, PASS))
    assert legal(state, 0) == ["pass", "AC"]


def test_df_7_3_the_leader_must_play():
    state = table("9C 3C", *REST)
    assert "pass" not in legal(state, 0)
    with refused(state, "leader-must-play", "DF-7.3"):
        decide(state, 0, PASS)


def test_df_7_4_all_others_pass_and_the_last_player_leads():
    state = table("9C 3C", *REST)
    state = after(state, (0, play("9C")), (1, PASS), (2, PASS))
    assert decide(state, 3, PASS) == [Passed(seat=3, next=None), TableCleared(leader=0)]
    state = after(state, (3, PASS))
    assert (state.trick, state.passes, state.turn) == ((), 0, 0)


def test_df_7_4_only_passes_since_the_last_play_count():
    state = table("4C 3C", *REST)
    state = after(state, (0, play("4C")), (1, PASS), (2, play("QC")), (3, PASS), (0, PASS))
    assert state.trick
    assert state.turn == 1


def test_df_7_5_the_player_after_one_who_is_out_leads():
    state = table("9C", "KC KD", "QC QD", "JC JD", field="4D", by=3)
    state = after(state, (0, play("9C")), (1, PASS), (2, PASS))
    assert state.turn == 3  # all active players are asked
    assert decide(state, 3, PASS) == [Passed(seat=3, next=None), TableCleared(leader=1)]


def test_df_7_6_played_cards_stay_visible():
    state = after(table("8C 3C", *REST), (0, play("8C")), (0, play("3C")))
    assert GAME.view(state, None).played == (Play(0, ("8C",)),)
    assert GAME.view(state, None).trick == (Play(0, ("3C",)),)


@pytest.mark.parametrize("move", ["8C", "8C 8D", "J1", "4C J1"])
def test_df_8_1_an_eight_or_the_joker_clears_and_leads(move):
    state = table("8C 8D J1 4C 5C", *REST)
    assert decide(state, 0, play(move)) == [
        CardsPlayed(seat=0, cards=cards(move), next=None),
        TableCleared(leader=0),
    ]


def test_df_8_2_a_joker_in_a_legal_set_clears():
    state = table("KH J1 3C", *REST, field="QC QD")
    assert names(decide(state, 0, play("KH J1"))) == ["CardsPlayed", "TableCleared"]


def test_df_8_3_an_eight_is_an_ordinary_rank_in_strength():
    assert legal(table("8C 3C", *REST, field="9D"), 0) == ["pass"]
    assert legal(table("8C 2C", *REST, field="7D", revolution=True), 0) == ["pass"]


def test_df_9_1_four_of_a_kind_turn_the_order_within_the_trick():
    state = table("6C 6D 6H 6S 9C", "5C 5D 5H 5S 3C", "TC TD TH TS 4C", "JC")
    events = decide(state, 0, play("6C 6D 6H 6S"))
    assert events == [
        CardsPlayed(seat=0, cards=cards("6C 6D 6H 6S"), next=1),
        OrderReversed(revolution=True),
    ]
    state = after(state, (0, play("6C 6D 6H 6S")))
    assert legal(state, 1) == ["pass", "5C 5D 5H 5S"]
    assert legal(after(state, (1, PASS)), 2) == ["pass"]


def test_df_9_2_three_cards_and_the_joker_are_a_revolution_and_a_clear():
    state = table("6C 6D 6H J1 9C", *REST)
    events = decide(state, 0, play("6C 6D 6H J1"))
    assert names(events) == ["CardsPlayed", "OrderReversed", "TableCleared"]


def test_df_9_3_a_counter_revolution_turns_it_back():
    state = table("4C 4D 4H 4S 9C", *REST, field="6C 6D 6H 6S", revolution=True)
    assert after(state, (0, play("4C 4D 4H 4S"))).revolution is False
    weaker = table("7C 7D 7H 7S 9C", *REST, field="6C 6D 6H 6S", revolution=True)
    assert legal(weaker, 0) == ["pass"]


def test_df_9_3_four_eights_are_a_revolution_and_a_clear():
    state = table("8C 8D 8H 8S 9C", *REST)
    events = decide(state, 0, play("8C 8D 8H 8S"))
    assert names(events) == ["CardsPlayed", "OrderReversed", "TableCleared"]


def test_df_10_1_an_empty_hand_takes_the_best_open_place():
    state = table("9C", "KC", "", "JC JD", field="4D", by=3)
    assert decide(state, 0, play("9C")) == [
        CardsPlayed(seat=0, cards=("9C",), next=1),
        SeatFinished(seat=0, place=2),
    ]


@pytest.mark.parametrize(
    ("hand", "revolution"),
    [
        ("J1", False),
        ("8C", False),
        ("2C", False),
        ("3C", True),
        ("8C", True),
        ("5C J1", False),
        ("8C 8D", False),
        ("2C 2D", False),
        ("3C 3D", True),
    ],
)
def test_df_10_2_forbidden_last_cards_on_a_lead(hand, revolution):
    state = table(hand, *REST, revolution=revolution)
    assert hand not in legal(state, 0)
    with refused(state, "forbidden-last-cards", "DF-10.2"):
        decide(state, 0, play(hand))


def test_df_10_2_forbidden_last_cards_on_a_field():
    state = table("2C 2H", *REST, field="KH KS")
    assert legal(state, 0) == ["pass"]
    with refused(state, "forbidden-last-cards", "DF-10.2"):
        decide(state, 0, play("2C 2H"))


@pytest.mark.parametrize(("hand", "revolution"), [("3C", False), ("2C", True), ("3C 3D", False)])
def test_df_10_2_other_cards_may_be_the_last(hand, revolution):
    state = table(hand, *REST, revolution=revolution)
    assert hand in legal(state, 0)
    assert "SeatFinished" in names(decide(state, 0, play(hand)))


def test_df_10_3_the_order_before_the_play_counts():
    threes = table("3C 3D 3H 3S", *REST)
    assert names(decide(threes, 0, play("3C 3D 3H 3S"))) == [
        "CardsPlayed",
        "OrderReversed",
        "SeatFinished",
    ]
    twos = table("2C 2D 2H 2S", *REST)
    assert "2C 2D 2H 2S" not in legal(twos, 0)


def test_df_10_4_a_follower_with_a_forbidden_card_is_asked_and_passes():
    state = table("8C", *REST, field="4D", by=3)
    assert GAME.active_seats(state) == {0}
    assert legal(state, 0) == ["pass"]


def test_df_10_4_b_the_lead_passes_from_who_cannot_use_it():
    state = table("9C 9D", "8C", "J1", "7C TC", field="KD", by=1, turn=0, passes=2)
    assert decide(state, 0, PASS) == [
        Passed(seat=0, next=None),
        TableCleared(leader=1),
        LeadPassed(seat=1, to=2),
        LeadPassed(seat=2, to=3),
    ]
    state = after(state, (0, PASS))
    assert state.turn == 3
    assert GAME.view(state, None).lead_passes == (LeadPass(1, False), LeadPass(2, False))
    assert state.hands[1].bit_count() == 1  # it keeps its card and stays active
    assert GAME.active_seats(state) == {3}


def test_df_10_4_b_in_a_revolution_a_three_is_stuck_and_a_two_may_lead():
    for card, stuck in (("3C", True), ("2C", False)):
        state = table("9C 9D", card, "QC QD", "JC JD", field="KD", by=1, passes=2, revolution=True)
        passed_on = [LeadPassed(seat=1, to=2)] if stuck else []
        assert decide(state, 0, PASS)[2:] == passed_on
        state = after(state, (0, PASS))
        assert state.turn == (2 if stuck else 1)
        assert state.lead_passes == ((LeadPass(1, True),) if stuck else ())


def test_df_10_4_b_the_order_after_a_revolution_decides_who_is_stuck():
    eights = play("8C 8D 8H 8S")
    two = table("8C 8D 8H 8S 2C", *REST)
    assert names(decide(two, 0, eights)) == ["CardsPlayed", "OrderReversed", "TableCleared"]
    assert legal(after(two, (0, eights)), 0) == ["2C"]
    three = table("8C 8D 8H 8S 3C", *REST)
    assert decide(three, 0, eights)[3:] == [LeadPassed(seat=0, to=1)]


def test_df_10_4_b_the_lead_may_pass_right_after_a_clear():
    state = table("8C 2C", "KC KD", "QC", "JC")
    assert decide(state, 0, play("8C")) == [
        CardsPlayed(seat=0, cards=("8C",), next=None),
        TableCleared(leader=0),
        LeadPassed(seat=0, to=1),
    ]


def test_df_10_4_c_once_round_ends_the_round():
    state = table("8C 8D", "2C", "J1", "", played=[(2, "4C"), (1, "5C")])
    assert names(decide(state, 0, play("8C")))[:6] == [
        "CardsPlayed",
        "TableCleared",
        "LeadPassed",
        "LeadPassed",
        "LeadPassed",
        "RoundEnded",
    ]


def test_df_10_5_a_preview_warns_of_a_forbidden_rest():
    state = table("9C 8D", *REST)
    facts = GAME.preview(GAME.view(state, 0), play("9C"))
    assert facts == {
        "cards_left": 1,
        "clears": False,
        "revolution": False,
        "goes_out": False,
        "leaves_only_forbidden": True,
    }
    assert not GAME.preview(GAME.view(state, 0), play("8D"))["leaves_only_forbidden"]
    four = table("9C 9D 9H 9S 2C", *REST)  # after the revolution the 2 is the weakest card
    assert not GAME.preview(GAME.view(four, 0), play("9C 9D 9H 9S"))["leaves_only_forbidden"]
    last = table("9C", *REST)
    facts = GAME.preview(GAME.view(last, 0), play("9C"))
    assert facts["goes_out"]
    assert not facts["leaves_only_forbidden"]
    follower = table("9C", *REST, field="4D")
    assert GAME.preview(GAME.view(follower, 0), PASS) == {"cards_left": 1}
