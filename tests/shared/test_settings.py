"""Settings from the environment, and from the files that it names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from api.cli import topology
from shared.settings import Settings, SettingsError, from_env

KEY = "k" * 40


def test_a_file_holds_the_value_and_its_last_line_may_end(tmp_path: Path) -> None:
    for text in (KEY, f"{KEY}\n", f"{KEY}\r\n"):
        (tmp_path / "key").write_bytes(text.encode())
        assert from_env({"TYCOON_SERVER_KEY_FILE": str(tmp_path / "key")}).server_key == KEY


def test_every_setting_may_come_from_a_file(tmp_path: Path) -> None:
    env = {}
    for name in Settings.__struct_fields__:
        (tmp_path / name).write_text("7")
        env[f"TYCOON_{name.upper()}_FILE"] = str(tmp_path / name)
    read = from_env(env)
    assert {str(getattr(read, name)) for name in Settings.__struct_fields__} == {"7"}


def test_a_value_and_a_file_are_refused_together(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(KEY)
    env = {"TYCOON_SERVER_KEY": "", "TYCOON_SERVER_KEY_FILE": str(tmp_path / "key")}
    sentence = "TYCOON_SERVER_KEY and TYCOON_SERVER_KEY_FILE are both set: keep one of them."
    with pytest.raises(SettingsError, match=f"^{re.escape(sentence)}$"):
        from_env(env)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    (tmp_path / "binary").write_bytes(b"\xff\xfe\xff")
    for path, why in {
        missing: "can't be read: No such file or directory.",
        tmp_path: "can't be read: Is a directory.",
        tmp_path / "binary": "is no UTF-8 text.",
    }.items():
        sentence = f"TYCOON_EVENTS_URL_FILE names {path}, which {why}"
        with pytest.raises(SettingsError, match=f"^{re.escape(sentence)}$"):
            from_env({"TYCOON_EVENTS_URL_FILE": str(path)})


def test_a_file_with_a_value_of_the_wrong_kind_is_refused_without_telling_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "port").write_text("s3cret\n")
    with pytest.raises(SettingsError, match="TYCOON_HTTP_PORT can't be used") as refused:
        from_env({"TYCOON_HTTP_PORT_FILE": str(tmp_path / "port")})
    assert "s3cret" not in str(refused.value)


def test_what_is_filled_in_for_a_process_stands_in_place_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(KEY)
    env = {"TYCOON_SERVER_KEY_FILE": str(tmp_path / "key"), "PATH": "/bin"}
    filled = topology.environment(env, {"server_key": from_env(env).server_key})
    assert filled == {"PATH": "/bin", "TYCOON_SERVER_KEY": KEY}


def test_an_archive_that_ends_with_its_process_is_refused() -> None:
    """Its reading back would succeed, and what it holds would be gone with the worker."""
    with pytest.raises(SettingsError, match="TYCOON_ARCHIVE_URL"):
        Settings(server_key=KEY, archive_url="memory://there").check()
    Settings(server_key=KEY, archive_url="s3://bucket/there").check()
