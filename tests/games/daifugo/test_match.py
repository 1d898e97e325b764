"""DF-11 to DF-13: places, titles, points, the end of a match and time-outs."""

import msgspec
import pytest

from services.games.daifugo import GAME
from services.games.daifugo.events import CardsPlayed, RoundEnded
from services.games.daifugo.evolve import fold
from services.games.daifugo.scoring import order_of_the_stuck, titles_by_place
from services.games.daifugo.state import Options, RoundResult
from shared.errors import Unprocessable
from shared.game import Outcome
from tests.games.daifugo.table import (
    PASS,
    after,
    chance,
    decide,
    first_round,
    given,
    names,
    play,
    second_round,
    table,
)


def result(*order: int) -> RoundResult:
    points = tuple(len(order) - 1 - order.index(seat) for seat in range(len(order)))
    titles = titles_by_place(len(order))
    return RoundResult(
        order=order,
        titles=tuple(titles[order.index(seat)] for seat in range(len(order))),
        points=points,
    )


def over(*results: RoundResult):
    """A match whose rounds ended like this."""
    seats = len(results[0].order)
    return table(
        *["4C"] * seats,
        undealt=0,
        phase="ended",
        turn=None,
        round=len(results),
        rounds=len(results),
        totals=tuple(sum(r.points[seat] for r in results) for seat in range(seats)),
        results=results,
    )


def test_df_11_1_the_last_active_player_takes_the_last_place():
    state = table("9C", "KC KD", "", "", finished=(3, 2))
    events = decide(state, 0, play("9C"))
    assert events[0] == CardsPlayed(seat=0, cards=("9C",), next=None)
    ended = next(e for e in events if isinstance(e, RoundEnded))
    assert ended.order == (3, 2, 0, 1)


def test_df_11_2_who_made_the_last_play_earlier_is_better():
    state = table("8C", "2C", "J1", "", played=[(2, "4C"), (0, "5C"), (1, "6C")], finished=(3,))
    assert order_of_the_stuck(state, (0, 1, 2)) == (2, 0, 1)


def test_df_11_2_who_made_no_play_ranks_last_from_the_dealer_on():
    state = table("8C", "2C", "J1", "8D", played=[(3, "4C")], dealer=1)
    assert order_of_the_stuck(state, (0, 1, 2, 3)) == (3, 2, 0, 1)


def test_df_11_2_the_last_play_counts_not_the_first():
    laid = [(0, "4C"), (1, "5C"), (2, "6C"), (2, "7C"), (0, "9C"), (1, "TC"), (0, "JC")]
    state = table("8C", "2C", "J1", "", played=laid, finished=(3,))
    assert order_of_the_stuck(state, (0, 1, 2)) == (2, 1, 0)


def test_df_11_2_the_play_that_got_stuck_counts():
    state = table("8C 8D", "2C", "", "", played=[(0, "4C"), (1, "5C")], finished=(2, 3))
    ended = next(e for e in decide(state, 0, play("8C")) if isinstance(e, RoundEnded))
    assert ended.order == (2, 3, 1, 0)


def test_df_11_2_so_do_the_plays_of_a_trick_that_ends_by_passing():
    laid = [(1, "4C"), (0, "5C")]
    state = table("8C", "2C", "", "", field="KC", by=1, played=laid, finished=(2, 3))
    ended = next(e for e in decide(state, 0, PASS) if isinstance(e, RoundEnded))
    assert ended.order == (2, 3, 0, 1)


@pytest.mark.parametrize(("seats", "commoners"), [(4, 0), (5, 1), (6, 2), (7, 3), (8, 4)])
def test_df_11_3_titles(seats, commoners):
    assert titles_by_place(seats) == (
        "daifugo",
        "fugo",
        *["heimin"] * commoners,
        "hinmin",
        "daihinmin",
    )
    assert set(titles_by_place(seats)) <= set(GAME.texts)


@pytest.mark.parametrize("bad", [0, 31, True, "5"])
def test_df_12_1_one_to_thirty_rounds_five_by_default(bad):
    assert Options().rounds == 5
    assert msgspec.convert({"rounds": 30}, Options).rounds == 30
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"rounds": bad}, Options)


@pytest.mark.parametrize("bad", [0, -1, 31, True])
def test_df_12_1_options_that_met_no_schema_are_checked_too(bad):
    with pytest.raises(Unprocessable) as refusal:
        GAME.check_options(Options(rounds=bad), 5)
    assert (refusal.value.code, refusal.value.rule) == ("daifugo.wrong-number-of-rounds", "DF-12.1")
    assert refusal.value.code in GAME.texts
    for rounds in (1, 30):
        GAME.check_options(Options(rounds=rounds), 5)


