"""The command line against the true application over memory stores, in this process.

Nothing sleeps: the world's clock moves with every request, and the workers' part is done before it.
"""

from __future__ import annotations

import json

import httpx
import msgspec
import pytest
import structlog
from click.testing import CliRunner

from api.app import create_app
from api.cli import main
from api.cli.client import Link
from api.metrics import Metrics
from services.keys import Keys
from shared.keystore import MemoryKeys
from shared.rates import MemoryTally
from tests.services.world import SERVER_KEY, World

OPERATOR = "tyo_operator"


class Here(httpx.BaseTransport):
    """A server in this process. `down` holds what happens to the next requests instead.

    `workers` can be switched off; `pauses` are the seconds that the client wanted to wait.
    """

    def __init__(self):
        self.world = World(operator_key=OPERATOR)
        self.keys = Keys(MemoryKeys(), SERVER_KEY.encode(), self.world.clock)
        self.api_key = self.keys.create("tests")[1]
        self.rebuilds = []
        self.hints = []
        self.requests = []
        self.down = []
        self.workers = True
        self.pauses = []
        app = create_app(
            self.world.tycoon,
            self.keys,
            MemoryTally(),
            wake=self.world.woken.append,
            hint=lambda *asked: self.hints.append(asked),
            begin_rebuild=lambda *begun: self.rebuilds.append(begun),
            ping=lambda: None,
            metrics=Metrics(),
            log=structlog.wrap_logger(structlog.ReturnLogger()),
        )
        self.wsgi = httpx.WSGITransport(app)

    def handle_request(self, request):
        self.requests.append(request)
        if self.down:
            answer = self.down.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer
        self.world.now += 1_000
        for match_id in set(self.world.woken) if self.workers else ():
            self.world.advance(match_id)
        while self.hints and self.workers:
            self.world.tycoon.hinter.think(*self.hints.pop(0))
        response = self.wsgi.handle_request(request)
        for generation, part in self.rebuilds:
            while part is not None:
                part = self.world.tycoon.rebuilding.rebuild(generation, part)
        self.rebuilds.clear()
        return response


@pytest.fixture
def here():
    return Here()


@pytest.fixture
def run(here, tmp_path):
    """Runs `tycoon ...` against the server in this process."""
    link = Link(here, here.pauses.append)

    def run(*args, typed="", **env):
        env = {
            "TYCOON_API_KEY": here.api_key,
            "TYCOON_OPERATOR_KEY": OPERATOR,
            "TYCOON_DATA_DIR": str(tmp_path),
            "LANG": "en_US.UTF-8",
            "LC_ALL": None,
            "COLUMNS": "200",
            **env,
        }
        return CliRunner().invoke(main, [str(arg) for arg in args], obj=link, input=typed, env=env)

    return run


@pytest.fixture
def run_json(run):
    """The same with `--json`; the document that it prints."""

    def run_json(*args, **more):
        result = run(*args, "--json", **more)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    return run_json


def decoded(lines):
    return [msgspec.json.decode(line) for line in lines.splitlines()]
