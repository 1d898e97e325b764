"""FR-13: who sees what, what can be known of hidden cards, and tables imagined from a view."""

import pytest

from services.games.filthy_rich import GAME
from services.games.filthy_rich import moves as m
from services.games.filthy_rich.events import CardDrawn, CardGiven, CardTaken, HandsDealt
from services.games.filthy_rich.evolve import fold
from services.games.filthy_rich.knowledge import Kept
from services.games.filthy_rich.state import Options, Reshuffle, Sighting, Spied, Swap
from shared.chance import Chance
from tests.games.filthy_rich.table import DECK, act, after, chance, decide, dice, ready, sign, table

POOL = tuple(card for card in DECK if card[0] == "A")


def known(state, seat):
    return {fact.card: fact.seats for fact in GAME.view(state, seat).known}


def guesses(state, seat, count=30):
    view = GAME.view(state, seat)
    for n in range(count):
        guess = GAME.resample(view, Chance(bytes([n]) * 32))
        assert GAME.view(guess, seat) == view
        assert GAME.conserved(guess) == GAME.conserved(state)
        yield guess


def spied(target=1):
    """Seat 0 has taken B05-1 from seat 1 and gives B01-1."""
    state = table(10, 10, 10, hands={0: "A12-1 B01-1 B02-1", 1: "B05-1 S01-1", 2: "S02-1 S03-1"})
    return after(state, (0, act("A12-1", target=1), {"espionage/9/1": "B05-1"}))


def test_fr_13_1_the_whole_table_is_public():
    state = ready(
        10, 20, 0, out=(2,), hands={2: ""}, lots=[("L02", 2)], removed="L12", discard="A01-1 S08-1",
        signs=[sign(1, "B05-1", 1, "1 4")], assets={1: "S01-1"}, luxuries={0: "L01"},
        extra_dice=2, tax_holiday=True, dice=(1, 10), page_die=6,
    )  # fmt: skip
    view = GAME.view(state, None)
    public = (
        "phase", "turn", "player", "first", "actions_left", "page", "signs", "supply", "removed",
        "lots", "discard", "cash", "bank", "assets", "luxuries", "extra_dice", "tax_holiday",
        "dice", "page_die", "out", "action", "revealed", "pool",
    )  # fmt: skip
    for name in public:
        assert getattr(view, name) == getattr(state, name), name
    assert view.pile == len(state.pile)
    assert view.hands == (5, 5, 0)
    assert view.sign_supply.count("B05") == 0
    assert view.tax_due == (1, 4, 0)
    assert view.seen == ("B05", None, None, "B05", *[None] * 5)
    assert view.owners == (1, None, None, 1, *[None] * 5)


def test_fr_13_1_the_view_says_whose_decision_it_is_and_which():
    asked = GAME.view(ready(10, 10), 1).asked
    assert (asked.seat, asked.kind) == (0, "roll")
    asked = GAME.view(spied(), 2).asked
    assert (asked.seat, asked.kind, asked.to) == (0, "give", 1)
    kinds = {"buy_luxury", "take_action", "roll", "give", "sell_for_tax", "bid"}
    assert kinds <= set(GAME.texts)


def test_fr_13_2_hands_are_secret():
    state = table(10, 10, 10)
    for seat in (0, 1, 2, None):
        view = GAME.view(state, seat)
        assert view.hands == tuple(
            hand if other == seat else 5 for other, hand in enumerate(state.hands)
        )
    dealt = GAME.open(GAME.initial(Options(), 3), chance())[0]
    assert GAME.redact(dealt, None) == HandsDealt((5, 5, 5))
    assert GAME.redact(dealt, 1) == HandsDealt((5, dealt.hands[1], 5))


def test_fr_13_3_a_scouted_card_is_known_to_all_until_it_is_seen_to_leave():
    state = table(10, 10, 10, hands={0: "A02-1 A10-1 A10-2"})
    state = after(state, (0, act("A02-1"), {"reveal/9/1/1": "B11-1"}))
    for seat in (1, 2, None):
        assert known(state, seat) == {"B11-1": (0,)}
    assert known(state, 0) == {}
    gone = after(state, (0, m.DiscardForOne("B11-1")))
    assert known(gone, 1) == {}
    state = after(state, (0, m.DiscardForOne("A10-1")), (0, m.ROLL, dice(5)))
    assert known(state, 1) == {"B11-1": (0,)}
    assert all("B11-1" in guess.hands[0] for guess in guesses(state, 1))