def test_df_12_1_a_single_round_ends_the_match():
    state = table("9C", "KC KD", "", "", finished=(3, 2), rounds=1)
    assert names(decide(state, 0, play("9C"))) == ["CardsPlayed", "SeatFinished", "RoundEnded"]
    state = after(state, (0, play("9C")))
    assert GAME.active_seats(state) == frozenset()
    assert GAME.view(state, None).titles == ()  # those of this round would hold in the next
    assert GAME.outcome(state) == Outcome(
        ranking=((3,), (2,), (0,), (1,)), scores=(1, 0, 2, 3), reason="rounds_played"
    )


def test_df_12_1_another_round_begins_at_once():
    state = table("9C", "KC KD", "", "", finished=(3, 2))
    assert names(decide(state, 0, play("9C")))[2:] == [
        "RoundEnded",
        "CardsDealt",
        "CardsTaken",
        "CardsTaken",
    ]
    state = after(state, (0, play("9C")))
    assert GAME.outcome(state) is None
    assert GAME.active_seats(state) == {3, 2}
    assert state.dealer == 1


def test_df_12_2_a_place_scores_the_players_behind():
    state = table("9C", "KC KD", "", "", "", finished=(4, 3, 2), totals=(1, 2, 3, 4, 5))
    ended = next(e for e in decide(state, 0, play("9C")) if isinstance(e, RoundEnded))
    assert ended.points == (1, 0, 2, 3, 4)
    assert ended.totals == (2, 2, 5, 7, 9)
    assert ended.titles == ("hinmin", "daihinmin", "heimin", "fugo", "daifugo")


def test_df_12_2_the_highest_total_wins():
    outcome = GAME.outcome(over(result(0, 1, 2, 3), result(1, 0, 2, 3), result(1, 0, 2, 3)))
    assert outcome.scores == (7, 8, 3, 0)
    assert outcome.ranking == ((1,), (0,), (2,), (3,))


def test_df_12_3_more_first_places_win_a_tie():
    outcome = GAME.outcome(over(result(0, 1, 2, 3), result(2, 1, 0, 3)))
    assert outcome.scores == (4, 4, 4, 0)
    assert outcome.ranking == ((2,), (0,), (1,), (3,))  # 1 never won, though better at the end


def test_df_12_3_then_more_second_places():
    outcome = GAME.outcome(over(result(0, 1, 2, 3), result(1, 2, 0, 3), result(2, 3, 0, 1)))
    assert outcome.scores == (5, 5, 6, 2)
    assert outcome.ranking == ((2,), (1,), (0,), (3,))  # 0 was better in the last round


def test_df_12_3_the_last_round_decides_equal_places():
    outcome = GAME.outcome(over(result(0, 1, 2, 3), result(1, 0, 3, 2)))
    assert outcome.ranking == ((1,), (0,), (3,), (2,))


def test_df_12_4_seats_stay_fixed():
    state = second_round({}, order=(3, 1, 0, 4, 2))
    before = state.results[0]
    assert [(e.poor, e.rich) for e in state.exchanges] == [(2, 3), (4, 1)]
    assert state.totals == before.points == (2, 3, 0, 4, 1)
    state = given(state)
    while state.round == 2:
        (seat,) = GAME.active_seats(state)
        state = fold(state, GAME.time_out(state, seat, chance()))
    second = state.results[1]
    assert sorted(second.order) == [0, 1, 2, 3, 4]
    assert state.totals == tuple(a + b for a, b in zip(before.points, second.points, strict=True))


def test_df_13_a_revolution_then_the_place_then_the_end_of_the_round():
    state = table("6C 6D 6H 6S", "KC KD", "", "", rounds=1)
    assert names(decide(state, 0, play("6C 6D 6H 6S"))) == [
        "CardsPlayed",
        "OrderReversed",
        "SeatFinished",
        "RoundEnded",
    ]


@pytest.mark.parametrize(
    ("hand", "revolution", "single"),
    [
        ("J1 5H 5D 9C", False, "5D"),
        ("J1 5H 5D 9C", True, "9C"),
        ("J1 J2", False, "J1"),
        ("8C 8D", False, "8C"),
    ],
)
def test_df_13_1_a_leader_out_of_time_plays_the_weakest_single(hand, revolution, single):
    state = table(hand, "KC KD", "QC QD", "JC JD", revolution=revolution)
    assert GAME.time_out(state, 0, chance())[0].cards == (single,)


def test_df_13_1_the_first_lead_is_the_three_of_diamonds():
    state = first_round({1: "3C 3D"})
    assert GAME.time_out(state, 1, chance())[0].cards == ("3D",)


def test_df_13_1_a_follower_out_of_time_passes():
    state = table("9C 3C", "KC", "QC", "JC", field="4D")
    assert GAME.time_out(state, 0, chance()) == decide(state, 0, PASS)
