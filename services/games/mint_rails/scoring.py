"""Dividends, places and the end of a match (MR-8)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from services.games.mint_rails.cards import COMPANIES
from services.games.mint_rails.events import MatchScored
from services.games.mint_rails.state import Payout, Reason, State, Take
from shared.game import Outcome, Seat

REASONS: tuple[Reason, ...] = ("sold_out", "stalled")


class Group(NamedTuple):
    """Shareholders equal in fund and shares; a single one is a group too (MR-8.2)."""

    shares: int
    seats: tuple[Seat, ...]


def is_sold_out(state: State) -> bool:
    """Whether as many companies have sold out as there are players (MR-8.1)."""
    return state.market.count(0) >= len(state.fund)


def scored(state: State, reason: Reason) -> MatchScored:
    """The end of the match as it stands now."""
    payouts = tuple(
        Payout(
            company, state.worth[number], *shared_out(state.worth[number], groups(state, number))
        )
        for number, company in enumerate(COMPANIES)
    )
    scores = [0] * len(state.fund)
    for payout in payouts:
        for take in (take for turn in payout.passes for take in turn):
            scores[take.seat] += take.cubes
    return MatchScored(
        reason=reason, payouts=payouts, scores=tuple(scores), places=places(state, scores)
    )


def groups(state: State, company: int) -> list[Group]:
    """The shareholders of a company, in the order of taking (MR-8.2 step 2)."""

    def rank(seat: Seat) -> tuple[int, int]:
        return -state.fund[seat][company], -state.shares[seat][company]

    holders = [seat for seat, shares in enumerate(state.shares) if shares[company]]
    equal = groupby(sorted(holders, key=rank), rank)
    return [Group(-key[1], tuple(seats)) for key, seats in equal]


def shared_out(pile: int, holders: Sequence[Group]) -> tuple[tuple[tuple[Take, ...], ...], int]:
    """What is taken from a pile, pass by pass, and what is discarded (MR-8.2 step 3)."""
    passes: list[tuple[Take, ...]] = []
    discarded = 0
    while pile and holders:
        taken, pile, discarded = one_pass(pile, holders)
        if taken:
            passes.append(tuple(taken))
    return tuple(passes), discarded


def one_pass(pile: int, holders: Sequence[Group]) -> tuple[list[Take], int, int]:
    """Each group takes once; then what is left, and what is discarded (MR-8.2 step 4)."""
    taken: list[Take] = []
    for shares, seats in holders:
        each = min(shares, pile // len(seats))
        taken += [Take(seat, each) for seat in seats if each]
        pile -= each * len(seats)
        if each < shares:
            return taken, 0, pile
    return taken, pile, 0


def places(state: State, scores: Sequence[int]) -> tuple[int, ...]:
    """Places by cubes, then by the sum of the funds; equals share theirs (MR-8.3 to 8.5)."""
    merits = [(score, sum(fund)) for score, fund in zip(scores, state.fund, strict=True)]
    return tuple(1 + sum(other > merit for other in merits) for merit in merits)


def outcome(state: State) -> Outcome | None:
    """The ranking of the seats; a place that only the Rival has is an empty group."""
    result = state.result
    if result is None:
        return None
    return Outcome(
        ranking=tuple(
            tuple(seat for seat in range(state.seats) if result.places[seat] == place)
            for place in sorted(set(result.places))
        ),
        scores=result.scores[: state.seats],
        reason=result.reason,
    )
