"""The HITs (FR-6, FR-14.2): one function an effect, named by the column `hit` of the card table."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from services.games.filthy_rich.assets import flashing_neon, street_vendor
from services.games.filthy_rich.binder import NEIGHBOURS, Seen, seen
from services.games.filthy_rich.card_set import Business
from services.games.filthy_rich.events import BusinessHit
from services.games.filthy_rich.state import Sign, others
from services.games.filthy_rich.story import BANK, Story
from shared.game import Seat


class Hit(NamedTuple):
    """One die on one business. `die` is the number of the die, from 1."""

    row: Business
    owner: Seat
    slot: int
    die: int
    sight: Seen


def flat(story: Story, hit: Hit) -> None:
    """The bank pays."""
    story.pay(BANK, hit.owner, hit.row.amount, "hit")


def neighbours(story: Story, hit: Hit) -> None:
    """More for each other business seen next to the slot (FR-14.2.1)."""
    count = strangers_beside(hit.sight, hit.slot, hit.row.id)
    story.pay(BANK, hit.owner, hit.row.amount + hit.row.each * count, "hit")


def open_page(story: Story, hit: Hit) -> None:
    """More for each page up to the open one."""
    story.pay(BANK, hit.owner, hit.row.amount + hit.row.each * story.state.page, "hit")


def collect(story: Story, hit: Hit) -> None:
    """After the bank all other players pay (FR-14.2.2)."""
    flat(story, hit)
    for payer in others(story.state, hit.owner):
        story.pay_up_to(payer, hit.owner, hit.row.each, "tribute")


def bingo(story: Story, hit: Hit) -> None:
    """The bank pays what the six-sided die shows (RE-6)."""
    face = story.chance.one(f"bingo/{story.state.turn}/{hit.die}", 6) + 1
    story.pay(BANK, hit.owner, hit.row.amount + hit.row.each * face, "hit")


HITS: dict[str, Callable[[Story, Hit], None]] = {
    "flat": flat,
    "neighbours": neighbours,
    "open_page": open_page,
    "collect": collect,
    "bingo": bingo,
}


def strangers_beside(sight: Seen, slot: int, business: str) -> int:
    """At how many slots next to this one another business is seen."""
    around = (sight[other] for other in NEIGHBOURS[slot])
    return sum(sign is not None and sign.business != business for sign in around)


def hits(story: Story, dice: tuple[int, ...]) -> None:
    """All HITs of a roll in rolled order; a 10 is passed over (FR-6.2)."""
    sight = seen(story.state.signs, story.state.page)  # FR-6.6: it stays the same
    for die, slot in enumerate(dice, start=1):
        if slot == 10:
            continue
        sign = sight[slot]
        if sign is None:
            street_vendor(story)  # FR-6.5
        else:
            _hit(story, sign, slot, die, sight)


def _hit(story: Story, sign: Sign, slot: int, die: int, sight: Seen) -> None:
    """FR-6.3."""
    row = story.state.cards.businesses[sign.business]
    story.tell(BusinessHit(die, slot, row.id, sign.owner))
    HITS[row.hit](story, Hit(row, sign.owner, slot, die, sight))
    flashing_neon(story, sign.owner)