def test_fr_13_4_exchanged_cards_are_for_the_two_concerned():
    state = spied()
    taken, given = CardTaken(0, 1, "B05-1"), CardGiven(0, 1, "B01-1")
    for event in (taken, given):
        for seat in (0, 1):
            assert GAME.redact(event, seat) == event
        for seat in (2, None):
            assert GAME.redact(event, seat) == type(event)(0, 1, None)
    assert GAME.view(state, 0).spied == GAME.view(state, 1).spied == Spied(1, "B05-1")
    assert GAME.view(state, 2).spied == GAME.view(state, None).spied == Spied(1, None)
    assert known(state, 1) == {"B05-1": (0,)}
    state = after(state, (0, m.Give("B01-1")))
    assert known(state, 0) == {"B01-1": (1,)}
    assert known(state, 1) == {"B05-1": (0,)}
    assert known(state, 2) == {}
    assert all("B01-1" in guess.hands[1] for guess in guesses(state, 0))
    assert all("B05-1" in guess.hands[0] for guess in guesses(state, 1))


def test_fr_13_4_the_thief_imagines_nothing_and_others_any_card():
    state = spied()
    assert {guess.spied.card for guess in guesses(state, 1)} == {"B05-1"}
    for guess in guesses(state, 2):
        assert guess.spied.card in guess.hands[0]


def test_fr_13_5_a_drawn_card_is_known_to_the_drawer():
    drawn = CardDrawn(1, "B05-1")
    assert GAME.redact(drawn, 1) == drawn
    for seat in (0, 2, None):
        assert GAME.redact(drawn, seat) == CardDrawn(1, None)


def test_fr_13_6_random_events_and_their_labels():
    drawn = Chance(bytes(32))
    state = GAME.initial(Options(), 2)
    GAME.open(state, drawn)
    labels = [label for label, _, _ in drawn.draws]
    assert labels == [*(f"deal/{n}" for n in range(1, 11)), "first"]
    drawn = Chance(bytes(32), script=dice(3, 3))
    signs = [sign(0, "B10-1", 1, "1 2 3")]
    state = ready(10, 10, page=2, signs=signs, hands={0: "A01-1 A02-1 A03-1"})
    GAME.decide(state, 0, m.ROLL, drawn)
    assert [label for label, _, _ in drawn.draws] == [
        "dice/9/1", "dice/9/2", "bingo/9/1", "bingo/9/2", "page/9", "draw/9/1", "draw/9/2",
    ]  # fmt: skip


def test_fr_13_7_the_same_draws_and_moves_give_the_same_game():
    state = spied()
    assert decide(state, 0, m.Give("B01-1")) == decide(state, 0, m.Give("B01-1"))


def test_fr_13_8_any_card_of_the_pile_may_come_and_no_other():
    state = ready(10, 10, hands={0: "A01-1 A02-1 A03-1 A04-1"})
    drawn = set()
    for n in range(200):
        events = GAME.decide(state, 0, m.ROLL, Chance(bytes([n]) * 32, script=dice(5)))
        drawn |= {event.card for event in events if isinstance(event, CardDrawn)}
    assert drawn <= set(state.pile)
    assert len(drawn) > 55  # of 64


def test_fr_13_9_a_reshuffle_tells_what_is_not_in_the_pile():
    """The pile was made of the A cards while seat 1 held two B cards and seat 2 one."""
    state = table(
        10, 10, 10, hands={0: "A10-1", 1: "B01-1 B02-1 A01-1", 2: "B05-1 A02-1 A03-1"},
        traces=(Reshuffle(),), pool=POOL, discard=" ".join(c for c in DECK if c[0] != "A"
        and c not in ("B01-1", "B02-1", "B05-1")),
    )  # fmt: skip
    view = GAME.view(state, 0)
    assert view.kept == (Kept((1,), 2), Kept((2,), 1))
    assert GAME.view(state, 1).kept == (Kept((0,), 0), Kept((2,), 1))
    seen = set()
    for guess in guesses(state, 0):
        held = [[card for card in hand if card[0] == "B"] for hand in guess.hands]
        assert [len(cards) for cards in held] == [0, 2, 1]
        assert set(guess.pile) <= set(POOL)
        seen.add(tuple(held[2]))
    assert seen == {("B01-1",), ("B02-1",), ("B05-1",)}


def test_fr_13_9_before_the_first_reshuffle_nothing_is_kept():
    assert GAME.view(table(10, 10), 0).kept == ()


def test_fr_13_9_a_reshuffle_in_play_leaves_its_trace():
    hand = "A01-1 A02-1 A03-1"
    state = ready(10, 10, hands={0: hand, 1: "B02-1 B03-1"}, pile="S08-2")
    state = after(state, (0, m.ROLL, dice(5)))
    view = GAME.view(state, 1)
    assert view.kept == (Kept((0,), 4),)  # three and the card drawn before the reshuffle
    for guess in guesses(state, 1):
        assert set(guess.pile) <= set(view.pool)
        assert sum(card not in view.pool for card in guess.hands[0]) == 4


