"""What a size's measuring found, as a table for people."""

from __future__ import annotations

from rich.table import Table

from tests.bench.harness import CONSOLE
from tests.bench.load.sizes import Size
from tests.bench.load.traffic import KINDS


def show(size: Size) -> None:
    """Rates, latencies by kind of request, processes, bytes."""
    title = f"{size.open:,} open matches, {size.connections} connections, {size.seconds:.0f} s"
    if size.sync:
        title += f", synced {size.sync}"
    table = Table(title=title, show_header=False)
    for name, value in _lines(size):
        table.add_row(name, value, end_section=name == "answers that were wrong")
    CONSOLE.print(table)
    if size.failures:
        for text, count in size.failures.items():
            CONSOLE.print(f"[red]{count} x {text}")


def _lines(size: Size) -> list[tuple[str, str]]:
    rows = [
        ("moves/s", f"{size.moves / size.seconds:,.0f}"),
        ("requests/s", f"{size.requests / size.seconds:,.0f}"),
        ("matches that ended, and were replaced", f"{size.ended:,}"),
        ("answers that were wrong", f"{sum(size.failures.values()):,}"),
    ]
    for kind in KINDS:
        if found := size.latencies.get(kind):
            told = f"{found.p50:.1f} / {found.p99:.1f} of {found.count:,}"
            rows.append((f"{kind}, p50 / p99 in ms", told))
    for name, used in size.used.items():
        idle = f" (idle {size.idle[name].cores:.2f})" if name in size.idle else ""
        rows.append((f"{name}: cores, MiB", f"{used.cores:.2f}{idle}, {used.mib:.0f}"))
    moves = max(size.moves, 1)
    rows.append(("HTTP bytes a move, out / in", _pair(size.sent / moves, size.received / moves)))
    if size.store is not None:
        rows += [
            ("store: bytes a move, in / out", _pair(size.a_move("read"), size.a_move("written"))),
            ("store: bytes of the log a move", f"{size.a_move('log'):,.0f}"),
            ("store: commands a move", f"{size.a_move('commands'):.1f}"),
            ("store: turns of its loop a move", f"{size.a_move('turns'):.2f}"),
        ]
    if size.bytes is not None:
        ended = f"{size.bytes.ended:,.0f}" if size.bytes.ended else "none ended"
        rows += [
            ("store: bytes of an open match", f"{size.bytes.open:,.0f}"),
            ("store: bytes of an ended match's own keys", ended),
            ("store: bytes of an event", f"{size.bytes.event:,.0f}"),
        ]
    return rows


def _pair(one: float, other: float) -> str:
    return f"{one:,.0f} / {other:,.0f}"
