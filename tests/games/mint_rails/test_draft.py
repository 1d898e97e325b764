"""MR-4: set-up and draft."""

import pytest

from services.games.mint_rails import GAME
from services.games.mint_rails.cards import COMPANIES
from services.games.mint_rails.draft import draftable, drafter, is_drafted
from services.games.mint_rails.effects import drafted as taken
from services.games.mint_rails.events import DraftBegun, DraftEnded, MapLaid
from services.games.mint_rails.evolve import evolve
from services.games.mint_rails.state import Options
from tests.games.mint_rails.table import chance, decide, drafted, names, opened, pick, refused


def asked(state):
    return GAME.view(state, state.turn).asked.kind


def picks(state):
    return [move.company for move in GAME.legal_moves(state, state.turn)]


def test_mr_4_1_map_and_start_player_by_lot():
    draw = chance()
    events = GAME.open(GAME.initial(Options(), 3), draw)
    assert [label for label, _, _ in draw.draws] == ["north", "south", "start"]
    results = {label: result for label, _, result in draw.draws}
    assert events == [
        MapLaid(north=tuple(results["north"]), south=tuple(results["south"])),
        DraftBegun(start=results["start"]),
    ]


def order_of(seats, start):
    """Who picks, and what each is asked."""
    state, found = opened(seats, start), []
    while state.phase == "draft":
        found.append((state.turn, asked(state)))
        state = drafted(state, picks(state)[-1])
    return found


@pytest.mark.parametrize(
    ("seats", "start", "order"), [(2, 1, [1, 0]), (3, 2, [2, 0, 1]), (4, 1, [1, 2, 3, 0])]
)
def test_mr_4_2_first_picks_in_turn_order(seats, start, order):
    assert order_of(seats, start)[:seats] == [(seat, "draft_first") for seat in order]
    assert [drafter(opened(seats, start), pick) for pick in range(seats)] == order


@pytest.mark.parametrize(
    ("seats", "start", "order"), [(2, 1, [0, 1]), (3, 2, [1, 0, 2]), (4, 1, [0, 3, 2, 1])]
)
def test_mr_4_3_second_picks_in_reverse(seats, start, order):
    assert order_of(seats, start)[seats:] == [(seat, "draft_second") for seat in order]


def test_mr_4_2_the_two_draft_shares_of_a_company_can_run_out():
    state = drafted(opened(3), "pink", "pink")
    assert picks(state) == ["black", "white", "brown"]
    with refused(state, "no-draft-share-left", "MR-2.6"):
        decide(state, 2, pick("pink"))


def test_mr_4_3_the_second_share_may_be_of_the_same_company():
    state = drafted(opened(2), "black", "white", "white")
    assert state.shares[1] == (0, 2, 0, 0)


def test_mr_4_4_no_two_players_hold_the_same_pair_in_either_order():
    state = drafted(opened(2), "black", "white", "black")
    assert picks(state) == ["pink", "brown"]  # no black is left
    with refused(state, "equal-pair", "MR-4.4"):
        decide(state, 0, pick("white"))
    twice = drafted(opened(4), "pink", "black", "pink", "white", "white", "pink")
    assert picks(twice) == ["black", "white", "brown"]
    assert "black" in picks(drafted(opened(2), "black", "white", "white"))


def test_mr_4_4_first_picks_are_not_restricted():
    state = drafted(opened(4), "black", "black", "black")
    assert picks(state) == ["white", "pink", "brown"]  # only because none is left
    assert picks(drafted(opened(2), "black")) == [*COMPANIES]


@pytest.mark.parametrize(("seats", "complete"), [(2, 180), (3, 1152), (4, 19800)])
def test_mr_4_4_every_complete_draft_and_no_dead_end(seats, complete):
    def count(state):
        if is_drafted(state):
            pairs = state.shares
            assert len(set(pairs)) == seats
            assert all(sum(pair) == 2 for pair in pairs)
            return 1
        seat = state.turn
        companies = draftable(state, seat)
        assert companies, "a dead end"
        return sum(count(evolve(state, taken(state, seat, c))) for c in companies)

    assert count(opened(seats)) == complete


@pytest.mark.parametrize(
    ("seats", "companies", "worth"),
    [
        (2, "black black pink white", (0, 1, 1, 2)),
        (3, "black black white white pink brown", (0, 0, 1, 1)),
        (4, "black black black white white white pink brown", (0, 0, 2, 2)),
    ],
)
def test_mr_4_5_each_left_over_share_raises_its_company(seats, companies, worth):
    *before, last = companies.split()
    state = drafted(opened(seats), *before)
    events = decide(state, state.turn, pick(last))
    assert names(events) == ["ShareDrafted", "DraftEnded"]
    assert events[-1] == DraftEnded(worth=worth, next=0)
    state = drafted(state, last)
    assert state.worth == worth
    assert sum(worth) == {2: 4, 3: 2, 4: 4}[seats]
    assert state.draft == worth  # they left the game


@pytest.mark.parametrize("start", [0, 1, 2])
def test_mr_4_6_the_start_player_has_the_first_turn_and_the_market_is_full(start):
    state = drafted(opened(3, start), "black", "white", "pink", "pink", "black", "brown")
    assert state.phase == "play"
    assert state.turn == start
    assert drafter(state, 6) == start  # as the event of the last pick says
    assert state.market == (3, 3, 3, 3)