def test_fr_13_9_what_is_known_of_a_hand_outlives_a_reshuffle():
    seen = (Sighting("A01-1", 0, by=None), Sighting("S01-1", 0, by=None))
    state = ready(10, 10, hands={0: "A01-1 A02-1 A03-1", 1: "B02-1"}, pile="S08-2", traces=seen)
    assert "S01-1" in state.discard
    state = after(state, (0, m.ROLL, dice(5)))
    assert state.traces == (Sighting("A01-1", 0, by=None), Reshuffle())
    assert known(state, 1) == {"A01-1": (0,)}
    assert all("A01-1" in guess.hands[0] for guess in guesses(state, 1))


def test_an_unseen_exchange_blurs_what_was_known():
    base = table(10, 10, 10, hands={0: "A12-1 B01-1", 1: "B11-1 S01-1", 2: "S02-1 S03-1"})
    scouted = (Sighting("B11-1", 1, by=None), Sighting("B01-1", 0, by=(0, 2)))
    state = fold(base, ())
    state = type(state)(
        **{f: getattr(state, f) for f in state.__struct_fields__ if f != "traces"}, traces=scouted
    )
    taken = after(state, (0, act("A12-1", target=1), {"espionage/9/1": "S01-1"}))
    assert known(taken, 2) == {"B01-1": (0, 1), "B11-1": (0, 1)}
    assert known(taken, None) == {"B11-1": (0, 1)}
    assert known(taken, 1) == {"S01-1": (0,)}
    assert known(taken, 0) == {"B11-1": (1,)}
    given = after(taken, (0, m.Give("B01-1")))
    assert known(given, 0) == {"B01-1": (1,), "B11-1": (1,)}
    assert known(given, 2) == {"B01-1": (0, 1), "B11-1": (0, 1)}
    where = set()
    for guess in guesses(given, 2):
        hands = [hand for hand in guess.hands[:2] if "B11-1" in hand]
        assert len(hands) == 1
        where.add(guess.hands.index(hands[0]))
    assert where == {0, 1}


def test_a_known_card_in_one_of_two_hands_is_in_the_other_when_one_is_out():
    traces = (Sighting("B11-1", 0, by=None), Swap((0, 1)))
    state = table(10, 0, 10, hands={0: "B11-1", 1: "S01-1"}, traces=traces)
    assert known(state, 2) == {"B11-1": (0, 1)}
    state = table(10, 0, 10, hands={0: "B11-1", 1: ""}, out=(1,), traces=traces)
    assert known(state, 2) == {"B11-1": (0,)}


def test_known_cards_are_placed_even_where_the_hands_are_full():
    """B01-1 can only go to seat 1, so B02-1 and B03-1 must find room beside it."""
    traces = (Sighting("B02-1", 1, by=None), Sighting("B03-1", 2, by=None), Swap((1, 2)),
              Sighting("B01-1", 1, by=(0, 1)))  # fmt: skip
    state = table(9, 9, 9, hands={0: "A01-1", 1: "B01-1 B03-1", 2: "B02-1"}, traces=traces)
    assert known(state, 0) == {"B01-1": (1,), "B02-1": (1, 2), "B03-1": (1, 2)}
    found = {guess.hands[2] for guess in guesses(state, 0)}
    assert found == {("B02-1",), ("B03-1",)}


@pytest.mark.parametrize("seat", [1, 2, None])
def test_hands_that_exchanged_unseen_are_counted_together(seat):
    traces = (Reshuffle(), Swap((0, 1)))
    state = table(10, 10, 10, hands={0: "B01-1 A01-1", 1: "B02-1 A02-1", 2: "B03-1 A03-1"},
                  traces=traces, pool=POOL, discard=" ".join(c for c in DECK if c[0] != "A"
                  and c not in ("B01-1", "B02-1", "B03-1")))  # fmt: skip
    kept = {1: (Kept((0,), 1), Kept((2,), 1)), 2: (Kept((0, 1), 2),),
            None: (Kept((0, 1), 2), Kept((2,), 1))}  # fmt: skip
    assert GAME.view(state, seat).kept == kept[seat]
    for guess in guesses(state, seat, 10):
        for fact in kept[seat]:
            held = [card for other in fact.seats for card in guess.hands[other]]
            assert sum(card not in POOL for card in held) == fact.cards


def test_a_swap_that_nobody_can_learn_from_is_not_shown():
    """Whether the exchanged card is still there must not show in what is remembered."""
    for hand in ("B05-1 S01-1", "S01-1"):
        traces = (Sighting("B05-1", 0, by=(0, 1)), Swap((0, 1)), Reshuffle())
        state = table(10, 10, 10, hands={0: hand, 1: "S02-1"}, traces=traces, pool=POOL)
        assert GAME.view(state, 2).traces == (Reshuffle(),)
