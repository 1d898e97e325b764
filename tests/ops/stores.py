"""Secrets and stores as containers have them, on this machine."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from api.cli.servers import find_server

ROOT = Path(__file__).parents[2]
MAKE_SECRETS = ROOT / "scripts" / "make-secrets"


def make_secrets(folder: Path, **addresses: str) -> dict[str, str]:
    options = [part for name, at in addresses.items() for part in (f"--{name}", at)]
    subprocess.run([sys.executable, MAKE_SECRETS, folder, *options], check=True, timeout=60)
    return {path.name: path.read_text() for path in folder.iterdir()}


@contextmanager
def store(role: str, secrets: Path, folder: Path, port: int) -> Iterator[None]:
    """A server with the settings of its container, but for where its files are."""
    folder.mkdir(exist_ok=True)
    places = {"/data": folder, "/secrets": secrets, "6379": port}
    text = (ROOT / "k8s" / "stores" / f"{role}.conf").read_text()
    for place, here in places.items():
        assert place in text
        text = text.replace(place, str(here))
    conf = folder / "server.conf"
    conf.write_text(text)
    command = [find_server(os.environ).path, conf]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            until(lambda: says(port, "AUTH probe probe\r\nPING\r\n") == ["+OK", "+PONG"], process)
            yield
        finally:
            process.terminate()  # leaving the block waits for it


def says(port: int, commands: str) -> list[str]:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(f"{commands}QUIT\r\n".encode())
            told = b"".join(iter(lambda: connection.recv(4096), b""))
    except OSError:
        return []
    return told.decode().split("\r\n")[:-2]


def until(
    true: Callable[[], object], process: subprocess.Popen[bytes], within_s: float = 60
) -> None:
    end = time.monotonic() + within_s
    while not true():
        assert process.poll() is None, "it has ended"
        assert time.monotonic() < end, "it did not come to pass"
        time.sleep(0.05)
