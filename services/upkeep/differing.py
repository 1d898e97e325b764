"""Where two documents differ: which fields, never what stands in them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

MOST = 5
"""So many places are told of."""


def where(a: Any, b: Any) -> list[str]:
    """Pointers to what differs, at most `MOST`; empty where nothing does.

    Fields of structs and places in tuples are followed; the keys of a mapping are not, as they
    can be what is hidden.
    """
    return list(islice(_where(a, b, ""), MOST))


def _where(a: Any, b: Any, at: str) -> Iterator[str]:
    if a == b:
        return
    if type(a) is type(b) and isinstance(a, msgspec.Struct):
        for name in a.__struct_fields__:
            yield from _where(getattr(a, name), getattr(b, name), f"{at}/{name}")
    elif type(a) is type(b) and isinstance(a, tuple | list) and len(a) == len(b):
        for index, pair in enumerate(zip(a, b, strict=True)):
            yield from _where(*pair, f"{at}/{index}")
    else:
        yield at or "/"
