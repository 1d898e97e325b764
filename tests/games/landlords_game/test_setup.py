"""LG-1 to LG-3: settings, the board, tickets."""

import msgspec
import pytest

from services.games.landlords_game import GAME
from services.games.landlords_game.board import BOARD, LOT_AT, RAILROADS
from services.games.landlords_game.events import (
    ChoiceOpened,
    DiceThrown,
    FirstPlayerDecided,
    LotBought,
    TicketDrawn,
    TicketsReturned,
)
from services.games.landlords_game.moves import BuyTicket, TicketsDone
from services.games.landlords_game.state import Boxes, Options, turn_limit
from services.games.landlords_game.tickets import TICKETS
from shared.chance import Chance
from shared.errors import Unprocessable
from tests.games.landlords_game.table import (
    QUIET,
    after,
    cash,
    chance,
    decide,
    fold,
    kinds,
    legal,
    names,
    player,
    refused,
    table,
    thrown,
)

DONE = TicketsDone()


def opened(seats: int = 4, *dice: int, draw: tuple[int, ...] = (), **options):
    """The opening; `draw` are the lots of the first tickets."""
    state = GAME.initial(Options(**options), seats)
    script = {f"ticket/{n}": f"T{lot:02}" for n, lot in enumerate(draw, 1)}
    return state, GAME.open(state, chance(state, *dice, **script))


def at_tickets(*draw: int, seats: int = 2):
    state, events = opened(seats, first_player="seat0", draw=draw)
    return fold(state, events)


@pytest.mark.parametrize("seats", [1, 5])
def test_lg_1_1_two_to_four_players(seats):
    assert list(GAME.seats) == [2, 3, 4]
    with pytest.raises(Unprocessable) as refusal:
        GAME.check_options(Options(), seats)
    assert (refusal.value.code, refusal.value.rule) == (
        "landlords-game.wrong-number-of-seats",
        "LG-1.1",
    )


def test_lg_1_2_the_defaults():
    options = Options()
    assert msgspec.to_builtins(options) == {}
    assert (options.variant, options.rounds, options.first_player) == ("tickets", 5, "throw")
    assert (options.rail_jump, options.player_loans, options.proposals_per_turn) == ("any", True, 3)
    assert turn_limit(options) == 260
    assert turn_limit(Options(rounds=1)) == 100
    assert turn_limit(Options(rounds=1, turn_limit=20)) == 20


@pytest.mark.parametrize(
    "given",
    [
        {"variant": "seed"},
        {"rounds": 0},
        {"rounds": 11},
        {"rounds": True},
        {"rounds": 2.5},
        {"first_player": "seat1"},
        {"rail_jump": "none"},
        {"player_loans": 1},
        {"proposals_per_turn": -1},
        {"proposals_per_turn": 6},
        {"turn_limit": 19},
        {"turn_limit": 1001},
        {"clock_seconds": 30},
        {"colour": "green"},
    ],
)
def test_lg_1_2_other_settings_are_refused(given):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(given, Options)


@pytest.mark.parametrize(
    "given",
    [{"rounds": 1}, {"rounds": 10}, {"turn_limit": 20}, {"turn_limit": 1000}, {"turn_limit": None}],
)
def test_lg_1_2_the_bounds_are_allowed(given):
    GAME.check_options(msgspec.convert(given, Options), 2)


def test_lg_1_3_the_pieces():
    state = GAME.initial(Options(), 4)
    assert len(BOARD) == 40
    assert tuple(f"T{lot:02}" for lot in range(1, 23)) == TICKETS
    assert len(state.owners) == 22
    assert [player.tally for player in state.players] == [0] * 4


def test_lg_1_4_the_boxes_start_at_nothing():
    assert GAME.initial(Options(), 2).boxes == Boxes(0, 0, 0, 0)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_lg_1_5_all_money_is_in_purses_and_boxes(seats):
    assert GAME.conserved(GAME.initial(Options(), seats)) == {"money": 500 * seats}
    assert GAME.conserved(GAME.initial(Options(variant="no_tickets"), seats)) == {
        "money": 100 * seats
    }


def test_lg_1_6_one_seat_acts_and_others_are_refused():
    state = at_tickets()
    assert GAME.active_seats(state) == {0}
    with refused(state, "not-asked", "LG-1.6"):
        GAME.check(state, 1, DONE)


