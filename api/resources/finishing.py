"""What follows every command that was carried out."""

from __future__ import annotations

from api.context import note, services
from services.matches import lifecycle
from services.matches.committing import Done


def after(done: Done) -> None:
    """Asks for the bots to be played where it is their turn, and notes the version for the log."""
    note(version=done.match.version)
    if lifecycle.asked_bots(done.hosted.game, done.match):
        services().wake(done.id)
