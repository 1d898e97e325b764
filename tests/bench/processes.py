"""The processes of a system, and what they have used."""

from __future__ import annotations

import psutil

from tests.bench.system import System


def trees(running: System) -> dict[str, list[psutil.Process]]:
    """Every process with those that it started, the servers among them."""
    found = {}
    for name, process in running.processes.items():
        top = psutil.Process(process.pid)
        found[name] = [top, *top.children(recursive=True)]
    for name, url in (("events", running.events_url), ("broker", running.broker_url)):
        port = int(url.rpartition(":")[2].partition("/")[0])
        found[name] = [p for p in psutil.Process().children() if _listens(p, port)]
    return found


def _listens(process: psutil.Process, port: int) -> bool:
    return any(c.laddr.port == port and c.status == "LISTEN" for c in process.net_connections())


def cpu(group: list[psutil.Process]) -> float:
    """Seconds that these have used so far."""
    times = [p.cpu_times() for p in group]
    return sum(t.user + t.system for t in times)
