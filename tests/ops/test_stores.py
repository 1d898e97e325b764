"""The stores of containers: their secrets, their settings, a copy and its way back."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import redis

from api.cli.servers import free_port
from tests.ops.rules.programs import SECRET_KEYS
from tests.ops.stores import ROOT, make_secrets, says, store


class TestSecrets:
    def test_they_are_all_there_and_kept(self, tmp_path: Path) -> None:
        made = make_secrets(tmp_path / "s")
        assert set(made) == SECRET_KEYS
        assert make_secrets(tmp_path / "s", events="elsewhere:1") == made
        assert set(make_secrets(tmp_path / "t").values()).isdisjoint(
            {made["server_key"], made["operator_key"], made["bootstrap_api_key"]}
        )
        assert all(not value.endswith("\n") for name, value in made.items() if "acl" not in name)
        assert (tmp_path / "s").stat().st_mode & 0o077 == 0

    def test_one_that_is_lost_is_made_anew_and_the_others_follow_what_is_there(
        self, tmp_path: Path
    ) -> None:
        made = make_secrets(tmp_path / "s")
        (tmp_path / "s" / "events_url").unlink()
        again = make_secrets(tmp_path / "s", events="db.example.com:6380")
        password = made["events_password"]
        assert again == {**made, "events_url": f"redis://:{password}@db.example.com:6380/0"}


def test_a_store_opens_to_its_password_and_answers_a_probe_with_nothing_else(
    tmp_path: Path,
) -> None:
    secrets = make_secrets(tmp_path / "s")
    port = free_port()
    with store("events", tmp_path / "s", tmp_path / "data", port):
        (refused,) = says(port, "PING\r\n")
        assert refused.startswith("-NOAUTH")
        _, pong, get, config = says(
            port, "AUTH probe x\r\nPING\r\nGET a\r\nCONFIG GET appendfsync\r\n"
        )
        assert pong == "+PONG"
        assert get.startswith("-NOPERM")
        assert config.startswith("-NOPERM")
        told = says(port, f"AUTH {secrets['events_password']}\r\nCONFIG GET appendfsync\r\n")
        assert "always" in told


def test_a_copy_of_the_events_store_comes_back_by_the_script_of_the_readme(tmp_path: Path) -> None:
    secrets = make_secrets(tmp_path / "s")
    port = free_port()
    copy = tmp_path / "events.rdb"

    def client() -> redis.Redis:
        return redis.Redis(port=port, password=secrets["events_password"])

    with store("events", tmp_path / "s", tmp_path / "old", port), client() as old:
        old.xadd("{m}:events", {"e": "first"}, id="0-1")
        old.bgsave()
        end = time.monotonic() + 30
        while old.info("persistence")["rdb_bgsave_in_progress"]:
            assert time.monotonic() < end
            time.sleep(0.01)
        shutil.copy(tmp_path / "old" / "dump.rdb", copy)
        old.xadd("{m}:events", {"e": "after the copy"}, id="0-2")

    data = tmp_path / "new"
    with store("events", tmp_path / "s", data, port), client() as new:
        new.set("other", "data")
        shutil.copy(copy, data / "events.rdb")
        subprocess.run(
            ["/bin/sh"],
            input=(ROOT / "k8s/stores/restore.sh").read_bytes(),
            env={"PATH": os.environ["PATH"], "DATA": str(data)},
            check=True,
            timeout=60,
        )
        new.set("other", "too late")

    for version in (2, 3):
        with store("events", tmp_path / "s", data, port), client() as restored:
            assert restored.keys() == [b"{m}:events"]
            assert restored.xrange("{m}:events")[0] == (b"0-1", {b"e": b"first"})
            assert restored.xlen("{m}:events") == version - 1
            assert restored.config_get("appendonly") == {"appendonly": "yes"}
            # What is written from then on is kept as well.
            restored.xadd("{m}:events", {"e": "later"}, id=f"0-{version}")
    assert (data / "before-restore").is_dir()
