"""Ids for logs: whose they are, and what is never written into a log."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shared.correlation import begin, correlated, given, of, read, told

TRACE = "0af7651916cd43dd8448eb211c80319c"


@pytest.mark.parametrize(
    ("request_id", "traceparent", "taken"),
    [
        ("abc-1.2_X", "", "abc-1.2_X"),
        ("x" * 64, "", "x" * 64),
        ("x" * 65, "", None),
        ("", "", None),
        ("two words", "", None),
        ("line\nbreak", "", None),
        ("é", "", None),
        ('"}{', "", None),
        ("tyk_hostkey1_hhhh", "", None),
        ("my-tys_token", "", None),
        ("", f"00-{TRACE}-b7ad6b7169203331-01", TRACE),
        ("mine", f"00-{TRACE}-b7ad6b7169203331-01", "mine"),
        ("not sane", f"00-{TRACE}-b7ad6b7169203331-01", TRACE),
        ("", f"00-{'0' * 32}-b7ad6b7169203331-01", None),
        ("", f"00-{TRACE.upper()}-b7ad6b7169203331-01", None),
        ("", f"00-{TRACE}-b7ad6b7169203331-01-more", None),
    ],
)
def test_only_a_sane_id_is_taken(request_id: str, traceparent: str, taken: str | None) -> None:
    assert given(request_id, traceparent) == taken


@pytest.fixture(autouse=True)
def outside() -> Iterator[None]:
    """As a thread is that has served no request yet."""
    with correlated(None, {}):
        yield


def test_a_match_has_its_own_id_or_that_of_all() -> None:
    assert of() is None
    with correlated("root", {"m_b": "other", "m_c": None}):
        assert (of(), of("m_a"), of("m_b"), of("m_c")) == ("root", "root", "other", None)
        assert told(["m_a", "m_b"]) == ("root", {"m_b": "other"})
        assert told(["m_b", "m_a"]) == ("other", {"m_a": "root"})
        assert told([]) == ("root", {})
        with correlated("inner", {}):
            assert of() == "inner"
        assert of() == "root"
    assert of() is None


def test_it_holds_for_a_whole_thread_once_begun() -> None:
    with correlated(None, {}):
        begin("request")
        assert of("m_a") == "request"


@pytest.mark.parametrize(
    "header", [None, 1, "text", ["m_a"], {"m_a": 1}, {"m_a": "not sane"}, {1: "a"}]
)
def test_a_header_of_another_build_names_nobody(header: object) -> None:
    assert read(header) == {}
