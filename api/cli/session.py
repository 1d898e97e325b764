"""A person's seat at a match: what is shown, what is asked, what is sent."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import partial

import click
from rich.console import Group
from rich.text import Text

from api.cli import forms, matches, render, thinking
from api.cli.client import Client, Json, Problem, path
from api.cli.output import Output
from api.cli.words import Words

HELP = """\
NUMBER   make this move; where values are missing they are asked for
{...}    make the move written as JSON
?        what each move surely costs and brings
hint     what a search would do in your place
view     show the table again
log      show every event so far
resign   leave the match for good
quit     stop here; the match waits for you"""

HINT = "Type a move's number, or help."

TOLD = (400, 409, 422)
"""Statuses that a person can do something about."""

NO_HINT = (403, 409, 429)
"""Statuses with which a hint is refused: the match goes on without it."""


class Left(Exception):
    """The person stops playing here."""


@dataclass(slots=True)
class Session:
    """One seat at one match. `client` holds the seat's token.

    Attributes:
        moves: the game's JSON Schema of moves.
        told: the version up to which events were shown.
    """

    client: Client
    out: Output
    words: Words
    moves: Json
    match_id: str
    told: int = 0

    def play(self) -> None:
        """Until the match is over or the person leaves.

        Raises:
            Left: before the end.
        """
        match = self.client.get(self._at())
        while match["status"] != "ended":
            self._tell_events(match["version"])
            match = self._turn(match) if match["you"] in match["active"] else self._wait(match)
        self._tell_events(match["version"])
        self.out.show({"result": match}, partial(render.match, match, self.words))

    def _at(self, *more: str) -> str:
        return path("matches", self.match_id, *more)

    def _wait(self, match: Json) -> Json:
        if self.out.as_json:
            return matches.newer(self.client, match)
        with self.out.errors.status(self.words.our("waiting_for_others")):
            return matches.newer(self.client, match)

    def _turn(self, match: Json) -> Json:
        """One move of the person's. Returns the match after it."""
        listed = self.client.get(self._at("moves"))
        if listed["version"] != match["version"]:
            return self.client.get(self._at())
        self._tell_view(match)
        self._tell_moves(listed)
        while True:
            after = self._carry_out(self._ask("move"), match, listed)
            if after is not None:
                return after

    def _carry_out(self, line: str, match: Json, listed: Json) -> Json | None:
        """What a line asks for. Returns the match where that ended the turn."""
        match line.lower():
            case "q" | "quit":
                raise Left
            case "h" | "help":
                self.out.note({"help": HELP}, HELP)
            case "v" | "view":
                self._tell_view(match)
            case "?":
                self._tell_moves(self.client.get(self._at("moves"), preview=True))
            case "hint":
                return self._tell_hint()
            case "l" | "log":
                self._tell_events(match["version"], after=0)
            case "resign":
                return self._resign()
            case _:
                return self._move(line, match, listed["moves"])
        return None

    def _move(self, line: str, match: Json, listed: Json) -> Json | None:
        chosen = forms.written(line) or self._listed(line, listed)
        if chosen is None:
            self.out.note({"note": HINT}, HINT)
            return None
        try:
            body = {"move": chosen, "expected_version": match["version"]}
            return self.client.post(self._at("moves"), body)["match"]
        except Problem as problem:
            if problem.status not in TOLD:
                raise
            self.out.problem(problem.document)
            return self.client.get(self._at()) if problem.status == 409 else None

    def _listed(self, line: str, listed: Json) -> Json | None:
        """The move that a line names by its number, its values asked for where some are missing."""
        numbered = {str(number): item["move"] for number, item in enumerate(listed, 1)}
        chosen = numbered.get(line)
        if chosen is None:
            return None
        if not forms.is_template(chosen, self.moves):
            return chosen
        self.out.note({"template": chosen}, render.move(chosen, self.words))
        return forms.filled(chosen, self.moves, self._ask)

    def _resign(self) -> Json | None:
        if self._ask("Leave the match for good? (yes/no)").lower() not in ("y", "yes"):
            return None
        match = self.client.post(self._at("resign"), {})["match"]
        if match["status"] != "ended":
            raise Left
        return match

    def _ask(self, label: str) -> str:
        """A line that the person types. Raises `Left` at the end of the input."""
        if self.out.as_json:
            self.out.show({"ask": label}, Text)
            if not (line := sys.stdin.readline()):
                raise Left
            return line.strip()
        try:
            line = click.prompt(label, default="", show_default=False, prompt_suffix="> ")
        except click.Abort as ended:
            raise Left from ended
        return str(line).strip()

    def _tell_view(self, match: Json) -> None:
        seats = render.seats(match, self.words)
        view = render.view(match["view"], self.words)
        self.out.show({"match": match}, lambda: Group(Text(), seats, view))

    def _tell_moves(self, listed: Json) -> None:
        self.out.show({"moves": listed}, lambda: render.moves(listed["moves"], self.words))

    def _tell_hint(self) -> Json | None:
        """Returns the match where it went on meanwhile."""
        try:
            given = thinking.ask(self.client, self.match_id)
        except Problem as problem:
            if problem.status not in NO_HINT:
                raise
            self.out.problem(problem.document)
            return self.client.get(self._at()) if problem.status == 409 else None
        self.out.show({"hint": given}, lambda: thinking.advice(given, self.words))
        return None

    def _tell_events(self, until: int, after: int | None = None) -> None:
        """Events not shown yet, or again those after a version."""
        for item in matches.events(
            self.client, self.match_id, self.told if after is None else after
        ):
            if item["version"] > until:
                break
            self.told = max(self.told, item["version"])
            if self.out.as_json or item["type"] != "hidden":
                self.out.show({"event": item}, partial(render.event, item, self.words))
