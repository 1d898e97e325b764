"""The Landlord's Game of 1904. `RULES.md` beside this file numbers every rule cited here."""

from __future__ import annotations

from services.games.landlords_game.check import check
from services.games.landlords_game.counting import outcome
from services.games.landlords_game.decide import decide
from services.games.landlords_game.events import LandlordsEvent
from services.games.landlords_game.evolve import evolve
from services.games.landlords_game.foresight import FORESIGHT
from services.games.landlords_game.legal import active_seats, legal_moves
from services.games.landlords_game.moves import LandlordsMove
from services.games.landlords_game.policies import greedy
from services.games.landlords_game.preview import preview
from services.games.landlords_game.resample import resample
from services.games.landlords_game.setup import (
    check_options,
    conserved,
    draws,
    initial,
    max_moves,
    open_match,
)
from services.games.landlords_game.state import SEATS, Options, State, View
from services.games.landlords_game.templates import BankTerms, LoanTerms
from services.games.landlords_game.texts import NAME, TEXTS
from services.games.landlords_game.timing import time_out
from services.games.landlords_game.visibility import redact, view
from shared.game import Game, Policy

GAME: Game[Options, State, View, LandlordsMove, LandlordsEvent] = Game(
    slug="landlords-game",
    name=NAME,
    rules=1,
    seats=SEATS,
    options_type=Options,
    state_type=State,
    view_type=View,
    move_types=LandlordsMove.__args__,
    event_types=LandlordsEvent.__args__,
    template_types=(BankTerms, LoanTerms),
    outcome_reasons=frozenset({"rounds", "turn_limit"}),
    texts=TEXTS,
    max_moves=max_moves,
    draws=draws,
    check_options=check_options,
    initial=initial,
    open=open_match,
    active_seats=active_seats,
    legal_moves=legal_moves,
    check=check,
    decide=decide,
    time_out=time_out,
    evolve=evolve,
    view=view,
    redact=redact,
    resample=resample,
    preview=preview,
    outcome=outcome,
    conserved=conserved,
    policies={"greedy": Policy(choose=greedy)},
    foresight=FORESIGHT,
)
