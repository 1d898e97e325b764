"""The empty table and the opening (FR-2), what can be drawn, and what never changes."""

from __future__ import annotations

from collections.abc import Sequence

from services.games.filthy_rich.binder import size
from services.games.filthy_rich.events import FirstPlayerDrawn, HandsDealt, RichEvent
from services.games.filthy_rich.state import SEATS, Options, State, card_set
from services.games.filthy_rich.story import Story
from services.games.filthy_rich.turns import HAND, begin_turn
from shared.chance import Chance, Draw
from shared.errors import Unprocessable

START_MONEY = 10  # FR-2.4

MOVES_A_TURN = 6
"""A luxury, two actions, the roll, and one more that each action can bring.

A business is sold once, a loan repaid once; an exchange asks for a gift, an audit for its sales.
"""

MOST_DICE = 8
"""Page 4 and two Rush Hours: so many 10s ask every seat for its sales (FR-6.1, 7.1)."""

DOLLARS_A_DIE = 9
"""The best HIT and two Flashing Neons: $7 of Sven's among four others, and $2 (FR-14.2, 14.3)."""

DOLLARS_A_TURN = MOST_DICE * DOLLARS_A_DIE + 2
"""What the bank brings into the hands in a turn at most: by the dice and two Rich Uncles.

An action that is no Rush Hour brings less than its two dice: $12 by a Yakuza Loan at most, and $1
by opening and selling (FR-8.4). A 10 brings $7 of tax income at most.
"""

LUXURIES_LOST = 2
"""Who is knocked out leaves two at most: a third would have won (FR-1.2)."""


def draws(options: Options, seats: int) -> tuple[Draw, ...]:
    """All that is left to chance (FR-13.6)."""
    deck = card_set(options).deck
    return (
        Draw(label="deal/*", form="pick", of=deck),
        Draw(label="first", form="one", n=seats),
        Draw(label="dice/*/*", form="one", n=10),
        Draw(label="page/*", form="one", n=6),
        Draw(label="draw/*/*", form="pick", of=deck),
        Draw(label="bingo/*/*", form="one", n=6),
        Draw(label="espionage/*/*", form="pick", of=deck),
        Draw(label="reveal/*/*/*", form="pick", of=deck),
    )


def check_options(options: Options, seats: int) -> None:
    """Any options go with any number of seats that the game allows (FR-1.1)."""
    if seats not in SEATS:
        raise Unprocessable(
            "filthy-rich.wrong-number-of-seats",
            f"Filthy Rich needs {SEATS[0]} to {SEATS[-1]} players.",
            rule="FR-1.1",
        )


def max_moves(options: Options, seats: int) -> int:
    """How many moves the turns have at most, and how many the auctions.

    In an auction nobody is asked twice at the same lowest bid, nor at one above the own cash
    (FR-12.3, 12.5): altogether it has fewer moves than the players have dollars. The last player
    left wins without an auction (FR-11.3), so two seats never see one.
    """
    turns = options.turn_limit * (MOVES_A_TURN + MOST_DICE * seats)
    auctions = LUXURIES_LOST * (seats - 2)
    money = START_MONEY * seats + DOLLARS_A_TURN * options.turn_limit
    return turns + auctions * money


def initial(options: Options, seats: int) -> State:
    """All cards in the pile, $10 a player (FR-2.1, 2.4, 2.5)."""
    cards = card_set(options)
    return State(
        options=options,
        hands=((),) * seats,
        pile=cards.deck,
        pool=cards.deck,
        cash=(START_MONEY,) * seats,
        bank=-START_MONEY * seats,
        assets=((),) * seats,
        luxuries=((),) * seats,
        supply=tuple(cards.luxuries),
    )


def open_match(state: State, chance: Chance) -> Sequence[RichEvent]:
    """Deal, draw the first player, and begin the first turn (FR-2.2, 2.6)."""
    story = Story(state, chance)
    story.tell(HandsDealt(_deal(state, chance)))
    first = chance.one("first", len(state.hands))
    story.tell(FirstPlayerDrawn(first))
    begin_turn(story, first)
    return story.events


def _deal(state: State, chance: Chance) -> tuple[tuple[str, ...], ...]:
    """One card at a time, clockwise from seat 0."""
    seats = len(state.hands)
    left, dealt = list(state.pile), []
    for number in range(1, HAND * seats + 1):
        card = chance.pick(f"deal/{number}", left)
        left.remove(card)
        dealt.append(card)
    return tuple(tuple(sorted(dealt[seat::seats])) for seat in range(seats))


def conserved(state: State) -> dict[str, int]:
    """Cards, luxuries and sign cards are always somewhere; what the bank pays, it has less."""
    held = (state.pile, state.discard, state.revealed, *state.hands, *state.assets)
    owned = (state.supply, state.removed, state.lots, *state.luxuries)
    return {
        "cards": sum(map(len, held)) + len(state.signs) + (state.action is not None),
        "luxuries": sum(map(len, owned)),
        "sign_cards": len(sign_supply(state)) + sum(len(sign.slots) for sign in state.signs),
        "money": sum(state.cash) + state.bank,
    }


def sign_supply(state: State) -> tuple[str, ...]:
    """The type of every sign card that is not in the binder (FR-2.1)."""
    out = {sign.business for sign in state.signs}
    rows = state.cards.businesses.values()
    return tuple(row.id for row in rows if row.id not in out for _ in range(size(row.shape)))
