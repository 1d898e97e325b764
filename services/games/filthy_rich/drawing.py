"""The binder as a picture: its four pages, and what is seen through the open one (SVG)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from services.games.filthy_rich.binder import SLOTS, seen
from services.games.filthy_rich.card_set import CardSet
from services.games.filthy_rich.state import PAGES, Sign

SLOT = 64
GAP = 24
PANEL = 3 * SLOT
TITLE = 28
COLOURS = ("#e8a33d", "#5b8fd6", "#6aa84f", "#c95f8e", "#8e7cc3")
"""One a seat."""

STYLE = (
    "text{font-family:sans-serif;font-size:10px;text-anchor:middle;fill:#222}"
    ".t{font-size:13px;font-weight:bold}.n{fill:#bbb;font-size:18px}"
    "rect{stroke:#888;fill:#fafafa}.a{opacity:.35}"
)


def binder_svg(signs: Sequence[Sign], page: int, cards: CardSet) -> str:
    """All pages side by side, those above the open one faded, then the sight in front."""
    width = GAP + len((*PAGES, page)) * (PANEL + GAP)
    height = TITLE + PANEL + GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" role="img">',
        f"<title>The binder with page {page} open</title><style>{STYLE}</style>",
    ]
    for number in PAGES:
        held = [
            next((s for s in signs if s.page == number and slot in s.slots), None) for slot in SLOTS
        ]
        fade = ' class="a"' if number > page else ""
        title = f"Page {number}" + (" (open)" if number == page else "")
        parts += [f"<g{fade}>", *_panel(number - 1, title, held, cards), "</g>"]
    sight = seen(signs, page)[1:]
    parts += _panel(len(PAGES), "Seen", sight, cards)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(column: int, title: str, held: Sequence[Sign | None], cards: CardSet) -> Iterator[str]:
    left = GAP + column * (PANEL + GAP)
    yield f'<text class="t" x="{left + PANEL // 2}" y="18">{title}</text>'
    for slot, sign in zip(SLOTS, held, strict=True):
        row, at = divmod(slot - 1, 3)
        yield from _slot(left + at * SLOT, TITLE + row * SLOT, slot, sign, cards)


def _slot(x: int, y: int, slot: int, sign: Sign | None, cards: CardSet) -> Iterator[str]:
    middle = x + SLOT // 2
    if sign is None:
        yield f'<rect x="{x}" y="{y}" width="{SLOT}" height="{SLOT}"/>'
        yield f'<text class="n" x="{middle}" y="{y + SLOT // 2 + 6}">{slot}</text>'
        return
    colour = COLOURS[sign.owner]
    yield f'<rect x="{x}" y="{y}" width="{SLOT}" height="{SLOT}" style="fill:{colour}"/>'
    words = cards.businesses[sign.business].name.en.split()
    for line, word in enumerate([sign.business, *words]):
        yield f'<text x="{middle}" y="{y + 16 + 13 * line}">{escape(word)}</text>'
