"""DF-11 to DF-14: places, titles, points, the end of a match, time-outs and secrets."""

import msgspec
import pytest

from services.games.daifugo import GAME
from services.games.daifugo.cards import CARDS, cards_of
from services.games.daifugo.events import (
    CardsDealt,
    CardsGiven,
    CardsPlayed,
    CardsTaken,
    LeadAssigned,
    LeadPassed,
    OrderReversed,
    Passed,
    RoundEnded,
    SeatFinished,
    TableCleared,
)
from services.games.daifugo.evolve import fold
from services.games.daifugo.scoring import order_of_the_stuck, titles_by_place
from services.games.daifugo.state import Options, RoundResult
from shared.errors import Unprocessable
from shared.game import Outcome
from tests.games.daifugo.table import (
    PASS,
    after,
    cards,
    chance,
    decide,
    first_round,
    give,
    given,
    legal,
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
    ended = next(e for e in decide(state, 0, play("9C")) if isinstance(e, RoundEnded))
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


def test_df_14_1_a_hand_is_seen_by_its_owner_only():
    dealt = GAME.open(GAME.initial(Options(), 5), chance())[0]
    for seat in (*range(5), None):
        seen = GAME.redact(dealt, seat)
        assert isinstance(seen, CardsDealt)
        for owner, hand in enumerate(dealt.hands):
            assert seen.hands[owner] == (hand if owner == seat else len(hand))


@pytest.mark.parametrize("kind", [CardsTaken, CardsGiven])
def test_df_14_1_exchanged_cards_are_seen_by_the_two_concerned(kind):
    moved = kind(seat=4, to=0, cards=cards("2S J1"))
    assert GAME.redact(moved, 4) == moved
    assert GAME.redact(moved, 0) == moved
    for seat in (1, 2, 3, None):
        assert GAME.redact(moved, seat) == kind(seat=4, to=0, cards=2)


def test_df_14_1_the_view_keeps_the_same_secrets():
    state = given(second_round({}))
    for seat in (*range(5), None):
        view = GAME.view(state, seat)
        for owner, hand in enumerate(state.hands):
            assert view.hands[owner] == (cards_of(hand) if owner == seat else hand.bit_count())
        for shown, true in zip(view.exchanges, state.exchanges, strict=True):
            if seat in (true.poor, true.rich):
                assert shown == true
            else:
                assert (shown.taken, shown.given) == (len(true.taken), len(true.given))


def test_df_14_2_a_choice_under_way_tells_its_number_only():
    state = second_round({})
    before = GAME.view(state, 2)
    assert [(e.taken, e.given) for e in before.exchanges] == [(2, None), (1, None)]
    assert before.active == (0, 1)
    state = after(state, (0, GAME.legal_moves(state, 0)[0]))
    view = GAME.view(state, 2)
    assert [(e.taken, e.given) for e in view.exchanges] == [(2, 2), (1, None)]
    assert view.active == (1,)


EVERYBODY = (0, 1, 2, 3, None)
TOLD = (
    (
        CardsDealt(round=2, dealer=3, hands=(("3C",), ("4C",), ("5C",), ("6C",))),
        {"3C": (0,), "4C": (1,), "5C": (2,), "6C": (3,)},
    ),
    (CardsTaken(seat=3, to=0, cards=("2S",)), {"2S": (3, 0)}),
    (CardsGiven(seat=1, to=2, cards=("4C",)), {"4C": (1, 2)}),
    (LeadAssigned(leader=2, start_card="3D"), {"3D": EVERYBODY}),
    (CardsPlayed(seat=0, cards=("9C", "J1"), next=1), {"9C": EVERYBODY, "J1": EVERYBODY}),
    (Passed(seat=1, next=2), {}),
    (OrderReversed(revolution=True), {}),
    (SeatFinished(seat=0, place=1), {}),
    (TableCleared(leader=0), {}),
    (LeadPassed(seat=0, to=1), {}),
    (
        RoundEnded(
            round=1,
            order=(0, 1, 2, 3),
            titles=titles_by_place(4),
            points=(3, 2, 1, 0),
            totals=(3, 2, 1, 0),
        ),
        {},
    ),
)
"""Every type of event, and for each of its cards the seats that are told of it."""


@pytest.mark.parametrize(("event", "told"), TOLD, ids=[type(event).__name__ for event, _ in TOLD])
@pytest.mark.parametrize("seat", EVERYBODY)
def test_df_14_3_no_event_names_a_card_to_who_may_not_see_it(event, told, seat):
    sent = msgspec.json.encode(GAME.redact(event, seat)).decode()
    named = {card for card in CARDS if f'"{card}"' in sent}
    assert named == {card for card, seats in told.items() if seat in seats}


def test_df_14_3_every_type_of_event_is_looked_at():
    assert [type(event) for event, _ in TOLD] == list(GAME.event_types)


def test_df_14_4_who_can_only_pass_is_asked_like_everybody():
    lead = table("9C 9D", "5C 6C", "QC QD", "JC JD")
    assert names(decide(lead, 0, play("9C"))) == ["CardsPlayed"]  # nobody passes by itself
    stuck = after(lead, (0, play("9C")))
    able = after(table("9C 9D", "5C TC", "QC QD", "JC JD"), (0, play("9C")))
    assert legal(stuck, 1) == ["pass"]
    assert legal(able, 1) == ["pass", "TC"]
    assert GAME.view(stuck, 1).asked == GAME.view(able, 1).asked
    for other in (0, 2, 3, None):
        assert GAME.view(stuck, other) == GAME.view(able, other)


def test_the_view_says_what_is_asked():
    first = first_round({2: "3D"})
    lead = GAME.view(first, 2).asked
    assert (lead.kind, lead.count, lead.must_contain) == ("lead", None, "3D")
    assert GAME.view(first, 0).asked is None
    follow = GAME.view(table("9C", "KC", "QC", "JC", field="4D 4H"), 0).asked
    assert (follow.kind, follow.count) == ("follow", 2)
    gift = GAME.view(second_round({}), 0).asked
    assert (gift.kind, gift.count, gift.to) == ("give", 2, 4)
    assert {lead.kind, follow.kind, gift.kind} <= set(GAME.texts)


def test_the_view_knows_exchanged_cards_until_they_are_played():
    state = second_round({4: "2C 8S"})
    assert GAME.view(state, 4).known[0] == state.exchanges[0].taken
    state = after(state, (0, give(" ".join(state.exchanges[0].taken))))
    assert GAME.view(state, 4).known[0] == ()  # handed back
    assert GAME.view(state, 0).known[4] == state.exchanges[0].given
    assert GAME.view(state, 1).known[4] == ()
    state = given(state)
    gone = state.exchanges[0].given[1]
    state = after(state, (4, play(gone)))
    assert GAME.view(state, 0).known[4] == state.exchanges[0].given[:1]


def test_everybody_knows_where_the_start_card_is():
    state = first_round({2: "3D 3H 9C"})
    assert GAME.view(state, 0).known[2] == ("3D",)
    assert GAME.view(state, None).known[2] == ("3D",)
    assert GAME.view(after(state, (2, play("3D"))), 0).known[2] == ()
