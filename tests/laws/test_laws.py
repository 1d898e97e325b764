"""The nine laws over every game. Where a game keeps secrets, laws 4 and 5 must find work to do.

`TYCOON_LAW_SEEDS` sets how many matches are played a case; nightly runs ask for more.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laws import laws
from tests.laws.cases import ADDRESSES, TOYS, Case, cases
from tests.laws.digest import law_8_hash_order
from tests.laws.exchange import law_5_exchange
from tests.laws.match import Match, play

SEEDS = range(int(os.environ.get("TYCOON_LAW_SEEDS", "2")))
CASES = {str(case): case for case in cases()}
every_case = pytest.mark.parametrize("case", CASES.values(), ids=str)


@cache
def matches_of(case_id: str) -> tuple[Match, ...]:
    game, options, seats = CASES[case_id]
    return tuple(play(game, options, seats, seed) for seed in SEEDS)


def matches(case: Case) -> tuple[Match, ...]:
    return matches_of(str(case))


@every_case
def test_law_1_folding_gives_the_state_also_after_a_codec_round_trip(case: Case) -> None:
    for match in matches(case):
        laws.law_1_folding(match)


@every_case
def test_law_1_every_command_gives_an_event_to_store(case: Case) -> None:
    for match in matches(case):
        laws.law_1_something_to_store(match)


@every_case
def test_law_2_what_is_listed_is_accepted_and_all_else_is_refused(case: Case) -> None:
    for match in matches(case):
        laws.law_2_legality(match)


@every_case
def test_law_3_somebody_can_act_until_there_is_an_outcome(case: Case) -> None:
    for match in matches(case):
        laws.law_3_somebody_can_act(match)


@every_case
def test_law_4_a_resampled_state_looks_the_same_to_the_seat(case: Case) -> None:
    for match in matches(case):
        laws.law_4_resample(match)


@every_case
def test_law_4_equal_redacted_logs_give_equal_views(case: Case) -> None:
    compared = sum(laws.law_4_equal_logs(match) for match in matches(case))
    assert compared or not any(match.secrets for match in matches(case))


@every_case
def test_law_5_exchanging_what_is_hidden_changes_nothing_that_is_shown(case: Case) -> None:
    tried = sum(law_5_exchange(match) for match in matches(case))
    assert tried or not any(match.secrets for match in matches(case))


@every_case
def test_law_6_what_is_conserved_never_changes(case: Case) -> None:
    for match in matches(case):
        laws.law_6_conserved(match)


@every_case
def test_law_7_a_match_ends_within_its_bound(case: Case) -> None:
    for match in matches(case):
        laws.law_7_ends(match)


@pytest.mark.parametrize("slug", ADDRESSES)
def test_law_8_no_process_gives_other_bytes(slug: str) -> None:
    law_8_hash_order(ADDRESSES[slug])


@every_case
def test_law_9_no_label_is_drawn_twice(case: Case) -> None:
    for match in matches(case):
        laws.law_9_labels(match)


WHOLE: tuple[Callable[[Match], Any], ...] = (
    laws.law_1_folding,
    laws.law_1_something_to_store,
    laws.law_2_legality,
    laws.law_3_somebody_can_act,
    laws.law_4_resample,
    laws.law_4_equal_logs,
    law_5_exchange,
    laws.law_6_conserved,
    laws.law_7_ends,
    laws.law_9_labels,
)


@pytest.mark.parametrize("game", TOYS, ids=lambda game: game.slug)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_the_toys_keep_the_laws_with_any_options_and_seed(game: Any, data: st.DataObject) -> None:
    options = data.draw(st.builds(game.options_type, **OPTION_RANGES[game.slug]))
    seats = data.draw(st.sampled_from(game.seats))
    match = play(game, options, seats, data.draw(st.integers(0, 2**32)))
    for law in WHOLE:
        law(match)


OPTION_RANGES: dict[str, dict[str, Any]] = {
    "tictactoe": {"size": st.integers(3, 5)},
    "secrets": {"auctions": st.integers(1, 4)},
}
