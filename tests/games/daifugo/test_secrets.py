"""DF-14: what is public and what is secret, in events and in views."""

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
from services.games.daifugo.scoring import titles_by_place
from services.games.daifugo.state import Options
from tests.games.daifugo.table import (
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


def test_df_19_5_the_view_knows_exchanged_cards_until_they_are_played():
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


def test_df_19_5_everybody_knows_where_the_start_card_is():
    state = first_round({2: "3D 3H 9C"})
    assert GAME.view(state, 0).known[2] == ("3D",)
    assert GAME.view(state, None).known[2] == ("3D",)
    assert GAME.view(after(state, (2, play("3D"))), 0).known[2] == ()
