"""Any game's match for people to read, from its JSON alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from api.cli.words import Words, printable

Doc = Mapping[str, Any]

LONG = 10
"""So many items of a list in a view are shown, the last ones."""


def match(doc: Doc, words: Words) -> RenderableType:
    """A match: who sits where, the table as the caller sees it, and the result."""
    parts: list[RenderableType] = [_headline(doc, words), seats(doc, words)]
    if doc["view"] is not None:
        parts.append(view(doc["view"], words))
    if doc["result"] is not None:
        parts.append(result(doc, words))
    return Group(*parts)


def _headline(doc: Doc, words: Words) -> Text:
    return Text.assemble(
        (words.game(doc["game"]), "bold"),
        f"  {doc['id']}  {words.our(doc['status'])}  {words.our('version')} {doc['version']}",
    )


def seats(doc: Doc, words: Words) -> Table:
    """The seats, with who must move and who is the caller."""
    table = Table(words.our("seat"), words.our("holder"), "", box=None, pad_edge=False)
    for held in doc["seats"]:
        seat = held["seat"]
        notes = [
            words.our(code)
            for code, holds in (
                ("you", seat == doc["you"]),
                ("to_move", seat in doc["active"]),
                ("resigned", held["resigned"]),
            )
            if holds
        ]
        table.add_row(str(seat), _holder(held, words), ", ".join(notes))
    return table


def _holder(held: Doc, words: Words) -> Text:
    kind = words.our(held["kind"])
    level = f" {held['level']}" if held["level"] else ""
    return Text(printable(held["name"]) if held["name"] else kind + level)


def view(seen: Doc, words: Words) -> Tree:
    """A view as a tree, without what is empty; lists are counted from 0, as seats are."""
    tree = Tree("", hide_root=True)
    _grow(tree, seen, words)
    return tree


def _grow(tree: Tree, members: Doc, words: Words) -> None:
    for name, value in members.items():
        title = words.title(name)
        if _empty(value):
            continue
        if isinstance(value, dict):
            _grow(tree.add(Text(title)), value, words)
        elif isinstance(value, list) and any(isinstance(item, list | dict) for item in value):
            branch = tree.add(Text(title))
            if len(value) > LONG:
                branch.add(Text("...", style="dim"))
            for number, item in list(enumerate(value))[-LONG:]:
                branch.add(Text(f"{number}: {words.value(item)}"))
        else:
            tree.add(Text.assemble((f"{title}: ", "dim"), words.value(value)))


def _empty(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(_empty, value.values()))
    return value is None or (isinstance(value, list) and all(item == [] for item in value))


def result(doc: Doc, words: Words) -> RenderableType:
    """How a match ended: the reason, and every seat's place and score."""
    ended = doc["result"]
    line = f"{words.our('match.ended')}: {words.our(ended['reason'])}"
    outcome = ended["outcome"]
    if outcome is None:
        return Text(line)
    reason = words.title(outcome["reason"])
    table = Table(words.our("place"), words.our("seat"), words.our("score"), box=None)
    place = 1
    for group in outcome["ranking"]:
        for seat in group:
            table.add_row(str(place), str(seat), str(outcome["scores"][seat]))
        place += len(group)
    return Group(Text(f"{line} ({reason})"), table)


def event(item: Doc, words: Words) -> Text:
    """One line of the log."""
    number = f"{item['version']:>5}  "
    if item["type"] == "hidden":
        return Text(f"{number}...", style="dim")
    told = item["event"]
    seat = told.get("seat")
    who = "" if seat is None else f"{words.our('seat')} {seat}  "
    facts = words.fields(told, "type", "seat", "seed", "commitment", "owner")
    return Text.assemble((number, "dim"), f"{who}{words.title(item['type'])}  {facts}".rstrip())


def move(given: Doc, words: Words) -> str:
    """A move or a template in one line: its title and what it names."""
    named = {name: value for name, value in given.items() if name != "type"}
    alone = len(named) == 1
    told = " ".join(map(words.value, named.values())) if alone else words.fields(named)
    return f"{words.title(given['type'])} {told}".rstrip()


def moves(listed: Sequence[Doc], words: Words) -> RenderableType:
    """Numbered moves in columns; each on a line of its own where its facts are told."""
    if any(item.get("facts") for item in listed):
        table = Table(box=None, show_header=False, pad_edge=False)
        for number, item in enumerate(listed, 1):
            facts = words.fields(_telling(item.get("facts") or {}))
            table.add_row(str(number), Text(move(item["move"], words)), Text(facts, style="dim"))
        return table
    return Columns(
        Text(f"{number}) {move(item['move'], words)}") for number, item in enumerate(listed, 1)
    )


def _telling(facts: Doc) -> Doc:
    """Facts without those that say no: most moves do few of the things that a move can do."""
    return {name: value for name, value in facts.items() if value is not False}


def rows(columns: Sequence[str], items: Sequence[Doc], words: Words) -> Table:
    """A table of documents, one a row."""
    table = Table(*map(words.title, columns), box=None, pad_edge=False)
    for item in items:
        table.add_row(*(Text(words.value(item[column])) for column in columns))
    return table
