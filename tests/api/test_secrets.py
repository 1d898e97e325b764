"""What a caller may not see makes no difference to any byte that it is answered, or to any log.

Two names that a caller was never told are exchanged in everything that is stored; a fresh process
over the changed store must answer the caller the same, headers, refusals and log lines included.
"""

from __future__ import annotations

import random
import re
from itertools import combinations
from typing import Any

import pytest

from tests.api.server import API_KEY, OPERATOR, PERSON, Client, Server, Table

NAMES = {
    "daifugo": {f"{rank}{suit}" for rank in "3456789TJQKA2" for suit in "CDHS"} | {"J1"},
    "secrets": {f"K{number}" for number in range(1, 13)},
}
DEALS = {"daifugo": b'"daifugo.cards_dealt"', "secrets": b'"match.created"'}
STRANGE: dict[str, list[Any]] = {
    "daifugo": [
        *({"type": "play_cards", "cards": [card]} for card in ("3C", "8H", "2S", "J1", "J2")),
        {"type": "play_cards", "cards": ["KC", "KD", "KH", "KS"]},
        {"type": "give_cards", "cards": ["2S", "2H"]},
        {"type": "pass"},
    ],
    "secrets": [
        *({"type": "give_card", "card": f"K{number}"} for number in (1, 5, 12)),
        {"type": "bid", "coins": 3},
        {"type": "pass_bid"},
    ],
}
HEADERS = ("ETag", "Location", "Content-Length", "Cache-Control", "Retry-After")


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("daifugo", 0),
        ("daifugo", 9),
        ("daifugo", 60),
        ("secrets", 0),
        ("secrets", 3),
        ("secrets", 6),
    ],
)
def test_hidden_cards_make_no_difference_to_who_may_not_see_them(game: str, moves: int) -> None:
    dice = random.Random(f"{game} {moves}")
    server = Server()
    table = server.start(*[PERSON] * 4, game=game)
    table.play(moves)
    log = server.stores.events.events(table.id)
    deal = max(number for number, raw in enumerate(log) if DEALS[game] in raw)
    callers = [None, API_KEY, OPERATOR, *(client.credential for client in table.seats.values())]
    assert table.look()["status"] == "running"
    tried = 0
    for credential in callers:
        told = answers(server, table, credential, game, deal)
        hidden = sorted(NAMES[game] - set(re.findall(r"[0-9A-Z]{2,3}", str(told))))
        used = set(re.findall(r"[0-9A-Z]{2,3}", str(log[deal:])))
        pairs = [pair for pair in combinations(hidden, 2) if used & set(pair)]
        for names in dice.sample(pairs, min(3, len(pairs))):
            other = exchanged(server, table, names, deal)
            assert answers(other, table, credential, game, deal) == told, (credential, names)
            tried += 1
    assert tried >= 4


def exchanged(server: Server, table: Table, names: tuple[str, str], start: int) -> Server:
    """The same server with two names exchanged in the match's log, from an event on."""
    first, second = (f'"{name}"'.encode() for name in names)
    other = Server()
    mine: Any = server.stores.events
    theirs: Any = other.stores.events
    held = mine.kept[table.id]
    swapped = [
        raw.replace(first, b'"?"').replace(second, first).replace(b'"?"', second)
        if number >= start
        else raw
        for number, raw in enumerate(held.events)
    ]
    assert swapped != held.events
    theirs.kept[table.id] = type(held)(
        held.head, swapped, dict(held.commands), dict(held.people), held.secret, held.due
    )
    theirs.kept[table.id].thoughts = [b"[9,0,9]"]  # of these nobody may see a trace either
    return other


def answers(
    server: Server, table: Table, credential: str | None, game: str, deal: int
) -> list[Any]:
    """All that a caller is answered about the match since its last deal, and what is logged."""
    app, found = server.make_app(), []
    client = Client(app, credential, checked=False)
    server.lines.clear()

    def keep(answer: Any) -> None:
        headers = [answer.headers.get(name) for name in HEADERS]
        found.append((answer.status_code, answer.data, headers))

    body = {"action": "seed", "client_seed": "0" * 64}
    keep(client.get(table.at))
    keep(client.get(f"{table.at}/events", after=deal, limit=200))
    for version in range(deal + 1, len(server.stores.events.events(table.id)) + 1, 3):
        keep(client.get(table.at, version=version))
    keep(client.get(f"{table.at}/moves", preview=True))
    keep(client.get(f"{table.at}/export"))
    keep(client.get(f"{table.at}/thoughts"))
    keep(client.get(f"{table.at}/hint"))
    keep(client.post(f"{table.at}/seats", body))
    keep(client.get(table.at, seat=2))
    for move in STRANGE[game]:
        keep(client.post(f"{table.at}/moves?dry_run=true", {"move": move}))
        stale = {"move": move, "expected_version": 1}
        keep(client.post(f"{table.at}/moves", stale))
    lines = [{**line, "duration_ms": 0, "correlation": ""} for line in server.lines]
    return [*found, lines]


def test_a_leak_would_be_noticed() -> None:
    """The exchange shows in the answers of who holds one of the cards."""
    server = Server()
    table = server.start(*[PERSON] * 4, game="daifugo")
    hand = table.seats[0].get(table.at).json["view"]["hands"][0]
    other = sorted(NAMES["daifugo"] - set(hand))[0]
    deal = 2
    changed = exchanged(server, table, (hand[0], other), deal)
    credential = table.seats[0].credential
    assert answers(changed, table, credential, "daifugo", deal) != answers(
        server, table, credential, "daifugo", deal
    )


def test_nobody_sees_a_draw_a_seed_or_anothers_move_while_the_match_runs() -> None:
    server = Server()
    table = server.start(*[PERSON] * 4, game="secrets")
    table.move(table.active()[0])
    seed = server.stores.events.secret(table.id).seed
    for credential in (None, API_KEY, OPERATOR, *(c.credential for c in table.seats.values())):
        client = server.client(credential)
        page = client.get(f"{table.at}/events")
        assert seed not in page.text + client.get(table.at).text
        assert not any("draws" in event for event in page.json["items"])
        movers = {event["seat"] for event in page.json["items"] if "move" in event}
        assert movers <= {client.get(table.at).json["you"]}
    assert seed not in str(server.lines)
