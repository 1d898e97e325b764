"""What a search is told of this game: which moves are worth a look, and how a table promises."""

from __future__ import annotations

from collections.abc import Sequence

from services.games.landlords_game.board import NOTE_INTEREST, SPACES, WAGES
from services.games.landlords_game.board import worth as worth_of
from services.games.landlords_game.counting import count_up
from services.games.landlords_game.legal import BUY, LUXURY
from services.games.landlords_game.loans import security
from services.games.landlords_game.moves import (
    AcceptLoan,
    BorrowBank,
    BuyLot,
    BuyLuxury,
    BuyTicket,
    DeclineLuxury,
    GoPoorhouse,
    LandlordsMove,
    MoveChecker,
    PayFine,
    ProposeLoan,
    RefuseLoan,
    RentLot,
    SurrenderSecurity,
    Throw,
    TicketsDone,
)
from services.games.landlords_game.policies import CHOICES, greedy
from services.games.landlords_game.state import Phase, Player, State, View
from services.games.landlords_game.templates import LoanOffer, LoanTerms
from shared.chance import Chance
from shared.game import Foresight, Outcome, Seat, Template

SWAY = 300
"""A lead of so many dollars is worth half of what is left to win."""

TICKETS = 3
"""So many of the dearest tickets are looked at."""

CAUTION = 500
"""A look ahead ends with the turn, so little luck lies between two moves. Playouts of 40 moves had
a standard error of some ten dollars, and a search of 50 won 48 ± 5 % of 42 matches of two seats and
two rounds; this one won 63 ± 4 % of 400."""

KEPT = 100
"""Cash that one does not lend."""

UNIT = 20
"""A dollar of interest is the Bank's rate for so many."""

LENT = 40
"""Less is not worth asking for."""

CENTS = 100

RENTED, CASH = 7, 4
"""Cents a round: for each dollar of rent that another has to pay, and for each dollar of cash,
which saves rents (one buys where one stops) and can be lent.

Found by least squares (numpy) from what the leads of seats at the beginning of a turn came to in
the end: some 300 thousand positions of matches of two and of four that `greedy` played with more or
fewer tickets bought and, at times, money lent. With two seats rents came to 10 ± 1 and 12 ± 1 (two
rounds, five), with four to 3 to 7; cash to 6 ± 1 up to 200 dollars and to 3 ± 1 above. Cash is set
by hand between these and below the interest of 5, so that a loan shows as a gain to its lender.
"""

JAILED, FINISHED, LATE = -1_400, 1_000, 700
"""Cents for being in jail or in the poor house, for having made all rounds before others, and for
standing on the last spaces, before the legacy. Rounded from the same fit (jail -12 to -14 dollars
with two seats, twice that with four; finished 9 to 11; spaces from 28 on 6 to 12); the poor house
was too rare to be fitted and counts as jail, and the spaces begin behind Lord Blueblood's ground.
"""

LATE_FROM = 31

MATTERS: dict[Phase, tuple[type[LandlordsMove], ...]] = {
    "ticket_buy": (TicketsDone, BuyTicket),
    "turn_start": (Throw, PayFine),
    "move_choice": (MoveChecker,),
    "lot_choice": (RentLot, BuyLot),
    "luxury_choice": (DeclineLuxury, BuyLuxury),
    "debt": (SurrenderSecurity, GoPoorhouse, BorrowBank),
    "loan_reply": (AcceptLoan, RefuseLoan),
}


def worth(state: State) -> tuple[int, ...]:
    """How each seat stands by what it may expect to count in the end."""
    return _leads(expected_totals(state))


def reward(outcome: Outcome) -> tuple[int, ...]:
    """How each seat came out, on the same scale.

    By places alone a move would have to turn the match to be seen to be better: that is too rare.
    """
    return _leads([CENTS * score for score in outcome.scores])


def _leads(totals: Sequence[int]) -> tuple[int, ...]:
    """By seat, the mean over the others of how far it is before them."""
    return tuple(
        sum(_lead(mine - other) for seat, other in enumerate(totals) if seat != me)
        // (len(totals) - 1)
        for me, mine in enumerate(totals)
    )


def _lead(cents: int) -> int:
    return 500 + 500 * cents // (abs(cents) + CENTS * SWAY)


