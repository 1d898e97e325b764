"""`tycoon match verify`: the proof of fairness of a transcript, without any server.

This is the one command that knows rules: moves are decided again by those of this build.
"""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING

import click
import msgspec

from api.cli.client import Json
from api.cli.output import EXIT_CODES, REFUSED, Output, spoken
from shared.errors import Refused
from shared.settings import SettingsError, from_env

if TYPE_CHECKING:
    from services.matches.verify import Proof

SHOWN = 10
"""So many findings of one check are printed for people."""


@click.command("verify", epilog=EXIT_CODES)
@click.argument("file", type=click.File("rb"))
@spoken
def command(file: IO[bytes], out: Output) -> None:
    """Check the transcript FILE: its draws against the seed, its decisions against the rules."""
    context = click.get_current_context()
    try:
        document = findings(prove(file.read()))
    except SettingsError as wrong:
        raise click.ClickException(str(wrong)) from wrong
    except Refused as refused:
        out.problem({"code": refused.code, "detail": refused.detail})
        context.exit(REFUSED)
    out.note(document, _told(document))
    if "failed" in (check["result"] for check in document.values()):
        context.exit(REFUSED)


def prove(transcript: bytes) -> Proof:
    """The proof of a transcript by the games of this build and of `TYCOON_EXTRA_GAMES`.

    Raises:
        Refused: it can't be read, or is of a game that is not here.
        SettingsError: an extra game can't be imported.
    """
    # Every game, and what the composition root needs: 0.2 s that no other command should wait.
    from services.hosted import Hall
    from services.matches.transcript import read
    from services.matches.verify import verify
    from services.registry import games

    hall = Hall(games(from_env(os.environ)))
    found = read(hall, transcript)
    return verify(hall[found.header.game], found)


def findings(proof: Proof) -> Json:
    """The two results: `passed`, `failed` or `not checked`, with counts and faults."""
    return {
        "draws": {
            "result": _result(proof.draw_faults, proof.draws + proof.scripted, 0),
            "checked": proof.draws,
            "scripted": proof.scripted,
            "faults": msgspec.to_builtins(proof.draw_faults),
        },
        "decisions": {
            "result": _result(proof.decision_faults, proof.decisions, proof.unchecked),
            "checked": proof.decisions,
            "unchecked": proof.unchecked,
            "faults": msgspec.to_builtins(proof.decision_faults),
        },
    }


def _result(faults: tuple[str, ...], checked: int, unchecked: int) -> str:
    if faults:
        return "failed"
    return "not checked" if unchecked and not checked else "passed"


def _told(document: Json) -> str:
    lines = []
    for name, check in document.items():
        more = {"scripted": "scripted", "unchecked": "decided by other rules, not checked"}
        extra = [f"{check[key]} {text}" for key, text in more.items() if check.get(key)]
        counts = ", ".join([f"{check['checked']} checked", *extra])
        lines.append(f"{name}: {check['result']} ({counts})")
        lines += [f"  {fault}" for fault in check["faults"][:SHOWN]]
        if len(check["faults"]) > SHOWN:
            lines.append(f"  and {len(check['faults']) - SHOWN} more")
    return "\n".join(lines)
