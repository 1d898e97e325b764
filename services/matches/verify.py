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
from services.matches.events import FaultRecorded, MatchEvent, Started, TimedOut
from services.matches.state import AnyMatch, fold
from services.matches.transcript import Transcript
from shared.chance import SPAN, Chance, commitment
from shared.envelope import ABSENT, Envelope
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


def check_draws(transcript: Transcript) -> list[str]:
    """What is wrong with a transcript's commitment and draws; empty where all follow."""
    return _draws(transcript)[2]


def _draws(transcript: Transcript) -> tuple[int, int, list[str]]:
    match, faults, checked, scripted = transcript.match, [], 0, 0
    try:
        seed = bytes.fromhex(match.seed or "")
    except ValueError:
        return 0, 0, ["the seed is not made of hex digits"]
    if commitment(seed, match.script) != match.commitment:
        faults.append("the seed does not fit the commitment of the first event")
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
                    continue
                checked += 1
                if _again(Chance(seed, client_seeds), label, n, result) != result:
                    faults.append(f"version {version}: {label!r} is not what the seed gives")
        except _BROKEN:
            faults.append(f"version {version}: its draws can't be read")
    return checked, scripted, faults


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
        if match is not None and (again := _decide_again(hosted, match, command)) is not None:
            if rules != hosted.game.rules:
                unchecked += 1
            else:
                checked += 1
                faults += [f"version {version}: {fault}" for fault in again]
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


class _Replayed(Chance):
    """Gives recorded results again."""

    __slots__ = ()

    def pick(self, label: str, items: Sequence[str]) -> str:
        """What is recorded is the index, where the script of a custom match has a name."""
        return sorted(items)[self.one(label, len(items))]


def _decide_again(
    hosted: Hosted, match: AnyMatch, command: Sequence[Envelope[Event]]
) -> list[str] | None:
    """Differences of a command's own events; `None` where no rule of the game decided."""
    game, first = hosted.game, command[0]
    before = match
    if any(isinstance(e.event, Started) for e in command):
        opening = next(i for i, e in enumerate(command) if isinstance(e.event, Started))
        before = fold(game, match, command[: opening + 1])
    seat = first.seat
    try:
        chance = _Replayed(
            bytes(32),
            [h.client_seed for h in before.seats],
            {label: result for label, _, result in _recorded(first)},
        )
        if isinstance(first.event, TimedOut | FaultRecorded) and seat is not None:
            if all(isinstance(e.event, MatchEvent) for e in command):
                return None
            events = game.time_out(before.table, seat, chance)
        elif first.move is not ABSENT and seat is not None:
            move = hosted.read_move(msgspec.json.decode(first.move))
            events = game.decide(before.table, seat, move, chance)
        elif before is not match:
            events = game.open(before.table, chance)
        else:
            return None
    except Refused as refused:
        return [f"the rules refuse it: {refused.detail}"]
    except _BROKEN:
        return ["the rules can't decide it"]
    decided = [e.event for e in command if not isinstance(e.event, MatchEvent)]
    return [] if list(events) == decided else ["the rules decide otherwise"]
