"""A slice of work: a chunk is played on for a short time, by whoever has it now."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from services.matches import transcript
from services.series.made_by import this_build
from services.series.part import Part
from services.series.playing import Course, Played, play
from services.series.tally import Thinking, add_thinking

TRIES = 3
"""A chunk that was taken more often without getting on has killed its process: pass over the match
that it stands at."""

SAVE_MS = 1_000
"""After so long a chunk is saved with the next match that ends. Saving one of 780 matches takes up
to 40 ms, one of 80 less than 10."""
LONG_MS = 500
"""A chunk is saved as soon as a match ends that took so long."""

Keep = Callable[[int, str, Sequence[bytes]], None]
"""Keeps the transcript of a match: its number, its digest, the lines."""

Save = Callable[[Part], bool]
"""Keeps how far a chunk is, and goes on; `False` where nobody wants the chunk any more."""

Broke = Callable[[int, Exception], None]
"""Is told which match broke off, and of what."""


def play_slice(
    course: Course,
    chunk: int,
    part: bytes | None,
    *,
    tries: int,
    for_ms: int,
    stop: Callable[[], bool],
    keep: Keep,
    save: Save,
    broke: Broke,
) -> Part:
    """Plays a chunk on, to its end or for so long, or until `stop` after some move.

    Meanwhile it is saved so often that who is killed has lost the match that it was at, and of
    those that ended before only some that took less than `LONG_MS` each and `SAVE_MS` together.

    Args:
        part: as it was saved last; `None` at the chunk's beginning.
        tries: how often this very part was begun, this time among them. From the second time on a
            slice ends with each match, so that what is saved next tells at which match a process
            dies; after `TRIES` the match is passed over.
    """
    now = _begun(chunk, part)
    if tries > 1:
        now = msgspec.structs.replace(now, careful=True)
    if tries > TRIES:
        return now.passed_over(course.spec)
    thinking: Thinking = {}
    add_thinking(thinking, now.thinking)
    # An answer is always added before the time is looked at: every slice gets on.
    saved = course.stopwatch()
    until = saved + for_ms * 1000
    while (number := now.following(course.spec)) is not None:
        began = course.stopwatch()
        done = play(course, number, now.answers, lambda: stop() or course.stopwatch() >= until)
        if not isinstance(done, Played):
            return msgspec.structs.replace(now, answers=done.answers)
        add_thinking(thinking, done.thinking)
        now = now.ended(done.row, thinking)
        _keep(course, number, done, keep)
        if done.broke is not None:
            broke(number, done.broke)
        at = course.stopwatch()
        if now.careful or stop() or at >= until or now.following(course.spec) is None:
            break
        if at - began >= LONG_MS * 1000 or at - saved >= SAVE_MS * 1000:
            if not save(now):
                break
            saved = course.stopwatch()
    return now


def _begun(chunk: int, part: bytes | None) -> Part:
    begun = Part(chunk=chunk, build=this_build())
    if part is None:
        return begun
    saved = Part.read(part)
    if saved.build != begun.build:
        # Another build may decide otherwise: a match is played by one of them from its deal on.
        return msgspec.structs.replace(saved, answers=(), build=begun.build)
    return saved


def _keep(course: Course, number: int, done: Played, keep: Keep) -> None:
    if done.match is None or done.row.digest is None or not course.spec.keeps(number):
        return
    keep(number, done.row.digest, list(transcript.write(course.hosted, done.match, done.events)))
