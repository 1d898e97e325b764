"""What a build that folds otherwise is told of, and what it is not."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from services import hosted
from services.bootstrap import Tycoon
from services.projections import projector
from services.upkeep.differing import where
from services.upkeep.refolding import Difference, Refolded
from shared.errors import Corrupt, Unavailable
from shared.store import PARTITIONS, Person
from tests.services.world import OPEN, OWNER, PERSON, World, bot
from tests.toys import tictactoe

CURRENT = hosted.SNAPSHOT_SCHEMA
NEWER = b'{"event":{"type":"tictactoe.invented_later"},"v":1,"at":1}'


def check(tycoon: Tycoon, **only: Any) -> tuple[list[Difference], Refolded]:
    found = Refolded()
    told: list[tuple[int, int]] = []
    differing = list(
        tycoon.refolding.check(found, lambda done, total: told.append((done, total)), **only)
    )
    assert not told or told[-1][0] == told[-1][1], "the bar comes to its end"
    return differing, found


def what(tycoon: Tycoon) -> dict[str, tuple[str, ...]]:
    """Differing matches with what differs."""
    return {each.match: each.what for each in check(tycoon)[0]}


class Full(World):
    """Matches in every state, with their projections at the head."""

    def __init__(self) -> None:
        super().__init__()
        ann = replace(PERSON, name="Ann", ref="user-1")
        self.won = self.create(bot(), bot("random"))
        self.hidden = self.create(bot(), bot(), bot(), game="secrets")
        self.running = self.create(ann, PERSON, chance={"first": 0})
        self.waiting = self.create(ann, OPEN)
        self.resigned = self.create(ann, PERSON)
        self.cancelled = self.create(PERSON, PERSON, visibility="public")
        self.move(self.running, 0, {"type": "place", "at": 4})
        self.tycoon.commands.resign(self.resigned, self.holder(self.resigned, 0), None)
        self.tycoon.commands.cancel(self.cancelled, OWNER, None)
        self.all = [m for number in range(PARTITIONS) for m in self.stores.events.matches(number)]
        self.tycoon.advancer.advance(self.all)

    @property
    def kept(self) -> Any:
        """What the memory store has of each match."""
        return self.stores.events.kept  # type: ignore[attr-defined]  # it lies open there

    @property
    def snapshots(self) -> Any:
        return self.stores.events.snapshots  # type: ignore[attr-defined]  # the same

    def rows(self, name: str, game: str = "tictactoe") -> Any:
        return self.stores.lists._rows[name, game, 1]  # type: ignore[attr-defined]  # the same

    def new_build(self, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> Tycoon:
        """Another build, whose tic-tac-toe differs in some functions."""
        monkeypatch.setattr(tictactoe, "GAME", dataclasses.replace(tictactoe.GAME, **changes))
        return self.build()


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


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "state: /table/cells/4": lambda data: data.replace(
        b'"cells":[null,null,null,null,0,', b'"cells":[null,null,null,null,1,'
    ),
    "state: /last_at": lambda data: data.replace(b'"last_at":1', b'"last_at":2'),
    "state: it can't be read": lambda data: data[:-9],
}


@pytest.mark.parametrize("said", CHANGES)
def test_a_projection_that_was_changed_in_the_store_is_found(said: str) -> None:
    world = Full()
    snapshot = world.snapshots[world.running]
    data = CHANGES[said](snapshot.data)
    assert data != snapshot.data
    world.snapshots[world.running] = dataclasses.replace(snapshot, data=data)
    assert what(world.build()) == {world.running: (said,)}


def test_a_projection_of_a_version_that_is_not_there_is_found() -> None:
    world = Full()
    snapshot = world.snapshots[world.running]
    for version in (0, 99):
        world.snapshots[world.running] = dataclasses.replace(snapshot, version=version)
        assert what(world.build()) == {world.running: ("state: /version",)}


def test_what_is_of_another_schema_shape_or_generation_is_counted_and_not_compared() -> None:
    world = Full()
    changed = dataclasses.replace(world.snapshots[world.running], data=b"{}")
    for other in (
        dataclasses.replace(changed, schema=CURRENT + 1),
        dataclasses.replace(changed, generation=0),
        dataclasses.replace(changed, data=b'{"schema":%d,"shape":"x","match":{}}' % CURRENT),
    ):
        world.snapshots[world.running] = other
        differing, found = check(world.build())
        assert (differing, found.passed_over) == ([], 1)
    row = world.rows("lobby")[world.won]
    world.rows("lobby")[world.won] = dataclasses.replace(row, schema=CURRENT + 1, data=b"?")
    assert check(world.build())[1].passed_over == 2


@pytest.mark.parametrize(
    ("said", "change"),
    [
        ("lobby: /status", lambda row: {"data": row.data.replace(b"running", b"waiting")}),
        ("lobby: /seats/0/name", lambda row: {"data": row.data.replace(b"Ann", b"Bob")}),
        ("lobby: it can't be read", lambda row: {"data": b"?"}),
        ("lobby: it stands in other lists", lambda row: {"lists": row.lists - {"all:running"}}),
        ("lobby: /version", lambda row: {"version": 99}),
    ],
)
def test_a_row_that_was_changed_in_the_store_is_found(
    said: str, change: Callable[[Any], dict[str, Any]]
) -> None:
    world = Full()
    rows = world.rows("lobby")
    changed = change(rows[world.running])
    rows[world.running] = dataclasses.replace(rows[world.running], **changed)
    assert what(world.build()) == {world.running: (said,)}


def test_a_row_that_is_missing_or_should_not_be_there_is_found() -> None:
    world = Full()
    world.rows("results")[world.cancelled] = world.rows("results").pop(world.won)
    del world.rows("lobby")[world.waiting]
    assert what(world.build()) == {
        world.won: ("results: it is missing",),
        world.cancelled: ("results: it should not be there",),
        world.waiting: ("lobby: it is missing",),
    }


def test_projections_that_lag_are_compared_at_their_own_version() -> None:
    world = Full()
    new = world.create(PERSON, PERSON)
    world.move(world.running, 1, {"type": "place", "at": 0})
    world.tycoon.commands.resign(world.running, world.holder(world.running, 0), None)
    assert check(world.build())[0] == []
    snapshot = world.snapshots[world.running]
    assert snapshot.version < world.match(world.running).version
    data = CHANGES["state: /table/cells/4"](snapshot.data)
    world.snapshots[world.running] = dataclasses.replace(snapshot, data=data)
    assert what(world.build()) == {world.running: ("state: /table/cells/4",)}
    world.advance(new)
    del world.rows("lobby")[new]
    assert what(world.build())[new] == ("lobby: it is missing",)


def test_names_that_were_erased_since_a_row_was_written_are_not_compared() -> None:
    world = Full()
    world.stores.wholes.erase(world.running, world.stores.events.people(world.running))
    assert check(world.build())[0] == []
    world.kept[world.waiting].people[0] = Person("Changed by hand")
    assert what(world.build()) == {
        world.waiting: ("lobby: /seats/0/name", "lobby: it stands in other lists")
    }


@pytest.mark.parametrize(
    ("said", "damage"),
    [
        ("log: Corrupt", lambda events: events.__setitem__(2, b"{")),
        (
            "log: Newer",
            lambda events: events.__setitem__(2, b'{"event":{"type":"new"},"v":1,"at":1}'),
        ),
        ("log: Corrupt", lambda events: events.pop()),
        ("log: Corrupt", lambda events: events.pop(0)),
    ],
)
def test_a_log_that_can_not_be_folded_is_told_of(
    said: str, damage: Callable[[list[bytes]], Any]
) -> None:
    world = Full()
    damage(world.kept[world.won].events)
    (differing,), found = check(world.build())
    assert found.matches == 6
    assert (differing.match, differing.what[0].split(" at ")[0]) == (world.won, said)


def test_a_log_whose_place_in_the_archive_is_empty_is_told_of() -> None:
    world = Full()
    world.stores.wholes.archive(world.won, world.match(world.won).version, "nowhere")
    differing, found = check(world.build())
    assert [each.match for each in differing] == [world.won]
    assert differing[0].what[0].startswith("log: ")
    assert found.archived == 0, "of a file that can't be read nobody knows"


def test_an_archived_match_is_refolded_from_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    world = Full()
    [done] = world.tycoon.archive.archive([world.won]).items
    assert done.outcome == "archived"
    assert check(world.build()) == ([], Refolded(matches=6, archived=1))
    found = what(world.new_build(monkeypatch, outcome=lambda state: None))
    assert list(found) == [world.won]
    assert found[world.won][0].startswith("outcome")


class Away:
    """A store one of whose matches lies in an archive that is away."""

    def __init__(self, store: Any, match: str) -> None:
        self._store, self._match = store, match
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def load_many(self, looks: Any) -> list[Any]:
        self.asked += [look.match for look in looks]
        if [look.match for look in looks] == [self._match]:
            raise Unavailable("archive.unavailable", "The archive is away.")
        found = zip(looks, self._store.load_many(looks), strict=True)
        return [Corrupt("away") if look.match == self._match else each for look, each in found]


def test_an_archive_that_is_away_is_no_difference() -> None:
    world = Full()
    away = Away(world.stores.events, world.won)
    world.stores = dataclasses.replace(world.stores, events=away)
    with pytest.raises(Unavailable):
        check(world.build())


def test_a_log_without_a_projection_is_read_once() -> None:
    world = Full()
    del world.snapshots[world.won]
    counting = Away(world.stores.events, "nobody")
    world.stores = dataclasses.replace(world.stores, events=counting)
    assert check(world.build())[0] == []
    assert counting.asked.count(world.won) == 1
    assert counting.asked.count(world.running) == 2


def test_a_game_that_the_build_does_not_host_is_told_of() -> None:
    world = Full()
    world.settings = replace(world.settings, extra_games=f"{tictactoe.__name__}:GAME")
    assert what(world.build()) == {world.hidden: ("log: this build does not host the game",)}


def test_a_removed_match_is_none() -> None:
    world = Full()
    world.stores.wholes.remove(world.won)
    differing, found = check(world.build())
    assert (differing, found.matches) == ([], 5)


def test_what_was_about_to_change_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    world = Full()
    row = world.rows("lobby").pop(world.running)
    waits: list[int] = []

    def wait(ms: int) -> None:
        waits.append(ms)
        if len(waits) == 2:
            world.rows("lobby")[world.running] = row

    monkeypatch.setattr(world, "wait", wait)
    assert check(world.build())[0] == []
    assert len(waits) == 2


def test_one_game_or_some_matches_alone() -> None:
    world = Full()
    for match in (world.won, world.hidden):
        world.kept[match].events[2] = b"{"
    assert check(world.build(), game="secrets")[1].matches == 1
    assert [d.match for d in check(world.build(), game="secrets")[0]] == [world.hidden]
    differing, found = check(world.build(), only=[world.won, world.waiting, "m_unknown"])
    assert [d.match for d in differing] == [world.won]
    assert found.matches == 2


def test_what_is_hidden_is_never_told() -> None:
    world = Full()
    match = world.create(PERSON, PERSON, game="secrets")
    world.advance(match)
    snapshot = world.snapshots[match]
    stored = msgspec.json.decode(snapshot.data)
    hands = stored["match"]["table"]["hands"]
    hands[0], hands[1] = hands[1], hands[0]
    stored["match"]["owner"] = "somebody"
    data = msgspec.json.encode(stored)
    world.snapshots[match] = dataclasses.replace(snapshot, data=data)
    (said,) = what(world.build()).values()
    assert {each.split("/")[1] for each in said} == {"owner", "table"}
    cards = {card for hand in hands for card in hand}
    assert not any(card in each for card in cards for each in said)


def test_where_two_documents_differ() -> None:
    class Inner(msgspec.Struct):
        a: Any = 1
        b: Any = ()

    assert where(Inner(), Inner()) == []
    assert where(Inner(1, (1, Inner())), Inner(1, (2, Inner(5)))) == ["/b/0", "/b/1/a"]
    assert where(Inner({"secret": 1}), Inner({"secret": 2})) == ["/a"]
    assert where(Inner((1,)), Inner((1, 2))) == ["/a"]
    assert where(1, 2) == ["/"]
    assert where(Inner(b=(*range(9),)), Inner(b=(*range(1, 10),))) == [f"/b/{n}" for n in range(5)]
