"""From a throw to the end of the turn: moving, passing Mother Earth, landing (LG-5 to LG-7)."""

from __future__ import annotations

from services.games.landlords_game.board import (
    BOARD,
    FARE,
    FRANCHISE_FEE,
    LEGACY,
    TAX,
    WAGES,
    Space,
)
from services.games.landlords_game.course import Course
from services.games.landlords_game.debts import meet
from services.games.landlords_game.events import (
    CharterPlaced,
    ChoiceOpened,
    LegacyReceived,
    MotherEarthPassed,
    Moved,
    SentToJail,
)
from services.games.landlords_game.loans import dues_at_passing
from services.games.landlords_game.routes import Route
from services.games.landlords_game.state import (
    Creditor,
    Due,
    Reason,
    Table,
    is_finished,
    owner_of,
    tenants,
)
from services.games.landlords_game.turns import end_match, end_turn
from shared.game import Seat

ON_LANDING: frozenset[Reason] = frozenset(
    ("rent", "half_rent", "necessity", "railroad", "franchise")
)
"""Reasons of what falls due on the final space; all others fall due at a passing."""


def depart(course: Course, route: Route) -> None:
    """Set the checker on its final space, then all that follows (LG-5.9)."""
    course.add(
        Moved(
            seat=course.seat,
            start=route.start,
            to=route.to,
            direction=route.move.direction,
            jump=route.move.jump,
            shortened=route.shortened,
            passings=route.passings,
        )
    )
    go_on(course)


def go_on(course: Course) -> None:
    """What is due, the passings left, the landing: until somebody is asked or the turn is over."""
    while not course.turn_over:
        state = course.state
        if state.dues:
            due = state.dues[0]
            if not meet(course, due):
                return
            if due.reason in ON_LANDING:
                end_turn(course)
        elif state.passings and not is_finished(state, course.seat):
            pass_mother_earth(course)
        else:
            land(course)
            return


def pass_mother_earth(course: Course) -> None:
    """Tally, wages, and what falls due; the last one to finish ends the match (LG-5.3, 12.1)."""
    rounds = course.state.options.rounds
    tally = course.player.tally + 1
    course.add(
        MotherEarthPassed(
            seat=course.seat,
            tally=tally,
            wages=WAGES,
            finished=tally == rounds,
            dues=dues_at_passing(course.state, course.seat, tally),
        )
    )
    if all(player.tally >= rounds for player in course.state.players):
        end_match(course, "rounds")


def land(course: Course) -> None:
    """The rule of the final space, judged by the owners of this moment (LG-6, LG-7)."""
    space = BOARD[course.player.at]
    match space.kind:
        case "lot":
            land_on_lot(course, space)
        case "luxury":
            course.add(ChoiceOpened(seat=course.seat, phase="luxury_choice"))
        case "no_trespassing":
            course.add(SentToJail(seat=course.seat, cause="no_trespassing"))
            end_turn(course)
        case "legacy":
            course.add(LegacyReceived(seat=course.seat, amount=LEGACY))
            end_turn(course)
        case "necessity":
            pay_on_landing(course, Due(to="public_treasury", amount=TAX, reason="necessity"))
        case "railroad":
            pay_on_landing(course, Due(to="railroad", amount=FARE, reason="railroad"))
        case "franchise":
            land_on_franchise(course, space)
        case "public_park" | "mother_earth":
            end_turn(course)


def pay_on_landing(course: Course, due: Due) -> None:
    """The last thing in a turn."""
    if meet(course, due):
        end_turn(course)


def land_on_lot(course: Course, space: Space) -> None:
    """LG-6.1 to 6.3."""
    due = rent_due(course.state, course.seat, space)
    if due is None:
        end_turn(course)
    elif owner_of(course.state, space.lot or 0) is None:
        course.add(ChoiceOpened(seat=course.seat, phase="lot_choice"))
    else:
        pay_on_landing(course, due)


def rent_due(table: Table, seat: Seat, space: Space) -> Due | None:
    """What a seat that stops on a lot pays for it; `None` on its own (LG-6.1 to 6.5)."""
    owner, rent = owner_of(table, space.lot or 0), space.amount or 0
    if owner == seat:
        return None
    there = tenants(table, space.index, seat)
    if len(there) == 1 and there[0] != owner:
        return Due(to=there[0], amount=(rent + 1) // 2, reason="half_rent")
    landlord: Creditor = "public_treasury" if owner is None else owner
    return Due(to=landlord, amount=rent, reason="rent")


def land_on_franchise(course: Course, space: Space) -> None:
    """The first ever to stop places the charter; later ones pay its holder (LG-7.8)."""
    charter = next((c for c in course.state.charters if c.space == space.index), None)
    if charter is None:
        course.add(CharterPlaced(seat=course.seat, space=space.index))
    elif charter.seat != course.seat:
        pay_on_landing(course, Due(to=charter.seat, amount=FRANCHISE_FEE, reason="franchise"))
        return
    end_turn(course)