def expected_totals(state: State) -> list[int]:
    """In cents, what each seat would count now, and what it has still to expect."""
    left = [state.options.rounds - player.tally for player in state.players]
    ways = [
        SPACES * rounds - (rounds and p.at) for rounds, p in zip(left, state.players, strict=True)
    ]
    stay = max(ways)  # nobody leaves before the last one has made all rounds
    rows = count_up(state, "rounds").count_up
    totals = [
        CENTS * (row.total + WAGES * rounds) + _outlook(player, stay, finished=not rounds)
        for row, player, rounds in zip(rows, state.players, left, strict=True)
    ]
    for note in state.bank_loans:
        totals[note.borrower] -= CENTS * NOTE_INTEREST * note.notes * left[note.borrower]
    for loan in state.player_loans:
        times = loan.due_round - state.players[loan.borrower].tally
        totals[loan.borrower] -= CENTS * loan.interest * times
        totals[loan.lender] += CENTS * loan.interest * times
    others = len(totals) - 1
    rents = [0] * len(totals)
    for lot, owner in enumerate(state.owners, 1):
        if owner is not None:
            rents[owner] += RENTED * lot * stay // SPACES
    return [
        total + others * mine - (sum(rents) - mine)
        for total, mine in zip(totals, rents, strict=True)
    ]


def _outlook(player: Player, stay: int, *, finished: bool) -> int:
    at = JAILED if player.place in ("jail", "poorhouse") else LATE if player.at >= LATE_FROM else 0
    return CASH * player.cash * stay // SPACES + at + (FINISHED if finished and stay else 0)


def turns_begun(state: State) -> int:
    """The same as long as a turn lasts."""
    return sum(player.turns for player in state.players)


def rank(
    view: View, moves: Sequence[LandlordsMove | Template[LandlordsMove]], chance: Chance
) -> tuple[LandlordsMove, ...]:
    """The choice of `greedy`, then what else could matter: the Bank's loans only where one spends.

    Loans taken ahead differ from the choice of `greedy` by a dollar or two. Two choices make nearly
    all of the gain, in matches of two seats and two rounds, against `greedy`: to buy no tickets
    (11.7 ± 2.8 dollars a match), and then to lend what is over (with it 30.2 ± 2.5).
    """
    best = greedy(view, moves, chance)
    others = [move for move in moves if isinstance(move, MATTERS[view.phase]) and move != best]
    if view.phase == "ticket_buy":
        others = [*others[:1], *others[:0:-1][:TICKETS]]  # no more tickets, or the dearest
    if view.phase == "turn_start":
        others += _lending(view, moves)
    if view.phase in ("lot_choice", "luxury_choice") and not isinstance(best, BorrowBank):
        loan = next((move for move in moves if isinstance(move, BorrowBank)), None)
        if loan is not None and BUY not in moves and LUXURY not in moves:
            others.append(loan)
    return (best, *others)


def _lending(
    view: View, moves: Sequence[LandlordsMove | Template[LandlordsMove]]
) -> list[LandlordsMove]:
    """To each other seat what is over, and half of it, at the rate of the Bank and on security."""
    terms = next((one for one in moves if isinstance(one, LoanTerms)), None)
    if terms is None or view.seat is None:
        return []
    over = view.players[view.seat].cash - KEPT
    loans = (
        _loan(offer, amount - amount % UNIT)
        for offer in terms.offers
        if offer.role == "lend" and not offer.refused
        for amount in (over, over // 2)
        if amount >= LENT
    )
    return [loan for loan in loans if loan is not None]


def _loan(offer: LoanOffer, principal: int) -> ProposeLoan | None:
    lots = security(offer.lots, principal)
    if not lots or worth_of(lots) > 2 * principal:
        return None
    return ProposeLoan(
        role="lend",
        other=offer.other,
        principal=principal,
        interest=principal // UNIT,
        due_round=offer.due_round.high,
        lots=lots,
    )


def _quick(
    state: State,
    seat: Seat,
    moves: Sequence[LandlordsMove | Template[LandlordsMove]],
    chance: Chance,
) -> LandlordsMove:
    return CHOICES[state.phase](state, seat, moves)  # type: ignore[arg-type]  # what is listed


FORESIGHT: Foresight[State, View, LandlordsMove] = Foresight(
    version=2,
    playout="greedy",
    quick=_quick,
    stage=turns_begun,
    worth=worth,
    reward=reward,
    rank=rank,
    caution=CAUTION,
)
