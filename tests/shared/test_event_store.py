"""What an event store promises, held by every adapter."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.ids import partition
from shared.store import (
    Append,
    Appended,
    CommandRecord,
    Head,
    Person,
    Repeated,
    Secret,
    Snapshot,
    TokenRevoked,
    VersionConflict,
    Written,
)
from tests.shared.conftest import Stores, an_append

numbers = count()
on_shared_stores = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # each example has its own match
)


def a_new_match() -> str:
    return f"m_{next(numbers)}"


def test_events_are_read_in_the_order_of_their_versions(stores: Stores) -> None:
    store = stores.events
    assert store.append(an_append("m_a", 0, b"one", b"two")) == Appended(2)
    assert store.append(an_append("m_a", 2, b"three")) == Appended(3)
    assert store.append(an_append("m_b", 0, b"other")) == Appended(1)

    assert store.events("m_a") == [b"one", b"two", b"three"]
    assert store.events("m_a", after=1, limit=1) == [b"two"]
    assert store.events("m_a", after=3) == []
    assert store.events("m_a", limit=0) == []
    assert store.events("m_unknown") == []


def test_an_append_after_another_event_than_is_there_is_refused(stores: Stores) -> None:
    store = stores.events
    store.append(an_append("m_a", 0, b"one", b"two"))
    with pytest.raises(VersionConflict) as refused:
        store.append(an_append("m_a", 2, last=b"another"))
    assert refused.value.head == 2
    assert store.append(an_append("m_a", 2, last=b"two")) == Appended(3)
    with pytest.raises(VersionConflict):
        store.append(an_append("m_none", 0, last=b"one"))


@pytest.mark.parametrize("long", [1, 600])
def test_a_tail_comes_with_the_event_before_it(stores: Stores, long: int) -> None:
    store, tail = stores.events, [b"%d" % n for n in range(long)]
    store.append(an_append("m_a", 0, b"one", b"two", *tail))

    loaded = store.load("m_a", after=2)
    assert loaded is not None
    assert (loaded.before, list(loaded.tail), loaded.last) == (b"two", tail, tail[-1])
    whole = store.load("m_a")
    assert whole is not None
    assert (whole.before, len(whole.tail)) == (b"", 2 + long)

    store.save_snapshot("m_a", Snapshot(2 + long, 1, b"s"))
    folded = store.load("m_a")
    assert folded is not None
    assert (list(folded.tail), folded.before, folded.last) == ([], tail[-1], tail[-1])


def test_any_bytes_come_back_as_they_were(stores: Stores) -> None:
    odd = [b"", bytes(range(256)), "大富豪".encode(), b"\r\n$5\r\n", b"x" * 70_000]
    stores.events.append(an_append("m_a", 0, *odd))
    assert stores.events.events("m_a") == odd


@on_shared_stores
@given(head=st.integers(0, 5), expected=st.integers(0, 7), events=st.integers(1, 3))
def test_an_append_at_another_version_is_refused_and_writes_nothing(
    stores: Stores, head: int, expected: int, events: int
) -> None:
    store, match = stores.events, a_new_match()
    for version in range(head):
        store.append(an_append(match, version))
    before = store.load(match)
    late = an_append(match, expected, *[b"new"] * events, key="k", due=1, people={0: Person("A")})

    if expected == head:
        assert store.append(late).version == head + events
        assert len(store.events(match)) == head + events
        return
    with pytest.raises(VersionConflict) as refused:
        store.append(late)
    assert refused.value.head == head
    assert store.load(match) == before
    assert store.people(match) == {}
    assert match not in stores.work.overdue([partition(match)], 1, limit=99, lease_ms=1)[0]
    assert store.append(an_append(match, head, key="k")).version == head + 1


def test_a_command_seen_before_is_answered_by_its_record(stores: Stores) -> None:
    store = stores.events
    first = an_append("m_a", 0, b"one", b"two", key="k")
    assert store.append(first) == Appended(2)
    store.append(an_append("m_a", 2))

    record = CommandRecord("body", 201, 1, 2)
    assert store.append(first) == Repeated(record)
    assert store.append(an_append("m_a", 3, key="k")) == Repeated(record)
    assert store.append(an_append("m_a", 99, key="k")) == Repeated(record)
    assert store.events("m_a") == [b"one", b"two", b"3"]
    assert store.append(an_append("m_b", 0, key="k")) == Appended(1), "keys are each match's own"


def test_a_load_is_head_tail_and_record(stores: Stores) -> None:
    store = stores.events
    assert store.load("m_a") is None
    store.append(an_append("m_a", 0, b"one", key="k", status="waiting", epochs={2: 1}))
    store.append(an_append("m_a", 1, b"two", b"three", status="ended"))

    loaded = store.load("m_a", command="k")
    assert loaded is not None
    assert loaded.head == Head(3, "tic-tac-toe", "ended", {2: 1})
    assert loaded.snapshot is None
    assert list(loaded.tail) == [b"one", b"two", b"three"]
    assert loaded.record == CommandRecord("body", 201, 1, 1)

    warm = store.load("m_a", after=2, command="unknown")
    assert warm is not None
    assert list(warm.tail) == [b"three"]
    assert warm.record is None


def test_a_load_begins_at_the_stored_projection_unless_told_otherwise(stores: Stores) -> None:
    store = stores.events
    store.append(an_append("m_a", 0, b"one", b"two", b"three"))
    stored = Snapshot(version=2, generation=1, data=b"\x00state", schema=7)
    assert store.save_snapshot("m_a", stored) is Written.YES

    cold, whole, warm = (
        store.load("m_a"),
        store.load("m_a", snapshot=False),
        store.load("m_a", after=1),
    )
    assert cold is not None
    assert whole is not None
    assert warm is not None
    assert (cold.snapshot, list(cold.tail)) == (stored, [b"three"])
    assert (whole.snapshot, list(whole.tail)) == (None, [b"one", b"two", b"three"])
    assert (warm.snapshot, list(warm.tail)) == (None, [b"two", b"three"])


@pytest.mark.parametrize("events", [499, 500, 501, 1000, 1203])
def test_long_streams_are_read_whole(stores: Stores, events: int) -> None:
    store, written = stores.events, [b"%d" % n for n in range(events)]
    store.append(an_append("m_a", 0, *written))
    loaded = store.load("m_a")
    assert loaded is not None
    assert loaded.tail == written
    assert store.events("m_a") == written
    assert store.events("m_a", after=1, limit=600) == written[1:601]


@on_shared_stores
@given(
    st.lists(
        st.tuples(st.integers(1, 3), st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=12
    )
)
def test_a_projection_never_goes_back(stores: Stores, saves: list[tuple[int, int, int]]) -> None:
    """Neither to an older generation, nor within one to an older schema or version."""
    store, match = stores.events, a_new_match()
    store.append(an_append(match, 0, *[b"e"] * 4))
    newest = Snapshot(0, 0, b"")
    for number, (generation, schema, version) in enumerate(saves):
        saved = Snapshot(version, generation, b"%d" % number, schema)
        if generation == newest.generation and schema < newest.schema:
            expected = Written.OUTDATED
        elif generation < newest.generation or (
            generation == newest.generation and version < newest.version
        ):
            expected = Written.BEHIND
        else:
            expected, newest = Written.YES, saved
        assert store.save_snapshot(match, saved) is expected
    loaded = store.load(match)
    assert loaded is not None
    assert loaded.snapshot == newest
    assert len(loaded.tail) == 4 - newest.version


def test_thoughts_are_kept_beside_the_events_and_read_in_pages(stores: Stores) -> None:
    store = stores.events
    assert store.thoughts("m_a", after=0, limit=5) == []
    store.append(an_append("m_a", 0, b"one", thoughts=[b"[2,0,5]", b"", bytes(range(256))]))
    store.append(an_append("m_a", 1, key="k"))
    many = [b"%d" % number for number in range(2_500)]
    store.append(an_append("m_a", 2, people={0: Person("Ann")}, epochs={1: 7}, thoughts=many))

    assert store.events("m_a") == [b"one", b"2", b"3"]
    assert store.people("m_a") == {0: Person("Ann")}
    kept = [b"[2,0,5]", b"", bytes(range(256)), *many]
    assert store.thoughts("m_a", after=0, limit=9_999) == kept
    assert store.thoughts("m_a", after=2, limit=3) == kept[2:5]
    assert store.thoughts("m_a", after=len(kept), limit=3) == []
    assert store.thoughts("m_b", after=0, limit=3) == []


def test_thoughts_of_an_append_that_is_refused_are_not_kept(stores: Stores) -> None:
    store = stores.events
    store.append(an_append("m_a", 0, key="k", thoughts=[b"first"]))
    with pytest.raises(VersionConflict):
        store.append(an_append("m_a", 0, thoughts=[b"late"]))
    assert isinstance(store.append(an_append("m_a", 0, key="k", thoughts=[b"again"])), Repeated)
    assert store.thoughts("m_a", after=0, limit=9) == [b"first"]


def test_the_seed_comes_with_the_first_event(stores: Stores) -> None:
    store, secret = stores.events, Secret("ab" * 32, {"deal/1": ("TS",), "throw/1": 6})
    with pytest.raises(KeyError):
        store.secret("m_a")
    store.append(an_append("m_a", 0, secret=secret))
    store.append(an_append("m_b", 0))
    assert store.secret("m_a") == secret
    with pytest.raises(KeyError):
        store.secret("m_b")


def test_people_sit_down_and_are_forgotten_seat_by_seat(stores: Stores) -> None:
    store, ann, bob = stores.events, Person("Ann", "user 7"), Person("Bob")
    assert store.people("m_a") == {}
    store.append(an_append("m_a", 0, people={0: ann, 3: Person()}))
    store.append(an_append("m_a", 1))
    assert store.people("m_a") == {0: ann}
    store.append(an_append("m_a", 2, people={1: bob}))
    assert store.people("m_a") == {0: ann, 1: bob}
    store.append(an_append("m_a", 3, people={0: Person()}))
    assert store.people("m_a") == {1: bob}


def test_a_command_of_a_holder_whose_token_is_void_writes_nothing(stores: Stores) -> None:
    store = stores.events
    store.append(an_append("m_a", 0, holder=(2, 0)))
    epoch = store.raise_epoch("m_a", 2)
    with pytest.raises(TokenRevoked):
        store.append(an_append("m_a", 1, holder=(2, 0)))
    assert len(store.events("m_a")) == 1
    store.append(an_append("m_a", 1, holder=(2, epoch)))
    store.append(an_append("m_a", 2, holder=(1, 0)))


def test_an_epoch_only_rises(stores: Stores) -> None:
    store = stores.events
    with pytest.raises(KeyError):
        store.raise_epoch("m_a", 0)
    store.append(an_append("m_a", 0, epochs={0: 0}))
    assert store.raise_epoch("m_a", 0) == 1
    assert store.raise_epoch("m_a", 5) == 1
    assert store.raise_epoch("m_a", 5) == 2
    store.append(an_append("m_a", 1, epochs={0: 2}))
    loaded = store.load("m_a")
    assert loaded is not None
    assert loaded.head.epochs == {0: 2, 5: 2}


def test_two_holders_never_get_one_epoch(stores: Stores) -> None:
    store = stores.events
    store.append(an_append("m_a", 0))
    new_holder = an_append("m_a", 1, epochs={0: 1})
    store.raise_epoch("m_a", 0)
    with pytest.raises(VersionConflict):
        store.append(new_holder)
    assert len(store.events("m_a")) == 1


def test_a_partition_knows_its_matches(stores: Stores) -> None:
    written = sorted(f"m_{n}" for n in range(30))
    for match in written:
        stores.events.append(an_append(match, 0))
        stores.events.append(an_append(match, 1))
    number = partition("m_7")
    here = [match for match in written if partition(match) == number]
    assert stores.events.matches(number) == here
    assert sorted(m for p in range(256) for m in stores.events.matches(p)) == written


@pytest.mark.parametrize(
    "wrong",
    [
        {"expected": 0, "events": ()},
        {"expected": 1, "events": (b"e",), "secret": Secret("ab")},
        {"expected": 1, "events": (b"e",), "command": ("k", CommandRecord("b", 201, 2, 3))},
        {"expected": 1, "events": (b"e",), "command": ("k", CommandRecord("b", 201, 1, 2))},
    ],
)
def test_a_command_that_contradicts_itself_is_a_bug(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"event|span"):
        Append(match="m_a", game="g", status="running", **wrong)


def test_of_eight_racing_writers_one_wins_each_version(stores: Stores) -> None:
    store, versions, writers = stores.events, 50, 8

    def write(writer: int) -> list[int]:
        won = []
        while (head := len(store.events("m_a"))) < versions:
            try:
                store.append(an_append("m_a", head, b"%d" % writer, b"%d" % writer))
            except VersionConflict:
                continue
            won += [head + 1, head + 2]
        return won

    with ThreadPoolExecutor(writers) as threads:
        won = list(threads.map(write, range(writers)))
    events = store.events("m_a")
    assert sorted(version for each in won for version in each) == list(range(1, len(events) + 1))
    for writer, each in enumerate(won):
        assert all(events[version - 1] == b"%d" % writer for version in each)


def test_fifty_equal_commands_write_one_event(stores: Stores) -> None:
    store, same = stores.events, an_append("m_a", 0, key="k")
    with ThreadPoolExecutor(50) as threads:
        answers = list(threads.map(lambda _: store.append(same), range(50)))
    assert answers.count(Appended(1)) == 1
    assert answers.count(Repeated(CommandRecord("body", 201, 1, 1))) == 49
    assert len(store.events("m_a")) == 1


def test_a_load_amid_appends_is_one_moment(stores: Stores) -> None:
    store, appends = stores.events, 150
    store.append(an_append("m_a", 0))

    def write() -> None:
        for version in range(1, appends):
            store.append(an_append("m_a", version, key=f"k{version}"))

    with ThreadPoolExecutor(1) as threads:
        writing = threads.submit(write)
        version = 1
        while version < appends and not (writing.done() and writing.exception()):
            loaded = store.load("m_a", after=max(0, version - 3), command=f"k{version}")
            assert loaded is not None
            assert len(loaded.tail) == loaded.head.version - max(0, version - 3)
            if loaded.record is not None:
                assert loaded.record.last <= loaded.head.version
            version = loaded.head.version
        writing.result()
