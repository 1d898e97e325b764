"""Sums are the same in any order, and what they say is what the rows say."""

from __future__ import annotations

import random
from statistics import mean
from typing import Any

import pytest
from msgspec.structs import replace
from scipy import stats

from services.series.documents import EstimateDoc
from services.series.reporting import results_doc
from services.series.rows import Row, double_places
from services.series.statistics import Estimate, win_rate
from services.series.tally import Spread, Sums, count
from tests.services.series.table import a_spec, all_rows, comparable

DAIFUGO = a_spec("greedy", "random", "random", "greedy", game="daifugo", matches=20)


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return all_rows(DAIFUGO)


def chunks(rows: list[Row], size: int) -> list[list[Row]]:
    return [rows[start : start + size] for start in range(0, len(rows), size)]


@pytest.mark.parametrize("size", [4, 8, 20])
def test_in_any_order_the_sums_are_the_same(rows: list[Row], size: int) -> None:
    wanted = comparable(count(rows, {}, {}))
    for seed in range(5):
        parts = chunks(rows, size)
        random.Random(seed).shuffle(parts)
        whole = Sums()
        for part in parts:
            whole.add(count(part, {}, {}))
        assert comparable(whole) == wanted


def test_adding_changes_only_the_one_that_is_added_to(rows: list[Row]) -> None:
    one, other = count(rows[:4], {}, {}), count(rows[4:], {}, {})
    before = comparable(other)
    one.add(other)
    one.add(other)
    assert comparable(other) == before


def test_the_digest_tells_matches_apart_but_not_their_order(rows: list[Row]) -> None:
    whole = count(rows, {}, {}).digest
    assert count(rows[::-1], {}, {}).digest == whole
    assert count(rows[:-1], {}, {}).digest != whole


class TestResults:
    """Against a computation of its own from the rows."""

    @pytest.fixture
    def doc(self, rows: list[Row]) -> Any:
        return results_doc(DAIFUGO, count(rows, {"bot/greedy/seat/0": {20: 3}}, {}))

    def test_a_bot(self, rows: list[Row], doc: Any) -> None:
        for bot in doc.bots:
            held = [(r, s) for r in rows for s in range(4) if r.bots[s] == bot.level]
            assert bot.matches == bot.ranked == len(held) == 40
            places = [place(row, seat) for row, seat in held]
            assert bot.mean_rank == pytest.approx(mean(places))
            assert bot.wins == sum(row.ranking[0] == (seat,) for row, seat in held)
            assert bot.win_rate == EstimateDoc(**wanted_rate(held)._asdict())
            assert bot.mean_score.value == pytest.approx(mean(r.scores[s] for r, s in held))
            by_deal = [mean(r.scores[s] for r, s in held if r.deal == deal) for deal in range(5)]
            # Every deal has eight of its matches, so the ratio is the mean of the deals' means.
            half = stats.t.ppf(0.975, 4) * stats.sem(by_deal)
            assert bot.mean_score.high == pytest.approx(mean(by_deal) + half)
            assert bot.moves == sum(row.moves[seat] for row, seat in held)

    def test_a_seat_and_a_bot_at_a_seat(self, rows: list[Row], doc: Any) -> None:
        for seat in doc.seats:
            assert seat.matches == 20
            assert seat.mean_score.value == pytest.approx(mean(r.scores[seat.seat] for r in rows))
        for bot in doc.bots:
            assert [seat.matches for seat in bot.seats] == [10] * 4
            assert sum(seat.wins for seat in bot.seats) == bot.wins

    def test_lengths_and_reasons(self, rows: list[Row], doc: Any) -> None:
        lengths = [sum(row.moves) for row in rows]
        assert (doc.lengths.min, doc.lengths.max) == (min(lengths), max(lengths))
        assert doc.lengths.mean == pytest.approx(mean(lengths))
        for bucket in doc.lengths.buckets:
            inside = sum(bucket.low <= length <= bucket.high for length in lengths)
            assert bucket.matches == inside > 0
        assert sum(doc.reasons.values()) == len(rows)

    def test_thinking_is_told_where_it_was_measured(self, doc: Any) -> None:
        assert doc.bots[0].thinking_ms.p50 == pytest.approx(0.038)
        assert doc.bots[1].thinking_ms is None
        assert doc.seats[0].thinking_ms == doc.bots[0].thinking_ms


def wanted_rate(held: list[tuple[Row, int]]) -> Estimate:
    """By a sum over deals of its own."""
    won = Spread()
    for deal in sorted({row.deal for row, _ in held}):
        found = [
            row.ranking == ((seat,), *(row.ranking or ())[1:])
            for row, seat in held
            if row.deal == deal
        ]
        won.note(sum(found), len(found))
    estimate = win_rate(won)
    assert estimate is not None
    return estimate


def place(row: Row, seat: int) -> float:
    """By counting who is before a seat and who is beside it."""
    groups = row.ranking or ()
    at = next(n for n, group in enumerate(groups) if seat in group)
    before = sum(len(group) for group in groups[:at])
    return before + (1 + len(groups[at])) / 2


@pytest.mark.parametrize(
    ("ranking", "wanted"),
    [
        (((2,), (0,), (1,)), {2: 2, 0: 4, 1: 6}),
        (((0, 1), (2,)), {0: 3, 1: 3, 2: 6}),
        (((2,), (0, 1, 3)), {2: 2, 0: 6, 1: 6, 3: 6}),
        (((0, 1, 2, 3),), {0: 5, 1: 5, 2: 5, 3: 5}),
        (((), (0,)), {0: 4}),
        (((0,), ()), {0: 2}),
    ],
)
def test_who_share_a_place_have_the_mean_of_the_places(
    ranking: tuple[tuple[int, ...], ...], wanted: dict[int, int]
) -> None:
    assert double_places(ranking) == wanted


def test_a_shared_first_place_is_no_win() -> None:
    rows = all_rows(a_spec("random", "random", matches=40))
    drawn = [row for row in rows if row.ranking == ((0, 1),)]
    tally = count(rows, {}, {}).tallies["bot/random"]
    assert drawn
    assert tally.shared_wins == 2 * len(drawn)
    assert tally.wins.y == len(rows) - len(drawn)


def test_faults_are_counted_by_their_kind() -> None:
    rows = all_rows(a_spec("raises", "illegal", matches=6))
    sums = count(rows, {}, {})
    raised = sum(row.moves[row.bots.index("raises")] for row in rows)
    assert sums.faults == {"raised": raised, "illegal": sums.moves - raised}


def test_failed_matches_count_in_no_result() -> None:
    rows = all_rows(a_spec("random", "random", game="raising", matches=60))
    sums = count(rows, {}, {})
    failed = [row for row in rows if row.failed]
    assert (sums.done, sums.failed) == (60 - len(failed), len(failed))
    assert sums.errors == {"Defect": len(failed)}
    assert sum(sums.reasons.values()) == sums.done
    assert sums.tallies["bot/random"].matches == 2 * sums.done


def test_a_match_without_an_outcome_is_played_but_not_ranked() -> None:
    spec = replace(DAIFUGO, events_limit=30)
    doc = results_doc(spec, count(all_rows(spec), {}, {}))
    assert doc.reasons == {"expired": 20}
    for bot in doc.bots:
        assert (bot.matches, bot.ranked) == (40, 0)
        assert (bot.win_rate, bot.mean_rank, bot.mean_score) == (None, None, None)
