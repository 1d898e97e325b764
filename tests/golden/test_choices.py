"""No bot changes unnoticed: a level that chooses otherwise has another version."""

from dataclasses import replace

import pytest

from services.bots import levels, search
from services.bots.levels import policy_for, search_version
from services.registry import GAMES
from tests.golden.choices import LEVELS, Golden, chosen, faults, recorded, renewed
from tests.golden.library import own


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("slug", sorted(GAMES))
def test_a_level_chooses_as_recorded_or_has_another_version(slug, level):
    assert faults(recorded()[slug][level], chosen(slug, level)) == [], (
        "if this is meant, raise the version (CONTRIBUTING.md), then: make golden"
    )


def test_another_choice_is_noticed_until_the_version_is_raised():
    before = Golden(1, {"a": "00", "b": "11"})
    assert faults(before, before) == []
    assert faults(before, Golden(1, {"a": "00", "b": "22"})) == ["b"]
    assert faults(before, Golden(1, {"a": "00", "b": "11", "c": "33"})) == ["c"]
    assert faults(before, Golden(2, {"a": "00", "b": "22"})) == [
        "its version was raised: record it"
    ]
    assert faults(Golden(2, {}), Golden(1, {})) == ["its version went back"]


def test_recording_writes_over_nothing_without_another_version():
    before = Golden(1, {"a": "00"})
    assert renewed(before, Golden(1, {"a": "99", "b": "11"})) == Golden(1, {"a": "00", "b": "11"})
    assert renewed(before, Golden(2, {"a": "99"})) == Golden(2, {"a": "99"})
    assert renewed(None, before) == before


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_the_choices_of_a_search_differ_from_match_to_match(slug):
    """They show something: moments at which every level does the same would notice nothing."""
    digests = {level: recorded()[slug][level].digests for level in LEVELS}
    assert len(set(digests["search-20"].values())) > len(digests["search-20"]) // 2
    assert digests["search-20"] != digests["greedy"] != digests["random"]


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_the_matches_that_a_game_names_are_those_with_recorded_choices(slug):
    for level in LEVELS:
        assert set(recorded()[slug][level].digests) == set(own(slug).CHOSEN)


def test_the_version_of_a_search_rises_with_all_that_it_follows(monkeypatch):
    game = GAMES["daifugo"]
    assert policy_for(game, "search-20").version == search_version(game) == 10_101
    foresight = replace(game, foresight=replace(game.foresight, version=2))
    assert search_version(foresight) == 10_201
    greedy = replace(game.policies["greedy"], version=2)
    assert search_version(replace(game, policies={"greedy": greedy})) == 10_102
    monkeypatch.setattr(search, "VERSION", 2)
    assert levels.search_version(game) == 20_101
