"""What a series may be asked to be, and what each match number means."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from services.series.spec import CHUNKS, NewSeries, resolve
from shared.errors import Malformed, Refused, Unprocessable
from tests.services.series.table import HALL, SEED, SETTINGS, a_spec, all_rows


def asked(**more: Any) -> NewSeries:
    return NewSeries(**{"game": "tictactoe", "bots": ("greedy", "random"), "matches": 4, **more})


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"matches": 0}, "series.match-count"),
        ({"matches": -1}, "series.match-count"),
        ({"matches": 100_001}, "series.match-count"),
        ({"bots": ("greedy", "grand-master")}, "match.unknown-level"),
        ({"bots": ("greedy",)}, "match.seat-count"),
        ({"bots": ("greedy",) * 9}, "match.seat-count"),
        ({"game": "daifugo", "bots": ("greedy",) * 9}, "match.seat-count"),
        ({"game": "daifugo", "bots": ("greedy",) * 3}, "match.seat-count"),
        ({"bots": ()}, "match.seat-count"),
        ({"game": "chess"}, "match.unknown-game"),
        ({"at_once": 0}, "series.at-once"),
        ({"at_once": 65}, "series.at-once"),
        ({"seed": "ff"}, "series.bad-seed"),
        ({"seed": "FF" * 32}, "series.bad-seed"),
        ({"paired": True, "rotation": "none"}, "series.pairs-without-rotation"),
    ],
)
def test_what_cannot_be_is_refused(more: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as refused:
        resolve(asked(**more), HALL, SETTINGS, lambda: b"?" * 32)
    assert isinstance(refused.value, Unprocessable)
    assert code in (refused.value.code, "match.seat-count")


def test_options_are_the_games_own() -> None:
    with pytest.raises(Malformed) as refused:
        resolve(asked(options={"size": 9}), HALL, SETTINGS, lambda: b"?" * 32)
    assert refused.value.extra["errors"][0]["pointer"] == "/options/size"


def test_without_a_seed_one_is_made() -> None:
    spec = resolve(asked(), HALL, SETTINGS, lambda: b"\xab" * 32)
    assert spec.seed == "ab" * 32


def test_pairs_are_the_rule_where_seats_rotate() -> None:
    assert a_spec("greedy", "random").paired
    assert not a_spec("greedy", "random", paired=False).paired
    assert not a_spec("greedy", "random", rotation="none").paired


def test_a_pair_replays_one_deal_for_each_rotation() -> None:
    spec = a_spec("greedy", *["random"] * 3, game="daifugo", matches=8)
    assert [spec.deal(n) for n in range(8)] == [0, 0, 0, 0, 1, 1, 1, 1]
    assert [spec.turn(n) for n in range(8)] == [0, 1, 2, 3, 0, 1, 2, 3]
    assert [spec.seating(n).index("greedy") for n in range(8)] == [0, 1, 2, 3, 0, 1, 2, 3]
    assert len({spec.match_seed(n) for n in range(4)}) == 1
    assert spec.match_seed(0) != spec.match_seed(4)


@pytest.mark.parametrize(
    ("bots", "period"),
    [
        (("greedy",) * 4, 1),
        (("greedy", "random") * 2, 2),
        (("greedy", "greedy", "random"), 3),
        (("greedy", "random", "random", "greedy"), 4),
        (("greedy", "random") * 3, 2),
        (("greedy", "greedy", "random") * 2, 3),
    ],
)
def test_a_deal_has_a_match_for_each_different_seating_and_no_more(
    bots: tuple[str, ...], period: int
) -> None:
    game = "filthy-rich" if len(bots) < 4 else "daifugo"
    spec = a_spec(*bots, game=game, matches=24)
    deals = [[n for n in range(24) if spec.deal(n) == deal] for deal in range(24 // period)]
    for matches in deals:
        assert len({spec.seating(n) for n in matches}) == len(matches) == period
    assert len({(spec.seating(n), spec.match_seed(n)) for n in range(24)}) == 24


@pytest.mark.parametrize("bots", [("greedy",) * 4, ("greedy", "random") * 2])
def test_no_match_of_a_symmetric_line_up_is_played_twice(bots: tuple[str, ...]) -> None:
    rows = all_rows(a_spec(*bots, game="daifugo", matches=8, options={"rounds": 1}))
    assert len({row.digest for row in rows}) == 8


def test_without_pairs_every_match_has_a_deal_of_its_own() -> None:
    spec = a_spec("greedy", "random", paired=False)
    assert [spec.turn(n) for n in range(4)] == [0, 1, 0, 1]
    assert len({spec.match_seed(n) for n in range(12)}) == 12


def test_without_rotation_the_line_up_sits_as_it_was_given() -> None:
    spec = a_spec("greedy", "random", rotation="none")
    assert {spec.seating(n) for n in range(12)} == {("greedy", "random")}
    assert len({spec.match_seed(n) for n in range(12)}) == 12


def test_a_seed_follows_from_the_series_seed_and_the_deal() -> None:
    text = b"tycoon-series/1|match|2"
    wanted = hmac.new(bytes.fromhex(SEED), text, hashlib.sha256).digest()
    assert a_spec("greedy", "random").match_seed(5) == wanted


@pytest.mark.parametrize("matches", [1, 2, 7, 127, 128, 129, 1000, 5_003, 100_000])
@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("bots", [("greedy", "random"), ("greedy",) * 4, ("greedy", *"rrrr")])
def test_chunks_cover_every_match_once_and_part_no_deal(
    matches: int, paired: bool, bots: tuple[str, ...]
) -> None:
    line_up = [{"r": "random"}.get(bot, bot) for bot in bots]
    game = "tictactoe" if len(bots) == 2 else "daifugo"
    spec = a_spec(*line_up, game=game, matches=matches, paired=paired)
    chunks = [spec.chunk(number) for number in range(spec.chunks)]
    assert [match for chunk in chunks for match in chunk] == list(range(matches))
    assert 1 <= len(chunks) <= CHUNKS
    deals = [{spec.deal(match) for match in (chunk[0], chunk[-1])} for chunk in chunks]
    for before, after in pairwise(deals):
        assert max(before) < min(after)


def test_a_sample_keeps_at_most_a_hundred() -> None:
    for matches in (1, 99, 100, 101, 250, 100_000):
        for bots in (("greedy", "random"), ("random",) * 2):
            spec = a_spec(*bots, matches=matches, keep="sample")
            kept = sum(spec.keeps(number) for number in range(matches))
            assert min(matches, 50) <= kept <= 100
    assert a_spec("greedy", "random", keep="all").keeps(11)
    assert not a_spec("greedy", "random").keeps(0)


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("matches", [100, 400, 401, 5_000])
def test_a_sample_has_every_seating_as_often(matches: int, paired: bool) -> None:
    bots = ("greedy", "random", "random", "random")
    spec = a_spec(*bots, game="daifugo", matches=matches, paired=paired, keep="sample")
    seatings = Counter(spec.seating(n) for n in range(matches) if spec.keeps(n))
    assert len(seatings) == 4
    assert max(seatings.values()) - min(seatings.values()) <= 1
    assert sum(seatings.values()) <= 100


def test_only_a_budget_in_time_makes_a_series_that_cannot_be_made_again() -> None:
    spec = a_spec("greedy", "random")
    assert spec.reproducible
    levels = {"search": True, "search-400": True, "search-250ms": False, "rooms-5ms": True}
    for level, exact in levels.items():
        assert replace(spec, bots=("greedy", level)).reproducible == exact
