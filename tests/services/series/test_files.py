"""Files of series: whole or not there, equal for equal content, in a folder or an object store."""

from __future__ import annotations

import os
from pathlib import Path
from uuid import uuid4

import pytest

from services.series.files import Files, archive_url
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
