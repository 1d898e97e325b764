"""The map with its track as an SVG picture, drawn from a view alone (MR-3.8).

`python -m services.games.mint_rails > board.svg` draws the example of the README page.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin, sqrt
from xml.sax.saxutils import escape

from services.games.mint_rails.cards import Company, Hex
from services.games.mint_rails.state import HexView, View

SIZE = 34
"""From the centre of a hex to a corner."""

MARGIN = 8
WIDTH = sqrt(3) * SIZE

FILL: dict[str, tuple[str, str]] = {
    "black": ("#2b2b2b", "#ffffff"),
    "white": ("#ffffff", "#2b2b2b"),
    "pink": ("#f4a6c0", "#2b2b2b"),
    "brown": ("#8a5a33", "#ffffff"),
}
"""Of a company: its colour, and one that stands out from it."""

ICON_PATHS: dict[Company, str] = {
    "black": "M-6 3 -4 -4 2 -6 6 -1 4 5 -2 6Z",
    "white": "M-6 -2C-6 4 -2 6 2 5 6 4 6 -1 5 -4L3 -6 2 -3 -1 -1Z M3 -4 7 -3 4 -2Z",
    "pink": "M-6 0A6 4.6 0 1 0 6 0 6 4.6 0 1 0 -6 0Z M-5 -3 -4 -7 -1 -4Z M5 -3 4 -7 1 -4Z",
    "brown": "M-7 -5H7V-2H-7Z M-7 -1H7V2H-7Z M-7 3H7V6H-7Z",
}
"""Coal, a chicken, a pig's head and timber: nothing is told by colour alone."""

CUBE = 13
CUBES_Y = 10
ICONS_Y = -8


def svg(shown: View) -> str:
    """The map with all cubes on it. Raises `ValueError` before the map is laid."""
    laid = shown.map
    if laid is None:
        raise ValueError("the map is not laid yet")
    xs, ys = zip(*(centre(at) for at in (*laid.halves, *(h.at for h in laid.hexes))), strict=True)
    width, height = max(xs) + WIDTH / 2 + MARGIN, max(ys) + SIZE + MARGIN
    left, top = min(xs) - WIDTH / 2 - MARGIN, min(ys) - SIZE - MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.0f} {top:.0f} '
        f'{width - left:.0f} {height - top:.0f}" font-family="sans-serif" text-anchor="middle">',
        "<title>A map of Mint Rails</title>",
        *(_hexagon(at, "#f6f4ef", "#dddddd") for at in laid.halves),
        *(part for hex_ in laid.hexes for part in _hex(hex_)),
        *_cubes(shown),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def centre(at: Hex) -> tuple[float, float]:
    """Where a hex lies in the picture."""
    q, r = at
    return WIDTH * (q + r / 2), SIZE * 1.5 * r


def _hexagon(at: Hex, fill: str, stroke: str) -> str:
    x, y = centre(at)
    corners = ((x + SIZE * sin(n * pi / 3), y + SIZE * cos(n * pi / 3)) for n in range(6))
    points = " ".join(f"{cx:.1f},{cy:.1f}" for cx, cy in corners)
    return f'<polygon points="{points}" fill="{fill}" stroke="{stroke}"/>'


def _hex(hex_: HexView) -> Iterator[str]:
    x, y = centre(hex_.at)
    if hex_.company is not None:
        yield _hexagon(hex_.at, FILL[hex_.company][0], "#2b2b2b")
        yield _icon(hex_.company, x, y, 2, FILL[hex_.company][1])
        return
    yield _hexagon(hex_.at, "#efe3c2" if hex_.kind == "beige" else "#c9d9d3", "#a89c7a")
    if hex_.kind == "city":
        yield _text(x, y + 25, 7, escape(hex_.name or ""))
        yield _text(x, y - 20, 10, f"{hex_.capacity}")
        for number, icon in enumerate(hex_.icons):
            yield from _badge(icon, x + 20 * number - 10 * (len(hex_.icons) - 1), y + ICONS_Y)


def _badge(icon: Company, x: float, y: float) -> Iterator[str]:
    fill, mark = FILL[icon]
    yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="9" fill="{fill}" stroke="#2b2b2b"/>'
    yield _icon(icon, x, y, 0.9, mark)


def _cubes(shown: View) -> Iterator[str]:
    for number, company in enumerate(shown.companies):
        fill, mark = FILL[company.company]
        for at in company.cubes:
            x, y = centre(at)
            x, y = x + (number - 1.5) * (CUBE + 1), y + CUBES_Y
            yield (
                f'<rect x="{x - CUBE / 2:.1f}" y="{y - CUBE / 2:.1f}" width="{CUBE}" '
                f'height="{CUBE}" rx="2" fill="{fill}" stroke="#2b2b2b"/>'
            )
            yield _icon(company.company, x, y, 0.75, mark)


def _icon(company: Company, x: float, y: float, scale: float, fill: str) -> str:
    return (
        f'<path d="{ICON_PATHS[company]}" fill="{fill}" '
        f'transform="translate({x:.1f} {y:.1f}) scale({scale})"/>'
    )


def _text(x: float, y: float, size: int, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}">{text}</text>'
