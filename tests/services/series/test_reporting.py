"""What a series says of who played it, and whether it can be made again."""

from __future__ import annotations

import msgspec
import pytest

from services.series.documents import BudgetDoc
from services.series.reporting import series_doc
from services.series.tally import Sums
from tests.services.series.asking import create
from tests.services.series.table import HALL, a_spec
from tests.services.world import World


class TestCitation:
    def test_another_build_that_played_along_is_named(self, world: World) -> None:
        record = world.stores.series.get(create(world).id)
        assert record is not None
        spec = a_spec("greedy", "random")
        for builds, exact in (({spec.build: 3}, True), ({spec.build: 3, "old": 1}, False)):
            doc = series_doc(record, spec, Sums(builds=builds), HALL["tictactoe"])
            assert doc.made_by.builds == tuple(sorted(builds))
            assert doc.reproducible == exact

    @pytest.mark.parametrize(
        ("sums", "exact"),
        [
            (Sums(faults={"raised": 2, "illegal": 1}), True),
            (Sums(faults={"raised": 2, "stalled": 1}), False),
            (Sums(failed=1, errors={"Defect": 1}), True),
            (Sums(failed=1, errors={"process-died": 1}), False),
        ],
    )
    def test_what_the_time_or_a_death_ended_cannot_be_made_again(
        self, world: World, sums: Sums, exact: bool
    ) -> None:
        record = world.stores.series.get(create(world).id)
        assert record is not None
        doc = series_doc(record, a_spec("greedy", "random"), sums, HALL["tictactoe"])
        assert doc.reproducible == exact
        assert doc.results.faults == sums.faults

    def test_budgets_are_told(self, world: World) -> None:
        record = world.stores.series.get(create(world).id)
        assert record is not None
        levels = ("search-400", "search-250ms", "search", "greedy")
        spec = msgspec.structs.replace(
            a_spec("greedy", "random"), bots=levels, versions=dict.fromkeys(levels, 2)
        )
        doc = series_doc(record, spec, Sums(), HALL["tictactoe"])
        assert [bot.budget for bot in doc.made_by.bots] == [
            BudgetDoc(iterations=400),
            BudgetDoc(ms=250),
            BudgetDoc(iterations=200),
            None,
        ]
        assert [bot.version for bot in doc.made_by.bots] == [2] * 4
        assert not doc.reproducible
