"""The course of a turn (FR-4, 9, 10), and whatever goes on without a decision."""

from __future__ import annotations

from collections.abc import Callable

from services.games.filthy_rich import events as e
from services.games.filthy_rich.assets import protection_racket, rich_uncle
from services.games.filthy_rich.auctions import (
    can_bid,
    close_auction,
    open_auction,
    pass_automatically,
)
from services.games.filthy_rich.hits import hits
from services.games.filthy_rich.state import PAGES, State, active
from services.games.filthy_rich.story import Story
from services.games.filthy_rich.taxes import begin_tax, collect_tax
from shared.game import Seat

HAND = 5  # FR-2.2, 10.1


def carry_on(story: Story) -> None:
    """All that follows by itself, until a seat is asked or the game is over."""
    while step := due(story.state):
        step(story)


def due(state: State) -> Callable[[Story], None] | None:
    """What happens next without a decision; `None` if a seat is asked or the game is over."""
    if state.end:
        return None
    if state.auction:
        if state.auction.speaker is None:
            return close_auction
        return None if can_bid(state, state.auction) else pass_automatically
    if state.tax:
        return collect_tax if state.tax.deciding is None else None
    if state.lots:
        return open_auction
    if state.spied:
        return None
    if state.action:
        return finish_action
    if state.phase == "rolled":
        return begin_tax if state.taxes_left else finish_turn
    if state.phase == "actions" and state.actions_left and not state.hands[state.player]:
        return skip_action
    return None


def begin_turn(story: Story, seat: Seat) -> None:
    """P0 (FR-4.1)."""
    story.tell(e.TurnBegan(story.state.turn + 1, seat))
    rich_uncle(story, seat)
    protection_racket(story, seat)


def finish_action(story: Story) -> None:
    """The card goes on the discard pile (FR-5.5)."""
    if story.state.action:
        story.tell(e.ActionFinished(story.state.action))


def skip_action(story: Story) -> None:
    """FR-4.6."""
    story.tell(e.ActionSkipped(story.state.player))


def number_of_dice(page: int, extra: int) -> int:
    """How many business dice are rolled (FR-6.1)."""
    return max(page + extra, 1)


def roll(story: Story) -> None:
    """P3 and P4: the business dice and all their HITs (FR-6)."""
    state = story.state
    count = number_of_dice(state.page, state.extra_dice)
    labels = (f"dice/{state.turn}/{number}" for number in range(1, count + 1))
    dice = tuple(story.chance.one(label, 10) + 1 for label in labels)
    story.tell(e.DiceRolled(dice, 0 if state.tax_holiday else dice.count(10)))  # FR-7.1
    hits(story, dice)


def finish_turn(story: Story) -> None:
    """P6 and P7, then the next turn (FR-9, 10, 4.8)."""
    roll_page_die(story)
    state = story.state
    if state.player not in state.out:  # FR-7.9
        refill_hand(story)
    if state.turn == state.options.turn_limit:
        story.tell(e.GameEnded("turn_limit", None))  # FR-11.8
        return
    begin_turn(story, active(state.out, len(state.hands), state.player + 1)[0])


def roll_page_die(story: Story) -> None:
    """P6 (FR-9.1)."""
    state = story.state
    die = story.chance.one(f"page/{state.turn}", 6) + 1
    story.tell(e.PageRolled(die, die if die in PAGES else state.page))


def refill_hand(story: Story) -> None:
    """P7 (FR-10.1)."""
    seat, turn = story.state.player, story.state.turn
    for number in range(1, HAND - len(story.state.hands[seat]) + 1):
        card = story.draw(f"draw/{turn}/{number}")
        if card is None:
            return
        story.tell(e.CardDrawn(seat, card))
