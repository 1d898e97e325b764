"""What happened. `decide` writes all consequences down, so that folding needs no rule.

`next` is the player who has the turn from then on. In a match of one seat, seat 1 is the Rival.
"""

from __future__ import annotations

from services.games.mint_rails.cards import Company, Hex
from services.games.mint_rails.state import Counts, Payout, Reason
from shared.game import Event, Seat


class MapLaid(Event, frozen=True, tag="mint_rails.map_laid", gc=False):
    """The cards of both rows, from the left (MR-3.1)."""

    north: tuple[str, ...]
    south: tuple[str, ...]


class DraftBegun(Event, frozen=True, tag="mint_rails.draft_begun", gc=False):
    """The start player was chosen (MR-4.1)."""

    start: Seat


class RivalChose(Event, frozen=True, tag="mint_rails.rival_chose", gc=False):
    """The Rival, about to act, drew lots among so many candidates (MR-11.7)."""

    number: int
    candidates: int


class ShareDrafted(Event, frozen=True, tag="mint_rails.share_drafted", gc=False):
    """A player took a draft share (MR-4.2, 4.3)."""

    seat: Seat
    company: Company
    next: Seat


class DraftEnded(Event, frozen=True, tag="mint_rails.draft_ended", gc=False):
    """What the left-over draft shares add to each company's Worth (MR-4.5)."""

    worth: Counts
    next: Seat


class TrackLaid(Event, frozen=True, tag="mint_rails.track_laid", gc=False, omit_defaults=True):
    """A lay with all its effects (MR-6.7).

    The company's cubes went from its Asset card to `path` and to the city `at`, and its Worth rose
    by `worth`. The player's funds of `income` and of `bonus`, if any, rose by one each, and so did
    the assets of the companies in `grows`. The last two are left out where there are none.
    """

    seat: Seat
    company: Company
    path: tuple[Hex, ...]
    city: str
    at: Hex
    worth: int
    income: Company
    next: Seat
    bonus: Company | None = None
    grows: tuple[Company, ...] = ()


class ShareBought(Event, frozen=True, tag="mint_rails.share_bought", gc=False):
    """A player paid `price` for a share; the company's asset rose by `grows` (MR-7.2)."""

    seat: Seat
    company: Company
    price: int
    grows: int
    next: Seat


class TurnPassed(Event, frozen=True, tag="mint_rails.turn_passed", gc=False):
    """A player had no legal action (MR-5.2)."""

    seat: Seat
    next: Seat


class MatchScored(Event, frozen=True, tag="mint_rails.match_scored", gc=False):
    """The end: fields as in `Result` (MR-8)."""

    reason: Reason
    payouts: tuple[Payout, ...]
    scores: tuple[int, ...]
    places: tuple[int, ...]


MintRailsEvent = (
    MapLaid
    | DraftBegun
    | RivalChose
    | ShareDrafted
    | DraftEnded
    | TrackLaid
    | ShareBought
    | TurnPassed
    | MatchScored
)
