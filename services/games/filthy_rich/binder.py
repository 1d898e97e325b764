"""The binder: what is seen through its open page, and where a sign may go (FR-3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from services.games.filthy_rich.card_set import Shape, Slots
from services.games.filthy_rich.state import Sign

SLOTS = range(1, 10)  # FR-1.3

# fmt: off - one shape a row
SHAPES: Mapping[Shape, tuple[Slots, ...]] = {  # FR-3.5
    "S1": ((1,), (2,), (3,), (4,), (5,), (6,), (7,), (8,), (9,)),
    "V2": ((1, 4), (2, 5), (3, 6), (4, 7), (5, 8), (6, 9)),
    "H2": ((1, 2), (2, 3), (4, 5), (5, 6), (7, 8), (8, 9)),
    "V3": ((1, 4, 7), (2, 5, 8), (3, 6, 9)),
    "H3": ((1, 2, 3), (4, 5, 6), (7, 8, 9)),
    "Q4": ((1, 2, 4, 5), (2, 3, 5, 6), (4, 5, 7, 8), (5, 6, 8, 9)),
}

NEIGHBOURS: Mapping[int, Slots] = {  # FR-14.2.1
    1: (2, 4),
    2: (1, 3, 5),
    3: (2, 6),
    4: (1, 5, 7),
    5: (2, 4, 6, 8),
    6: (3, 5, 9),
    7: (4, 8),
    8: (5, 7, 9),
    9: (6, 8),
}
# fmt: on

Seen = tuple[Sign | None, ...]
"""The sign that is seen at each slot; the entry 0 is not used."""


def size(shape: Shape) -> int:
    """How many sign cards a sign of this shape has."""
    return len(SHAPES[shape][0])


def seen(signs: Iterable[Sign], page: int) -> Seen:
    """What is seen with this page open: the frontmost sign card of each slot (FR-3.2)."""
    found: list[Sign | None] = [None] * 10
    for sign in signs:
        if sign.page <= page:
            for slot in sign.slots:
                above = found[slot]
                if above is None or above.page < sign.page:
                    found[slot] = sign
    return tuple(found)


def is_visible(sign: Sign, signs: Iterable[Sign], page: int) -> bool:
    """Whether at least one card of this sign is seen (FR-3.3, 3.4)."""
    sight = seen(signs, page)
    return any(sight[slot] is sign for slot in sign.slots)


def filled(signs: Iterable[Sign], page: int) -> set[int]:
    """The slots of this page that hold a sign card (FR-3.6)."""
    return {slot for sign in signs if sign.page == page for slot in sign.slots}
