"""What an archived match leaves in the store, and how long it takes to archive one.

`python -m tests.bench.archived [MATCHES]`: matches of Daifugō among four bots in a running system.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from shared.redis_client import connect
from tests.bench.harness import CONSOLE
from tests.e2e.harness import eventually, running

AT_ONCE = 50


def main(count: int) -> None:
    """Plays, archives, and tells bytes a match before and after."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as system:
        client: Any = connect(system.system.settings.events_url, timeout_ms=5_000)

        def weigh(pattern: str) -> float:
            found = client.keys(pattern)
            return sum(client.memory_usage(key, samples=0) or 0 for key in found) / count

        matches = [system.match("daifugo", *["greedy"] * 4) for _ in range(count)]
        for match in matches:
            system.ended(match)
        eventually(lambda: not client.keys("*:work"))
        before = weigh("*:m:*")
        began = time.monotonic()
        with system.client(system.operator_key) as operator:
            for start in range(0, count, AT_ONCE):
                some = {"matches": matches[start : start + AT_ONCE]}
                told = operator.post("/v1/admin/archive", json=some).json()["items"]
                assert {item["outcome"] for item in told} == {"archived"}
        took_ms = (time.monotonic() - began) * 1000 / count
        files = [path.stat().st_size for path in Path(folder).rglob("matches/*/*.gz")]
        CONSOLE.print(f"own keys: {before:.0f} bytes a match, archived {weigh('*:m:*'):.0f}")
        CONSOLE.print(f"shelves and ids: {weigh('{p*}:[aein]*'):.0f}")
        CONSOLE.print(f"lists: {weigh('{lobby*') + weigh('{results*'):.0f}")
        CONSOLE.print(f"a file: {sum(files) / len(files):.0f} bytes; archiving: {took_ms:.1f} ms")
        client.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
