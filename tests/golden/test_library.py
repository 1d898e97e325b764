"""The golden library is whole: nothing was taken away, and it shows all that a game can be."""

import gzip
import shutil
from dataclasses import replace
from typing import Annotated, Literal

import msgspec
import pytest

from services.registry import GAMES
from shared.game import Options
from tests.golden import life, manifest, record
from tests.golden.coverage import shown, wanted
from tests.golden.library import (
    FOLDER,
    as_exported,
    load,
    name_of,
    own,
    packed,
    path_of,
    paths,
    unpacked,
)

AT_LEAST = 50
"""So many matches of each game."""


@pytest.fixture
def copy(tmp_path):
    """The library's matches and their list, to do harm to."""
    folder = tmp_path / "library"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__", "*.json"))
    return folder


@pytest.fixture
def exported(tmp_path):
    """A match that somebody exported, as it lies in their folder."""
    file = tmp_path / "m_odd-end.jsonl"
    file.write_bytes(unpacked(path_of("mint-rails", "completed-2-seats")))
    return file


# -- nothing was taken away -------------------------------------------------------------------


def test_every_match_that_was_ever_recorded_is_there_as_it_was():
    assert manifest.faults() == []


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_a_game_has_fifty_golden_matches(slug):
    assert len(paths(slug)) >= AT_LEAST


def test_every_recipe_has_its_match():
    missing = [row[:2] for row in record.recipes() if not path_of(*row[:2]).exists()]
    assert missing == [], "record it: make golden"


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_the_golden_matches_show_all_that_a_game_can_be(slug):
    seen = frozenset().union(*(shown(load(path)) for path in paths(slug)))
    never = {sentence for sentences in own(slug).NEVER.values() for sentence in sentences}
    assert wanted(GAMES[slug]) - seen == never, "add a recipe, or say in NEVER why not"


def test_what_no_game_can_show_the_toys_do():
    seen = frozenset().union(*(shown(load(path)) for path in paths("tictactoe")))
    assert {sentence for sentences in life.NEVER.values() for sentence in sentences} <= seen


def test_whatever_an_option_newly_allows_is_wanted():
    class More(Options, frozen=True, kw_only=True):
        rounds: Annotated[int, msgspec.Meta(ge=1, le=30)] = 5
        style: Annotated[Literal["plain", "odd"], msgspec.Meta(description="how")] = "plain"
        bonus: bool = False
        limit: Annotated[int, msgspec.Meta(ge=2, le=9)] | None = None

    daifugo = GAMES["daifugo"]
    more = replace(daifugo, seats=range(4, 6), options_type=More, check_options=lambda *_: None)
    assert wanted(more) - wanted(daifugo) == {
        *(f"option: style={style} with {n} seats" for style in ("plain", "odd") for n in (4, 5)),
        *(f"option: bonus={on} with {n} seats" for on in (True, False) for n in (4, 5)),
        *(f"option: limit=None with {n} seats" for n in (4, 5)),
        "option: limit=2",
        "option: limit between 2 and 9",
        "option: limit=9",
    }


def test_an_option_whose_values_nobody_can_list_is_not_passed_over():
    class Free(Options, frozen=True):
        motto: str = ""

    with pytest.raises(TypeError, match="say here which values"):
        wanted(replace(GAMES["daifugo"], options_type=Free, check_options=lambda *_: None))


# -- what the list notices --------------------------------------------------------------------


def test_a_match_that_is_gone_changed_or_unlisted_is_noticed(copy):
    path_of("daifugo", "abandoned", copy).unlink()
    path_of("daifugo", "expired", copy).write_bytes(b"other")
    path_of("daifugo", "smuggled", copy).write_bytes(b"other")
    assert manifest.faults(copy) == [
        "daifugo/abandoned.jsonl.gz is gone",
        "daifugo/smuggled.jsonl.gz has no line in manifest.txt",
        "daifugo/expired.jsonl.gz was changed",
    ]


@pytest.mark.parametrize(
    "harm",
    [
        lambda lines: [line for line in lines if "daifugo/abandoned." not in line],
        lambda lines: [lines[0], *reversed(lines[1:])],
        lambda lines: [*lines[:-1], lines[-1].upper()],
        lambda lines: [*lines, lines[-1]],
    ],
    ids=["taken away", "order", "no line", "twice"],
)
def test_a_list_that_was_changed_by_hand_is_noticed(copy, harm):
    path_of("daifugo", "abandoned", copy).unlink()
    file = copy / manifest.NAME
    file.write_text("\n".join(harm(file.read_text().splitlines())) + "\n")
    with pytest.raises(manifest.Changed):
        manifest.faults(copy)


