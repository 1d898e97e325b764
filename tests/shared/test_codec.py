"""What was stored once is read for ever, or refused; never guessed."""

from __future__ import annotations

import json
from typing import Any, ClassVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.envelope import ABSENT, Codec, Envelope
from shared.errors import Corrupt, Newer
from shared.game import Event


class CoinPaid(Event, frozen=True, tag="test.coin_paid"):
    """Schema 1 called the payer `who`; 2 called it `seat`; 3 knows to whom."""

    v: ClassVar[int] = 3
    seat: int
    amount: int
    to: int | None = None


class RoundEnded(Event, frozen=True, tag="test.round_ended"):
    """It never changed."""

    ranking: tuple[tuple[int, ...], ...]


def seat_was_who(event: dict[str, Any]) -> dict[str, Any]:
    return {"seat": event["who"], "amount": event["amount"]}


def everybody_paid_the_bank(event: dict[str, Any]) -> dict[str, Any]:
    return event | {"to": None}


UPCASTERS = {
    ("test.coin_paid", 1): seat_was_who,
    ("test.coin_paid", 2): everybody_paid_the_bank,
}
codec = Codec((CoinPaid, RoundEnded), UPCASTERS)


def stored(event: object, v: object, **more: object) -> bytes:
    return json.dumps({"event": event, "v": v, "at": 7} | more, separators=(",", ":")).encode()


seats = st.integers(0, 9)
events = st.one_of(
    st.builds(CoinPaid, seat=seats, amount=st.integers(-(2**62), 2**62), to=st.none() | seats),
    st.builds(RoundEnded, ranking=st.lists(st.tuples(seats, seats)).map(tuple)),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
)
raws = json_values.map(lambda value: msgspec.Raw(msgspec.json.encode(value)))


@given(
    event=events,
    at=st.integers(0, 2**52),
    seat=st.none() | seats,
    command=st.none() | st.text(),
    move=st.just(ABSENT) | raws,
    draws=st.just(ABSENT) | raws,
    rules=st.none() | st.integers(1, 9),
)
def test_an_envelope_comes_back_as_it_was_stored(event: Event, at: int, **more: Any) -> None:
    written = codec.encode(Envelope(event, type(event).v, at, **more))
    read = codec.decode(written)
    assert (read.event, read.v, read.at) == (event, type(event).v, at)
    assert codec.encode(read) == written


def test_what_is_absent_is_not_stored() -> None:
    written = codec.encode(Envelope(RoundEnded(((1,), (0, 2))), 1, 7))
    assert written == (b'{"event":{"type":"test.round_ended","ranking":[[1],[0,2]]},"v":1,"at":7}')


def test_an_old_schema_is_read_through_all_its_upcasters() -> None:
    first = stored({"type": "test.coin_paid", "who": 2, "amount": 5}, 1, seat=2)
    second = stored({"type": "test.coin_paid", "seat": 2, "amount": 5}, 2, seat=2)
    third = stored({"type": "test.coin_paid", "seat": 2, "amount": 5, "to": None}, 3, seat=2)
    read = [codec.decode(old) for old in (first, second, third)]
    assert read == [Envelope(CoinPaid(2, 5, None), 3, 7, seat=2)] * 3


def test_upcasting_leaves_move_draws_and_the_rest_as_stored() -> None:
    move, draws = b'{"type": "pay",  "amount":5}', b'[["deal/1", 52, ["TS" , "TH"]]]'
    old = (
        b'{"event":{"type":"test.coin_paid","who":2,"amount":5},"v":1,"at":7,"seat":2,'
        b'"command":"abc","move":' + move + b',"draws":' + draws + b',"rules":4}'
    )
    read = codec.decode(old)
    assert read.event == CoinPaid(2, 5)
    assert isinstance(read.move, msgspec.Raw)
    assert isinstance(read.draws, msgspec.Raw)
    assert (bytes(read.move), bytes(read.draws)) == (move, draws)
    assert (read.at, read.seat, read.command, read.rules) == (7, 2, "abc", 4)


def test_a_schema_that_happens_to_fit_is_upcast_all_the_same() -> None:
    """Schema 1 of another build had a `seat` as well, with another meaning."""

    def one_up(event: dict[str, Any]) -> dict[str, Any]:
        return event | {"seat": event["seat"] + 1}

    upcasters = {("test.coin_paid", v): one_up for v in (1, 2)}
    old = stored({"type": "test.coin_paid", "seat": 0, "amount": 5}, 1)
    assert Codec((CoinPaid, RoundEnded), upcasters).decode(old).event == CoinPaid(2, 5)


PAID = {"type": "test.coin_paid", "seat": 2, "amount": 5}


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (stored({"type": "test.unheard_of"}, 1), "no event type 'test.unheard_of'"),
        (stored({"seat": 1}, 1), "no event type"),
        (stored({"type": ["test.coin_paid"]}, 1), "no event type"),
        (stored(PAID, 4), "up to schema 3, not 4"),
        (stored({"type": "test.round_ended", "ranking": []}, 2), "up to schema 1, not 2"),
        (stored(PAID, 0), "no upcaster"),
        (stored(PAID, "3"), "no envelope"),
        (stored(PAID, True), "no envelope"),
        (stored([PAID], 3), "no envelope"),
        (stored(PAID | {"amount": "5"}, 3), "does not fit"),
        (stored(PAID | {"amount": 5.5}, 3), "does not fit"),
        (stored({"type": "test.coin_paid", "seat": 2}, 3), "does not fit"),
        (b'{"event":{"type":"test.coin_paid","seat":2,"amount":5},"v":3}', "no envelope"),
        (b"", "JSON"),
        (b"null", "no envelope"),
        (b'{"event":5,', "no envelope"),
        (stored(PAID, 3)[:-1], "JSON"),
        (stored(PAID, 3) + b"}", "JSON"),
        (b"\xff\xfe", "JSON"),
    ],
)
def test_what_this_build_cannot_read_is_corrupt(broken: bytes, says: str) -> None:
    with pytest.raises(Corrupt, match=says) as info:
        codec.decode(broken)
    newer = ("no event type 'test.unheard_of'", "up to schema")
    assert isinstance(info.value, Newer) == says.startswith(newer)


def test_a_missing_step_is_corrupt_even_where_the_last_one_is_there() -> None:
    partial = Codec((CoinPaid,), {("test.coin_paid", 2): everybody_paid_the_bank})
    with pytest.raises(Corrupt, match=r"no upcaster for test\.coin_paid schema 1"):
        partial.decode(stored({"type": "test.coin_paid", "who": 2, "amount": 5}, 1))


@given(cut=st.integers(0, 60), junk=st.binary(max_size=4), resume=st.integers(0, 60))
def test_bytes_that_were_damaged_are_read_whole_or_refused(
    cut: int, junk: bytes, resume: int
) -> None:
    whole = stored(PAID, 3, seat=2)
    try:
        read = codec.decode(whole[:cut] + junk + whole[resume:])
    except Corrupt:
        return
    assert isinstance(read.event, CoinPaid | RoundEnded)
    assert read.v == type(read.event).v
