"""One match of a series, from its seed to its row: the life of a hosted match, without a store.

It has no time (`at` is 0) and no owner, so that its events follow from the seed alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast, get_args

import msgspec

from services.bots.levels import exact_policy_for
from services.hosted import Hall, Hosted
from services.matches import lifecycle
from services.matches.draft import Draft
from services.matches.events import Created, Fault, SeatPlan
from services.matches.playing import Limit, Player, Stopped, limit_ms, microseconds
from services.matches.state import AnyMatch
from services.matches.thoughts import Answer as Said
from services.series.rows import Row, failed_row
from services.series.spec import Spec
from services.series.tally import Thinking, add_counts, class_of, pair
from shared.game import Move, Policy
from shared.store import Secret

OWNER = "series"

PATIENCE_MS = 45_000
"""A bot has at least so long for a move, however little it is meant to use: on a machine that is
busy with other things a short limit would make results depend on the time. A search whose budget
is in iterations ends by itself, and has no limit but that of the task."""


class Answer(msgspec.Struct, frozen=True, array_like=True):
    """What a bot answered, the move or the name of its fault as JSON, after so many us."""

    answer: msgspec.Raw
    us: int


@dataclass(frozen=True, slots=True)
class Course:
    """What the matches of a series are played with; `stopwatch` gives us from any start."""

    spec: Spec
    hosted: Hosted
    player: Player
    stopwatch: Callable[[], int]


def course(spec: Spec, hall: Hall, limit: Limit) -> Course:
    """The course of a series; `limit` ends a thought after the time that a series gives it.

    Raises:
        NotFound: a game that is not hosted here.
    """
    patient = Player(limit, policy=exact_policy_for, allowed=patience)
    return Course(spec, hall[spec.game], patient, microseconds)


def patience(policy: Policy[Any, Any]) -> int | None:
    """How long a policy may think in a series, ms; `None` for one that counts its iterations."""
    if policy.think is not None and not policy.budget_ms:
        return None
    return max(limit_ms(policy), PATIENCE_MS)


@dataclass(frozen=True, slots=True)
class Played:
    """A match that is over. `events` are as they would be stored; none where it failed, of
    something that `broke`."""

    row: Row
    thinking: Thinking
    match: AnyMatch | None = None
    events: tuple[bytes, ...] = ()
    broke: Exception | None = None


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A match that was stopped after a move or in a thought, with all answers so far."""

    answers: tuple[Answer, ...]


def play(
    course: Course, number: int, answers: Sequence[Answer], stop: Callable[[], bool]
) -> Played | Interrupted:
    """Plays a match on from the answers so far, to its end or until `stop` after a move.

    The answers are played again without asking anybody. A match whose code raises is over, too:
    its row tells the type of the error.

    Raises:
        MemoryError: that tells of the machine, not of the match.
    """
    so_far = list(answers)
    try:
        return _play(course, number, so_far, stop)
    except Stopped:
        return Interrupted(tuple(so_far))
    except MemoryError:
        raise
    except Exception as broken:  # a defect of a game: the series goes on without this match
        row = failed_row(course.spec, number, type(broken).__name__)
        return Played(row, {}, broke=broken)


def _play(
    course: Course, number: int, answers: list[Answer], stop: Callable[[], bool]
) -> Played | Interrupted:
    game, seed = course.hosted.game, course.spec.match_seed(number)
    draft = begin(course, number)
    seats = []
    for given in answers:
        seats.append(_asked(course, draft))
        course.player.play(draft, seats[-1], Said(_read(course.hosted, given.answer)))
    while lifecycle.asked(game, draft.match):
        seats.append(_asked(course, draft))
        said = course.player.answer(draft, seats[-1], seed)
        course.player.play(draft, seats[-1], Said(said.move))  # nobody keeps what it thought
        answers.append(Answer(msgspec.Raw(msgspec.json.encode(said.move)), said.took_us))
        if stop() and draft.match.status != "ended":
            return Interrupted(tuple(answers))
    return _played(course, number, draft, seats, answers)


def begin(course: Course, number: int) -> Draft:
    """A match that has just been dealt."""
    spec, hosted = course.spec, course.hosted
    secret = Secret(spec.match_seed(number).hex())
    draft = Draft(hosted, None, lambda: secret, lambda: 0, spec.events_limit)
    created = Created(
        game=spec.game,
        options=spec.options,
        seats=tuple(SeatPlan("bot", level) for level in spec.seating(number)),
        owner=OWNER,
        visibility="private",
        commitment=spec.commitment(number),
        pace_ms=0,
    )
    draft.create(created, None)
    draft.add(lambda match, chance: lifecycle.start(hosted.game, match, chance, None))
    return draft


def _asked(course: Course, draft: Draft) -> int:
    """Of several seats that must act the lowest acts first."""
    return lifecycle.asked(course.hosted.game, draft.match)[0]


def _read(hosted: Hosted, answer: msgspec.Raw) -> Move | Fault:
    given = msgspec.json.decode(answer)
    return cast("Fault", given) if given in get_args(Fault) else hosted.read_move(given)


def _played(
    course: Course, number: int, draft: Draft, seats: list[int], answers: list[Answer]
) -> Played:
    spec, match, result = course.spec, draft.match, draft.match.result
    assert result is not None, "nobody is asked, so the match is over"
    events = tuple(course.hosted.codec.encode(envelope) for envelope in draft.envelopes)
    outcome = result.outcome
    kinds = _faults(spec, seats, answers)
    row = Row(
        match=number,
        deal=spec.deal(number),
        rotation=spec.turn(number),
        seed=spec.match_seed(number).hex(),
        digest=digest_of(events),
        bots=spec.seating(number),
        ranking=outcome.ranking if outcome else None,
        scores=outcome.scores if outcome else None,
        reason=f"{result.reason}:{outcome.reason}" if outcome else result.reason,
        moves=tuple(seats.count(seat) for seat in range(spec.seats)),
        faults=tuple(sum(kinds[seat].values()) for seat in range(spec.seats)),
        events=match.version,
        fault_kinds=tuple(kinds),
    )
    return Played(row, _thinking(row.bots, seats, answers), match, events)


def _faults(spec: Spec, seats: list[int], answers: list[Answer]) -> list[dict[str, int]]:
    """By seat, how often which fault stands where a move would."""
    kinds: list[dict[str, int]] = [{} for _ in range(spec.seats)]
    for seat, given in zip(seats, answers, strict=True):
        said = bytes(given.answer)
        if said[:1] == b'"':
            add_counts(kinds[seat], {msgspec.json.decode(said, type=str): 1})
    return [dict(sorted(counted.items())) for counted in kinds]


def _thinking(bots: Sequence[str], seats: list[int], answers: list[Answer]) -> Thinking:
    times: Thinking = {}
    for seat, given in zip(seats, answers, strict=True):
        histogram = times.setdefault(pair(bots[seat], seat), {})
        number = class_of(given.us)
        histogram[number] = histogram.get(number, 0) + 1
    return times


def digest_of(events: Sequence[bytes]) -> str:
    """SHA-256 over stored events, each followed by a line end; 64 hex digits."""
    return hashlib.sha256(b"".join(event + b"\n" for event in events)).hexdigest()
