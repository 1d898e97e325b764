"""Files of series: whole or not there, equal for equal content, in a folder or an object store."""

from __future__ import annotations

import os
from pathlib import Path
from uuid import uuid4

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from services.files import OLD_S, archive_url
from services.series.files import Files
from shared.errors import Unavailable
from shared.settings import Settings
from tests.services.series.table import S, a_spec, all_rows

ROWS = all_rows(a_spec("greedy", "random", matches=4))


@pytest.fixture(params=["folder", "objects"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> Files:
    return Files(str(tmp_path) if request.param == "folder" else f"memory://{uuid4()}")


def test_rows_are_read_as_they_were_written(files: Files) -> None:
    name = files.write_rows(S, 3, ROWS)
    assert name.startswith("003-")
    assert list(files.rows(S, name)) == ROWS


def test_a_name_tells_what_is_in_the_file(files: Files) -> None:
    first = files.write_rows(S, 0, ROWS)
    assert files.write_rows(S, 0, ROWS) == first
    other = files.write_rows(S, 0, ROWS[:2])
    assert other != first
    assert list(files.rows(S, first)) == ROWS, "who is late writes over nobody"


def test_equal_content_is_equal_bytes(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        Files(str(tmp_path / folder)).write_rows(S, 0, ROWS)
    [one], [other] = (list((tmp_path / folder).rglob("*.gz")) for folder in ("a", "b"))
    assert one.read_bytes() == other.read_bytes()


def test_a_transcript_is_kept_by_its_digest(files: Files) -> None:
    files.write_transcript(S, 7, "ab" * 32, [b"1\n", b"2\n"])
    assert files.transcript(S, 7, "ab" * 32) == [b"1\n", b"2\n"]
    with pytest.raises(FileNotFoundError):
        files.transcript(S, 7, "cd" * 32)


def test_a_series_is_removed_as_a_whole_and_no_other(files: Files) -> None:
    name = files.write_rows(S, 0, ROWS)
    files.write_rows("s_other", 0, ROWS)
    files.write_transcript(S, 7, "ab" * 32, [b"1\n"])
    files.remove(S)
    files.remove(S)
    with pytest.raises(Unavailable):
        list(files.rows(S, name))
    assert list(files.rows("s_other", name)) == ROWS


def test_nothing_unfinished_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = Files(str(tmp_path))

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Unavailable) as refused:
        files.write_rows(S, 0, ROWS)
    assert refused.value.code == "series.files-unavailable"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_folder_that_cannot_be_written_is_a_refusal(tmp_path: Path) -> None:
    (tmp_path / "series").write_text("in the way")
    with pytest.raises(Unavailable):
        Files(str(tmp_path)).write_rows(S, 0, ROWS)


def test_by_default_they_lie_beside_the_other_data(tmp_path: Path) -> None:
    assert archive_url(Settings(data_dir=str(tmp_path))) == str(tmp_path / "archive")
    assert archive_url(Settings(archive_url="s3://bucket/x")) == "s3://bucket/x"


def test_what_killed_processes_left_unfinished_is_removed_when_it_is_old(tmp_path: Path) -> None:
    unfinished = tmp_path / "unfinished"
    unfinished.mkdir()
    for name, age_s in (("old", 2 * OLD_S), ("young", OLD_S // 2)):
        (unfinished / name).write_bytes(b"half")
        then = (tmp_path.stat().st_mtime_ns // 10**9) - age_s
        os.utime(unfinished / name, (then, then))
    Files(str(tmp_path)).write_rows(S, 0, ROWS)
    assert [path.name for path in unfinished.iterdir()] == ["young"]


def test_a_file_is_on_the_disk_with_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the kernel was asked to keep, in which order; `None` stands for the new name."""
    kept: list[Path | None] = []
    sync, replace = os.fsync, Path.replace

    def noted(descriptor: int) -> None:
        kept.append(Path(os.readlink(f"/proc/self/fd/{descriptor}")))
        sync(descriptor)

    def named(path: Path, to: Path) -> Path:
        kept.append(None)
        return replace(path, to)

    monkeypatch.setattr(os, "fsync", noted)
    monkeypatch.setattr(Path, "replace", named)
    files = Files(str(tmp_path))
    files.write_transcript(S, 0, "ab" * 32, [b"1"])
    folder = tmp_path / "series" / S / "matches"
    [*made, content, name, last] = kept
    assert set(made) >= {tmp_path, folder.parent, folder.parent.parent}, "new folders, too"
    assert content is not None
    assert content.parent.name == "unfinished"
    assert (name, last) == (None, folder)


class OfAnObjectStore(Exception):
    """What a client of some object store raises."""


def test_whatever_an_object_store_raises_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    files = Files(f"memory://{uuid4()}")
    name = files.write_rows(S, 0, ROWS)

    def away(*args: object, **more: object) -> None:
        raise OfAnObjectStore("no credentials")

    for call in ("pipe_file", "cat_file", "exists", "rm"):
        monkeypatch.setattr(MemoryFileSystem, call, away)
    for ask in (
        lambda: files.write_rows(S, 0, ROWS),
        lambda: list(files.rows(S, name)),
        lambda: files.transcript(S, 7, "ab" * 32),
        lambda: files.remove(S),
    ):
        with pytest.raises(Unavailable) as refused:
            ask()
        assert refused.value.code == "series.files-unavailable"
