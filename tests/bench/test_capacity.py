"""The capacity page: its tables are what the program makes of the kept constants."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from shared.store import PARTITIONS
from tests.bench.capacity import constants, page
from tests.bench.capacity.limits import limits
from tests.bench.capacity.model import GIB, Model, Target
from tests.bench.capacity.shipped import shipped
from tests.bench.capacity.slots import (
    lists_by_primary,
    partitions_by_primary,
    primary_of_slot,
)
from worker.sweeping import BATCH, QUEUED

KEPT = constants.read()


def model(target: Target | None = None) -> Model:
    return Model(KEPT, target or Target(), shipped())


@pytest.mark.parametrize("path", page.PAGES, ids=lambda path: path.name)
def test_the_tables_of_a_page_are_those_of_the_constants(path: Path) -> None:
    text = path.read_text()
    assert page.BLOCK.search(text)
    filled = page.filled(text, page.blocks(KEPT))
    assert filled == text, "write it anew: python -m tests.bench.capacity page --write"


def test_every_table_is_on_a_page() -> None:
    shown = {m[1] for path in page.PAGES for m in page.BLOCK.finditer(path.read_text())}
    assert shown == set(page.blocks(KEPT))


def test_partitions_and_lists_fall_on_exactly_one_primary() -> None:
    for primaries in page.PRIMARIES:
        assert sum(partitions_by_primary(primaries)) == PARTITIONS
        assert sum(map(len, lists_by_primary(primaries))) == 9


def test_slots_are_cut_as_the_tool_cuts_them() -> None:
    # redis-cli --cluster create, three primaries: 0-5460, 5461-10922, 10923-16383.
    borders = [(5460, 0), (5461, 1), (10922, 1), (10923, 2), (16383, 2)]
    assert [primary_of_slot(slot, 3) for slot, _ in borders] == [n for _, n in borders]


def test_memory_and_cores_grow_with_the_target() -> None:
    one, two = model(), model(Target(open=2_000_000, moves=40_000))
    mean = sum(sum(game.open.values()) for game in one.games) / len(one.games)
    assert one.open_gib == pytest.approx(1_000_000 * mean / GIB)
    assert two.open_gib == pytest.approx(2 * one.open_gib)
    assert two.cores("api") == pytest.approx(2 * one.cores("api"))
    assert two.primary(6).cores == pytest.approx(2 * one.primary(6).cores)


def test_what_gives_first_stands_first_and_gives_at_half_of_twice_the_target() -> None:
    once, twice = limits(model()), limits(model(Target(open=2_000_000, moves=40_000)))
    assert [limit.share for limit in once] == sorted(limit.share for limit in once)
    halved = {limit.part: limit.share / 2 for limit in once}
    assert {limit.part: limit.share for limit in twice} == pytest.approx(halved)


def test_a_full_sweep_was_measured() -> None:
    assert model().full_sweep.marks == QUEUED * BATCH


def test_constants_survive_being_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "FILE", tmp_path / "measured.json")
    constants.keep_load(KEPT.load, KEPT.unsynced, KEPT.load_when)
    constants.keep_rest(KEPT.rest, KEPT.rest_when)
    assert constants.read() == KEPT
    assert msgspec.json.decode((tmp_path / "measured.json").read_bytes()).keys() == {
        *("load", "unsynced", "load_when", "rest", "rest_when")
    }
