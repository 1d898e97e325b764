"""The schemas of all answers, made from the types that are encoded: nothing is written twice.

Every game adds its own match, moves, events and options under its name; a reader tells matches
apart by `game`, moves and events by `type`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from api.documents import CodeDoc, CreatedDoc, JoinedDoc, KeysDoc, NewKeyDoc, ReadyDoc
from services.archive.commands import ArchivedDoc, ArchiveDoc, ArchivingsDoc
from services.catalogue import GameDoc, GamesDoc
from services.erasing.erasing import ErasureDoc
from services.matches.documents import EventDoc, HiddenDoc, MatchDoc
from services.matches.events import MATCH_EVENTS
from services.matches.hinting import HintDoc
from services.matches.queries import DoneDoc, EventsDoc, MovesDoc, TrialDoc
from services.matches.thoughts import ThoughtsDoc
from services.projections.lists import RowsDoc
from services.projections.rebuilding import RebuildDoc
from services.series.documents import SeriesDoc, SeriesPage
from shared.game import AnyGame

Schema = dict[str, Any]
Schemas = dict[str, Schema]

REF = "#/components/schemas/"
_RENAMED = {"Shown": "Event", "Event": "EventBase"}
ANSWERS = (
    CreatedDoc,
    JoinedDoc,
    DoneDoc,
    MovesDoc[Any],
    TrialDoc,
    ThoughtsDoc[Any],
    HintDoc[Any],
    EventsDoc,
    EventDoc[Any, Any],
    HiddenDoc,
    RowsDoc,
    GamesDoc,
    GameDoc,
    NewKeyDoc,
    KeysDoc,
    ErasureDoc,
    RebuildDoc,
    ArchiveDoc,
    ArchivedDoc,
    ArchivingsDoc,
    CodeDoc,
    ReadyDoc,
    SeriesDoc,
    SeriesPage,
)


def schemas(games: Iterable[AnyGame]) -> Schemas:
    """Every schema of an answer by its name in the document."""
    games = list(games)
    answers = _Types(ANSWERS)
    found = answers.schemas | _by_hand()
    base = found.pop("EventBase")
    events = {"hidden": "Hidden"}
    types = _Types(MATCH_EVENTS, "Match", answers)
    found |= types.schemas
    for event in MATCH_EVENTS:
        found |= _event(types, base, event, None, events)
    for game in games:
        found |= _game_schemas(game, answers, base, events)
    prefixes = {game.slug: prefix(game) for game in games}
    found["Event"] = _one_of("type", events, "An event as the caller may see it.")
    found["Match"] = _one_of(
        "game",
        {slug: f"{name}Match" for slug, name in prefixes.items()},
        "A match at a version, as the caller may see it.",
    )
    found["Move"] = _any_of("Move", prefixes.values(), "A move of the match's game.")
    found["Listed"] = _any_of("Listed", prefixes.values(), "A legal move or a template of moves.")
    found["ListedMove"]["properties"]["move"] = _ref("Listed")
    found["Hint"]["properties"]["move"] = {"anyOf": [_ref("Move"), {"type": "null"}]}
    found["Considered"]["properties"]["move"] = _ref("Move")
    return found


def by_game(what: str, seats: str, body: Schema, games: Iterable[AnyGame]) -> Schemas:
    """The body that creates something, with each game's own options and number of seats.

    Args:
        what: what is created, `Match`.
        seats: the member of the body that has an item for each seat.
    """
    found: Schemas = {}
    names: dict[str, str] = {}
    for game in games:
        names[game.slug] = name = f"New{prefix(game)}{what}"
        properties = body["properties"]
        bounds = {"minItems": game.seats[0], "maxItems": game.seats[-1]}
        found[name] = {
            **body,
            "properties": {
                **properties,
                "game": {"const": game.slug},
                "options": _ref(f"{prefix(game)}Options"),
                seats: {**properties[seats], **bounds},
            },
        }
    return {f"New{what}": _one_of("game", names, f"A new {what.lower()}."), **found}


def prefix(game: AnyGame) -> str:
    """What the names of a game's schemas begin with."""
    return "".join(word.capitalize() for word in re.split("[^a-z0-9]+", game.slug))


class _Types:
    """Types with their schemas under the names that the document gives them.

    Args:
        types: tagged structs, and whatever they contain.
        prefix: what the names of types begin with that are not among `known`.
        known: types that the document has already.
    """

    def __init__(self, types: Sequence[Any], prefix: str = "", known: _Types | None = None) -> None:
        refs, self._raw = msgspec.json.schema_components(types, ref_template=REF + "{name}")
        self._prefix = prefix
        self._known = {} if known is None else known._raw
        self._named = {
            kind: self._name(ref["$ref"].removeprefix(REF))
            for kind, ref in zip(types, refs, strict=True)
        }
        own = {name for name in self._raw if not self._is_known(name)}
        self.schemas = {self._name(name): self._schema(name) for name in own}

    def name(self, kind: Any) -> str:
        """The name of a type's schema."""
        return self._named[kind]

    def by_tag(self, kinds: Iterable[Any]) -> dict[str, str]:
        """Tag -> name of the schema."""
        return {_tag(kind): self._named[kind] for kind in kinds}

    def _is_known(self, name: str) -> bool:
        return bool(self._raw[name] == self._known.get(_last(name)))

    def _name(self, name: str) -> str:
        if self._is_known(name):
            return _plain(_last(name))
        if name.startswith("MatchDoc_") and self._prefix:
            return f"{self._prefix}Match"
        if not self._prefix:
            return _plain(name)
        # Types of one name are told apart by their modules.
        parts = name.split(".")[-2:]
        return self._prefix + "".join(part[:1].upper() + part[1:] for part in parts)

    def _schema(self, name: str) -> Schema:
        return {**_renamed(self._raw[name], self._name), "title": self._name(name)}


