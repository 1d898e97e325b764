"""How turns begin and end, and with them the match (LG-4.1, LG-14.3, LG-15.3)."""

from __future__ import annotations

from services.games.landlords_game.counting import count_up
from services.games.landlords_game.course import Course
from services.games.landlords_game.events import SentToJail, TurnMissed, TurnStarted
from services.games.landlords_game.state import Cause, turn_limit
from shared.game import Seat


def begin_turn(course: Course, seat: Seat) -> None:
    """The seat's turn, or that of the next one who does not miss it (LG-4.1 (1))."""
    seats = len(course.state.players)
    while not _is_out_of_turns(course, seat):
        course.add(TurnStarted(seat=seat))
        if not course.player.misses_turn:
            return
        course.add(TurnMissed(seat=seat))
        seat = (seat + 1) % seats
    end_match(course, "turn_limit")


def _is_out_of_turns(course: Course, seat: Seat) -> bool:
    """Turns go round, so who is next has had as many as anybody (LG-15.3)."""
    return course.state.players[seat].turns >= turn_limit(course.state.options)


def end_turn(course: Course) -> None:
    """LG-4.1 (7); first jail for who let the clock run out (LG-14.3)."""
    if course.offends and course.player.place == "board":
        course.add(SentToJail(seat=course.seat, cause="refused"))
    course.turn_over = True
    begin_turn(course, (course.seat + 1) % len(course.state.players))


def end_match(course: Course, cause: Cause) -> None:
    """The count-up."""
    course.turn_over = True
    course.add(count_up(course.state, cause))
