"""Filthy Rich. `RULES.md` beside this file numbers every rule cited here."""

from __future__ import annotations

from services.games.filthy_rich.checks import check
from services.games.filthy_rich.decide import decide, time_out
from services.games.filthy_rich.events import RichEvent
from services.games.filthy_rich.evolve import evolve
from services.games.filthy_rich.foresight import rank, worth
from services.games.filthy_rich.legal import active_seats, legal_moves
from services.games.filthy_rich.moves import BidRange, RichMove
from services.games.filthy_rich.policies import greedy, greedy_at
from services.games.filthy_rich.preview import preview
from services.games.filthy_rich.resample import resample
from services.games.filthy_rich.scoring import REASONS, outcome
from services.games.filthy_rich.setup import (
    check_options,
    conserved,
    draws,
    initial,
    max_moves,
    open_match,
)
from services.games.filthy_rich.state import SEATS, Options, State
from services.games.filthy_rich.texts import NAME, TEXTS
from services.games.filthy_rich.view import View
from services.games.filthy_rich.visibility import redact, view
from shared.game import Foresight, Game, Policy

GAME: Game[Options, State, View, RichMove, RichEvent] = Game(
    slug="filthy-rich",
    name=NAME,
    rules=1,
    seats=SEATS,
    options_type=Options,
    state_type=State,
    view_type=View,
    move_types=RichMove.__args__,
    event_types=RichEvent.__args__,
    template_types=(BidRange,),
    outcome_reasons=REASONS,
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
    foresight=Foresight(playout="greedy", quick=greedy_at, moves=15, worth=worth, rank=rank),
)
