"""The empty table, its bounds, and all that is left to chance."""

from __future__ import annotations

from services.games.mint_rails.cards import CARD_SETS, COMPANIES
from services.games.mint_rails.state import NONE, SEATS, Options, State, card_set
from shared.chance import Draw
from shared.errors import Unprocessable


def players_of(seats: int) -> int:
    """A lone player meets the Rival (MR-10.1)."""
    return max(seats, 2)


def draws(options: Options, seats: int) -> tuple[Draw, ...]:
    """MR-11.1, 11.7. The Rival's draws give a place in the list of its candidates."""
    cards = CARD_SETS[card_set(options)]
    set_up = (
        Draw(label="north", form="shuffle", of=cards.north),
        Draw(label="south", form="shuffle", of=cards.south),
        Draw(label="start", form="one", n=players_of(seats)),
    )
    if seats > 1:
        return set_up
    rivals = ("rival/*", "rival/*/route", "rival/*/icon")
    return (*set_up, *(Draw(label=label, form="one") for label in rivals))


def check_options(options: Options, seats: int) -> None:
    """Refuses a number of players that the game does not have, and a Rival's level without one."""
    if seats not in SEATS:
        raise Unprocessable(
            "mint-rails.wrong-number-of-seats",
            f"Mint Rails needs {SEATS[0]} to {SEATS[-1]} players.",
            rule="MR-1.4",
        )
    if seats > 1 and options.rival != Options().rival:
        raise Unprocessable(
            "mint-rails.no-rival", "The Rival plays only against one player.", rule="MR-12.2"
        )


def max_moves(options: Options, seats: int) -> int:
    """Two picks a player; every lay fills a place in a city, every purchase takes a share."""
    cities = CARD_SETS[card_set(options)].cities
    places = sum(min(city.capacity, len(COMPANIES)) for city in cities)
    return 2 * players_of(seats) + places + 3 * len(COMPANIES)


def initial(options: Options, seats: int) -> State:
    """Nothing laid, nothing taken (MR-2)."""
    players = players_of(seats)
    each = 3 if players == 4 else 2  # MR-2.6
    return State(
        options=options,
        seats=seats,
        draft=(each,) * len(COMPANIES),
        fund=(NONE,) * players,
        shares=(NONE,) * players,
    )


def conserved(state: State) -> dict[str, int]:
    """Every share is always somewhere: to be drafted or left over, in the market, or held."""
    return {
        f"shares of {company}": state.draft[number]
        + state.market[number]
        + sum(shares[number] for shares in state.shares)
        for number, company in enumerate(COMPANIES)
    }
