"""One match of a series: its events follow from its seed, wherever and in however many parts."""

from __future__ import annotations

from itertools import count as numbers

import msgspec
import pytest
from msgspec.structs import replace

from services.bots.levels import exact_policy_for
from services.matches import transcript
from services.matches.limits import limit
from services.matches.verify import verify
from services.series import playing
from services.series.again import play_again
from services.series.made_by import this_build
from services.series.part import DIED, Part
from services.series.playing import Interrupted, Played, digest_of, play
from services.series.rows import Row
from services.series.slicing import play_slice
from services.series.spec import Spec
from tests.services.series.table import HALL, a_course, a_spec, all_rows, played
from tests.services.world import World

DAIFUGO = ("greedy", *["random"] * 3)


def short(*bots: str, game: str) -> Spec:
    options = {"rounds": 1} if game == "daifugo" else {}
    return a_spec(*bots, game=game, matches=2, options=options)


def in_parts(spec_bots: tuple[str, ...], game: str, every: int) -> list[Row]:
    """A series played with a stop after every so many moves."""
    spec = short(*spec_bots, game=game)
    rows = []
    for number in range(spec.matches):
        answers: tuple[playing.Answer, ...] = ()
        while True:
            looks = numbers(1)
            done = play(a_course(spec), number, answers, lambda looks=looks: next(looks) == every)
            if isinstance(done, Played):
                rows.append(done.row)
                break
            assert len(done.answers) == len(answers) + every
            answers = done.answers
    return rows


@pytest.mark.parametrize("every", [1, 7, 100])
def test_a_match_played_in_parts_has_the_same_digest(every: int) -> None:
    assert in_parts(DAIFUGO, "daifugo", every) == all_rows(short(*DAIFUGO, game="daifugo"))


def test_the_faults_of_a_bot_are_remembered_over_a_stop() -> None:
    bots = ("raises", "illegal")
    assert in_parts(bots, "tictactoe", 1) == all_rows(short(*bots, game="tictactoe"))


def test_a_bot_that_faults_is_counted_and_plays_the_default() -> None:
    row = played(a_spec("raises", "greedy"), 0).row
    assert row.bots == ("raises", "greedy")
    assert row.faults == (row.moves[0], 0)
    assert row.fault_kinds == ({"raised": row.moves[0]}, {})
    assert row.reason is not None
    assert row.failed is None