def test_lg_2_the_board_row_by_row():
    row = (
        "E 1 N 2 T R 3 4 L 5 N 6 7 F 8 R 9 N 10 11 "
        "P 12 L 13 14 R 15 F 16 17 T 18 N 19 20 R 21 G 22 L"
    )
    letter = {
        "mother_earth": "E",
        "necessity": "N",
        "no_trespassing": "T",
        "railroad": "R",
        "luxury": "L",
        "franchise": "F",
        "public_park": "P",
        "legacy": "G",
    }
    assert row.split() == [letter.get(space.kind) or str(space.lot) for space in BOARD]
    assert [space.index for space in BOARD] == list(range(40))
    for space in BOARD:
        assert space.name in GAME.texts
        assert space.kind in GAME.texts


def test_lg_2_1_check_sums():
    by_kind = {kind: [s for s in BOARD if s.kind == kind] for kind in {s.kind for s in BOARD}}
    lots = by_kind["lot"]
    assert [space.lot for space in lots] == list(range(1, 23))
    assert sum(space.price for space in lots) == 2530
    assert all(space.price == 10 * space.lot and space.amount == space.lot for space in lots)
    assert RAILROADS == (5, 15, 25, 35)
    assert {
        kind: [s.index for s in spaces] for kind, spaces in by_kind.items() if kind != "lot"
    } == {
        "railroad": [5, 15, 25, 35],
        "necessity": [2, 10, 17, 32],
        "luxury": [8, 22, 39],
        "franchise": [13, 27],
        "no_trespassing": [4, 30],
        "legacy": [37],
        "public_park": [20],
        "mother_earth": [0],
    }
    assert {s.amount for kind in ("railroad", "necessity", "franchise") for s in by_kind[kind]} == {
        5
    }
    assert {(s.price, s.amount) for s in by_kind["luxury"]} == {(50, 60)}
    assert by_kind["legacy"][0].amount == by_kind["mother_earth"][0].amount == 100


def test_lg_2_2_jail_and_poor_house_are_states_and_not_the_space_they_lie_behind():
    jailed = thrown(table(player(at=1), player()), 1, 2).players[0]
    poor = thrown(table(player(0, at=2), player(), options=QUIET), 1, 2).players[0]
    assert (jailed.at, jailed.place, poor.at, poor.place) == (10, "jail", 20, "poorhouse")
    for space in (10, 20):
        visiting = thrown(table(player(at=space - 3), player()), 1, 2).players[0]
        assert (visiting.at, visiting.place) == (space, "board")


def test_lg_2_3_every_kind_of_space_has_its_name_for_a_client_to_colour():
    assert {space.kind for space in BOARD} >= {"lot", "necessity", "luxury", "franchise"}


def test_lg_2_4_no_trespassing_has_no_buyable_owner():
    assert LOT_AT[4] is None
    assert LOT_AT[30] is None
    assert BOARD[30].price is None


@pytest.mark.parametrize(("variant", "start"), [("tickets", 500), ("no_tickets", 100)])
def test_lg_3_1_starting_cash_and_nothing_else(variant, start):
    state, events = opened(3, variant=variant)
    state = fold(state, events)
    assert cash(state) == [start] * 3
    assert {(p.at, p.tally, p.place) for p in state.players} == {(0, 0, "board")}
    assert set(state.owners) == {None}
    assert state.boxes == Boxes()


def test_lg_3_2_the_highest_throw_starts_and_ties_throw_again():
    _, events = opened(4, 1, 2, 6, 5, 3, 3, 5, 6, 2, 2, 1, 1, variant="no_tickets")
    throws = [e for e in events if isinstance(e, DiceThrown)]
    assert [t.seat for t in throws] == [0, 1, 2, 3, 1, 3]
    assert {t.purpose for t in throws} == {"first_player"}
    assert names(events)[-2:] == ["FirstPlayerDecided", "TurnStarted"]
    assert events[-1].seat == 1


