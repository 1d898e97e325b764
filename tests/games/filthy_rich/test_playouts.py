"""Random matches: what is true after every event, whatever is played."""

from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.games.filthy_rich import GAME
from services.games.filthy_rich.binder import SHAPES, seen
from services.games.filthy_rich.card_set import type_of
from services.games.filthy_rich.events import BusinessHit, MoneyPaid, RichEvent, TurnBegan
from services.games.filthy_rich.evolve import FOLDS
from services.games.filthy_rich.shipped import SHIPPED
from services.games.filthy_rich.state import Options
from tests.laws.exchange import law_5_exchange
from tests.laws.laws import (
    law_1_folding,
    law_2_legality,
    law_3_somebody_can_act,
    law_4_equal_logs,
    law_4_resample,
    law_6_conserved,
    law_7_ends,
    law_9_labels,
)
from tests.laws.match import Match, play

SIGN_CARDS = Counter({row.id: len(SHAPES[row.shape][0]) for row in SHIPPED.businesses.values()})


def each_event(match: Match):
    """Every event with the state before and after it."""
    return zip(match.log, match.prefixes, match.prefixes[1:], strict=False)


def assert_everything_is_in_one_place(state):
    cards = Counter(state.pile + state.discard + state.revealed)
    for row in (*state.hands, *state.assets):
        cards.update(row)
    cards.update(sign.card for sign in state.signs)
    cards.update([state.action] if state.action else [])
    assert cards == Counter(SHIPPED.deck)
    luxuries = Counter(state.supply + state.removed)
    luxuries.update(lot.luxury for lot in state.lots)
    for row in state.luxuries:
        luxuries.update(row)
    assert luxuries == Counter(list(SHIPPED.luxuries))
    signs = Counter(GAME.view(state, None).sign_supply)
    signs.update(sign.business for sign in state.signs for _ in sign.slots)
    assert signs == SIGN_CARDS


def assert_the_binder_is_in_order(state):
    assert len({sign.business for sign in state.signs}) == len(state.signs)
    places = [(sign.page, slot) for sign in state.signs for slot in sign.slots]
    assert len(set(places)) == len(places)
    for sign in state.signs:
        assert sign.slots in SHAPES[SHIPPED.businesses[sign.business].shape]
        assert type_of(sign.card) == sign.business


def assert_who_is_out_is_out(state):
    assert not GAME.active_seats(state) & set(state.out)
    for seat in state.out:
        assert not state.hands[seat]
        assert not state.assets[seat]
        assert not state.luxuries[seat]
        assert state.cash[seat] == 0
        assert all(sign.owner != seat for sign in state.signs)


def check_match(match: Match):
    for (_, event), before, after in each_event(match):
        assert_everything_is_in_one_place(after)
        assert_the_binder_is_in_order(after)
        assert_who_is_out_is_out(after)
        assert min(after.cash) >= 0
        assert max(map(len, after.hands)) <= 5
        if not isinstance(event, MoneyPaid):
            assert (after.cash, after.bank) == (before.cash, before.bank)
        if isinstance(event, TurnBegan):
            standing = [s for s in range(match.seats) if s not in after.out]
            assert [len(after.hands[s]) for s in standing] == [5] * len(standing)
        if isinstance(event, BusinessHit):
            assert seen(before.signs, before.page)[event.slot].business == event.business
    for state in match.states[1:]:
        assert len(GAME.active_seats(state)) == (0 if GAME.outcome(state) else 1)
        asked = GAME.view(state, 0).asked
        assert ({asked.seat} if asked else set()) == GAME.active_seats(state)


def check_knowledge(match: Match):
    """What a view is sure of is true, and as much is true of every imagined table."""
    from tests.laws.match import secret

    for number, state in match.positions("knowledge", 25):
        for seat in match.observers:
            view = GAME.view(state, seat)
            guess = GAME.resample(view, secret(number))
            for table in (state, guess):
                for fact in view.known:
                    assert any(fact.card in table.hands[other] for other in fact.seats)
                for fact in view.kept:
                    held = [card for other in fact.seats for card in table.hands[other]]
                    assert sum(card not in view.pool for card in held) == fact.cards
                assert set(table.pile) <= set(view.pool)


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("seed", range(4))
def test_the_invariants_hold_after_every_event(seats, seed):
    match = play(GAME, Options(), seats, 100 * seats + seed)
    assert match.over
    check_match(match)
    check_knowledge(match)


@settings(max_examples=12, deadline=None)
@given(limit=st.integers(1, 60), seats=st.sampled_from(GAME.seats), seed=st.integers(0, 2**32))
def test_the_laws_and_invariants_hold_with_any_options_and_seed(limit, seats, seed):
    match = play(GAME, Options(turn_limit=limit), seats, seed)
    check_match(match)
    check_knowledge(match)
    for law in (
        law_1_folding, law_2_legality, law_3_somebody_can_act, law_4_resample, law_4_equal_logs,
        law_5_exchange, law_6_conserved, law_7_ends, law_9_labels,
    ):  # fmt: skip
        law(match)
    assert match.states[-1].turn <= limit


def test_every_event_type_is_folded():
    assert set(FOLDS) == set(GAME.event_types)


def test_random_matches_tell_every_event_but_the_skipped_action():
    told = {
        type(event)
        for seats in GAME.seats
        for seed in range(8)
        for _, event in play(GAME, Options(), seats, seed).log
    }
    assert {kind.__name__ for kind in set(GAME.event_types) - told} == {"ActionSkipped"}


def test_the_stored_events_are_small():
    match = play(GAME, Options(), 4, 1)
    sizes = [len(msgspec.json.encode(event)) for _, event in match.log]
    assert sum(sizes) / len(sizes) <= 150  # the envelope adds about 100 bytes
    for _, event in match.log:
        assert msgspec.json.decode(msgspec.json.encode(event), type=RichEvent) == event