def _game_schemas(game: AnyGame, answers: _Types, base: Schema, events: dict[str, str]) -> Schemas:
    mine = prefix(game)
    match_type = MatchDoc[game.options_type, game.view_type]  # type: ignore[name-defined]  # at run time
    types = _Types(
        (match_type, *game.move_types, *game.event_types, *game.template_types), mine, answers
    )
    found = types.schemas
    found[f"{mine}Match"]["properties"]["game"] = {"const": game.slug}
    moves = types.by_tag(game.move_types)
    listed = moves | types.by_tag(game.template_types)
    found[f"{mine}Move"] = _one_of("type", moves, f"A move of {game.name.en}.")
    found[f"{mine}Listed"] = _one_of(
        "type", listed, f"A legal move of {game.name.en}, or a template of moves with ranges."
    )
    for event in game.event_types:
        found |= _event(types, base, event, f"{mine}Move", events)
    return found


def _event(
    types: _Types, base: Schema, event: Any, move: str | None, events: dict[str, str]
) -> Schemas:
    """An event in its envelope; `events` learns its name."""
    name = f"{types.name(event)}Event"
    events[_tag(event)] = name
    properties = {
        **base["properties"],
        "type": {"const": _tag(event)},
        "v": {"const": event.v},
        "event": _ref(types.name(event)),
    }
    if move is None:
        del properties["move"]
    else:
        properties["move"] = _ref(move)
    return {name: {**base, "title": name, "properties": properties}}


def _renamed(schema: Any, name_of: Callable[[str], str]) -> Any:
    """The schema with new names in its references, and its unions told apart by one tag each."""
    if isinstance(schema, list):
        return [_renamed(held, name_of) for held in schema]
    if isinstance(schema, str) and schema.startswith(REF):
        return REF + name_of(schema.removeprefix(REF))
    if not isinstance(schema, dict):
        return schema
    renamed = {key: _renamed(held, name_of) for key, held in schema.items()}
    if "discriminator" in renamed and "anyOf" in renamed:
        renamed["oneOf"] = renamed.pop("anyOf")
    return renamed


def _plain(name: str) -> str:
    """`EventsDoc` -> `Events`, `MovesDoc_Any_` -> `Moves`."""
    plain = re.sub(r"(_Any_)+$", "", name).removesuffix("Doc")
    return _RENAMED.get(plain, plain)


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _one_of(by: str, names: Mapping[str, str], description: str) -> Schema:
    refs = {value: REF + name for value, name in names.items()}
    return {
        "description": description,
        "oneOf": [{"$ref": ref} for ref in refs.values()],
        "discriminator": {"propertyName": by, "mapping": refs},
    }


def _any_of(name: str, prefixes: Iterable[str], description: str) -> Schema:
    # Games may have moves of one shape under one tag (`pass`), so more than one can fit.
    return {"description": description, "anyOf": [_ref(mine + name) for mine in prefixes]}


def _ref(name: str) -> Schema:
    return {"$ref": REF + name}


def _tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


def _by_hand() -> Schemas:
    """What no type stands for."""
    text = {"type": "string"}
    error = {
        "type": "object",
        "description": "One thing that is wrong, and where: one of the three says that.",
        "properties": {"detail": text, "pointer": text, "parameter": text, "header": text},
        "required": ["detail"],
    }
    return {
        "Problem": {
            "type": "object",
            "description": "RFC 9457. `type` leads to what the `code` means.",
            "properties": {
                "type": {"type": "string", "format": "uri-reference"},
                "title": text,
                "status": {"type": "integer", "minimum": 400, "maximum": 599},
                "detail": text,
                "code": {"type": "string", "pattern": r"^[a-z-]+\.[a-z0-9-]+$"},
                "rule": {**text, "description": "The number of the rule that forbids it."},
                "errors": {"type": "array", "items": error},
                "version": {"type": "integer", "description": "The match's version now."},
                "line": {"type": "integer", "description": "Of a transcript."},
            },
            "required": ["type", "title", "status", "detail", "code"],
        },
        "Seated": {
            "description": "After a join, the seat; after anything else what any command answers.",
            "anyOf": [_ref("Joined"), _ref("Done")],
        },
        "SeriesRows": {**text, "description": "JSON lines, one match a line."},
        "SeriesTable": {**text, "description": "CSV (RFC 4180), one match a line."},
        "Transcript": {**text, "description": "JSON lines, `tycoon-match/1`."},
        "RulesText": {**text, "description": "Markdown."},
        "MetricsText": {**text, "description": "Prometheus's text format."},
        "Page": {**text, "description": "HTML."},
        "OpenApi": {"type": "object", "description": "OpenAPI 3.1."},
    }
