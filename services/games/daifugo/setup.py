"""The empty table, and how each round begins (DF-2 to DF-5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import msgspec

from services.games.daifugo.cards import DECK, Card, Cards, mask_of, strongest
from services.games.daifugo.events import CardsDealt, CardsTaken, DaifugoEvent, LeadAssigned
from services.games.daifugo.state import ROUNDS, SEATS, Options, State, Title
from shared.chance import Chance, Draw
from shared.errors import Unprocessable
from shared.game import Seat

START_CARD: Card = "3D"  # DF-5.1

EXCHANGES: tuple[tuple[Title, Title, int], ...] = (
    ("daihinmin", "daifugo", 2),
    ("hinmin", "fugo", 1),
)
"""Poorer title, richer title, number of cards each way (DF-4.1)."""


def draws(options: Options, seats: int) -> tuple[Draw, ...]:
    """All that is left to chance (DF-14.5)."""
    return (
        Draw(label="dealer", form="one", n=seats),
        Draw(label="deal/*", form="shuffle", of=DECK),
    )


def check_options(options: Options, seats: int) -> None:
    """Any options go with any number of seats that the game allows.

    Raises:
        Unprocessable: a number of seats or of rounds that there is not (DF-2.1, 12.1).
    """
    if seats not in SEATS:
        raise Unprocessable(
            "daifugo.wrong-number-of-seats",
            f"Daifugō needs {SEATS[0]} to {SEATS[-1]} players.",
            rule="DF-2.1",
        )
    try:
        msgspec.convert(msgspec.to_builtins(options), Options)  # made in Python they met no schema
    except msgspec.ValidationError as error:
        raise Unprocessable(
            "daifugo.wrong-number-of-rounds",
            f"A match has {ROUNDS[0]} to {ROUNDS[-1]} rounds.",
            rule="DF-12.1",
        ) from error


def max_moves(options: Options, seats: int) -> int:
    """DF-14.6, for each round."""
    return options.rounds * (len(DECK) * seats + 2)


def initial(options: Options, seats: int) -> State:
    """Nothing dealt yet."""
    return State(options=options, hands=(0,) * seats, undealt=mask_of(DECK), totals=(0,) * seats)


def open_match(state: State, chance: Chance) -> Sequence[DaifugoEvent]:
    """Round 1, with a dealer chosen by lot (DF-3.2)."""
    seats = len(state.hands)
    return begin_round(1, chance.one("dealer", seats), seats, (), chance)


def begin_round(
    number: int, dealer: Seat, seats: int, titles: tuple[Title, ...], chance: Chance
) -> list[DaifugoEvent]:
    """Deal, then either the strong cards move or the first lead is fixed.

    `titles` are those of the round before, by seat; `()` in round 1.
    """
    order = cast("Cards", chance.shuffle(f"deal/{number}", DECK))
    hands = tuple(order[(seat - dealer - 1) % seats :: seats] for seat in range(seats))
    dealt = CardsDealt(round=number, dealer=dealer, hands=hands)
    if not titles:
        leader = next(seat for seat in range(seats) if START_CARD in hands[seat])
        return [dealt, LeadAssigned(leader=leader, start_card=START_CARD)]
    return [dealt, *_strong_cards(tuple(map(mask_of, hands)), titles)]


def _strong_cards(hands: tuple[int, ...], titles: tuple[Title, ...]) -> list[DaifugoEvent]:
    moved: list[DaifugoEvent] = []
    for poorer, richer, count in EXCHANGES:
        poor, rich = titles.index(poorer), titles.index(richer)
        moved.append(CardsTaken(seat=poor, to=rich, cards=strongest(hands[poor], count)))
    return moved


def first_lead(titles: tuple[Title, ...]) -> LeadAssigned:
    """After an exchange the Daihinmin leads, with any play (DF-5.2)."""
    return LeadAssigned(leader=titles.index("daihinmin"), start_card=None)


def conserved(state: State) -> dict[str, int]:
    """All cards are always somewhere: not dealt yet, in a hand, or played."""
    laid = sum(len(play.cards) for play in state.played + state.trick)
    held = sum(hand.bit_count() for hand in state.hands)
    return {"cards": state.undealt.bit_count() + held + laid}
