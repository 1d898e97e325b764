"""Every process is restarted under load, one after the other: no command fails or is doubled.

`TYCOON_ROLLS` is how often each is (once in `make test`, more often in `make soak`), and
`TYCOON_FAULT_SEED` repeats the order.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.e2e.campaign import SEED
from tests.e2e.checks import check
from tests.e2e.fleet import Crowd, fleet

pytestmark = pytest.mark.e2e
STOPPED_S = 20.0
"""On a busy machine; a few seconds are usual."""
ROLLS = int(os.environ.get("TYCOON_ROLLS", "1"))


def test_a_rolling_restart_under_load_fails_and_doubles_nothing(tmp_path: Path) -> None:
    print(f"TYCOON_FAULT_SEED={SEED}")
    chance = random.Random(SEED)
    with fleet(tmp_path) as two:
        crowd = Crowd(two)
        names = list(two.programs) * ROLLS
        with crowd.playing(persons=3, bots=2):
            for name in chance.sample(names, len(names)):
                two.restart(name)
                assert not crowd.failures, crowd.failures

        print(f"stopped: {two.report()}; met: {dict(two.met)}; tables: {len(crowd.tables)}")
        assert all(seconds < STOPPED_S for _, seconds in two.took), two.report()
        assert set(two.met) == {"201"}, "not one request was refused or cut"
        assert two.met["201"] == sum(len(table.sent) for table in crowd.tables)
        check(two.system, crowd.tables)
