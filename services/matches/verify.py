"""The proof of fairness: two separate results for a finished match's transcript.

*draws*: every recorded draw follows from the revealed seed, and the seed fits the commitment that
was published before the first draw. *decisions*: each stored move, decided again by the rules of
this build, gives the same events; only where this build has the rules number that decided it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import msgspec

from services.hosted import Hosted
from services.matches import lifecycle
from services.matches.events import (
    Ended,
    FaultRecorded,
    MatchEvent,
    SeatResigned,
    Started,
    TimedOut,
)
from services.matches.state import AnyMatch, fold
from services.matches.transcript import Transcript
from shared.chance import SPAN, Chance, ReplayChance, Unrecorded, commitment
from shared.envelope import Envelope
from shared.errors import Refused
from shared.game import Event

_BROKEN = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    StopIteration,
    msgspec.DecodeError,
)
"""What code meant for true matches may stumble over in a file that somebody changed."""

_Draw = tuple[str, Annotated[int, msgspec.Meta(ge=1, le=SPAN)], int | list[str]]


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """Findings are sentences; an empty list is a passed check.

    `draws` counts the draws that were computed again, `scripted` those that a custom match's
    script may have named; `decisions` counts commands decided again, `unchecked` those that
    another rules number decided.
    """

    draws: int
    scripted: int
    draw_faults: tuple[str, ...]
    decisions: int
    unchecked: int
    decision_faults: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing was found."""
        return not (self.draw_faults or self.decision_faults)


def verify(hosted: Hosted, transcript: Transcript) -> Proof:
    """Checks draws and decisions of a transcript."""
    draws, scripted, draw_faults = _draws(transcript)
    decisions, unchecked, decision_faults = _decisions(hosted, transcript.envelopes)
    return Proof(
        draws=draws,
        scripted=scripted,
        draw_faults=tuple(draw_faults),
        decisions=decisions,
        unchecked=unchecked,
        decision_faults=tuple(decision_faults),
    )


def _draws(transcript: Transcript) -> tuple[int, int, list[str]]:
    match, faults, checked, scripted = transcript.match, [], 0, 0
    try:
        seed = bytes.fromhex(match.seed or "")
    except ValueError:
        return 0, 0, ["the seed is not made of hex digits"]
    if commitment(seed, match.script) != match.commitment:
        faults.append("the seed does not fit the commitment of the first event")
    if match.script and not match.custom:
        faults.append("it has a script though it is not a custom match")
    client_seeds = [holder.client_seed for holder in match.seats]
    labels: set[str] = set()
    for version, envelope in enumerate(transcript.envelopes, 1):
        try:
            for label, n, result in _recorded(envelope):
                if label in labels:
                    faults.append(f"version {version}: the label {label!r} is used twice")
                labels.add(label)
                if label in match.script:
                    scripted += 1
                    if not _as_scripted(match.script[label], result):
                        faults.append(f"version {version}: {label!r} is not what the script says")
                    continue
                checked += 1
                if _again(Chance(seed, client_seeds), label, n, result) != result:
                    faults.append(f"version {version}: {label!r} is not what the seed gives")
        except _BROKEN:
            faults.append(f"version {version}: its draws can't be read")
    return checked, scripted, faults


def _as_scripted(named: Any, result: Any) -> bool:
    """A picked card is recorded by its index among those still there, so it can't be compared."""
    return isinstance(named, str) or (list(named) if isinstance(result, list) else named) == result


def _again(chance: Chance, label: str, n: int, result: Any) -> Any:
    if isinstance(result, list):
        return list(chance.shuffle(label, result))
    return chance.one(label, n)


def _recorded(envelope: Envelope[Event]) -> list[_Draw]:
    if not isinstance(envelope.draws, msgspec.Raw):
        return []
    return msgspec.json.decode(envelope.draws, type=list[_Draw])


def _decisions(hosted: Hosted, envelopes: Sequence[Envelope[Event]]) -> tuple[int, int, list[str]]:
    match: AnyMatch | None = None
    checked, unchecked, faults, version = 0, 0, [], 1
    for command in commands(envelopes):
        rules = command[0].rules or (match.rules if match else 0)
        if match is not None and _is_decided(command):
            if rules != hosted.game.rules:
                unchecked += 1
            else:
                checked += 1
                again = _decide_again(hosted, match, command)
                faults += [f"version {version}: {fault}" for fault in again]
        faults += [f"version {version}: {fault}" for fault in end_faults(hosted, match, command)]
        match = fold(hosted.game, match, command)
        version += len(command)
    return checked, unchecked, faults


def commands(envelopes: Sequence[Envelope[Event]]) -> Iterator[list[Envelope[Event]]]:
    """The log cut where a command begins."""
    command: list[Envelope[Event]] = []
    for envelope in envelopes:
        if command and envelope.command is not None:
            yield command
            command = []
        command.append(envelope)
    yield command


def end_faults(
    hosted: Hosted, match: AnyMatch | None, command: Sequence[Envelope[Event]]
) -> list[str]:
    """Whether a match could end so: its outcome follows from the table, or from a resignation.

    Args:
        match: before the command; `None` before the first.
        command: any command, of which only one that ends the match can have a fault.
    """
    last = command[-1].event
    if not isinstance(last, Ended) or match is None:
        return []
    before = fold(hosted.game, match, command[:-1])
    if last.reason == "completed":
        running = before.status == "running"
        due = hosted.game.outcome(before.table) if running else None
        fits = last.outcome is not None and last.outcome == due
    elif last.reason == "resigned":
        left = [e.event.seat for e in command if isinstance(e.event, SeatResigned)]
        fits = bool(left) and last.outcome == lifecycle.outcome_of_resignation(match, left[0])
    else:
        fits = last.outcome is None
    return [] if fits else ["the match could not end so"]


def _is_decided(command: Sequence[Envelope[Event]]) -> bool:
    """Whether rules of the game decided any of it."""
    return any(isinstance(e.event, Started) or not isinstance(e.event, MatchEvent) for e in command)


def _decide_again(hosted: Hosted, match: AnyMatch, command: Sequence[Envelope[Event]]) -> list[str]:
    """Differences between a command's own events and what the rules decide now."""
    first = command[0]
    opening = [i for i, e in enumerate(command) if isinstance(e.event, Started)]
    try:
        chance = ReplayChance(_recorded(first))
        if opening:
            match = fold(hosted.game, match, command[: opening[0] + 1])
            events = hosted.game.open(match.table, chance)
        else:
            events = _decided(hosted, match, first, chance)
    except Refused as refused:
        return [f"the rules refuse it: {refused.detail}"]
    except Unrecorded as label:
        return [f"the rules draw {str(label)!r}, which was not recorded so"]
    except _BROKEN:
        return ["the rules can't decide it"]
    stored = [e.event for e in command if not isinstance(e.event, MatchEvent)]
    if list(events) != stored:
        return ["the rules decide otherwise"]
    return [f"the rules do not draw {label!r}" for label in chance.left]


def _decided(
    hosted: Hosted, match: AnyMatch, first: Envelope[Event], chance: Chance
) -> Sequence[Event]:
    seat = first.seat
    if seat is None:
        return ()
    if isinstance(first.event, TimedOut | FaultRecorded):
        return hosted.game.time_out(match.table, seat, chance)
    if not isinstance(first.move, msgspec.Raw):
        return ()
    move = hosted.read_move(msgspec.json.decode(first.move))
    return hosted.game.decide(match.table, seat, move, chance)