def test_nothing_is_recorded_while_a_match_is_gone(copy):
    path_of("daifugo", "abandoned", copy).unlink()
    before = (copy / manifest.NAME).read_bytes()
    with pytest.raises(manifest.Changed, match=r"daifugo/abandoned\S+ is gone"):
        record.record_matches(copy)
    assert (copy / manifest.NAME).read_bytes() == before
    assert not path_of("daifugo", "abandoned", copy).exists()


# -- adding -----------------------------------------------------------------------------------


def test_what_a_recipe_misses_is_recorded_and_nothing_else(copy, capsys):
    before = manifest.listed(copy)
    path_of("daifugo", "abandoned", copy).unlink()
    kept = {name: digest for name, digest in before.items() if name != "daifugo/abandoned.jsonl.gz"}
    lines = [f"# {len(kept)} matches", *(f"{digest}  {name}" for name, digest in kept.items())]
    (copy / manifest.NAME).write_text("\n".join(lines) + "\n")

    record.record_matches(copy)

    assert capsys.readouterr().out == "1/1 recorded daifugo/abandoned\n"
    assert manifest.faults(copy) == []
    assert len(manifest.listed(copy)) == len(before)
    assert kept.items() <= manifest.listed(copy).items()
    assert load(path_of("daifugo", "abandoned", copy)).match.result.reason == "abandoned"


def test_an_exported_match_is_added_with_one_command(copy, exported, capsys):
    count = len(manifest.listed(copy))
    record.main([str(exported), "--as", "issue-7"], copy)
    assert capsys.readouterr().out == "added mint-rails/issue-7\n"
    path = path_of("mint-rails", "issue-7", copy)
    assert unpacked(path) == exported.read_bytes()
    assert path.read_bytes() == packed(exported.read_bytes())
    assert manifest.faults(copy) == []
    assert len(manifest.listed(copy)) == count + 1


def test_a_packed_file_is_added_under_its_own_name(copy, exported):
    file = exported.with_name("issue-8.jsonl.gz")
    file.write_bytes(gzip.compress(exported.read_bytes(), mtime=1))
    assert name_of(record.take(file, folder=copy)) == "issue-8"
    assert manifest.faults(copy) == []


@pytest.mark.parametrize(
    ("harm", "name", "said"),
    [
        (lambda data: data[:-10], "issue-7", "no valid transcript"),
        (lambda data: packed(data)[:-10], "issue-7", "can't be unpacked"),
        (lambda data: data.replace(b'["start",2,0]', b'["start",2,1]'), "issue-7", "never played"),
        (lambda data: data.replace(b'"mint-rails"', b'"chess"'), "issue-7", "chess"),
        (lambda data: data + b"\n", "issue-7", "not what an export writes"),
        (lambda data: data, None, "'m_odd-end' is no name"),
        (lambda data: data, "../events/x", "is no name"),
        (lambda data: data, "abandoned", "There is a match mint-rails/abandoned"),
    ],
)
def test_what_is_no_golden_match_is_refused_with_a_sentence(copy, exported, harm, name, said):
    data = exported.read_bytes()
    exported.write_bytes(harm(data))
    before = (copy / manifest.NAME).read_bytes()
    with pytest.raises(SystemExit, match=said):
        record.main([str(exported), *(["--as", name] if name else [])], copy)
    assert (copy / manifest.NAME).read_bytes() == before
    assert manifest.faults(copy) == []


def test_a_file_that_is_not_there_is_a_sentence(tmp_path, copy):
    with pytest.raises(SystemExit, match="No such file"):
        record.main([str(tmp_path / "nothing.jsonl")], copy)


# -- what stays although the games grow -------------------------------------------------------


def test_a_match_from_before_an_option_is_still_as_exported():
    path = path_of("landlords-game", "turn-limit")
    transcript, data = load(path), unpacked(path)
    assert as_exported(transcript, data)
    assert as_exported(transcript, data.replace(b'"rail_jump":"any",', b"", 1))
    assert not as_exported(transcript, data.replace(b'"rail_jump":"any"', b'"rail_jump":"next"', 1))
    assert not as_exported(transcript, data.replace(b'"rules":1', b'"rules":2', 1))
    assert not as_exported(transcript, data.replace(b'"at":', b'"at" :', 1))
