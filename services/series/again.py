"""A single match of a series, made again on this machine from the series' document."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from services.hosted import Hall
from services.matches import transcript
from services.matches.limits import limit
from services.series.documents import SeriesDoc
from services.series.playing import Played, course, play
from services.series.rows import Row
from services.series.spec import Spec
from shared.errors import places


@dataclass(frozen=True, slots=True)
class Again:
    """A match that was played again.

    `lines` is its transcript; none where `row.failed` tells that its code raised, and `where`
    from which places.
    """

    row: Row
    lines: tuple[bytes, ...]
    where: tuple[str, ...] = ()


def play_again(spec: Spec, match: int, hall: Hall) -> Again:
    """Plays match number `match` from its seed, in the main thread.

    The same events, and so the same digest, come of it wherever `spec.build` is this build's and
    `spec.reproducible`.
    """
    whole = course(spec, hall, limit)
    done = play(whole, match, [], lambda: False)
    assert isinstance(done, Played), "nobody stops it"
    if done.broke is not None:
        return Again(done.row, (), tuple(places(done.broke)))
    assert done.match is not None, "nothing broke it off"
    return Again(done.row, tuple(transcript.write(whole.hosted, done.match, done.events)))


def spec_of(doc: SeriesDoc, hall: Hall) -> Spec:
    """What a document's series was resolved to.

    Raises:
        NotFound: a game that is not hosted here.
        Malformed: options that this build does not know.
    """
    options = hall[doc.game].read_options(doc.options)
    return Spec(
        game=doc.game,
        rules=doc.made_by.rules,
        build=doc.made_by.build,
        options=msgspec.to_builtins(options),
        bots=doc.bots,
        versions={bot.level: bot.version for bot in doc.made_by.bots},
        matches=doc.matches,
        rotation=doc.rotation,
        paired=doc.paired,
        seed=doc.seed,
        at_once=doc.at_once,
        keep=doc.keep,
        events_limit=doc.events_limit,
    )
