"""The document of a series from its record and its sums."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from services.bots.levels import budget_of
from services.hosted import Hosted
from services.matches.documents import instant
from services.series.documents import (
    BotDoc,
    BotTallyDoc,
    BucketDoc,
    BudgetDoc,
    EstimateDoc,
    LengthsDoc,
    MadeByDoc,
    ProgressDoc,
    ResultsDoc,
    SeatTallyDoc,
    SeriesDoc,
    ThinkingDoc,
)
from services.series.part import DIED
from services.series.spec import Spec
from services.series.statistics import Estimate, mean, quantile, win_rate
from services.series.tally import Histogram, Sums, Tally, add_counts, least, pair
from shared.series_store import Counts, Record

P50, P99 = Fraction(1, 2), Fraction(99, 100)


def series_doc(record: Record, spec: Spec, sums: Sums, hosted: Hosted) -> SeriesDoc:
    """A series as it stands, by its sums."""
    record = replace(record, counts=Counts(sums.done, sums.failed, sums.moves))
    return SeriesDoc(
        id=record.id,
        status=record.status,
        game=spec.game,
        options=hosted.full_options(spec.options),
        bots=spec.bots,
        matches=spec.matches,
        rotation=spec.rotation,
        paired=spec.paired,
        seed=spec.seed,
        at_once=spec.at_once,
        keep=spec.keep,
        events_limit=spec.events_limit,
        reproducible=spec.reproducible and _by_the_build_alone(spec, sums),
        made_by=MadeByDoc(
            build=spec.build,
            builds=tuple(sorted(sums.builds)),
            rules=spec.rules,
            bots=tuple(
                BotDoc(level=level, version=spec.versions[level], budget=_budget(level))
                for level in spec.distinct
            ),
        ),
        created_at=instant(record.created_at),
        started_at=None if record.started_at is None else instant(record.started_at),
        ended_at=None if record.ended_at is None else instant(record.ended_at),
        progress=progress_doc(record, spec.matches),
        results=results_doc(spec, sums),
    )


def _by_the_build_alone(spec: Spec, sums: Sums) -> bool:
    """Whether one build played it all, and nothing ended by the time or by a death."""
    one = len({spec.build, *sums.builds}) == 1
    return one and "stalled" not in sums.faults and DIED not in sums.errors


def progress_doc(record: Record, matches: int) -> ProgressDoc:
    """How far a series of so many matches is."""
    counts = record.counts
    over = counts.done + counts.failed
    waiting = matches - over
    running = min(record.held, waiting)
    seconds = record.ran_ms / 1000
    rate = over / seconds if over and seconds else None
    return ProgressDoc(
        queued=waiting - running,
        running=running,
        done=counts.done,
        failed=counts.failed,
        moves=counts.moves,
        matches_per_s=rate,
        moves_per_s=counts.moves / seconds if rate else None,
        left_s=waiting / rate if rate and record.status == "running" else None,
    )


def results_doc(spec: Spec, sums: Sums) -> ResultsDoc:
    """What was counted, with its estimates."""
    return ResultsDoc(
        digest=sums.digest,
        bots=tuple(_bot(spec, sums, level) for level in spec.distinct),
        seats=tuple(
            _seat(sums, seat, f"seat/{seat}", [pair(level, seat) for level in spec.distinct])
            for seat in range(spec.seats)
        ),
        lengths=_lengths(sums),
        reasons=dict(sorted(sums.reasons.items())),
        errors=dict(sorted(sums.errors.items())),
        faults=dict(sorted(sums.faults.items())),
    )


def _bot(spec: Spec, sums: Sums, level: str) -> BotTallyDoc:
    pairs = {seat: pair(level, seat) for seat in range(spec.seats)}
    seats = tuple(
        _seat(sums, seat, key, [key]) for seat, key in pairs.items() if key in sums.tallies
    )
    facts = _tally(sums, f"bot/{level}", pairs.values())
    return BotTallyDoc(level=level, seats=seats, **facts)


def _seat(sums: Sums, seat: int, key: str, thinking: Iterable[str]) -> SeatTallyDoc:
    return SeatTallyDoc(seat=seat, **_tally(sums, key, thinking))


def _tally(sums: Sums, key: str, thinking: Iterable[str]) -> dict[str, Any]:
    tally = sums.tallies.get(key, Tally())
    times: Histogram = {}
    for part in thinking:
        add_counts(times, sums.thinking.get(part, {}))
    ranked = tally.wins.m
    return {
        "matches": tally.matches,
        "ranked": ranked,
        "wins": tally.wins.y,
        "shared_wins": tally.shared_wins,
        "win_rate": _estimate(win_rate(tally.wins)),
        "mean_rank": tally.places / (2 * ranked) if ranked else None,
        "mean_score": _estimate(mean(tally.scores)),
        "moves": tally.moves,
        "faults": tally.faults,
        "thinking_ms": _thinking(times),
    }


def _estimate(found: Estimate | None) -> EstimateDoc | None:
    return None if found is None else EstimateDoc(**found._asdict())


def _thinking(times: Histogram) -> ThinkingDoc | None:
    p50, p99 = quantile(times, P50), quantile(times, P99)
    if p50 is None or p99 is None:
        return None
    return ThinkingDoc(p50=_most(p50) / 1000, p99=_most(p99) / 1000)


def _lengths(sums: Sums) -> LengthsDoc | None:
    if sums.shortest is None or sums.longest is None:
        return None
    return LengthsDoc(
        min=sums.shortest,
        max=sums.longest,
        mean=sums.moves / sums.done,
        buckets=tuple(
            BucketDoc(low=least(number), high=_most(number), matches=sums.lengths[number])
            for number in sorted(sums.lengths)
        ),
    )


def _most(number: int) -> int:
    """The greatest whole number of a class."""
    return least(number + 1) - 1


def _budget(level: str) -> BudgetDoc | None:
    budget = budget_of(level)
    return None if budget is None else BudgetDoc(iterations=budget.iterations, ms=budget.ms)
