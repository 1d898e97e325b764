"""LG-13 to LG-15: what is seen, the clock, and why every match ends."""

from dataclasses import replace as planted

import pytest
from msgspec.structs import replace

from services.games.landlords_game import GAME
from services.games.landlords_game.board import BOARD
from services.games.landlords_game.events import LotBought, SentToJail, TicketDrawn, TicketsReturned
from services.games.landlords_game.moves import BuyTicket, PayFine, RepayBank, TicketsDone
from services.games.landlords_game.state import Options, State
from shared.chance import Chance
from tests.games.landlords_game.table import (
    QUIET,
    THROW,
    after,
    borrow,
    chance,
    decide,
    fold,
    names,
    one,
    owed,
    player,
    propose,
    ride,
    table,
    thrown,
    timed_out,
)
from tests.laws.exchange import law_5_exchange
from tests.laws.laws import law_4_equal_logs
from tests.laws.match import play

P = player
DONE = TicketsDone()


def with_tickets(seats: int = 2) -> tuple[State, list]:
    """Seat 0 has drawn lots 22, 20, 18 ..., seat 1 lots 1, 2, 3 ..."""
    state = GAME.initial(Options(first_player="seat0"), seats)
    draw = (22, 1, 20, 2, 18, 3, 16, 4, 14, 5, 12, 6)
    script = {f"ticket/{n}": f"T{lot:02}" for n, lot in enumerate(draw, 1)}
    events = list(GAME.open(state, chance(state, **script)))
    return fold(state, events), events


def test_lg_13_1_everything_but_tickets_is_public():
    state = table(P(at=4), P(), lots={0: [5, 22]}, player_loans=(owed(1, 0, 1, 5, 0, 3, 5),))
    state = thrown(state, 1, 2)
    views = [GAME.view(state, seat) for seat in (0, 1, None)]
    assert len({replace(view, seat=None, tickets=(), returned=()) for view in views}) == 1
    view = views[2]
    assert view.board == BOARD
    assert (view.players, view.owners, view.boxes) == (state.players, state.owners, state.boxes)
    assert (view.player_loans, view.turn_limit) == (state.player_loans, 260)
    assert (view.active, view.asked.seat, view.asked.kind) == ((0,), 0, "lot_choice")


def test_lg_13_2_a_drawn_ticket_is_seen_by_its_drawer_only():
    state, events = with_tickets()
    drawn = [e for e in events if isinstance(e, TicketDrawn)]
    for seat in (0, 1, None):
        for event in drawn:
            seen = GAME.redact(event, seat)
            assert seen == (event if event.seat == seat else TicketDrawn(event.seat, None))
    assert GAME.view(state, 0).tickets == (state.tickets[0], 6)
    assert GAME.view(state, 1).tickets == (6, state.tickets[1])
    assert GAME.view(state, None).tickets == (6, 6)


def test_lg_13_2_a_bought_ticket_is_public():
    state, _ = with_tickets()
    state = after(state, BuyTicket(lot=22))
    for seat in (0, 1, None):
        view = GAME.view(state, seat)
        assert view.bought == (("T22",), ())
        assert view.owners[21] == 0
    bought = LotBought(seat=0, lot=22, price=220, ticket="T22")
    assert GAME.redact(bought, 1) == bought


def test_lg_13_2_a_returned_ticket_stays_known_to_its_drawer_only():
    state, _ = with_tickets()
    state = after(state, BuyTicket(lot=22), DONE, DONE)
    left = ("T20", "T18", "T16", "T14", "T12")
    assert state.returned[0] == left
    assert GAME.view(state, 0).returned == (left, 6)
    assert GAME.view(state, 1).returned[0] == 5
    assert GAME.view(state, None).returned == (5, 6)
    assert GAME.redact(TicketsReturned(seat=0, count=5), 1).count == 5
    later = thrown(state, 1, 1)
    assert GAME.view(later, 0).returned == (left, 6)


def test_lg_13_2_when_the_match_is_over_all_is_seen():
    state, _ = with_tickets()
    state = replace(after(state, DONE, DONE), phase="game_over", turn=None, cause="rounds")
    assert GAME.view(state, None).returned == state.returned


def test_lg_13_3_the_imagined_tables_hold_any_tickets_not_seen():
    state, _ = with_tickets()
    state = after(state, BuyTicket(lot=22), DONE)
    view = GAME.view(state, 1)
    guesses = [GAME.resample(view, Chance(bytes([n]) * 32)) for n in range(30)]
    assert all(GAME.view(guess, 1) == view for guess in guesses)
    returned = {ticket for guess in guesses for ticket in guess.returned[0]}
    assert returned == {f"T{lot:02}" for lot in range(7, 22)}


