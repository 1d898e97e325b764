"""What clients may send: bodies and parameters. Names of classes become names in the document."""

from __future__ import annotations

from typing import get_args

from marshmallow import Schema, ValidationError, fields, validate

from api.fields import (
    Body,
    Flag,
    Query,
    QueryFlag,
    Whole,
    about,
    choice,
    cursor,
    integer,
    limit,
    query_integer,
    text,
)
from services.bots.levels import ITERATIONS, MS
from services.matches.events import Kind, Visibility
from services.matches.state import Status
from services.series.spec import AT_ONCE, Keep, Rotation

MAX_SEATS = 16
MAX_MATCHES = 100
MAX_VERSION = 2**31 - 1
NAME, REF, LEVEL, CODE = 64, 128, 32, 64
HEX_64 = Whole(r"^[0-9a-f]{64}$", error="Not 64 lower-case hex digits.")
MAX_SCRIPT = 1_000
SCOPE = "`mine` needs an API key and is its default; `public` is everybody's."


def _client_seed(**more: object) -> fields.String:
    return fields.String(validate=HEX_64, **more)  # type: ignore[arg-type]  # passed on as it is


def _budget(allowed: range) -> fields.Integer:
    """What is out of range is well formed; the level refuses it, with a code of its own."""
    told = {"minimum": allowed[0], "maximum": allowed[-1]}
    return fields.Integer(strict=True, metadata=told)


def _short(script: dict[str, object]) -> None:
    if not 1 <= len(script) <= MAX_SCRIPT:
        raise ValidationError(f"Must have 1 to {MAX_SCRIPT} members.")


class EmptyBody(Body):
    """Nothing, or `{}`."""


class BudgetBody(Body):
    """How long a bot of level `search` thinks for a move: so many iterations, or so many ms."""

    iterations = _budget(ITERATIONS)
    ms = _budget(MS)


class NewSeatBody(Body):
    """A seat of a new match.

    A bot has a `level` and, where that is `search`, maybe a `budget`; what else is there is for
    people and agents.
    """

    kind = choice(*get_args(Kind), required=True)
    level = text(LEVEL)
    budget = fields.Nested(BudgetBody)
    name = text(NAME)
    ref = text(REF)
    client_seed = _client_seed()


class ClockBody(Body):
    """Time for a move."""

    per_move_s = integer(1, 604_800, required=True)


class NewMatchBody(Body):
    """A new match. `start` says whether it begins at once; by default where no seat is open."""

    game = text(64, required=True)
    seats = fields.List(
        fields.Nested(NewSeatBody), required=True, validate=validate.Length(1, MAX_SEATS)
    )
    options = fields.Dict(keys=fields.String(), load_default=dict)
    clock = fields.Nested(ClockBody, allow_none=True, load_default=None)
    pace_ms = integer(0, 60_000, allow_none=True, load_default=None)
    visibility = choice(*get_args(Visibility), load_default="unlisted")
    chance = fields.Dict(
        keys=text(64),
        validate=_short,
        allow_none=True,
        load_default=None,
        metadata={
            "minProperties": 1,
            "maxProperties": MAX_SCRIPT,
            "additionalProperties": {
                "anyOf": [
                    {"type": "integer"},
                    {"type": "string"},
                    {"type": "array", "items": {"type": "string"}},
                ]
            },
        },
    )
    start = Flag(allow_none=True, load_default=None)


class JoinBody(Body):
    """Takes an open seat: the one that `code` is for, the one named, or the first."""

    action = fields.String(
        validate=validate.OneOf(["join"], error="Must be one of: join, leave, seed."),
        load_default="join",
    )
    seat = integer(0, MAX_SEATS - 1, load_default=None)
    code = text(CODE, load_default=None)
    kind = choice("person", "agent", load_default="person")
    name = text(NAME, load_default=None)
    ref = text(REF, load_default=None)
    client_seed = _client_seed(load_default=None)


class LeaveBody(Body):
    """Gives the caller's seat back before the start."""

    action = choice("leave", required=True)


class SeedBody(Body):
    """Adds the caller's own seed to every draw of the match."""

    action = choice("seed", required=True)
    client_seed = _client_seed(required=True)


class StartBody(Body):
    """Begins a match. `fill` is the level of the bots that take the open seats, with a `budget`
    if one is wanted."""

    fill = text(LEVEL, allow_none=True, load_default=None)
    budget = fields.Nested(BudgetBody, load_default=None)


