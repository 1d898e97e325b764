"""What the README shows of the data: `python -m services.games.filthy_rich.handbook` writes it.

The drawing goes to `binder.svg`; the tables go between the marks `<!-- cards -->` of `README.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from services.games.filthy_rich.drawing import binder_svg
from services.games.filthy_rich.shipped import SHIPPED
from services.games.filthy_rich.state import Sign
from services.games.filthy_rich.taxes import sale_value

FOLDER = Path(__file__).parent
README = FOLDER / "README.md"
DRAWING = FOLDER / "binder.svg"
BEGIN, END = "<!-- cards -->\n", "<!-- /cards -->\n"

EXAMPLE = (
    Sign("B05", "B05-1", 0, 3, (3, 6)),
    Sign("B06", "B06-1", 1, 2, (6, 9)),
    Sign("B08", "B08-1", 2, 1, (5, 6)),
    Sign("B02", "B02-1", 0, 1, (1,)),
    Sign("B04", "B04-1", 2, 4, (8,)),
)
"""FR-15.2 after the move, with two signs more."""

HITS = {
    "flat": "${amount}",
    "neighbours": "${amount}, and ${each} for each slot beside it that shows another business",
    "open_page": "${amount}, and ${each} x the open page",
    "collect": "${amount}, and ${each} from every other player",
    "bingo": "what the six-sided die shows",
}

EFFECTS = {
    "loan": "${amount} when played; repay ${amount} to get rid of it",
    "protection_racket": "${amount} from each other player with a business when your turn starts",
    "street_lease": "you pay ${amount} less for each sign card that you cover",
    "tax_shelter": "your tax is ${amount} less",
    "accountant": "${amount} before each tax",
    "rich_uncle": "${amount} when your turn starts",
    "flashing_neon": "${amount} more for each HIT on a business of yours",
    "street_vendor": "in your turn ${amount} for each die that shows an empty slot",
    "irs_audit": "another player goes through a tax procedure alone",
    "business_scout": "reveal cards until a business appears, and take it",
    "zoning_violation": "sell another player's business whose sign has one card",
    "street_fair": "open another page",
    "more_dice": "{amount:+} business dice this turn, at least one die",
    "tax_holiday": "10s have no effect this turn",
    "hostile_takeover": "buy another player's visible business at its printed cost",
    "moving_day": "move a sign of yours to the open page",
    "insurance_payout": "${amount} from the bank",
    "passing_the_hat": "up to ${amount} from every other player",
    "industrial_espionage": "take a random card of another hand, and give one back",
}


def tables() -> str:
    """Every card, one table a kind, in Markdown."""
    return "\n".join([*_luxuries(), "", *_businesses(), "", *_assets(), "", *_actions()]) + "\n"


def _table(*columns: str) -> list[str]:
    return [_row(columns), _row(["---"] * len(columns))]


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def _luxuries() -> Iterator[str]:
    yield from _table("luxury", "name", "", "price", "tax icons")
    for row in SHIPPED.luxuries.values():
        yield _row([row.id, row.name.en, row.name.ja, f"${row.price}", row.icons])


def _businesses() -> Iterator[str]:
    yield from _table(
        "business", "name", "", "cost", "sign", "tax icons", "a HIT brings", "sold for"
    )
    for row in SHIPPED.businesses.values():
        hit = HITS[row.hit].format(amount=row.amount, each=row.each)
        if row.tax_income:
            hit += f"; ${row.tax_income} before each tax"
        cells = [row.id, row.name.en, row.name.ja, f"${row.cost}", row.shape, row.icons, hit]
        yield _row([*cells, f"${sale_value(row)}"])


def _assets() -> Iterator[str]:
    yield from _table("asset", "name", "", "cost", "tax icons", "effect")
    for row in SHIPPED.assets.values():
        effect = EFFECTS[row.effect].format(amount=row.amount)
        yield _row([row.id, row.name.en, row.name.ja, f"${row.cost}", row.icons, effect])


def _actions() -> Iterator[str]:
    yield from _table("action", "name", "", "effect")
    for row in SHIPPED.actions.values():
        effect = EFFECTS[row.effect].format(amount=row.amount)
        yield _row([row.id, row.name.en, row.name.ja, effect])


def drawing() -> str:
    """The binder of the example, page 3 open."""
    return binder_svg(EXAMPLE, 3, SHIPPED)


def with_tables(readme: str) -> str:
    """The text with the tables of today between its marks."""
    before, _, rest = readme.partition(BEGIN)
    return before + BEGIN + "\n" + tables() + "\n" + END + rest.partition(END)[2]


if __name__ == "__main__":
    README.write_text(with_tables(README.read_text()))
    DRAWING.write_text(drawing())
