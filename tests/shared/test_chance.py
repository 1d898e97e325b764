"""Chance with proof: the published vectors, the rule computed in another way, scripts, refusals.

`chance_vectors.json` holds the test vectors that are published for those who verify a match.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.chance import Chance, Draw, bot_chance, check_script, commitment
from shared.errors import Unprocessable

VECTORS = json.loads((Path(__file__).parent / "chance_vectors.json").read_text())
SEED = bytes(range(32))
DECK = [rank + suit for rank in "3456789TJQKA2" for suit in "CDHS"]
CLIENT_SEEDS = [None, "a" * 64]

client_seeds = st.lists(
    st.none() | st.text("0123456789abcdef", min_size=64, max_size=64), min_size=1, max_size=8
)
seeds = st.binary(min_size=32, max_size=32)


class Verifier:
    """The rule of `shared.chance` written down again, as somebody who checks a match would."""

    def __init__(self, seed: bytes, clients: list[str | None], label: str) -> None:
        told = "|".join(f"{len(client or '')}:{client or ''}" for client in clients)
        self.key, self.head = seed, f"tycoon-chance/1|{told}|{label}|"
        self.row = self.numbers()
        self.skipped = 0

    def numbers(self) -> Iterator[int]:
        for index in range(10**6):
            counter, place = divmod(index, 8)
            block = hmac.new(self.key, f"{self.head}{counter}".encode(), hashlib.sha256).hexdigest()
            yield int(block[8 * place : 8 * place + 8], 16)

    def below(self, n: int) -> int:
        for number in self.row:
            if number < n * (2**32 // n):
                return number % n
            self.skipped += 1
        raise AssertionError("no number is small enough")

    def shuffled(self, items: list[str]) -> list[str]:
        order = sorted(items)
        for last in reversed(range(1, len(order))):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["label"])
def test_the_published_vectors_hold(vector: dict[str, Any]) -> None:
    chance = Chance(bytes.fromhex(vector["seed"]), vector["client_seeds"])
    if vector["form"] == "one":
        assert chance.one(vector["label"], vector["n"]) == vector["result"]
    else:
        assert list(chance.shuffle(vector["label"], vector["items"])) == vector["result"]
        assert sorted(vector["result"]) == sorted(vector["items"])
        assert vector["result"] != sorted(vector["items"])


def test_three_vectors_are_published_and_one_of_them_skips_a_number() -> None:
    drawn = {vector["label"]: vector for vector in VECTORS}
    assert len(drawn) == len(VECTORS) == 3
    skipping = drawn["draw/5"]
    verifier = Verifier(
        bytes.fromhex(skipping["seed"]), skipping["client_seeds"], skipping["label"]
    )
    assert verifier.below(skipping["n"]) == skipping["result"]
    assert verifier.skipped == 1


@given(seeds, client_seeds, st.integers(1, 2**32))
def test_a_number_is_what_a_verifier_computes(
    seed: bytes, clients: list[str | None], n: int
) -> None:
    drawn = Chance(seed, clients).one("throw/7", n)
    assert drawn == Verifier(seed, clients, "throw/7").below(n)
    assert 0 <= drawn < n


@settings(max_examples=25)
@given(seeds, client_seeds, st.permutations(DECK))
def test_a_shuffle_is_what_a_verifier_computes(
    seed: bytes, clients: list[str | None], items: list[str]
) -> None:
    """Whatever the order in which the items are given."""
    drawn = Chance(seed, clients).shuffle("deal/1", items)
    assert list(drawn) == Verifier(seed, clients, "deal/1").shuffled(DECK)


@settings(max_examples=25)
@given(seeds, client_seeds, st.sets(st.sampled_from(DECK), min_size=1))
def test_a_pick_is_the_drawn_index_into_the_sorted_items(
    seed: bytes, clients: list[str | None], items: set[str]
) -> None:
    chance = Chance(seed, clients)
    picked = chance.pick("draw/1", list(items))
    index = Verifier(seed, clients, "draw/1").below(len(items))
    assert picked == sorted(items)[index]
    assert chance.draws == [("draw/1", len(items), index)]


def test_numbers_that_would_favour_small_results_are_skipped() -> None:
    """With n = 3,000,000,000 three of ten numbers lie beyond the last whole span of n."""
    n, draws = 3_000_000_000, 300
    skipped = 0
    for number in range(1, draws + 1):
        verifier = Verifier(SEED, CLIENT_SEEDS, f"draw/{number}")
        assert Chance(SEED, CLIENT_SEEDS).one(f"draw/{number}", n) == verifier.below(n)
        skipped += verifier.skipped
    share = (2**32 - n) / 2**32
    assert abs(skipped / (draws + skipped) - share) < 0.08


def test_every_face_of_a_die_is_as_likely() -> None:
    """Chi-squared with 5 degrees of freedom; beyond 20.5 in one of a thousand seeds."""
    rolls = 6000
    chance = Chance(SEED)
    seen = Counter(Chance(SEED).one(f"throw/{number}", 6) for number in range(1, rolls + 1))
    expected = rolls / 6
    assert sum((seen[face] - expected) ** 2 / expected for face in range(6)) < 20.5
    assert chance.draws == []


def test_every_order_of_three_cards_is_as_likely() -> None:
    shuffles = 3000
    seen = Counter(
        Chance(SEED).shuffle(f"deal/{number}", ["x", "y", "z"]) for number in range(1, shuffles + 1)
    )
    assert len(seen) == 6
    expected = shuffles / 6
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < 20.5


def test_one_way_leaves_no_choice() -> None:
    assert Chance(SEED).one("first", 1) == 0
    assert Chance(SEED).pick("draw/1", ["9C"]) == "9C"
    assert Chance(SEED).shuffle("deal/1", ["9C"]) == ("9C",)
    assert Chance(SEED).shuffle("deal/1", []) == ()


def test_draws_are_noted_in_their_order() -> None:
    chance = Chance(SEED)
    first, order = chance.one("first", 4), chance.shuffle("deal/1", ["3C", "3D"])
    assert chance.draws == [("first", 4, first), ("deal/1", 2, list(order))]


def test_labels_client_seeds_and_seeds_all_matter() -> None:
    n = 2**32
    results = {
        Chance(SEED).one("a", n),
        Chance(SEED).one("b", n),
        Chance(SEED, ["ab"]).one("a", n),
        Chance(SEED, ["a", "b"]).one("a", n),
        Chance(SEED, [None, "ab"]).one("a", n),
        Chance(SEED, ["ab", None]).one("a", n),
        Chance(SEED[::-1]).one("a", n),
    }
    assert len(results) == 7


def test_law_9_a_label_used_twice_is_a_bug() -> None:
    chance = Chance(SEED)
    chance.one("throw/1", 6)
    with pytest.raises(ValueError, match="throw/1"):
        chance.one("throw/1", 6)


def test_the_seed_is_fetched_only_for_a_draw_and_once() -> None:
    fetched: list[bytes] = []

    def fetch() -> bytes:
        fetched.append(SEED)
        return SEED

    chance = Chance(fetch)
    assert fetched == []
    assert chance.one("a", 100) == Chance(SEED).one("a", 100)
    chance.one("b", 100)
    assert fetched == [SEED]


def test_a_script_gives_its_results_and_the_seed_the_rest() -> None:
    script = {"throw/1": 0, "deal/1": ["3D", "3C"], "draw/1": "3S"}
    chance = Chance(SEED, script=script)
    assert chance.one("throw/1", 6) == 0
    assert chance.shuffle("deal/1", ["3C", "3D"]) == ("3D", "3C")
    assert chance.pick("draw/1", ["3C", "3S"]) == "3S"
    assert chance.one("throw/2", 2**32) == Chance(SEED).one("throw/2", 2**32)
    assert chance.draws[:3] == [("throw/1", 6, 0), ("deal/1", 2, ["3D", "3C"]), ("draw/1", 2, 1)]


def test_a_scripted_card_that_is_gone_is_skipped() -> None:
    left = ["3C", "3D", "3H"]
    scripted = Chance(SEED, script={"draw/1": "3S"}).pick("draw/1", left)
    assert scripted == Chance(SEED).pick("draw/1", left)


def test_a_scripted_place_beyond_the_list_is_skipped() -> None:
    assert Chance(SEED, script={"choice/1": 2}).one("choice/1", 3) == 2
    scripted = Chance(SEED, script={"choice/1": 3}).one("choice/1", 3)
    assert scripted == Chance(SEED).one("choice/1", 3)


def test_a_whole_script_needs_no_seed() -> None:
    def fetch() -> bytes:
        raise AssertionError("the seed is not needed")

    assert Chance(fetch, script={"throw/1": 5}).one("throw/1", 6) == 5


DRAWS = (
    Draw("first", "one", n=4),
    Draw("throw/*", "one", n=6),
    Draw("deal/*", "shuffle", of=("3C", "3D", "3H")),
    Draw("draw/*", "pick", of=("3C", "3D", "3H")),
    Draw("choice/*", "one"),
)


def test_a_script_that_fits_the_draws_is_allowed() -> None:
    check_script({}, DRAWS)
    check_script({"first": 3, "throw/12": 0, "draw/1": "3H"}, DRAWS)
    check_script({"deal/1": ["3H", "3C", "3D"]}, DRAWS)
    check_script({"deal/2": ("3H", "3C", "3D")}, DRAWS)
    check_script({"choice/1": 0, "choice/2": 99}, DRAWS)


@pytest.mark.parametrize(
    "label",
    [
        *("second", "first/1", "throw", "throw/0", "throw/01", "throw/-1", "throw/x", "throw/*"),
        *("throw/", "throw/1/2", "throw/٣", "throw/1000000", "Throw/1", ""),
    ],
)
def test_a_script_for_an_unknown_draw_is_refused(label: str) -> None:
    with pytest.raises(Unprocessable) as refused:
        check_script({"first": 1, label: 1}, DRAWS)
    assert refused.value.code == "match.unknown-draw"


@pytest.mark.parametrize(
    ("label", "result"),
    [
        ("first", 4),
        ("first", -1),
        ("first", True),
        ("first", 1.0),
        ("first", "1"),
        ("first", None),
        ("choice/1", -1),
        ("choice/1", "0"),
        ("draw/1", "4C"),
        ("draw/1", 0),
        ("draw/1", ["3C"]),
        ("deal/1", ["3C", "3D"]),
        ("deal/1", ["3C", "3D", "3D"]),
        ("deal/1", ["3C", "3D", "3H", "3H"]),
        ("deal/1", ["3C", "3D", 3]),
        ("deal/1", "3C3D3H"),
        ("deal/1", {"3C": 1, "3D": 1, "3H": 1}),
    ],
)
def test_a_script_with_an_impossible_result_is_refused(label: str, result: object) -> None:
    with pytest.raises(Unprocessable) as refused:
        check_script({label: result}, DRAWS)
    assert refused.value.code == "match.impossible-draw"


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()
    assert commitment(SEED, {}) == commitment(SEED)


def test_the_commitment_covers_the_script_in_one_spelling() -> None:
    told = b'{"deal/1":["3C"],"throw/1":2}'
    expected = hashlib.sha256(SEED + told).hexdigest()
    assert commitment(SEED, {"throw/1": 2, "deal/1": ["3C"]}) == expected
    assert commitment(SEED, {"deal/1": ["3C"], "throw/1": 2}) == expected


def test_bots_draw_apart_from_the_game() -> None:
    n = 2**32
    drawn = {
        Chance(SEED).one("choice", n),
        bot_chance(SEED, 0, 1).one("choice", n),
        bot_chance(SEED, 1, 1).one("choice", n),
        bot_chance(SEED, 0, 2).one("choice", n),
    }
    assert len(drawn) == 4
    assert bot_chance(SEED, 0, 1).one("choice", n) in drawn
