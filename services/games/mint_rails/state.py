"""What is true at the table (`State`) and what a seat may know of it (`View`): everything.

Companies are numbered by the order of MR-1.1. Players are numbered like seats; in a match of one
seat, player 1 is the Rival (MR-10.1).
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from services.games.mint_rails.board import Board, board
from services.games.mint_rails.cards import COMPANIES, Company, Hex, Icon
from shared.game import Options as BaseOptions
from shared.game import Seat

SEATS = range(1, 5)  # MR-1.4
RIVAL: Seat = 1

Phase = Literal["waiting", "draft", "play", "ended"]
Reason = Literal["sold_out", "stalled"]
Counts = tuple[int, ...]
"""One number a company."""

NONE: Counts = (0, 0, 0, 0)
MARKET: Counts = (3, 3, 3, 3)  # MR-2.6
ASSETS: Counts = (4, 4, 4, 4)  # MR-2.2


class Options(
    BaseOptions, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True
):
    """Settings of a match (MR-12.2)."""

    three_colour_reading: Annotated[
        Literal["cubes", "off"],
        msgspec.Meta(description="Whether cubes of exactly three companies in a city pay a bonus."),
    ] = "cubes"
    rival: Annotated[
        Literal["easy", "normal"],
        msgspec.Meta(
            description="How the Rival of a lone player plays; for one seat only. For a stronger "
            "opponent make a match of two seats and give the second to a built-in bot."
        ),
    ] = "normal"


class Take(msgspec.Struct, frozen=True, gc=False):
    """Dividend cubes that a player took in one pass."""

    seat: Seat
    cubes: int


class Payout(msgspec.Struct, frozen=True, gc=False):
    """The dividend of a company, pass by pass (MR-8.2), and what could not be shared out."""

    company: Company
    worth: int
    passes: tuple[tuple[Take, ...], ...]
    discarded: int


class Result(msgspec.Struct, frozen=True, gc=False):
    """The end, by player: dividend cubes, and places with 1 the best (MR-8.3 to 8.5)."""

    reason: Reason
    payouts: tuple[Payout, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]


class State(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The whole table."""

    options: Options
    seats: int
    """Of the match; there is one player more in a match of one seat."""

    draft: Counts
    """Draft shares not taken; after the draft, those that left the game."""

    fund: tuple[Counts, ...]
    shares: tuple[Counts, ...]
    asset: Counts = ASSETS
    worth: Counts = NONE
    market: Counts = MARKET
    track: tuple[tuple[Hex, ...], ...] = ((), (), (), ())
    """The hexes with a cube of each company, as they were laid."""

    north: tuple[str, ...] = ()
    south: tuple[str, ...] = ()
    phase: Phase = "waiting"
    start: Seat | None = None
    turn: Seat | None = None
    passes: int = 0
    """How many have passed since the last action."""

    rival_choices: int = 0
    """How often the Rival had to draw lots (MR-11.7)."""

    result: Result | None = None


class CompanyView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A company; `asset` is also the price of a share, `draft` as in the state."""

    company: Company
    icon: Icon
    asset: int
    worth: int
    market: int
    draft: int
    sold_out: bool
    cubes: tuple[Hex, ...]


class PlayerView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A player; `fund` and `shares` have one number a company, in the order of `companies`."""

    seat: Seat
    rival: bool
    fund: Counts
    shares: Counts


class HexView(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A hex of the map: plain land, headquarters of `company`, or a city (MR-3.6)."""

    at: Hex
    kind: Literal["beige", "city", "headquarters"]
    company: Company | None = None
    city: str | None = None
    name: str | None = None
    capacity: int | None = None
    icons: tuple[Company, ...] = ()


class MapView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """All that does not change of a board: cards from the left, hexes, and the unused halves."""

    north: tuple[str, ...]
    south: tuple[str, ...]
    hexes: tuple[HexView, ...]
    halves: tuple[Hex, ...]


class Asked(msgspec.Struct, frozen=True, gc=False):
    """What the view's seat must do now: take its first or second draft share, or act."""

    kind: Literal["draft_first", "draft_second", "act"]


class View(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The table as a seat sees it; `seat` is `None` for a spectator.

    `map` is `None` before the match is opened. `turn` is the seat that must act; `players` may
    hold one more than the match has seats, the Rival. The other fields are those of the state.
    """

    seat: Seat | None
    options: Options
    phase: Phase
    start: Seat | None
    turn: Seat | None
    asked: Asked | None
    companies: tuple[CompanyView, ...]
    players: tuple[PlayerView, ...]
    map: MapView | None
    passes: int
    rival_choices: int
    result: Result | None


def card_set(options: Options) -> str:
    """The name of the cards of a match: the one place where an option could choose others."""
    return "standard"


def board_of(state: State) -> Board:
    """The laid map."""
    return board(card_set(state.options), state.north, state.south)


def plus(counts: Counts, company: int, more: int) -> Counts:
    """The numbers, with that of one company raised."""
    return (*counts[:company], counts[company] + more, *counts[company + 1 :])


def by_seat(rows: tuple[Counts, ...], seat: Seat, row: Counts) -> tuple[Counts, ...]:
    """The rows, with that of one player replaced."""
    return (*rows[:seat], row, *rows[seat + 1 :])


def is_solo(state: State) -> bool:
    """Whether player 1 is the Rival."""
    return state.seats == 1


def is_rivals_turn(state: State) -> bool:
    """Whether the Rival must act, which it does by itself (MR-10.6)."""
    return state.seats == 1 and state.turn == RIVAL


def player_after(state: State, seat: Seat) -> Seat:
    """The next in turn order (MR-4.1)."""
    return (seat + 1) % len(state.fund)


def sold_out(market: Counts) -> tuple[Company, ...]:
    """The companies of which the market has no share left (MR-2.8)."""
    return tuple(company for company, left in zip(COMPANIES, market, strict=True) if not left)
