"""FR-1.2 and FR-11.3 to 11.9: how a game ends, and the ranking."""

from services.games.filthy_rich import GAME
from services.games.filthy_rich import moves as m
from services.games.filthy_rich.evolve import fold
from services.games.filthy_rich.state import End
from tests.games.filthy_rich.table import after, decide, dice, ready, refused, table, tags


def ended(*cash: int, winner=0, reason="luxuries", **more):
    return table(*cash, phase="ended", end=End(reason, winner), **more)


def test_fr_1_2_and_11_4_the_third_luxury_wins_at_once():
    state = table(20, 10, phase="luxury", luxuries={0: "L01 L02"})
    events = decide(state, 0, m.BuyLuxury("L03"))
    assert tags(events) == ["MoneyPaid", "LuxuryBought", "GameEnded"]
    state = fold(state, events)
    assert GAME.outcome(state).reason == "luxuries"
    assert GAME.outcome(state).ranking == ((0,), (1,))
    assert GAME.outcome(state).scores == (3, 0)


def test_fr_11_5_after_the_end_no_move_is_legal():
    state = ended(10, 10)
    assert GAME.active_seats(state) == frozenset()
    for seat in (0, 1):
        assert GAME.legal_moves(state, seat) == ()
        for move in (m.ROLL, m.SKIP_LUXURY, m.PASS, m.TAX_DONE):
            with refused(state, "game-over", "FR-11.5"):
                decide(state, seat, move)


def test_fr_11_6_luxuries_then_cash_then_seats_from_the_winner():
    state = ended(1, 5, 9, 9, 9, winner=3, luxuries={0: "L01 L02", 3: "L03 L04 L05"})
    assert GAME.outcome(state).ranking == ((3,), (0,), (4,), (2,), (1,))
    state = ended(9, 5, 9, winner=1)
    assert GAME.outcome(state).ranking == ((1,), (2,), (0,))


def test_fr_11_6_a_winner_without_luxuries_is_first_all_the_same():
    state = ended(0, 50, winner=0, reason="last_one_left", luxuries={1: "L01"})
    assert GAME.outcome(state).ranking[0] == (0,)


def test_fr_11_6_later_knockouts_are_ahead_of_earlier_ones():
    state = ended(0, 0, 0, 9, winner=3, out=(1, 2, 0), hands={0: "", 1: "", 2: ""})
    assert GAME.outcome(state).ranking == ((3,), (0,), (2,), (1,))


def test_fr_11_7_the_supply_cannot_be_empty():
    assert 2 * max(GAME.seats) < 12


def test_fr_11_8_the_game_is_stopped_after_so_many_turns():
    state = ready(10, 10, turn=5, turn_limit=5, first=1, luxuries={0: "L01"})
    events = decide(state, 0, m.ROLL, dice(5, turn=5))
    assert tags(events)[-1] == "GameEnded"
    assert tags(events)[-2] == "PageRolled"  # after P7, which here draws nothing
    state = fold(state, events)
    assert GAME.outcome(state).reason == "turn_limit"
    assert state.end.winner is None
    assert GAME.outcome(state).ranking == ((0,), (1,))


def test_fr_11_8_a_stopped_game_ranks_from_the_first_turn_player():
    state = ended(9, 9, 9, winner=None, reason="turn_limit", first=1)
    assert GAME.outcome(state).ranking == ((1,), (2,), (0,))
    state = ended(
        0, 9, 12, 9, winner=None, reason="turn_limit", first=2, out=(0,), hands={0: ""},
        luxuries={1: "L01"},
    )  # fmt: skip
    assert GAME.outcome(state).ranking == ((1,), (2,), (3,), (0,))


def test_fr_11_8_one_turn_is_the_shortest_game():
    state = table(10, 10, turn=1, turn_limit=1, hands={0: "A10-1 A10-2 B01-1"})
    state = after(state, (0, m.DiscardForOne("A10-1")), (0, m.DiscardForOne("A10-2")))
    events = decide(state, 0, m.ROLL, dice(5, turn=1))
    assert tags(events).count("CardDrawn") == 4
    assert GAME.outcome(fold(state, events)).reason == "turn_limit"


def test_fr_11_9_the_reasons_of_an_end():
    assert GAME.outcome_reasons == {"luxuries", "auction", "last_one_left", "turn_limit"}
    assert GAME.outcome_reasons <= set(GAME.texts)
