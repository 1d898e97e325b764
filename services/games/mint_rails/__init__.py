"""Mint Rails by its seed rules. `RULES.md` beside this file numbers every rule cited here."""

from __future__ import annotations

from services.games.mint_rails.check import check
from services.games.mint_rails.decide import decide, open_match, time_out
from services.games.mint_rails.events import MintRailsEvent
from services.games.mint_rails.evolve import evolve
from services.games.mint_rails.foresight import FORESIGHT
from services.games.mint_rails.legal import active_seats, legal_moves
from services.games.mint_rails.moves import MintRailsMove
from services.games.mint_rails.policies import greedy
from services.games.mint_rails.preview import preview
from services.games.mint_rails.scoring import REASONS, outcome
from services.games.mint_rails.setup import check_options, conserved, draws, initial, max_moves
from services.games.mint_rails.state import SEATS, Options, State, View
from services.games.mint_rails.texts import NAME, TEXTS
from services.games.mint_rails.visibility import redact, resample, view
from shared.game import Game, Policy

GAME: Game[Options, State, View, MintRailsMove, MintRailsEvent] = Game(
    slug="mint-rails",
    name=NAME,
    rules=1,
    seats=SEATS,
    options_type=Options,
    state_type=State,
    view_type=View,
    move_types=MintRailsMove.__args__,
    event_types=MintRailsEvent.__args__,
    outcome_reasons=frozenset(REASONS),
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
