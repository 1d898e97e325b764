"""The tables of CAPACITY.md and README.md, written from the constants between their marks."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.bench.capacity.constants import Constants, When
from tests.bench.capacity.limits import limits
from tests.bench.capacity.model import GIB, PLANNED, Model, Target
from tests.bench.capacity.shipped import shipped

REPO = Path(__file__).parents[3]
PAGES = (REPO / "README.md", REPO / "tests/bench/CAPACITY.md")
BLOCK = re.compile(r"<!-- capacity: ([a-z-]+) -->\n.*?<!-- end -->\n", re.DOTALL)
PRIMARIES = (1, 3, 6, 12, 24)
SYNCS_US = (1_000.0, 5_000.0)
"""Of slower disks than ours."""


def write(constants: Constants) -> None:
    """Writes the tables anew in every page."""
    found = blocks(constants)
    for path in PAGES:
        path.write_text(filled(path.read_text(), found))


def filled(text: str, found: Mapping[str, str]) -> str:
    """The page with these blocks; raises `KeyError` for a block that is none."""
    return BLOCK.sub(lambda m: f"<!-- capacity: {m[1]} -->\n{found[m[1]]}<!-- end -->\n", text)


def blocks(constants: Constants, target: Target | None = None) -> dict[str, str]:
    """Every table by name, as Markdown."""
    model = Model(constants, target or Target(), shipped())
    return {
        "load": _load(constants),
        "first": _first(model),
        "matches": _matches(model),
        "move": _move(model),
        "sweeps": _sweeps(model),
        "late": _late(model),
        "memory": _memory(model),
        "ended": _ended(model),
        "primaries": _primaries(model),
        "syncs": _syncs(model),
        "processes": _processes(model),
    }


def _load(constants: Constants) -> str:
    rows = []
    for size in constants.load:
        move, used = size.latencies["move"], size.used
        servers = used["events"].cores + used["broker"].cores
        workers = used["worker"].cores + used["worker.ticker"].cores
        cores = (used["api"].cores, workers, servers, used["generator"].cores)
        rows.append(
            (
                f"{size.open:,}",
                f"{size.moves / size.seconds:,.0f}",
                f"{size.requests / size.seconds:,.0f}",
                f"{move.p50:.0f} / {move.p99:.0f}",
                " / ".join(f"{c:.2f}" for c in cores),
            )
        )
    head = (
        *("open matches", "moves/s", "requests/s", "POST move, p50 / p99 in ms"),
        "cores: API / workers / servers / generator",
    )
    return _when(constants.load_when) + _table(head, rows)


def _first(model: Model) -> str:
    target = model.target
    rows = [
        (
            f"{number}",
            limit.part,
            limit.shipped,
            f"{limit.share * target.open:,.0f} open, {limit.share * target.moves:,.0f} moves/s",
            f"{limit.share:.1%}" if limit.share < 10 else "> 1,000%",
            limit.change,
        )
        for number, limit in enumerate(limits(model), 1)
    ]
    return _table(("", "part", "as shipped", "gives at", "of the target", "for the target"), rows)


def _matches(model: Model) -> str:
    names = list(model.games[0].open)
    rows = [
        (
            game.game,
            f"{game.moves:.0f}",
            f"{game.events:.0f}",
            *(f"{game.open[name]:,.0f}" for name in names),
            f"{sum(game.open.values()):,.0f}",
            f"{sum(game.ended.values()):,.0f}",
        )
        for game in model.games
    ]
    head = ("game", "moves", "events", *map(_named, names), "an open match", "an ended match")
    return _when(model.constants.rest_when) + _table(head, rows)


def _move(model: Model) -> str:
    size = model.size
    http = size.sent / size.moves, size.received / size.moves
    rows = [
        ("requests", f"{model.requests_a_move:.2f}"),
        *((f"us of CPU, {name}", f"{model.us(name):,.0f}") for name in size.used),
        ("us of CPU, events, with a sync in most turns", f"{model.synced_us:,.0f}"),
        ("bytes of HTTP, in / out", _pair(*http)),
        ("bytes of the store, in / out", _pair(size.a_move("read"), size.a_move("written"))),
        ("bytes of the store's log", f"{size.a_move('log'):,.0f}"),
        ("turns of the store's loop", f"{size.a_move('turns'):.1f}"),
    ]
    return _when(model.constants.load_when) + _table((f"a move, {size.open:,} open", ""), rows)


def _sweeps(model: Model) -> str:
    rest = model.constants.rest
    sweeps = [
        (f"{s.marks:,}", f"{s.ms:.0f}", f"{s.store_ms:.1f}", f"{s.broker_ms:.1f}")
        for s in rest.sweeps
    ]
    lists = [(f"{r.rows:,}", f"{r.write_us:.0f}", f"{r.row_bytes:,.0f}") for r in rest.lists]
    return (
        _when(model.constants.rest_when)
        + _table(("a sweep finds", "ms", "ms of CPU, store", "ms of CPU, broker"), sweeps)
        + "\n"
        + _table(("rows in a list", "us of the store, a row written", "bytes a row"), lists)
    )


def _late(model: Model) -> str:
    handed_out = min(model.ticked, model.swept)
    return (
        f"As shipped {handed_out:,.0f} matches/s are handed out; with {model.target.open:,} open "
        f"and more moves than that, each comes to its turn every {model.round_s:,.0f} s.\n"
    )


def _memory(model: Model) -> str:
    means, count = model.open_bytes(), model.target.open
    whole = sum(means.values())
    rows = [
        (_named(name), f"{size:,.0f}", f"{size * count / GIB:.1f}", f"{size / whole:.0%}")
        for name, size in sorted(means.items(), key=lambda row: -row[1])
    ]
    rows.append(("all", f"{whole:,.0f}", f"{model.open_gib:.1f}", "100%"))
    return _table(("", "bytes, mean of the games", f"GiB, {count:,} open", "share"), rows)


def _ended(model: Model) -> str:
    own, rows_of = model.ended_rate(lists=False), model.ended_rate(lists=True)
    rows = [
        ("matches that end, and begin, a second", f"{model.all_ends:,.0f}"),
        ("GiB an hour under their own names, until they are archived", f"{own * 3_600 / GIB:,.1f}"),
        ("GiB a day in lists, which nothing takes away", f"{rows_of * 86_400 / GIB:,.1f}"),
        (
            "hours until matches that ended take as much as the open ones",
            f"{model.open_gib * GIB / (own + rows_of) / 3_600:,.1f}",
        ),
    ]
    return _table((f"at {model.target.moves:,} moves/s", ""), rows)


def _primaries(model: Model) -> str:
    rows = []
    for count in PRIMARIES:
        most = model.primary(count)
        fair = 256 / count
        rows.append(
            (
                f"{count}",
                f"{most.partitions} ({most.partitions / fair - 1:+.0%})",
                f"{most.matches_gib:.1f} + {most.lists_gib:.1f}",
                f"{most.planned_gib:.0f}",
                f"{most.cores:.2f}" + ("" if most.cores <= PLANNED else ": too many"),
            )
        )
    head = (
        *("primaries", "partitions, most of one (beside an even share)"),
        *("GiB, matches + lists, most of one", "GiB to plan", "cores, most of one"),
    )
    return _table(head, rows)


def _syncs(model: Model) -> str:
    times = (model.constants.rest.fsync_us, *SYNCS_US)
    rows = [(f"{n}", *(_turn(model.primary(n).turn_ms(us)) for us in times)) for n in PRIMARIES]
    return _table(("primaries", *(f"ms a turn, sync of {us / 1_000:.2f} ms" for us in times)), rows)


def _turn(ms: float) -> str:
    return f"{ms:.1f}" if math.isfinite(ms) else "too many moves"


def _processes(model: Model) -> str:
    size, moves = model.size, model.target.moves
    api, folding, sweepers = model.cores("api"), model.cores("worker"), model.sweepers
    read, written, log = (size.a_move(name) * moves / 1e6 for name in ("read", "written", "log"))
    came, went = (count / size.moves * moves / 1e6 for count in (size.sent, size.received))
    rows = [
        ("API", f"{api:.1f}", f"{_pods(api)}, {size.used['api'].mib:.0f} MiB each"),
        ("folding", f"{folding:.1f}", f"{_pods(folding)} of `worker-advance`"),
        (
            f"{model.sweeps:.0f} sweeps/s",
            f"{sweepers:.1f}",
            f"{model.tickers} tickers, {sweepers / PLANNED:.0f} processes of `worker-ops`",
        ),
        ("store, for sweeps", f"{model.sweeping_cores:.1f}", "see the primaries"),
        ("store, for the rest", f"{model.cores('events'):.1f}", "see the primaries"),
        ("broker", f"{model.cores('broker'):.2f}", f"{model.tasks:,.0f} tasks/s"),
        ("network of the API", "", f"{came:,.0f} MB/s in, {went:,.0f} MB/s out"),
        ("network of the store", "", f"{read:,.0f} MB/s in, {written:,.0f} MB/s out"),
        ("logs of the store", "", f"{log:,.0f} MB/s"),
    ]
    return _table(("", "cores in use", "to plan"), rows)


def _named(place: str) -> str:
    """What lies at a key, in words."""
    return {"events": "log", "commands": "idempotency", "state": "projection"}.get(place, place)


def _pods(cores: float) -> str:
    return f"{math.ceil(cores / PLANNED / 2)} pods of two cores"


def _pair(one: float, other: float) -> str:
    return f"{one:,.0f} / {other:,.0f}"


def _when(when: When) -> str:
    busy = "" if when.quiet else " **Not a quiet machine: to be measured again.**"
    return (
        f"{when.date}, {when.cores} cores, Python {when.python}, {when.server}, load before "
        f"{when.load:.1f}.{busy}\n\n"
    )


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
