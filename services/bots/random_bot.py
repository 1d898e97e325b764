"""The level `random`: plays any of the listed moves, each as likely as the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shared.chance import Chance
from shared.game import Move, Policy, Template


def choose(view: Any, moves: Sequence[Move | Template[Move]], chance: Chance) -> Move:
    """One of `moves`; of a template, some move within its ranges."""
    listed = moves[chance.one("choice", len(moves))]
    return listed if isinstance(listed, Move) else listed.sample(chance)


RANDOM: Policy[Any, Any] = Policy(choose=choose)
