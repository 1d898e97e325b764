"""JSON as we accept it (RFC 8259, and I-JSON of RFC 7493 where that is stricter).

Refused are duplicate names, NaN and Infinity, numbers beyond 64 bit, invalid UTF-8, lone
surrogates, NUL, and what is nested too deep.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from shared.errors import Malformed

_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL)
_FORBIDDEN = re.compile("[\x00\ud800-\udfff]")
LOWEST, HIGHEST = -(2**63), 2**63 - 1


def read(raw: bytes, *, depth: int) -> Any:
    """JSON values from bytes. Raises `Malformed` (`request.invalid-json`)."""
    _check_depth(raw, depth)
    try:
        value = _decode(raw.decode("utf-8"))
    except UnicodeDecodeError:
        _refuse("it is not UTF-8")
    except json.JSONDecodeError as wrong:
        _refuse(f"{wrong.msg} at character {wrong.pos}")
    # A NUL or a surrogate can only come from an escape: plain ones are no JSON, or no UTF-8.
    if b"\\u" in raw:
        _check_strings(value)
    return value


def _check_depth(raw: bytes, limit: int) -> None:
    if raw.count(b"[") + raw.count(b"{") <= limit:
        return
    depth = 0
    for token in _BRACKETS.finditer(raw):
        if token[0] in (b"[", b"{"):
            depth += 1
            if depth > limit:
                _refuse(f"it is nested deeper than {limit}")
        elif token[0] in (b"]", b"}"):
            depth -= 1


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        _refuse("an object has the same name twice")
    return found


def _integer(digits: str) -> int:
    # The length first: converting a very long number takes quadratic time.
    if len(digits) > 20 or not LOWEST <= int(digits) <= HIGHEST:
        _refuse("a number has more than 64 bit")
    return int(digits)


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        _refuse("a number is too large")
    return number


def _constant(name: str) -> NoReturn:
    _refuse(f"{name} is no number")


_decode = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_integer,
    parse_float=_float,
    parse_constant=_constant,
).decode


def _check_strings(value: Any) -> None:
    match value:
        case str() if _FORBIDDEN.search(value):
            _refuse("a text has NUL or half a character")
        case list():
            for held in value:
                _check_strings(held)
        case dict():
            for name, held in value.items():
                _check_strings(name)
                _check_strings(held)


def _refuse(why: str) -> NoReturn:
    raise Malformed("request.invalid-json", f"The body is not JSON that we take: {why}.")
