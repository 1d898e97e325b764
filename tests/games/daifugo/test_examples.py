"""DF-17, the worked examples of the rules."""

from services.games.daifugo import GAME
from services.games.daifugo.cards import cards_of
from services.games.daifugo.events import LeadPassed, RoundEnded, SeatFinished, TableCleared
from tests.games.daifugo.table import (
    PASS,
    after,
    cards,
    decide,
    first_round,
    give,
    legal,
    names,
    play,
    refused,
    second_round,
    table,
)

REST = ("KC KD", "JC JD", "TC TD")


def test_df_17_1_a_higher_single_on_a_single():
    state = table("6C 6D 5H 9C", *REST, field="5C")
    assert "6C" in legal(state, 0)
    with refused(state, "not-stronger", "DF-6.4"):
        decide(state, 0, play("5H"))
    with refused(state, "wrong-count", "DF-6.4"):
        decide(state, 0, play("6C 6D"))


def test_df_17_2_a_pair_with_the_joker_beats_and_clears():
    state = table("QC KH KS J1 3C 4C", *REST, field="TH TS")
    assert decide(state, 0, play("QC J1"))[1:] == [TableCleared(leader=0)]
    with refused(state, "wrong-count", "DF-6.4"):
        decide(state, 0, play("KH KS J1"))


def test_df_17_3_a_revolution_turns_strength_but_not_the_joker():
    state = table("4C 7C J1 9C", *REST, field="6C", revolution=True)
    assert legal(state, 0) == ["pass", "4C", "J1"]
    with refused(state, "not-stronger", "DF-6.4"):
        decide(state, 0, play("7C"))


def test_df_17_4_the_first_play_contains_the_three_of_diamonds():
    state = first_round({1: "3D 3S J1 4C 5C 6C 7C 8C 9C TC JC"})
    assert legal(state, 1) == ["3D", "3D 3S", "3D J1", "3D 3S J1"]
    for other in ("J1", "3S"):
        with refused(state, "start-card-missing", "DF-5.1"):
            decide(state, 1, play(other))


def test_df_17_5_an_eight_may_be_played_but_not_as_the_last():
    state = after(table("8C 4C", *REST), (0, play("8C")))
    assert legal(state, 0) == ["4C"]
    assert SeatFinished(seat=0, place=1) in decide(state, 0, play("4C"))
    pair = table("8C 8D", *REST)
    assert legal(pair, 0) == ["8C", "8D"]
    with refused(pair, "forbidden-last-cards", "DF-10.2"):
        decide(pair, 0, play("8C 8D"))


def test_df_17_6_a_last_two_is_stuck_until_a_revolution_and_a_lead():
    assert legal(table("2C", *REST, field="5C"), 0) == ["pass"]
    assert legal(table("2C", *REST, field="KH", revolution=True), 0) == ["pass"]
    state = table("2C", *REST, revolution=True)
    assert SeatFinished(seat=0, place=1) in decide(state, 0, play("2C"))


def test_df_17_7_two_stuck_players_end_the_round():
    state = table("8C 8D", "2C", "", "", played=[(1, "5C")], finished=(3, 2), rounds=1)
    events = decide(state, 0, play("8D"))
    assert events[2:4] == [LeadPassed(seat=0, to=1), LeadPassed(seat=1, to=0)]
    assert isinstance(events[4], RoundEnded)
    assert events[4].order == (3, 2, 1, 0)  # 1 made the last play earlier


def test_df_17_8_all_pass_after_a_player_went_out():
    state = table("9C", *REST)
    state = after(state, (0, play("9C")), (1, PASS), (2, PASS), (3, PASS))
    assert state.turn == 1
    assert state.trick == ()


def test_df_17_9_three_fives_and_the_joker():
    state = table("5C 5D 5H J1 3C 9C", *REST)
    events = decide(state, 0, play("5C 5D 5H J1"))
    assert names(events) == ["CardsPlayed", "OrderReversed", "TableCleared"]
    state = after(state, (0, play("5C 5D 5H J1")))
    assert state.turn == 0
    assert state.revolution is True


def test_df_17_10_four_threes_may_be_the_last_but_not_with_the_joker():
    state = table("3C 3D 3H 3S", *REST)
    assert names(decide(state, 0, play("3C 3D 3H 3S"))) == [
        "CardsPlayed",
        "OrderReversed",
        "SeatFinished",
    ]
    joker = table("3C 3D 3H J1", *REST)
    with refused(joker, "forbidden-last-cards", "DF-10.2"):
        decide(joker, 0, play("3C 3D 3H J1"))


def test_df_17_11_the_strong_cards_may_be_given_back():
    state = second_round({4: "J1 2S 2C AC"})
    assert state.exchanges[0].taken == cards("2S J1")
    assert set(cards("2S J1")) <= set(cards_of(state.hands[0]))
    weakest = cards_of(state.hands[0])[0]
    state = after(state, (0, give(f"2S {weakest}")))
    assert "2S" in cards_of(state.hands[4])


def test_df_17_12_a_pass_does_not_bind():
    state = table("4C 3C", "9C 3H", "6C 3S", "", finished=(3,))
    state = after(state, (0, play("4C")), (1, PASS), (2, play("6C")), (0, PASS))
    assert "9C" in legal(state, 1)
    assert GAME.active_seats(after(state, (1, play("9C")))) == {2}
