"""The laws bite: each planted defect is found by the law that is meant to find it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from shared.game import AnyGame
from tests.laws import defects, laws
from tests.laws.defects import SECRETS, TICTACTOE
from tests.laws.digest import law_8_hash_order
from tests.laws.exchange import law_5_exchange
from tests.laws.match import Match, play

MATCHES = 12

Law = Callable[[Match], Any]


def matches(game: AnyGame) -> list[Match]:
    seats = max(game.seats)
    return [play(game, game.options_type(), seats, seed) for seed in range(MATCHES)]


def broken(law: Law, game: AnyGame) -> bool:
    """Whether the law finds fault with one of some matches."""
    for match in matches(game):
        try:
            law(match)
        except AssertionError:
            return True
    return False


FOUND: dict[str, tuple[Law, AnyGame]] = {
    "an event holds a list": (
        laws.law_1_folding,
        defects.with_events(SECRETS, defects.lists_in_events),
    ),
    "an event holds a float": (
        laws.law_1_folding,
        defects.with_events(SECRETS, defects.floats_in_events),
    ),
    "evolve remembers": (laws.law_1_folding, defects.remembering()),
    "redact gives another type": (
        laws.law_1_folding,
        replace(TICTACTOE, redact=defects.redacting_to_another_type),
    ),
    "the opening gives no event": (
        laws.law_1_something_to_store,
        replace(TICTACTOE, open=defects.opening_nothing),
    ),
    "a move gives no event": (
        laws.law_1_something_to_store,
        replace(SECRETS, decide=defects.bids_without_events),
    ),
    "a time-out gives no event": (
        laws.law_1_something_to_store,
        replace(TICTACTOE, time_out=defects.waiting_for_ever),
    ),
    "a legal move is not listed": (
        laws.law_2_legality,
        replace(TICTACTOE, legal_moves=defects.one_move_short),
    ),
    "an illegal move is listed": (
        laws.law_2_legality,
        replace(TICTACTOE, legal_moves=defects.every_cell),
    ),
    "check allows what decide refuses": (
        laws.law_2_legality,
        replace(SECRETS, check=defects.allowing),
    ),
    "decide allows what check refuses": (
        laws.law_2_legality,
        replace(SECRETS, decide=defects.decide_unchecked),
    ),
    "check and decide give different reasons": (
        laws.law_2_legality,
        replace(TICTACTOE, decide=defects.decide_with_other_reason),
    ),
    "decide changes the state": (
        laws.law_2_legality,
        replace(TICTACTOE, decide=defects.decide_in_place),
    ),
    "a refusal draws": (
        laws.law_2_legality,
        replace(TICTACTOE, decide=defects.decide_after_a_draw),
    ),
    "a refusal has no title": (
        laws.law_2_legality,
        replace(TICTACTOE, texts={}),
    ),
    "a template holds too much": (
        laws.law_2_legality,
        replace(SECRETS, legal_moves=defects.wide_templates),
    ),
    "nobody can act": (
        laws.law_3_somebody_can_act,
        replace(TICTACTOE, active_seats=defects.nobody_after_the_first_move),
    ),
    "a seat has moves out of turn": (
        laws.law_3_somebody_can_act,
        replace(SECRETS, active_seats=defects.only_the_first_chooses),
    ),
    "the view shows hands": (
        laws.law_4_resample,
        replace(SECRETS, view=defects.peeking, resample=defects.resample_not_peeking),
    ),
    "resample ignores what the seat knows": (
        laws.law_4_resample,
        replace(SECRETS, resample=defects.forgetting_what_it_gave),
    ),
    "resample makes money": (
        laws.law_4_resample,
        replace(SECRETS, resample=defects.resample_losing_coins),
    ),
    "the view shows a secret choice": (
        laws.law_4_equal_logs,
        replace(SECRETS, view=defects.choice_shown_early),
    ),
    "the view shows hands, to law 5": (
        law_5_exchange,
        replace(SECRETS, view=defects.peeking),
    ),
    "the view tells about hidden cards, and resample copies it": (
        law_5_exchange,
        replace(
            SECRETS,
            view=defects.counting_high_cards,
            resample=defects.resample_copying_the_count,
        ),
    ),
    "redact shows a drawn card": (
        law_5_exchange,
        replace(SECRETS, redact=defects.drawing_openly),
    ),
    "redact shows the deal": (
        law_5_exchange,
        replace(SECRETS, redact=defects.dealing_openly),
    ),
    "a refusal tells where a card is": (
        law_5_exchange,
        replace(SECRETS, check=defects.telling_refusals),
    ),
    "who must act tells who holds a card": (
        law_5_exchange,
        replace(SECRETS, active_seats=defects.highest_card_first),
    ),
    "money is made": (laws.law_6_conserved, replace(SECRETS, evolve=defects.coining)),
    "a card is doubled": (laws.law_6_conserved, replace(SECRETS, evolve=defects.doubling_a_card)),
    "a match never ends": (laws.law_7_ends, replace(TICTACTOE, evolve=defects.never_over)),
    "the bound is too low": (
        laws.law_7_ends,
        replace(SECRETS, max_moves=lambda options, seats: 2),
    ),
    "a seat has no place": (laws.law_7_ends, replace(SECRETS, outcome=defects.one_seat_placed)),
    "a reason is not declared": (
        laws.law_7_ends,
        replace(TICTACTOE, outcome=defects.undeclared_reason),
    ),
    "a label is used twice": (
        laws.law_9_labels,
        replace(SECRETS, decide=defects.first_pick_again),
    ),
    "a draw is not declared": (
        laws.law_9_labels,
        replace(SECRETS, open=defects.open_with_unknown_draw),
    ),
}


@pytest.mark.parametrize("defect", FOUND)
def test_a_planted_defect_is_found(defect: str) -> None:
    law, game = FOUND[defect]
    assert broken(law, game), "no fault found"


@pytest.mark.parametrize(
    "law", sorted({law for law, _ in FOUND.values()}, key=lambda f: f.__name__)
)
@pytest.mark.parametrize("game", [TICTACTOE, SECRETS], ids=lambda game: game.slug)
def test_without_a_defect_nothing_is_found(law: Law, game: AnyGame) -> None:
    assert not broken(law, game)


def test_a_leak_that_resample_copies_is_found_by_law_5_alone() -> None:
    law, game = FOUND["the view tells about hidden cards, and resample copies it"]
    assert not broken(laws.law_4_resample, game)
    assert broken(law, game)


@pytest.mark.parametrize("name", ["MOVES_BY_HASH", "DECK_BY_HASH"])
def test_dependence_on_a_hash_order_is_found(name: str) -> None:
    with pytest.raises(AssertionError):
        law_8_hash_order(f"tests.laws.defects:{name}")