def test_lg_13_5_a_view_keeps_every_ticket_that_its_seat_s_log_told():
    match = play(GAME, Options(rounds=1), 3, seed=8)
    for seat in range(3):
        told = {
            event.ticket
            for _, event in match.log
            if isinstance(event, TicketDrawn) and event.seat == seat
        }
        for state in match.states[1:]:
            view = GAME.view(state, seat)
            assert {*view.tickets[seat], *view.returned[seat], *view.bought[seat]} == told


def test_lg_13_4_dice_and_tickets_are_the_only_draws():
    forms = {d.label: (d.form, d.n or len(d.of)) for d in GAME.draws(Options(), 4)}
    assert forms == {"throw/*/1": ("one", 6), "throw/*/2": ("one", 6), "ticket/*": ("pick", 22)}
    assert len(GAME.draws(Options(variant="no_tickets"), 4)) == 2


def test_lg_17_2_throws_are_numbered_through_the_match():
    state, source = table(P(), P()), Chance(bytes(32))
    for _ in range(3):
        seat = state.turn
        while state.turn == seat:
            state = fold(state, GAME.time_out(state, seat, source))
    labels = [label for label, _, _ in source.draws]
    assert labels == [f"throw/{n}/{die}" for n in (1, 2, 3) for die in (1, 2)]


def test_lg_14_1_refusing_is_no_move():
    assert "refused" not in {move.__struct_config__.tag for move in GAME.move_types}


def test_lg_14_2_tickets_are_returned():
    state, _ = with_tickets()
    assert GAME.time_out(state, 0, chance(state)) == decide(state, DONE)


def test_lg_14_2_a_proposal_is_refused():
    state = after(table(P(), P()), propose(1, 10))
    assert names(GAME.time_out(state, 1, chance(state))) == ["LoanRefused"]
    assert timed_out(state).players[1].place == "board"


def test_lg_14_2_the_turn_is_played_to_its_end_and_jail_follows():
    state = table(P(at=4), P())
    events = GAME.time_out(state, 0, chance(state, 1, 2))
    assert names(events) == [
        "DiceThrown",
        "Moved",
        "ChoiceOpened",
        "Paid",
        "SentToJail",
        "TurnStarted",
    ]
    assert one(events, SentToJail).cause == "refused"
    assert timed_out(state, 1, 2).players[0].at == 10


@pytest.mark.parametrize(
    ("state", "at"),
    [
        (thrown(table(P(at=3), P()), 4, 4), "Moved"),  # forward, no jump
        (thrown(table(P(at=4), P()), 1, 2), "Paid"),  # rents
        (thrown(table(P(at=5), P()), 1, 2), "LuxuryDeclined"),
    ],
)
def test_lg_14_3_every_choice_of_a_turn_has_its_default_and_then_jail(state, at):
    events = GAME.time_out(state, 0, chance(state))
    assert names(events)[0] == at
    assert names(events)[-2:] == ["SentToJail", "TurnStarted"]
    if at == "Moved":
        assert (events[0].to, events[0].jump) == (11, None)


def test_lg_14_3_a_luxury_declined_by_default_costs_the_missed_turn_and_jail():
    state = timed_out(thrown(table(P(at=5), P()), 1, 2))
    assert (state.players[0].place, state.players[0].misses_turn) == ("jail", True)


def test_lg_14_2_in_debt_the_bank_then_surrender_then_the_poor_house():
    rich = thrown(table(P(4), P(), lots={0: [11, 22]}), 1, 1)
    state = timed_out(rich)
    assert state.bank_loans[0].lots == (11,)
    assert state.players[0].place == "jail"
    loans = (owed(1, 0, 1, 150, 0, 1, 5),)
    secured = thrown(table(P(0, at=39), P(), lots={0: [5]}, player_loans=loans), 1, 2)
    state = timed_out(secured)
    assert (state.owners[4], state.players[0].place) == (1, "jail")
    poor = thrown(table(P(4), P()), 1, 1)
    assert timed_out(poor).players[0].place == "poorhouse"  # and no jail (LG-14.3)


def test_lg_14_3_who_is_in_jail_or_poor_house_stays_there():
    jailed = table(P(at=10, place="jail"), P())
    assert names(GAME.time_out(jailed, 0, chance(jailed, 1, 2))) == ["DiceThrown", "TurnStarted"]
    poor = table(P(at=20, place="poorhouse"), P())
    assert timed_out(poor, 1, 2).players[0].place == "poorhouse"


def test_lg_14_3_who_threw_himself_out_by_default_goes_back():
    jailed = table(P(at=10, place="jail"), P())
    events = GAME.time_out(jailed, 0, chance(jailed, 6, 6))
    assert [n for n in names(events) if "Jail" in n] == ["LeftJail", "SentToJail"]
    poor = table(P(at=20, place="poorhouse", poor_count=19), P())
    assert timed_out(poor, 1, 1).players[0].place == "jail"
    assert timed_out(poor, 1, 1).players[0].tally == 1


