"""The golden matches end as their names say, and the page of rules names what the code has."""

import json
import re
from pathlib import Path

import pytest

from services.games import mint_rails
from services.games.mint_rails import GAME
from services.games.mint_rails.cards import STANDARD
from services.games.mint_rails.events import TurnPassed
from services.games.mint_rails.texts import REFUSALS
from tests.golden.library import load, path_of

RULES = Path(mint_rails.__file__).with_name("RULES.md").read_text()


def golden(name):
    return load(path_of(GAME.slug, name))


@pytest.mark.parametrize(
    ("name", "reason", "best"),
    [
        ("completed-stalled", "stalled", (3,)),
        ("completed-shared-win", "sold_out", (0, 1)),
        ("completed-shared-by-three", "sold_out", (0, 1, 2)),
        ("completed-lost-to-the-rival", "sold_out", ()),
        ("completed-1-seat", "sold_out", (0,)),
        ("completed-1-seat-easy", "sold_out", (0,)),
    ],
)
def test_a_golden_match_ends_as_its_name_says(name, reason, best):
    outcome = golden(name).match.result.outcome
    assert (outcome.reason, outcome.ranking[0]) == (reason, best)


def test_mr_5_4_the_golden_stalled_match_records_a_pass_of_every_player():
    events = [envelope.event for envelope in golden("completed-stalled").envelopes]
    passed = [event.seat for event in events if isinstance(event, TurnPassed)]
    assert sorted(passed[-4:]) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("name", "rival", "reading"),
    [
        ("completed-1-seat", "normal", "cubes"),
        ("completed-1-seat-easy", "easy", "cubes"),
        ("completed-lost-to-the-rival", "normal", "cubes"),
        ("completed-without-bonus", "normal", "off"),
    ],
)
def test_mr_12_2_a_golden_match_has_the_options_of_its_name(name, rival, reading):
    options = golden(name).match.table.options
    assert (options.rival, options.three_colour_reading) == (rival, reading)


def test_mr_3_7_the_cards_are_those_of_the_rules():
    listed = json.loads(RULES.split("```json")[1].split("```")[0])
    cards = [
        {
            "card": card,
            "band": band,
            "hq": next(
                (
                    {"at": [*hq.at], "company": hq.company}
                    for hq in STANDARD.headquarters
                    if hq.card == card
                ),
                None,
            ),
            "cities": [
                {
                    "id": city.id,
                    "name": city.name,
                    "at": [*city.at],
                    "capacity": city.capacity,
                    "icons": [*city.icons],
                }
                for city in STANDARD.cities
                if city.card == card
            ],
        }
        for band, row in (("north", STANDARD.north), ("south", STANDARD.south))
        for card in row
    ]
    assert cards == listed


def test_the_rules_list_every_refusal():
    assert set(re.findall(r"`(mint-rails\.[a-z-]+)`", RULES)) == set(REFUSALS)


@pytest.mark.parametrize("event", GAME.event_types, ids=lambda kind: kind.__name__)
def test_the_rules_list_every_event_with_all_its_fields(event):
    rows = [r for r in RULES.splitlines() if r.startswith(f"| `{event.__struct_config__.tag}` |")]
    assert len(rows) == 1
    assert set(event.__struct_fields__) - {"next"} <= set(re.findall(r"`(\w+)`", rows[0]))
    assert ("next" in event.__struct_fields__) == ("`next`" in rows[0])


def test_the_rules_list_every_label_of_a_draw():
    listed = set(re.findall(r"`((?:north|south|start|rival/1)(?:/\w+)?)`", RULES))
    declared = {draw.label.replace("*", "1") for draw in GAME.draws(mint_rails.Options(), 1)}
    assert listed == declared