class HintBody(Body):
    """Which search thinks: `search` with a `budget`, or a level of it. By default, a setting's."""

    level = text(LEVEL, load_default=None)
    budget = fields.Nested(BudgetBody, load_default=None)


class MoveBody(Body):
    """A move, and the version that the caller looked at."""

    move = fields.Dict(keys=fields.String(), required=True)
    expected_version = integer(0, MAX_VERSION, load_default=None)


class PlayerBody(Body):
    """A player by the API key's own reference, as it was given as `ref`."""

    player = text(REF, required=True)


class SeatBody(Body):
    """A seat of a match."""

    match = text(64, required=True)
    seat = integer(0, MAX_SEATS - 1, required=True)


class NewKeyBody(Body):
    """A new API key. `name` is for the operator's eyes."""

    name = text(NAME, required=True)


class MatchesBody(Body):
    """Which matches."""

    matches = fields.List(
        fields.String(validate=Whole(r"^m_[a-z2-7]{26}$", error="Not a match's id.")),
        required=True,
        validate=validate.Length(1, MAX_MATCHES),
    )


class SeriesBotBody(Body):
    """A bot of a line-up: its level and, where that is `search`, maybe a budget."""

    level = text(LEVEL, required=True)
    budget = fields.Nested(BudgetBody, load_default=None)


class NewSeriesBody(Body):
    """A new series: many matches of one line-up of bots, one bot for each seat.

    With `cyclic` rotation each match seats the line-up one seat further. `paired` plays every deal
    once for each seating, so that luck cancels; by default where the seats rotate. Everything
    follows from `seed`, which is made where none is given. `at_once` bounds how many parts are
    played at the same time. `keep` says which transcripts are kept: a `sample` has 100 at most.
    """

    game = text(64, required=True)
    bots = fields.List(
        fields.Nested(SeriesBotBody), required=True, validate=validate.Length(1, MAX_SEATS)
    )
    matches = integer(1, 1_000_000_000, required=True)
    options = fields.Dict(keys=fields.String(), load_default=dict)
    rotation = choice(*get_args(Rotation), load_default="cyclic")
    paired = Flag(allow_none=True, load_default=None)
    seed = fields.String(validate=HEX_64, allow_none=True, load_default=None)
    at_once = integer(AT_ONCE[0], AT_ONCE[-1], load_default=16)
    keep = choice(*get_args(Keep), load_default="results")


class PageQuery(Query):
    """Which page of a list."""

    cursor = cursor()
    limit = limit()


class CursorQuery(Query):
    """Which page of a list whose pages are as long as they are."""

    cursor = cursor()


class MatchQuery(Query):
    """Which look at a match."""

    version = query_integer(1, MAX_VERSION, "Replays: the match as it was.", load_default=None)
    min_version = query_integer(
        0, MAX_VERSION, "Answer 409 unless the match has come so far.", load_default=None
    )
    seat = query_integer(
        0, MAX_SEATS - 1, "Through whose eyes, once the match is over.", load_default=None
    )


class MatchesQuery(Query):
    """Which matches."""

    scope = choice("mine", "public", load_default=None, metadata=about(SCOPE))
    game = fields.String(
        validate=validate.Length(1, 64), load_default=None, metadata=about("A game's slug.")
    )
    status = choice(
        *get_args(Status), load_default=None, metadata=about("Only matches of this status.")
    )
    player = text(REF, load_default=None, metadata=about("A player's `ref`, with `mine` only."))
    cursor = cursor()
    limit = limit()


class ResultsQuery(Query):
    """Which results."""

    scope = choice("mine", "public", load_default=None, metadata=about(SCOPE))
    cursor = cursor()
    limit = limit()


class MovesQuery(Query):
    """How much of the moves."""

    preview = QueryFlag(
        load_default=False, metadata=about("Adds what each move surely costs and brings.")
    )


class MoveQuery(Query):
    """Whether to make the move."""

    dry_run = QueryFlag(
        load_default=False,
        metadata=about("Only says whether the move is legal, and what it surely brings."),
    )


class SeatsQuery(Query):
    """What a join link carries; the body goes before it."""

    seat = query_integer(0, MAX_SEATS - 1, "The seat to join at.")
    code = text(CODE, metadata=about("The join link's code."))


class EventsQuery(Query):
    """Which part of the log."""

    after = query_integer(
        0, MAX_VERSION, "A version: the page begins with the event after it.", load_default=0
    )
    limit = limit()


NOTHING: Schema = EmptyBody()