def test_lg_14_3_no_jail_when_the_match_is_over():
    last = table(P(at=39, tally=4), P(tally=5))
    assert names(GAME.time_out(last, 0, chance(last, 1, 2)))[-1] == "GameEnded"


def test_lg_14_3_jail_belongs_to_the_turn_before_the_limit_is_looked_at():
    state = table(P(turns=20), P(turns=20), options={"turn_limit": 20})
    assert names(GAME.time_out(state, 0, chance(state, 1, 1)))[-2:] == ["SentToJail", "GameEnded"]


def test_lg_14_3_only_the_rest_of_the_turn_is_played():
    state = timed_out(table(P(at=4), P(at=4), P()), 1, 2)
    assert (state.turn, state.phase) == (1, "turn_start")


def test_lg_14_4_every_phase_that_asks_has_a_default():
    state, source = with_tickets(3)[0], Chance(bytes(32))
    while active := sorted(GAME.active_seats(state)):
        state = fold(state, GAME.time_out(state, active[0], source))
    assert GAME.outcome(state) is not None


def test_lg_15_1_the_bound_of_moves():
    options = Options(turn_limit=20)
    assert GAME.max_moves(options, 2) == 12 + 2 + 2 * 20 * (5 + 10 + 22 + 2 * 3)


def test_lg_15_1_a_turn_of_many_loans_in_debt_is_within_the_bound():
    """All lots are pledged for one note and redeemed, five times; then one by one in debt."""
    every = tuple(range(1, 23))
    pledge_and_redeem = [
        move for n in range(1, 6) for move in (borrow(1, *every), RepayBank(loan=n, notes=1))
    ]
    pairs = [borrow(1, n, 11 - n) for n in range(1, 6)]
    state = table(
        P(300, at=10, place="jail"),
        P(),
        lots={0: every},
        options={"proposals_per_turn": 1, "rounds": 1, "turn_limit": 20},
        loans_made=0,
        player_loans=(owed(99, 0, 1, 2000, 0, 1),),
    )
    moves = [PayFine(), *pledge_and_redeem, (THROW, 6, 6), ride(15, 35)]
    moves += [*(borrow(1, lot) for lot in range(11, 23)), *pairs]
    assert after(state, *moves[:-1]).phase == "debt"
    assert after(state, *moves).turn == 1
    longer, shorter = (Options(turn_limit=n, proposals_per_turn=1) for n in (21, 20))
    a_round = GAME.max_moves(longer, 2) - GAME.max_moves(shorter, 2)
    assert len(moves) == 30 <= a_round // 2


def test_lg_15_2_the_poor_house_holds_nobody_for_more_than_ten_turns():
    state = table(P(at=20, place="poorhouse"), P(at=20, place="poorhouse"))
    for _ in range(18):
        state = thrown(state, 1, 1)
    assert [p.poor_count for p in state.players] == [18, 18]
    assert thrown(state, 1, 1).players[0].place == "board"


def test_lg_15_3_when_all_have_had_their_turns_the_match_is_counted_up():
    state = table(P(turns=20), P(turns=19), options={"turn_limit": 20, **QUIET})
    state = thrown(state, 1, 1)
    assert (state.turn, state.players[1].turns) == (1, 20)
    events = decide(state, THROW, 1, 1)
    assert names(events)[-2:] == ["Paid", "GameEnded"]
    assert events[-1].cause == "turn_limit"


def test_lg_15_3_missed_turns_are_counted():
    state = table(P(turns=20), P(turns=19, misses_turn=True), options={"turn_limit": 20})
    events = decide(state, THROW, 1, 1)
    assert names(events)[-3:] == ["TurnStarted", "TurnMissed", "GameEnded"]


def leaks_in_views(state, seat):
    return replace(GAME.view(state, seat), tickets=state.tickets, returned=state.returned)


def shows_all_draws(event, seat):
    return event


@pytest.mark.parametrize(
    "defect",
    [
        {"view": leaks_in_views},
        {"redact": shows_all_draws},
    ],
    ids=lambda defect: next(iter(defect.values())).__name__,
)
def test_lg_13_2_law_5_finds_a_leak(defect):
    match = play(planted(GAME, **defect), Options(rounds=1), 3, seed=5)
    with pytest.raises(AssertionError):
        law_5_exchange(match)


def test_lg_13_2_law_4_finds_a_view_that_tells_what_others_drew():
    match = play(planted(GAME, view=leaks_in_views), Options(rounds=1), 3, seed=5)
    with pytest.raises(AssertionError, match="without its log"):
        law_4_equal_logs(match)


def test_lg_13_2_laws_4_and_5_find_nothing_in_the_game_itself():
    match = play(GAME, Options(rounds=1), 3, seed=5)
    assert law_5_exchange(match) > 50
    assert law_4_equal_logs(match) > 0
