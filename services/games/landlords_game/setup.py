"""Before the first turn: the empty table, the first player, tickets (LG-1 to LG-3)."""

from __future__ import annotations

from collections.abc import Sequence

from services.games.landlords_game.board import LOTS
from services.games.landlords_game.course import Course
from services.games.landlords_game.events import (
    ChoiceOpened,
    FirstPlayerDecided,
    LandlordsEvent,
    TicketDrawn,
    TicketsReturned,
)
from services.games.landlords_game.loans import FINANCE_MOVES
from services.games.landlords_game.state import SEATS, Options, Player, State, turn_limit
from services.games.landlords_game.tickets import DRAWN, TICKETS
from services.games.landlords_game.turns import begin_turn
from shared.chance import Chance, Draw
from shared.errors import Unprocessable
from shared.game import Seat

STARTING_CASH = {"tickets": 500, "no_tickets": 100}  # LG-3.1


def draws(options: Options, seats: int) -> tuple[Draw, ...]:
    """All that is left to chance (LG-13.4, 13.5)."""
    dice = (
        Draw(label="throw/*/1", form="one", n=6),
        Draw(label="throw/*/2", form="one", n=6),
    )
    if options.variant == "no_tickets":
        return dice
    return (*dice, Draw(label="ticket/*", form="pick", of=TICKETS))


def check_options(options: Options, seats: int) -> None:
    """Any settings go with any number of players that the game allows (LG-1.1)."""
    if seats not in SEATS:
        raise Unprocessable(
            "landlords-game.wrong-number-of-seats",
            f"The Landlord's Game needs {SEATS[0]} to {SEATS[-1]} players.",
            rule="LG-1.1",
        )


def max_moves(options: Options, seats: int) -> int:
    """LG-15: how many turns there are at most, and how many moves each can have.

    Of its own a turn has at most five: fine, throw, way, choice, poor house. Finance moves and the
    answers to proposals are limited (LG-4.4). Each loan in debt pledges another free lot, and what
    the Bank holds is not redeemed before the next turn. Each surrender closes a loan that was once
    accepted.
    """
    proposals = options.proposals_per_turn
    a_turn = 5 + FINANCE_MOVES + proposals + LOTS + proposals
    return DRAWN + seats + seats * turn_limit(options) * a_turn


def initial(options: Options, seats: int) -> State:
    """Everybody on Mother Earth with nothing but cash (LG-3.1)."""
    return State(
        options=options,
        players=(Player(cash=STARTING_CASH[options.variant]),) * seats,
        bought=((),) * seats,
        tickets=((),) * seats,
        returned=((),) * seats,
    )


def conserved(state: State) -> dict[str, int]:
    """LG-1.5: all money is in purses and boxes."""
    boxes = state.boxes
    in_boxes = boxes.bank + boxes.wages + boxes.public_treasury + boxes.railroad
    return {"money": in_boxes + sum(player.cash for player in state.players)}


def open_match(state: State, chance: Chance) -> Sequence[LandlordsEvent]:
    """The first player, and either the tickets or the first turn."""
    course = Course(state, chance)
    first = throw_for_first(course) if state.options.first_player == "throw" else 0
    course.add(FirstPlayerDecided(seat=first))
    if state.options.variant == "tickets":
        draw_tickets(course, first)
        course.add(ChoiceOpened(seat=first, phase="ticket_buy"))
    else:
        begin_turn(course, first)
    return course.events


def throw_for_first(course: Course) -> Seat:
    """The highest throw starts; those tied for highest throw again (LG-3.2)."""
    seats = list(range(len(course.state.players)))
    while len(seats) > 1:
        totals = {seat: sum(course.throw(seat, "first_player")) for seat in seats}
        seats = [seat for seat in seats if totals[seat] == max(totals.values())]
    return seats[0]


def draw_tickets(course: Course, first: Seat) -> None:
    """Twelve tickets in turn order, each any of those still there (LG-3.3)."""
    left = list(TICKETS)
    seats = len(course.state.players)
    for number in range(DRAWN):
        ticket = course.chance.pick(f"ticket/{number + 1}", left)
        left.remove(ticket)
        course.add(TicketDrawn(seat=(first + number) % seats, ticket=ticket))


def tickets_done(course: Course) -> None:
    """What is left goes back; the next one buys, or the first turn begins (LG-3.4)."""
    count = len(course.state.tickets[course.seat])
    if count:
        course.add(TicketsReturned(seat=course.seat, count=count))
    following = (course.seat + 1) % len(course.state.players)
    if following == course.state.first:
        begin_turn(course, following)
    else:
        course.add(ChoiceOpened(seat=following, phase="ticket_buy"))
