"""Daifugō by its seed rules. `RULES.md` beside this file numbers every rule cited here."""

from __future__ import annotations

from services.games.daifugo.decide import decide, time_out
from services.games.daifugo.events import DaifugoEvent
from services.games.daifugo.evolve import evolve
from services.games.daifugo.foresight import rank, the_round, worth
from services.games.daifugo.legal import active_seats, check, legal_moves
from services.games.daifugo.moves import DaifugoMove
from services.games.daifugo.policies import greedy, greedy_at
from services.games.daifugo.preview import preview
from services.games.daifugo.resample import resample
from services.games.daifugo.scoring import ROUNDS_PLAYED, outcome
from services.games.daifugo.setup import (
    check_options,
    conserved,
    draws,
    initial,
    max_moves,
    open_match,
)
from services.games.daifugo.state import SEATS, Options, State, View
from services.games.daifugo.texts import NAME, TEXTS
from services.games.daifugo.visibility import redact, view
from shared.game import Foresight, Game, Policy

GAME: Game[Options, State, View, DaifugoMove, DaifugoEvent] = Game(
    slug="daifugo",
    name=NAME,
    rules=1,
    seats=SEATS,
    options_type=Options,
    state_type=State,
    view_type=View,
    move_types=DaifugoMove.__args__,
    event_types=DaifugoEvent.__args__,
    outcome_reasons=frozenset({ROUNDS_PLAYED}),
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
    foresight=Foresight(playout="greedy", quick=greedy_at, stage=the_round, worth=worth, rank=rank),
)
