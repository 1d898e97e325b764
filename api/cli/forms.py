"""Making a move from a template: which values it wants, and within which ranges.

A template is a game's own document, so this goes by names: a template is called after its move
(`bid_range` after `bid`); a member that the move has too is settled (one value) or a range (two
numbers); else a range is `low`/`high` or `min`/`max`, alone or with the member's name. Whatever
these do not tell is asked for freely: the server has the last word on every move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from api.cli.client import Json

Ask = Callable[[str], str]
"""Asks a person for one value; the argument says which."""

Range = tuple[int, int]


def is_template(given: Json, schemas: Json) -> bool:
    """Whether a listed move is none of the game's move types, so that values are missing."""
    return given["type"] not in _by_tag(schemas)


def written(line: str) -> Json | None:
    """A move written out as JSON; `None` where the line is none."""
    move = word(line)
    return move if isinstance(move, dict) and isinstance(move.get("type"), str) else None


def word(given: str) -> Json:
    """A value as a person writes it: JSON, or else a text."""
    try:
        return msgspec.json.decode(given)
    except (msgspec.DecodeError, RecursionError):
        return given


def filled(template: Json, schemas: Json, ask: Ask) -> Json:
    """The move that a person makes of a template.

    Args:
        schemas: the catalogue's JSON Schema of moves.
        ask: asked again until the value can be read and lies within its range.
    """
    by_tag = _by_tag(schemas)
    tag = _tag(template, by_tag, ask)
    wanted = {name: _resolved(schema, schemas) for name, schema in by_tag[tag].items()}
    numbers = [name for name, schema in wanted.items() if schema.get("type") == "integer"]
    move = {"type": tag}
    for name, schema in wanted.items():
        if name in template and not isinstance(template[name], list):
            move[name] = template[name]
        else:
            found = _range(template, name, alone=numbers == [name])
            move[name] = _value(name, schema, found, ask)
    return move


def _by_tag(schemas: Json) -> dict[str, dict[str, Json]]:
    """The members of each type of move, without its tag."""
    found = {}
    for definition in schemas.get("$defs", {}).values():
        members = dict(definition.get("properties", {}))
        tags = members.pop("type", {}).get("enum", [])
        found.update(dict.fromkeys(tags, members))
    return found


def _resolved(schema: Json, schemas: Json) -> Json:
    name = schema.get("$ref", "").rpartition("/")[2]
    return schemas["$defs"][name] if name else schema


def _tag(template: Json, by_tag: Mapping[str, Any], ask: Ask) -> str:
    named = [tag for tag in by_tag if template["type"].startswith(tag)]
    if named:
        return max(named, key=len)
    while (given := ask(f"type ({', '.join(by_tag)})")) not in by_tag:
        pass
    return given


def _range(template: Json, name: str, *, alone: bool) -> Range | None:
    given = template.get(name)
    if isinstance(given, list) and len(given) == 2:
        return given[0], given[1]
    forms = ["{0}_{1}", "{1}_{0}", *(["{1}"] if alone else [])]
    for low, high in (("low", "high"), ("min", "max")):
        for form in forms:
            first, last = form.format(name, low), form.format(name, high)
            if first in template and last in template:
                return template[first], template[last]
    return None


def _value(name: str, schema: Json, within: Range | None, ask: Ask) -> Json:
    label = f"{name} ({within[0]} to {within[1]})" if within else name
    while True:
        given = ask(label)
        try:
            value = _read(given, schema)
        except ValueError:
            continue
        if within is None or (isinstance(value, int) and within[0] <= value <= within[1]):
            return value


def _read(given: str, schema: Json) -> Json:
    """What a person typed, as the schema wants it. Raises `ValueError`."""
    match schema.get("type"):
        case "integer":
            return int(given)
        case "string":
            return given
        case "array" if not given.startswith("["):
            return [word(part) for part in given.replace(",", " ").split()]
        case _:
            return word(given)
