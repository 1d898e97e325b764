"""The Rival of a lone player (MR-10). Where several candidates are left, lots are drawn."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import TypeVar

from services.games.mint_rails.board import Site
from services.games.mint_rails.cards import COMPANIES, NUMBER, Company
from services.games.mint_rails.draft import draftable
from services.games.mint_rails.effects import bonus, bought, drafted, laid, present
from services.games.mint_rails.events import MintRailsEvent, RivalChose
from services.games.mint_rails.lays import lays
from services.games.mint_rails.legal import actions, buyable
from services.games.mint_rails.moves import BuyShare, LayTrack
from services.games.mint_rails.state import RIVAL, State, board_of
from shared.chance import Chance

T = TypeVar("T")

GOOD_WORTH = 3
"""From this Worth on the Rival buys before it lays (MR-10.3)."""


def rival_acts(state: State, chance: Chance) -> list[MintRailsEvent]:
    """A pick or a turn of the Rival that can act."""
    if state.phase == "draft":
        return _pick(state, chance)
    if state.options.rival == "easy":
        return _easy_turn(state, chance)
    return _normal_turn(state, chance)


def _pick(state: State, chance: Chance) -> list[MintRailsEvent]:
    """Any legal company (MR-10.2)."""
    companies = draftable(state, RIVAL)
    company = _drawn(chance, _label(state), companies)
    return [*_chose(state, len(companies)), drafted(state, RIVAL, company)]


def _normal_turn(state: State, chance: Chance) -> list[MintRailsEvent]:
    """MR-10.3: a good purchase, else the best lay, else the cheapest purchase."""
    good = good_purchase(state)
    if good is not None:
        return [bought(state, RIVAL, good)]
    best = best_lays(state)
    if best:
        lay = _drawn(chance, _label(state), best)
        return [*_chose(state, len(best)), laid(state, RIVAL, lay)]
    cheapest = min(buyable(state, RIVAL), key=lambda c: state.asset[NUMBER[c]])
    return [bought(state, RIVAL, cheapest)]


def good_purchase(state: State) -> Company | None:
    """MR-10.3 step 1."""
    good = [
        company
        for company in buyable(state, RIVAL)
        if state.worth[NUMBER[company]] >= GOOD_WORTH or not state.asset[NUMBER[company]]
    ]
    merit = {c: (state.worth[NUMBER[c]], -state.asset[NUMBER[c]]) for c in good}
    return max(good, key=merit.__getitem__, default=None)


def best_lays(state: State) -> list[LayTrack]:
    """The lays of the highest value with the fewest cubes, by listing (MR-10.3 step 2)."""
    merits: list[tuple[tuple[int, int], LayTrack]] = []
    for (company, city), ways in groupby(lays(state), key=attrgetter("company", "city")):
        site = board_of(state).site[city]
        a_hex, fixed = lay_value(state, NUMBER[company], site)
        icon = COMPANIES[income_of(state, site)]
        merits += [
            ((a_hex * len(lay.path) + fixed, -len(lay.path)), lay)
            for lay in ways
            if lay.icon == icon
        ]
    best = max((merit for merit, _ in merits), default=None)
    return [lay for merit, lay in merits if merit == best]


def lay_value(state: State, company: int, site: Site) -> tuple[int, int]:
    """What a lay is worth to the Rival: for each beige hex, and besides (MR-10.3 step 2)."""
    mine = state.shares[RIVAL]
    most = max(row[company] for seat, row in enumerate(state.shares) if seat != RIVAL)
    income = mine[income_of(state, site)]
    third = bonus(state, present(state, site), COMPANIES[company]) is not None
    return mine[company] - most, 2 * (1 + income) + 2 * third


def income_of(state: State, site: Site) -> int:
    """Of a city's icons the company of which the Rival has more shares, then the first by order."""
    return max(sorted(site.icons), key=state.shares[RIVAL].__getitem__)


def _easy_turn(state: State, chance: Chance) -> list[MintRailsEvent]:
    """MR-10.4: evenly among purchases and pairs of company and city, then routes, then icons."""
    moves = actions(state, RIVAL)
    label = _label(state)
    aimed = _drawn(chance, label, _alike(moves, _target))
    routed = _drawn(chance, f"{label}/route", _alike(aimed, _path))
    move = _drawn(chance, f"{label}/icon", routed)
    chose = _chose(state, len(moves))
    if isinstance(move, LayTrack):
        return [*chose, laid(state, RIVAL, move)]
    return [*chose, bought(state, RIVAL, move.company)]


def _target(move: LayTrack | BuyShare) -> Hashable:
    return (move.company, move.city if isinstance(move, LayTrack) else None)


def _path(move: LayTrack | BuyShare) -> Hashable:
    return move.path if isinstance(move, LayTrack) else None


def _alike(items: Sequence[T], key: Callable[[T], Hashable]) -> list[list[T]]:
    """Items with the same key together, in the order of the first of each."""
    found: dict[Hashable, list[T]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return list(found.values())


def _label(state: State) -> str:
    return f"rival/{state.rival_choices + 1}"


def _drawn(chance: Chance, label: str, candidates: Sequence[T]) -> T:
    """One of the candidates; of a single one nothing is drawn (MR-11.7)."""
    if len(candidates) == 1:
        return candidates[0]
    return candidates[chance.one(label, len(candidates))]


def _chose(state: State, candidates: int) -> list[MintRailsEvent]:
    if candidates == 1:
        return []
    return [RivalChose(number=state.rival_choices + 1, candidates=candidates)]