def test_a_bot_that_stalls_ends_its_thought_and_not_the_series(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(playing, "PATIENCE_MS", 10)
    monkeypatch.setattr("services.matches.playing.limit_ms", lambda policy: 10)
    row = played(a_spec("stalls", "greedy"), 0, limit).row
    assert row.faults[0] == row.moves[0] > 0
    assert row.fault_kinds[0] == {"stalled": row.moves[0]}


def test_on_a_busy_machine_a_bot_has_patience() -> None:
    asked: list[int] = []

    def noting(ms: int) -> object:
        asked.append(ms)
        return limit(ms)

    played(a_spec("greedy", "random"), 0, noting)
    assert set(asked) == {playing.PATIENCE_MS}
    assert playing.patience(exact_policy_for(HALL["daifugo"].game, "search-20000ms")) == 45_000


def test_iterations_end_by_themselves_and_by_no_time() -> None:
    def none_at_all(ms: int) -> object:
        raise AssertionError("it was limited")

    spec = a_spec("search-3", "search", game="tictactoe", matches=1)
    row = played(spec, 0, none_at_all).row
    assert (row.failed, row.faults) == (None, (0, 0))


def test_a_match_whose_code_raises_is_over_and_tells_the_type_alone() -> None:
    rows = all_rows(a_spec("random", "random", game="raising", matches=60))
    failed = [row for row in rows if row.failed]
    assert 0 < len(failed) < 30
    for row in failed:
        assert (row.failed, row.digest, row.reason, row.ranking) == ("Defect", None, None, None)
    assert all(row.digest for row in rows if row not in failed)


def test_a_match_made_again_tells_where_it_breaks_off_and_never_with_what() -> None:
    spec = a_spec("random", "random", game="raising", matches=60)
    number = next(row.match for row in all_rows(spec) if row.failed)
    again = play_again(spec, number, HALL)
    assert (again.row.failed, again.lines) == ("Defect", ())
    assert "breaking.py" in again.where[-1]
    assert again.where[-1].endswith(" _fail")
    assert "hidden" not in "".join(again.where)


@pytest.mark.parametrize("harm", [MemoryError, KeyboardInterrupt])
def test_what_tells_of_the_machine_or_its_user_is_no_row(
    monkeypatch: pytest.MonkeyPatch, harm: type[BaseException]
) -> None:
    def strike() -> None:
        raise harm

    monkeypatch.setattr("tests.toys.breaking.die", strike)
    spec = a_spec("random", "random", matches=3, game="deadly", paired=False, seed="01" * 32)
    with pytest.raises(harm):
        played(spec, 1)

    def thinking(ms: int) -> object:
        raise harm

    with pytest.raises(harm):
        played(spec, 0, thinking)


def test_what_nobody_keeps_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[object] = []
    monkeypatch.setattr(
        "services.matches.thoughts._encode", lambda thought: written.append(thought) or b""
    )
    played(a_spec("search-20", "random", matches=2), 0)
    assert written == []


def test_a_match_that_is_paired_has_the_same_deal_and_another_seating() -> None:
    spec = a_spec(*DAIFUGO, game="daifugo", matches=4)
    first, second = (played(spec, number) for number in (0, 1))
    assert first.row.seed == second.row.seed
    assert first.row.digest != second.row.digest
    assert first.row.bots != second.row.bots

    def deal(done: Played) -> bytes:
        return next(event for event in done.events if b"daifugo.cards_dealt" in event)

    assert deal(first) == deal(second)


def test_a_transcript_of_a_series_can_be_verified_and_imported() -> None:
    spec = a_spec(*DAIFUGO, game="daifugo", matches=3)
    again = play_again(spec, 2, HALL)
    assert again.row == all_rows(spec)[2]
    data = b"".join(again.lines)
    read = transcript.read(HALL, data)
    assert digest_of(read.stored) == again.row.digest
    assert {envelope.at for envelope in read.envelopes} == {0}
    proof = verify(HALL["daifugo"], read)
    assert proof.holds
    assert proof.draws > 0
    assert proof.decisions > 50
    imported = World().tycoon.importer.import_match(data, "host")
    assert imported.id.startswith("m_")


def test_a_row_tells_how_the_match_ended() -> None:
    done = played(a_spec("greedy", "greedy"), 0)
    assert done.match is not None
    result = done.match.result
    assert result is not None
    assert result.outcome is not None
    row = done.row
    assert row.reason == f"completed:{result.outcome.reason}"
    assert (row.ranking, row.scores) == (result.outcome.ranking, result.outcome.scores)
    assert row.events == done.match.version == len(done.events)
    assert sum(row.moves) == sum(b'"move":' in event for event in done.events)


def test_a_log_that_is_too_long_ends_as_expired() -> None:
    spec = replace(a_spec(*DAIFUGO, game="daifugo"), events_limit=30)
    row = played(spec, 0).row
    assert (row.reason, row.ranking, row.scores) == ("expired", None, None)
    assert row.events >= 30


class TestSlices:
    def slice(self, part: Part | None, tries: int = 1, game: str = "tictactoe") -> Part:
        spec = a_spec("random", "greedy", game=game, matches=600)
        return play_slice(
            a_course(spec),
            0,
            None if part is None else part.written(),
            tries=tries,
            for_ms=60_000,
            stop=lambda: False,
            keep=lambda match, digest, lines: None,
            save=lambda part: True,
            broke=lambda match, error: None,
        )

    def test_a_chunk_is_played_to_its_end(self) -> None:
        part = self.slice(None)
        assert [row.match for row in part.rows] == [0, 1, 2, 3, 4, 5]
        assert not part.careful

    def test_after_a_death_every_match_is_brought_back_alone(self) -> None:
        part = self.slice(None, tries=2)
        assert ([row.match for row in part.rows], part.careful) == ([0], True)
        part = self.slice(part)
        assert [row.match for row in part.rows] == [0, 1], "careful it stays"

    def test_after_three_deaths_the_match_is_passed_over(self) -> None:
        part = self.slice(self.slice(None, tries=2), tries=4)
        assert [row.failed for row in part.rows] == [None, DIED]
        assert part.counts().failed == 1
        assert self.slice(part).rows[2].failed is None

    def test_another_build_begins_the_match_anew(self) -> None:
        spec = a_spec(*DAIFUGO, game="daifugo")
        half = play(a_course(spec), 0, [], lambda: True)
        assert isinstance(half, Interrupted)
        rows = tuple(all_rows(spec)[: spec.chunk_size])
        garbage = (replace(half.answers[0], answer=msgspec.Raw(b'{"type":"unknown"}')),)
        part = Part(chunk=0, build="other", builds={"other": 1}, rows=rows[:1], answers=garbage)
        done = play_slice(
            a_course(spec),
            0,
            part.written(),
            tries=1,
            for_ms=60_000,
            stop=lambda: False,
            keep=lambda match, digest, lines: None,
            save=lambda part: True,
            broke=lambda match, error: None,
        )
        assert done.rows == rows
        assert done.sums().builds == {"other": 1, this_build(): len(rows) - 1}

    def test_a_slice_always_gets_on(self) -> None:
        spec = a_spec(*DAIFUGO, game="daifugo")
        part = play_slice(
            a_course(spec),
            0,
            None,
            tries=1,
            for_ms=0,
            stop=lambda: True,
            keep=lambda match, digest, lines: None,
            save=lambda part: True,
            broke=lambda match, error: None,
        )
        assert len(part.answers) == 1
