"""Sums of what the processes of one service have counted, also of those that are gone.

Each process counts in files of its own. What a dead one counted is added to one file for all of
them: so the sums never fall when a process ends, and the files stay few.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from prometheus_client import (
    CollectorRegistry,
    Metric,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.mmap_dict import MmapedDict, mmap_key
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

SUMMED = ("counter", "histogram")
DEAD = 0
"""Stands for all dead processes in the name of their file; no process has this number."""


class Files(Collector):
    """Everything that is counted in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self) -> Iterable[Metric]:
        with _held(self._folder):
            _bury(self._folder)
            return list(MultiProcessCollector(None, str(self._folder)).collect())


def exposed(registry: CollectorRegistry, folder: Path | None, *others: Collector) -> bytes:
    """Prometheus's text: what is counted here or in the folder, and what is looked up now."""
    # When a count began is told of one process, but not of many: of none, then.
    disable_created_metrics()
    whole = CollectorRegistry()
    whole.register(registry if folder is None else Files(folder))
    for other in others:
        whole.register(other)
    return generate_latest(whole)


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Two scrapes at the same time must not add up the same dead."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _bury(folder: Path) -> None:
    """Adds the files of processes that are gone to the one file of the dead."""
    dead = {pid for pid in map(_pid, folder.glob("*.db")) if pid != DEAD and _gone(pid)}
    for pid in dead:
        mark_process_dead(pid, str(folder))  # gauges that only count while a process lives
    for kind in SUMMED:
        files = [folder / f"{kind}_{pid}.db" for pid in sorted(dead)]
        files = [file for file in files if file.exists()]
        if files:
            _add_up(folder / f"{kind}_{DEAD}.db", files)


def _add_up(total: Path, files: list[Path]) -> None:
    names = [str(file) for file in (total, *files) if file.exists()]
    draft = total.with_suffix(".new")
    draft.unlink(missing_ok=True)
    written = MmapedDict(str(draft))
    for metric in MultiProcessCollector.merge(names, accumulate=False):
        for sample in metric.samples:
            labels = sample.labels
            key = mmap_key(
                metric.name, sample.name, labels.keys(), labels.values(), metric.documentation
            )
            written.write_value(key, sample.value, 0.0)
    written.close()
    draft.replace(total)
    for file in files:
        file.unlink()


def _pid(file: Path) -> int:
    return int(file.stem.rpartition("_")[2])


def _gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
