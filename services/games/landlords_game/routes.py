"""Where a throw can lead: plain moves, rides on the railroads, both directions (LG-5, LG-7, LG-11).

Spaces are counted on without wrapping round, so that going past index 0 shows in the sum.
"""

from __future__ import annotations

import msgspec

from services.games.landlords_game.board import JAIL, LOT_AT, RAILROADS, SPACES
from services.games.landlords_game.moves import Jump, MoveChecker
from services.games.landlords_game.state import Direction, Table, is_finished, tenants
from shared.game import Seat

STEP: dict[Direction, int] = {"forward": 1, "backward": -1}


class Route(msgspec.Struct, frozen=True, gc=False):
    """A way to move. `passings`: how often it reaches or passes Mother Earth going forward."""

    move: MoveChecker
    start: int
    to: int
    passings: int
    shortened: bool


def routes(table: Table, seat: Seat, throw: tuple[int, int]) -> tuple[Route, ...]:
    """All ways to move by this throw: the plain forward one first, then rides, then backward.

    They are those of a seat that is free to move by its throw: not in jail, nor in the poor house.
    """
    start = counted_from(table, seat)
    found: list[Route] = []
    for direction in directions(table, seat):
        plain = route(table, seat, start, sum(throw), direction)
        found.append(plain)
        if has_pass(throw):
            for from_ in passed_railroads(plain):
                for to in rides(table, from_, direction):
                    jump = Jump(from_=from_, to=to)
                    found.append(route(table, seat, start, sum(throw), direction, jump))
    return tuple(found)


def counted_from(table: Table, seat: Seat) -> int:
    """The space before the first one counted: out of jail, count one falls on Coal (LG-8.4)."""
    player = table.players[seat]
    return JAIL - 1 if player.place in ("jail", "released") else player.at


def directions(table: Table, seat: Seat) -> tuple[Direction, ...]:
    """Backward only for who has finished, has no debt and does not come out of jail (LG-11.2)."""
    free = table.players[seat].place == "board" and is_finished(table, seat)
    return ("forward", "backward") if free and not is_in_debt(table, seat) else ("forward",)


def is_in_debt(table: Table, seat: Seat) -> bool:
    """Whether the seat owes a bank note or a player loan (LG-11.2)."""
    return any(loan.borrower == seat for loan in table.bank_loans + table.player_loans)


def has_pass(throw: tuple[int, int]) -> bool:
    """A double gets a pass (LG-7.4)."""
    return throw[0] == throw[1]


def passed_railroads(plain: Route) -> list[int]:
    """Railroads strictly between start and end of a plain move, in the order of travel (LG-7.4)."""
    step = STEP[plain.move.direction]
    between = (plain.to - plain.start) * step % SPACES
    path = ((plain.start + step * n) % SPACES for n in range(1, between))
    return [space for space in path if space in RAILROADS]


def rides(table: Table, from_: int, direction: Direction) -> list[int]:
    """Where a ride from a railroad may end (LG-7.5)."""
    others = [space for space in RAILROADS if space != from_]
    if table.options.rail_jump == "any":
        return others
    return [min(others, key=lambda to: ridden(from_, to, direction))]


def ridden(from_: int, to: int, direction: Direction) -> int:
    """How many spaces a ride covers in the direction of travel (LG-7.5)."""
    return (to - from_) * STEP[direction] % SPACES


def route(
    table: Table,
    seat: Seat,
    start: int,
    total: int,
    direction: Direction = "forward",
    jump: Jump | None = None,
) -> Route:
    """One way to move; a third player on a lot stops one space short (LG-5.7)."""
    step = STEP[direction]
    ride = ridden(jump.from_, jump.to, direction) if jump else 0
    end = start + step * (total + ride)
    full = LOT_AT[end % SPACES] is not None and len(tenants(table, end % SPACES, seat)) >= 2
    if full:
        end -= step
    return Route(
        move=MoveChecker(direction=direction, jump=jump),
        start=start,
        to=end % SPACES,
        passings=max(end // SPACES, 0),
        shortened=full,
    )
