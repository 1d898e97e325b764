"""What a transcript must be before it is folded at all: everything that a creation would refuse."""

from __future__ import annotations

from collections.abc import Sequence

from services.bots.levels import policy_for
from services.hosted import Hosted
from services.matches.events import Created, Ended, MatchEvent
from shared.chance import check_script
from shared.envelope import Envelope
from shared.errors import Malformed, Unprocessable
from shared.game import Event

LATEST = 253_402_300_799_999
"""The last moment that RFC 3339 can write: the end of the year 9999, in ms since 1970."""
MAX_PACE_MS = 60_000
MIN_CLOCK_MS, MAX_CLOCK_MS = 1_000, 604_800_000
"""A move's time, from a second to a week."""


def check_possible(hosted: Hosted, envelopes: Sequence[Envelope[Event]]) -> Created:
    """The first event of a log that could be one of ours.

    Raises:
        Malformed, Unprocessable: it could not.
    """
    created = envelopes[0].event
    if not isinstance(created, Created):
        raise _never("it does not begin with match.created")
    seats, game = len(created.seats), hosted.game
    if created.game != game.slug or seats not in game.seats:
        raise _never("this game has no such number of seats")
    game.check_options(hosted.read_options(created.options), seats)
    for plan in created.seats:
        if plan.level is not None:
            policy_for(game, plan.level)
        if (plan.kind == "bot") != (plan.level is not None):
            raise _never("only a bot's seat has a level")
    clocked = created.clock_ms is None or MIN_CLOCK_MS <= created.clock_ms <= MAX_CLOCK_MS
    if not (clocked and 0 <= created.pace_ms <= MAX_PACE_MS):
        raise _never("its clock runs too fast or too slowly")
    for envelope in envelopes:
        _check_one(envelope, seats)
    _check_script(hosted, created, envelopes[-1].event)
    return created


def _check_one(envelope: Envelope[Event], seats: int) -> None:
    if not 0 <= envelope.at <= LATEST:
        raise _never("its time can't be written")
    named = [envelope.seat]
    if isinstance(envelope.event, MatchEvent):
        named.append(getattr(envelope.event, "seat", None))
    if any(seat is not None and not 0 <= seat < seats for seat in named):
        raise _never("it speaks of a seat that is not there")


def _check_script(hosted: Hosted, created: Created, last: Event) -> None:
    if not isinstance(last, Ended):
        raise _never("it does not end with match.ended")
    if last.script and not created.custom:
        raise Unprocessable(
            "match.bad-proof", "Only a custom match may have a script; this one says it is none."
        )
    options = hosted.read_options(created.options)
    check_script(last.script, hosted.game.draws(options, len(created.seats)))


def _never(detail: str) -> Malformed:
    return Malformed("match.bad-transcript", f"This is no valid transcript: {detail}.")
