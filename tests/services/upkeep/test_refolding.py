"""What a build that folds otherwise is told of, and what it is not."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from services.projections import projector
from services.upkeep.refolding import Refolded
from tests.services.upkeep.full import Full, check, what
from tests.services.world import World
from tests.toys import tictactoe


def test_a_store_of_this_build_differs_in_nothing_and_nothing_is_written() -> None:
    world = Full()
    before = repr((world.kept, world.snapshots, world.rows("lobby"), world.rows("results")))
    assert {world.match(m).status for m in world.all} == {"waiting", "running", "ended"}
    assert world.rows("results").keys() == {world.won, world.resigned}
    differing, found = check(world.build())
    assert differing == []
    assert found == Refolded(matches=6, archived=0, passed_over=0)
    after = repr((world.kept, world.snapshots, world.rows("lobby"), world.rows("results")))
    assert after == before


def test_no_match_is_no_difference() -> None:
    assert check(World().tycoon) == ([], Refolded())


def test_a_build_that_folds_otherwise_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    world = Full()

    def evolve(state: tictactoe.State, event: Any) -> tictactoe.State:
        after = tictactoe.evolve(state, event)
        return after if after.cells[4] is None else replace(after, turn=None)

    found = what(world.new_build(monkeypatch, evolve=evolve))
    assert found[world.running] == (
        "outcome: it runs, and nobody can act by this build",
        "state: /table/turn",
    )
    # The other one that was played differs where the winner had a turn; others have no such cell.
    assert set(found) <= {world.running, world.won}


def test_a_build_that_stumbles_at_a_log_is_told_of_and_where(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = Full()

    def evolve(state: tictactoe.State, event: Any) -> tictactoe.State:
        if isinstance(event, tictactoe.LineCompleted | tictactoe.BoardFilled):
            raise KeyError("a hidden card")
        return tictactoe.evolve(state, event)

    found = what(world.new_build(monkeypatch, evolve=evolve))
    (said,) = found.pop(world.won)
    assert said.startswith("log: KeyError at test_refolding.py:")
    assert "hidden" not in said
    assert found == {}


def test_a_build_with_another_outcome_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    world = Full()

    def outcome(state: tictactoe.State) -> Any:
        found = tictactoe.outcome(state)
        return None if found is None else replace(found, reason="full_board", scores=(9, 9))

    found = what(world.new_build(monkeypatch, outcome=outcome))
    assert found == {world.won: ("outcome: the match could not end so",)}


def test_a_build_to_which_a_running_match_is_over_is_told_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = Full()

    def outcome(state: tictactoe.State) -> Any:
        over = tictactoe.outcome(state)
        return over or tictactoe.Outcome(((0, 1),), (0, 0), "full_board")

    found = what(world.new_build(monkeypatch, outcome=outcome))
    assert found == {world.running: ("outcome: it runs, and is over by this build",)}

    def broken(state: tictactoe.State) -> Any:
        raise ValueError

    found = what(world.new_build(monkeypatch, outcome=broken))
    assert found.keys() == {world.running, world.won}
    assert all(said.startswith("outcome: ValueError at") for (said,) in found.values())


def test_a_build_with_another_row_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    world = Full()
    plain = projector.row_doc
    monkeypatch.setattr(
        projector, "row_doc", lambda *args: replace(plain(*args), visibility="public")
    )
    found = what(world.build())
    assert world.cancelled not in found, "it is public"
    assert set(found) == set(world.all) - {world.cancelled}
    assert found[world.running] == ("lobby: /visibility",)
    assert found[world.won] == ("lobby: /visibility", "results: /visibility")


def test_a_build_that_stumbles_at_a_row_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    world = Full()
    monkeypatch.setattr(projector, "row_doc", lambda match_id, match, people: people[7])
    found = what(world.build())
    assert set(found) == set(world.all)
    assert all(said[0].startswith("lobby: KeyError at ") for said in found.values())


def test_a_build_that_lists_otherwise_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    world = Full()
    monkeypatch.setattr(projector, "lists_of", lambda match, people, key: frozenset({"all"}))
    found = what(world.build())
    assert found[world.waiting] == ("lobby: it stands in other lists",)
    assert set(found) == set(world.all)


def test_one_game_or_some_matches_alone() -> None:
    world = Full()
    for match in (world.won, world.hidden):
        world.kept[match].events[2] = b"{"
    assert check(world.build(), game="secrets")[1].matches == 1
    assert [d.match for d in check(world.build(), game="secrets")[0]] == [world.hidden]
    differing, found = check(world.build(), only=[world.won, world.waiting, "m_unknown"])
    assert [d.match for d in differing] == [world.won]
    assert found.matches == 2
