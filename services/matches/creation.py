"""What a new match is asked to be, and the checks before its first event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from services.bots.levels import policy_for
from services.hosted import Hosted
from services.matches.events import Created, Kind, SeatPlan, Visibility
from shared.chance import check_script, commitment
from shared.errors import Unprocessable
from shared.game import AnyGame
from shared.settings import Settings
from shared.store import Person, Secret


class NewSeat(msgspec.Struct, frozen=True, kw_only=True):
    """One seat as asked for. A `bot` has a level; the rest is for people and agents."""

    kind: Kind
    level: str | None = None
    name: str | None = None
    ref: str | None = None
    client_seed: str | None = None


class NewMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match as asked for. `start` defaults to whether no seat is open."""

    game: str
    seats: tuple[NewSeat, ...]
    options: dict[str, Any] = {}
    clock_ms: int | None = None
    pace_ms: int | None = None
    visibility: Visibility = "unlisted"
    chance: dict[str, Any] | None = None
    start: bool | None = None

    def starts_at_once(self) -> bool:
        """Whether the match begins with its creation."""
        if self.start is not None:
            return self.start
        return all(seat.kind != "open" for seat in self.seats)

    def people(self) -> Mapping[int, Person]:
        """Names and references, which never enter the log."""
        return {
            number: Person(seat.name, seat.ref)
            for number, seat in enumerate(self.seats)
            if seat.name is not None or seat.ref is not None
        }


def created_event(
    hosted: Hosted, new: NewMatch, owner: str, secret: Secret, settings: Settings
) -> Created:
    """The first event of a match that can be.

    Raises:
        Malformed: options of a wrong type or name.
        Unprocessable: a number of seats, a level, options or a script that this game can't have.
    """
    game = hosted.game
    options = hosted.read_options(new.options)
    game.check_options(options, len(new.seats))  # the game's own rule about seats comes first
    _check_seats(game, new)
    if new.chance is not None:
        check_script(new.chance, game.draws(options, len(new.seats)))
    people = any(seat.kind in ("person", "open") for seat in new.seats)
    pace = settings.person_pace_ms if people else 0
    return Created(
        game=game.slug,
        options=msgspec.to_builtins(options),
        seats=tuple(SeatPlan(s.kind, s.level, s.client_seed) for s in new.seats),
        owner=owner,
        visibility=new.visibility,
        commitment=commitment(bytes.fromhex(secret.seed), secret.script),
        pace_ms=pace if new.pace_ms is None else new.pace_ms,
        clock_ms=new.clock_ms,
        custom=new.chance is not None,
    )


def _check_seats(game: AnyGame, new: NewMatch) -> None:
    if len(new.seats) not in game.seats:
        low, high = game.seats[0], game.seats[-1]
        raise Unprocessable("match.seat-count", f"This game has {low} to {high} seats.")
    for seat in new.seats:
        _check_seat(game, seat)
    if new.start and any(seat.kind == "open" for seat in new.seats):
        raise Unprocessable(
            "match.start-with-open-seats", "A match with open seats can't start at once."
        )


def _check_seat(game: AnyGame, seat: NewSeat) -> None:
    if seat.kind == "bot":
        policy_for(game, seat.level or "")
        return
    if seat.level is not None:
        raise Unprocessable("match.level-without-bot", "Only a bot's seat has a level.")
    if seat.kind == "open" and (seat.name or seat.ref or seat.client_seed):
        raise Unprocessable("match.nobody-there", "An open seat has no name, ref or client seed.")
