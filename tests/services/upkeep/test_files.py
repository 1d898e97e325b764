"""The file of a backup is there whole or not at all, and its troubles are told."""

from __future__ import annotations

import gzip
import os
import stat
import subprocess
import sys
from pathlib import Path

import fsspec
import pytest

from services.upkeep.files import FileTrouble, Place
from services.upkeep.form import Damaged
from shared.errors import Unavailable
from tests.services.upkeep.truth import quiet


def write(url: str, *lines: bytes) -> None:
    with Place(url).writing() as put:
        for line in lines:
            put(line)


def read(url: str) -> list[bytes]:
    with Place(url).reading(quiet) as lines:
        return list(lines)


def write_and_fail(url: str, error: BaseException) -> None:
    with Place(url).writing() as put:
        put(b"three\n" * 99_999)
        raise error


@pytest.mark.parametrize("scheme", ["", "file://", "memory:/"])
def test_a_file_is_there_whole_or_not_at_all(tmp_path: Path, scheme: str) -> None:
    url = f"{scheme}{tmp_path}/a.jsonl.gz"
    write(url, b"one\n", b"two\n")
    assert read(url) == [b"one\n", b"two\n"]
    for error in (Unavailable("store.unavailable", ""), KeyboardInterrupt()):
        with pytest.raises(type(error)):
            write_and_fail(url, error)
        assert read(url) == [b"one\n", b"two\n"], "the one before is kept"
    fs, path = fsspec.url_to_fs(str(Path(url).parent) if not scheme else url.rpartition("/")[0])
    assert [name.rpartition("/")[2] for name in fs.ls(path, detail=False)] == ["a.jsonl.gz"]


def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    with Place(str(path)).writing() as put:
        put(b"one\n")
        drafts = list(tmp_path.iterdir())
        assert [stat.S_IMODE(draft.stat().st_mode) for draft in drafts] == [0o600]
        assert not path.exists()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


FULL = """
import resource, signal, sys
from services.upkeep.files import FileTrouble, Place
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), -1))
with Place(sys.argv[1]).writing() as put:
    put(b"one" * 9)
"""


@pytest.mark.parametrize("room", [0, 20])
def test_a_full_disk_is_told_and_leaves_the_backup_before(tmp_path: Path, room: int) -> None:
    path = tmp_path / "a.gz"
    write(str(path), b"before\n")
    done = subprocess.run(
        [sys.executable, "-c", FULL, path, str(room)], capture_output=True, text=True
    )
    said = f"services.upkeep.files.FileTrouble: {path} can't be used: File too large."
    assert done.stderr.splitlines()[-1] == said
    assert read(str(path)) == [b"before\n"]
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_no_file_is_not_written_over_and_a_link_stays(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "a.gz")
    with pytest.raises(FileTrouble, match="is no file"):
        write(str(tmp_path / "pipe"), b"one\n")
    assert (tmp_path / "pipe").is_fifo()
    write(str(tmp_path / "link"), b"one\n")
    assert (tmp_path / "link").is_symlink()
    assert read(str(tmp_path / "a.gz")) == [b"one\n"]


def test_an_old_draft_of_a_killed_process_is_removed(tmp_path: Path) -> None:
    old, young, other = (tmp_path / f".{n}.unfinished" for n in ("a.gz.1", "a.gz.2", "b.gz.1"))
    for draft in (old, young, other):
        draft.touch()
    os.utime(old, (1, 1))
    os.utime(other, (1, 1))
    write(str(tmp_path / "a.gz"), b"one\n")
    assert sorted(tmp_path.iterdir()) == sorted([young, other, tmp_path / "a.gz"])


def test_what_can_not_be_read_or_written_is_a_sentence(tmp_path: Path) -> None:
    for url in (f"{tmp_path}/no/folder/a.gz", "nosuch://a", str(tmp_path)):
        with pytest.raises(FileTrouble):
            write(url, b"one\n")
        with pytest.raises(FileTrouble):
            read(url)
    with pytest.raises(FileTrouble, match="is not there"):
        read(f"{tmp_path}/a.gz")


def test_a_file_that_is_cut_or_no_gzip_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    write(str(path), *(b"%d\n" % n for n in range(999)))
    packed = path.read_bytes()
    for damaged in (packed[:-1], packed[:200], b"plain text", b"\x1f\x8b\x08\x00" + b"\xff" * 99):
        path.write_bytes(damaged)
        with pytest.raises(Damaged):
            read(str(path))
    path.write_bytes(gzip.compress(b"one\n"))
    assert read(str(path)) == [b"one\n"]


def test_reading_tells_how_far_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    write(str(path), b"one\n")
    told: list[tuple[int, int]] = []
    with Place(str(path)).reading(lambda done, size: told.append((done, size))) as lines:
        assert list(lines) == [b"one\n"]
    assert told[-1] == (path.stat().st_size,) * 2
