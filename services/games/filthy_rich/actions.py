"""The action cards (FR-14.4): one small function an effect, named by the column `effect`.

A card takes the parameters in `Effect.takes` and no other. `candidates` names all values that the
parameters can have at all; `check` raises `IllegalMove` for those that the card does not allow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from services.games.filthy_rich import events as e
from services.games.filthy_rich.binder import SHAPES, is_visible, size
from services.games.filthy_rich.card_set import Action, Business, type_of
from services.games.filthy_rich.moves import PlayAction
from services.games.filthy_rich.placing import Site, check_placing, owed, pay_compensation, site
from services.games.filthy_rich.state import PAGES, Sign, State, others, sign_of
from services.games.filthy_rich.story import BANK, Story
from services.games.filthy_rich.taxes import begin_tax_for, sell
from shared.errors import IllegalMove
from shared.game import Seat

Parameters = dict[str, Any]


def _no_candidates(state: State, seat: Seat) -> Iterator[Parameters]:
    yield {}


def _no_check(state: State, seat: Seat, move: PlayAction) -> None:
    return


@dataclass(frozen=True, slots=True)
class Effect:
    """What an action card takes, allows and does."""

    work: Callable[[Story, Seat, Action, PlayAction], None]
    takes: tuple[str, ...] = ()
    candidates: Callable[[State, Seat], Iterator[Parameters]] = _no_candidates
    check: Callable[[State, Seat, PlayAction], None] = _no_check


# --- another player


def other_seats(state: State, seat: Seat) -> Iterator[Parameters]:
    return ({"target": other} for other in others(state, seat))


def check_target(state: State, seat: Seat, move: PlayAction) -> None:
    if move.target not in others(state, seat):
        raise IllegalMove(
            "filthy-rich.wrong-target", "FR-14.4", "Choose another player who is not knocked out."
        )


def irs_audit(story: Story, seat: Seat, row: Action, move: PlayAction) -> None:
    """A01: that player alone goes through a tax procedure (FR-7.2)."""
    begin_tax_for(story, [_target(move)], story.state.taxes_left)


def check_spying(state: State, seat: Seat, move: PlayAction) -> None:
    check_target(state, seat, move)
    if not state.hands[_target(move)] or len(state.hands[seat]) < 2:
        raise IllegalMove(
            "filthy-rich.nothing-to-exchange",
            "FR-14.4",
            "That player needs a card, and you need one besides this card.",
        )


def industrial_espionage(story: Story, seat: Seat, row: Action, move: PlayAction) -> None:
    """A12: take a card at random; which one to give is asked next (FR-14.4.4)."""
    state, target = story.state, _target(move)
    label = f"espionage/{state.turn}/{action_number(state)}"
    card = story.chance.pick(label, state.hands[target])
    story.tell(e.CardTaken(seat, target, card))


def passing_the_hat(story: Story, seat: Seat, row: Action, move: PlayAction) -> None:
    """A11: every other player pays."""
    for payer in others(story.state, seat):
        story.pay_up_to(payer, seat, row.amount, "passing_the_hat")


# --- a business


def businesses_of_others(state: State, seat: Seat) -> Iterator[Parameters]:
    return ({"business": sign.business} for sign in state.signs if sign.owner != seat)


def check_zoning(state: State, seat: Seat, move: PlayAction) -> None:
    sign = _foreign(state, seat, move)
    if size(_row(state, sign).shape) != 1:
        raise IllegalMove(
            "filthy-rich.sign-too-large", "FR-14.4", "Only a sign of a single card can be sold."
        )


def zoning_violation(story: Story, seat: Seat, row: Action, move: PlayAction) -> None:
    """A03: the business is sold for its owner."""
    sell(story, _sign(story.state, move))


def check_takeover(state: State, seat: Seat, move: PlayAction) -> None:
    sign = _foreign(state, seat, move)
    if not is_visible(sign, state.signs, state.page):
        raise IllegalMove(
            "filthy-rich.sign-not-visible", "FR-14.4", "No card of that sign can be seen now."
        )
    if _row(state, sign).cost > state.cash[seat]:
        raise IllegalMove(
            "filthy-rich.takeover-too-dear", "FR-14.4", "You can't pay the printed cost."
        )


def hostile_takeover(story: Story, seat: Seat, row: Action, move: PlayAction) -> None:
    """A08: pay the printed cost to the owner; the business is yours, the sign stays."""
    sign = _sign(story.state, move)
    story.pay(seat, sign.owner, _row(story.state, sign).cost, "takeover")
    story.tell(e.BusinessTakenOver(seat, sign.business, sign.owner))


def own_businesses_anywhere(state: State, seat: Seat) -> Iterator[Parameters]:
    for sign in state.signs:
        if sign.owner == seat:
            for slots in SHAPES[_row(state, sign).shape]:
                yield {"business": sign.business, "slots": slots}


def check_moving(state: State, seat: Seat, move: PlayAction) -> None:
    sign = sign_of(state.signs, move.business)
    if sign is None or sign.owner != seat:
        raise IllegalMove("filthy-rich.wrong-business", "FR-14.4", "Choose a business of your own.")
    if (sign.page, sign.slots) == (state.page, move.slots):
        raise IllegalMove(
            "filthy-rich.same-position", "FR-14.4", "The sign is already in these slots."
        )
    check_placing(_vacated(state, seat, sign), _row(state, sign), move.slots or (), cost=0)


def moving_day(story: Story, seat: Seat, row: Action, move: PlayAction) -> None:
    """A09: the sign is taken out, then put on the open page without its cost."""
    state, sign, slots = story.state, _sign(story.state, move), move.slots or ()
    pay_compensation(story, seat, owed(_vacated(state, seat, sign), slots))
    story.tell(e.SignMoved(sign.business, state.page, slots))


def _vacated(state: State, seat: Seat, sign: Sign) -> Site:
    return site(state, (s for s in state.signs if s is not sign), state.page, seat)


# --- a page


def other_pages(state: State, seat: Seat) -> Iterator[Parameters]:
    return ({"page": page} for page in PAGES if page != state.page)


def check_page(state: State, seat: Seat, move: PlayAction) -> None:
    if move.page not in PAGES or move.page == state.page:
        raise IllegalMove("filthy-rich.wrong-page", "FR-14.4", "Choose a page that is not open.")


def street_fair(story: Story, seat: Seat, row: Action, move: PlayAction) -> None:
    """A04: the page is opened at once."""
    story.tell(e.PageOpened(move.page or story.state.page))


# --- without a parameter


def business_scout(story: Story, seat: Seat, row: Action, move: PlayAction) -> None:
    """A02: reveal cards until a business appears, and take it."""
    label = f"reveal/{story.state.turn}/{action_number(story.state)}"
    number = 1
    while (card := story.draw(f"{label}/{number}")) is not None:
        story.tell(e.CardRevealed(card))
        if type_of(card) in story.state.cards.businesses:
            story.tell(e.CardScouted(seat, card))
            return
        number += 1


def more_dice(story: Story, seat: Seat, row: Action, move: PlayAction) -> None:
    """A05, A06: more or fewer business dice this turn (FR-6.1)."""
    story.tell(e.DiceChanged(row.amount))


def tax_holiday(story: Story, seat: Seat, row: Action, move: PlayAction) -> None:
    """A07: the 10s of this turn's roll do nothing (FR-7.1)."""
    story.tell(e.TaxesSuspended())


