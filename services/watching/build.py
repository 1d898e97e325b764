"""Which build answers: its version, and the rules that it plays by."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version
from typing import Literal

from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from shared.game import AnyGame

Service = Literal["api", "worker", "ticker"]


class Build(Collector):
    """Always 1; the labels tell."""

    def __init__(self, service: Service, games: Iterable[AnyGame]) -> None:
        self._service = service
        self._rules = {game.slug: str(game.rules) for game in games}

    def collect(self) -> Iterable[Metric]:
        build = GaugeMetricFamily(
            "tycoon_build_info", "The build of a process.", labels=("service", "version")
        )
        build.add_metric((self._service, version("tycoon")), 1)
        yield build
        rules = GaugeMetricFamily(
            "tycoon_rules_info",
            "The number of the rules that this build decides by, for each game.",
            labels=("service", "game", "rules"),
        )
        for game, number in self._rules.items():
            rules.add_metric((self._service, game, number), 1)
        yield rules