def test_lg_3_2_seat0_starts_without_a_throw():
    _, events = opened(4, first_player="seat0", variant="no_tickets")
    assert names(events) == ["FirstPlayerDecided", "TurnStarted"]
    assert events[0] == FirstPlayerDecided(seat=0)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_lg_3_3_twelve_tickets_in_turn_order(seats):
    script = [1, 1] * seats
    script[2:4] = [6, 6]
    _, events = opened(seats, *script)
    drawn = [e for e in events if isinstance(e, TicketDrawn)]
    assert [e.seat for e in drawn] == [(1 + n) % seats for n in range(12)]
    assert len({e.ticket for e in drawn}) == 12
    assert events[-1] == ChoiceOpened(seat=1, phase="ticket_buy")


def test_lg_3_3_each_draw_is_uniform_over_the_pool():
    state = GAME.initial(Options(first_player="seat0"), 2)
    source = Chance(bytes(32))
    GAME.open(state, source)
    assert [(label, n) for label, n, _ in source.draws] == [
        (f"ticket/{k}", 23 - k) for k in range(1, 13)
    ]


def test_lg_3_4_each_in_turn_buys_as_he_can_and_returns_the_rest():
    state = at_tickets(22, 1, 21, 2, 20, 3, 19, 4, 18, 5, 17, 6)
    assert legal(state)[0] == DONE
    assert [m.lot for m in legal(state)[1:]] == [17, 18, 19, 20, 21, 22]
    events = decide(state, BuyTicket(lot=22))
    assert events == [LotBought(seat=0, lot=22, price=220, ticket="T22")]
    state = after(state, BuyTicket(lot=22))
    assert state.owners[21] == 0
    assert state.boxes == Boxes(public_treasury=220)
    assert [m.lot for m in legal(state)[1:]] == [17, 18, 19, 20, 21]  # 280 are left
    state = after(state, BuyTicket(lot=21))
    assert kinds(state) == {"tickets_done"}  # 70 are left
    events = decide(state, DONE)
    assert events[0] == TicketsReturned(seat=0, count=4)
    assert events[1] == ChoiceOpened(seat=1, phase="ticket_buy")
    state = after(state, DONE)
    assert cash(state) == [70, 500]
    state = after(state, DONE)
    assert (state.phase, state.turn) == ("turn_start", 0)


def test_lg_3_4_buying_goes_round_from_the_first_player_who_then_has_the_first_turn():
    state, events = opened(3, 1, 1, 6, 6, 1, 1)
    state, asked = fold(state, events), []
    while state.phase == "ticket_buy":
        asked.append(state.turn)
        state = after(state, DONE)
    assert asked == [1, 2, 0]
    assert (state.phase, state.turn) == ("turn_start", 1)


def test_lg_3_4_buying_ends_by_itself_without_a_ticket():
    state = at_tickets(22, 1, 21, 2, 20, 3, 19, 4, 18, 5, 17, 6)
    state = after(state, DONE, *(BuyTicket(lot=lot) for lot in (1, 2, 3, 4, 5)))
    events = decide(state, BuyTicket(lot=6))
    assert names(events) == ["LotBought", "TurnStarted"]


@pytest.mark.parametrize("lot", [1, 2, 0, 23, -4])
def test_lg_3_4_only_own_tickets(lot):
    state = at_tickets(22, 1, 21, 2, 20, 3, 19, 4, 18, 5, 17, 6)
    with refused(state, "not-your-ticket", "LG-3.4"):
        decide(state, BuyTicket(lot=lot))


def test_lg_3_4_only_for_cash():
    state = after(at_tickets(22, 1, 21, 2, 20, 3), BuyTicket(lot=22), BuyTicket(lot=21))
    with refused(state, "ticket-too-dear", "LG-3.4"):
        decide(state, BuyTicket(lot=20))


def test_lg_3_5_no_loans_during_setup():
    state = after(at_tickets(22), BuyTicket(lot=22))
    assert kinds(state) <= {"buy_ticket", "tickets_done"}


def test_lg_3_6_a_returned_lot_can_be_bought_on_landing():
    state = after(at_tickets(3), DONE, DONE)
    state = fold(state, decide(state, legal(state)[0], 2, 4))
    assert (state.phase, state.players[0].at) == ("lot_choice", 6)


def test_lg_3_7_without_tickets_the_first_turn_begins_at_once():
    state, events = opened(2, variant="no_tickets", first_player="seat0")
    state = fold(state, events)
    assert (state.phase, state.turn) == ("turn_start", 0)
    assert state.tickets == ((), ())