def insurance_payout(story: Story, seat: Seat, row: Action, move: PlayAction) -> None:
    """A10: money from the bank."""
    story.pay(BANK, seat, row.amount, "insurance_payout")


EFFECTS: dict[str, Effect] = {
    "irs_audit": Effect(irs_audit, ("target",), other_seats, check_target),
    "business_scout": Effect(business_scout),
    "zoning_violation": Effect(zoning_violation, ("business",), businesses_of_others, check_zoning),
    "street_fair": Effect(street_fair, ("page",), other_pages, check_page),
    "more_dice": Effect(more_dice),
    "tax_holiday": Effect(tax_holiday),
    "hostile_takeover": Effect(
        hostile_takeover, ("business",), businesses_of_others, check_takeover
    ),
    "moving_day": Effect(moving_day, ("business", "slots"), own_businesses_anywhere, check_moving),
    "insurance_payout": Effect(insurance_payout),
    "passing_the_hat": Effect(passing_the_hat),
    "industrial_espionage": Effect(industrial_espionage, ("target",), other_seats, check_spying),
}


def action_number(state: State) -> int:
    """Which of the two actions of the turn this is; a part of the draw labels."""
    return 3 - state.actions_left


def effect_of(state: State, card: str) -> Effect:
    """The effect of an action card of this match."""
    return EFFECTS[state.cards.actions[type_of(card)].effect]


def _target(move: PlayAction) -> Seat:
    return -1 if move.target is None else move.target


def _sign(state: State, move: PlayAction) -> Sign:
    return next(sign for sign in state.signs if sign.business == move.business)


def _foreign(state: State, seat: Seat, move: PlayAction) -> Sign:
    sign = sign_of(state.signs, move.business)
    if sign is None or sign.owner == seat:
        raise IllegalMove(
            "filthy-rich.wrong-business", "FR-14.4", "Choose a business of another player."
        )
    return sign


def _row(state: State, sign: Sign) -> Business:
    return state.cards.businesses[sign.business]
