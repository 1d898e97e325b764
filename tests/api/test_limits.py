"""Limits: rates, open matches."""

from __future__ import annotations

import math
from typing import Any

import pytest
import structlog
from limits import parse

from api import rates as rates_module
from api.rates import AWAY_MS, SHARE, Rates, Window
from services.matches.access import Caller
from shared.errors import TooMany, Unavailable
from shared.rates import MemoryTally
from shared.settings import Settings, SettingsError
from tests.api.server import API_KEY, OPERATOR, OTHER_KEY, PERSON, Client, Server, refused

NEW = {"game": "tictactoe", "seats": [PERSON, PERSON]}
HOUR_MS = 3_600_000
QUIET = structlog.wrap_logger(None, processors=[lambda logger, method, facts: facts["event"]])


def test_a_keys_rate_is_its_own_and_comes_back() -> None:
    server = Server(rate_per_key="3/minute")
    for _ in range(3):
        assert server.host.get("/v1/matches").status_code == 200

    answer = server.host.get("/v1/matches")

    refused(answer, 429, "request.too-many")
    wait = int(answer.headers["Retry-After"])
    assert 1 <= wait <= 60
    assert server.client(OTHER_KEY).get("/v1/matches").status_code == 200
    assert server.nobody.get("/v1/matches").status_code == 200
    server.now += (wait - 1) * 1_000
    refused(server.host.get("/v1/matches"), 429, "request.too-many")
    server.now += 1_000
    assert server.host.get("/v1/matches").status_code == 200


@pytest.mark.parametrize("past_ms", [0, 1, 500, 999, 1_000, 19_999, 20_001, 59_001, 59_999])
def test_retry_after_is_the_least_number_of_seconds_after_which_a_request_passes(
    past_ms: int,
) -> None:
    server = Server(rate_per_key="2/minute")
    server.now += 60_000 - server.now % 60_000 + past_ms
    for _ in range(2):
        assert server.host.get("/v1/matches").status_code == 200

    answer = server.host.get("/v1/matches")

    refused(answer, 429, "request.too-many")
    wait, refused_at = int(answer.headers["Retry-After"]), server.now
    assert wait == math.ceil((60_000 - past_ms) / 1_000)
    assert str(wait) == answer.headers["Retry-After"]
    server.now = refused_at + (wait - 1) * 1_000
    refused(server.host.get("/v1/matches"), 429, "request.too-many")
    server.now = refused_at + 60_000 - past_ms - 1
    refused(server.host.get("/v1/matches"), 429, "request.too-many")
    server.now = refused_at + wait * 1_000
    assert server.host.get("/v1/matches").status_code == 200


def test_all_processes_of_the_api_have_one_count() -> None:
    server = Server(rate_per_key="3/minute")
    other = Client(server.make_app(), API_KEY)
    assert [c.get("/v1/matches").status_code for c in (server.host, other, server.host)] == [
        200
    ] * 3
    for client in (server.host, other):
        refused(client.get("/v1/matches"), 429, "request.too-many")
    assert Client(other.app, OTHER_KEY).get("/v1/matches").status_code == 200


class Spied(MemoryTally):
    """Tells what it was asked, and can be away."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[int] = []
        self.away = False

    def add(self, name: str, amount: int, keep_s: int) -> int:
        self.asked.append(amount)
        if self.away:
            raise Unavailable("store.unavailable", "It does not answer.")
        return super().add(name, amount, keep_s)


class Process:
    """Rates of one process, with a clock that stands still."""

    def __init__(self, tally: MemoryTally, rate: str) -> None:
        self.now = 0
        self.lines: list[str] = []
        log = structlog.wrap_logger(None, processors=[self._line])
        self.rates = Rates(Settings(rate_per_key=rate), lambda: self.now, tally, log)

    def _line(self, logger: Any, method: str, facts: Any) -> Any:
        self.lines.append(facts["event"])
        raise structlog.DropEvent

    def let_in(self, requests: int, name: str = "host") -> int:
        """How many of these requests were."""
        return sum(self._try(name) for _ in range(requests))

    def _try(self, name: str) -> bool:
        try:
            self.rates.count(Caller("key", name), "192.0.2.1")
        except TooMany:
            return False
        return True


def test_who_is_far_below_the_limit_costs_nothing_and_a_flood_costs_nothing_more() -> None:
    tally = Spied()
    process = Process(tally, "200/second")
    batch = 200 // SHARE
    assert process.let_in(batch - 1) == batch - 1
    assert tally.asked == []
    assert process.let_in(1_000) == 200 - (batch - 1)
    assert tally.asked == [batch] * SHARE


def test_further_processes_let_in_at_most_a_twentieth_more_each() -> None:
    tally = Spied()
    processes = [Process(tally, "200/second") for _ in range(4)]
    let_in = sum(p.let_in(1) for _ in range(300) for p in processes)
    assert 200 <= let_in <= 200 + len(processes) * (200 // SHARE)
    for process in processes:
        process.now += 1_000
    assert sum(p.let_in(25) for p in processes) == 100


def test_while_the_tally_is_away_each_process_counts_alone_and_says_so_once() -> None:
    tally = Spied()
    tally.away = True
    one, two = Process(tally, "3/minute"), Process(tally, "3/minute")
    assert (one.let_in(9), two.let_in(9)) == (3, 3)
    assert one.lines == ["rates_not_shared"]
    assert tally.asked == [1, 1], "it is left alone for a while"
    one.now += AWAY_MS
    assert one.let_in(9, "other") == 3
    assert one.lines == ["rates_not_shared"]

    tally.away = False
    one.now += 60_000
    assert one.let_in(9) == 3
    assert one.lines == ["rates_not_shared", "rates_shared_again"]
    two.now = one.now
    assert two.let_in(9) == 0


def test_a_tally_that_was_away_for_a_wrong_clock_is_asked_again() -> None:
    tally = Spied()
    process = Process(tally, "3/minute")
    tally.away = True
    process.now += HOUR_MS
    process.let_in(1)
    tally.away = False
    process.now -= HOUR_MS
    process.let_in(1)
    assert process.lines == ["rates_not_shared", "rates_shared_again"]


def test_a_tally_that_is_away_stops_no_play() -> None:
    server = Server(rate_per_key="15/minute", rate_per_seat="15/minute")
    server.tally = spied = Spied()
    spied.away = True
    server.app = server.make_app()
    table = server.start(PERSON, PERSON)
    assert table.move(table.active()[0]).status_code == 201
    assert [line["event"] for line in server.lines].count("rates_not_shared") == 1


def test_a_seats_rate_is_apart_from_its_neighbours() -> None:
    server = Server(rate_per_seat="2/second")
    table = server.start(PERSON, PERSON)
    for _ in range(3):  # the first counts for the address: a token is not known before
        assert table.seats[0].get(table.at).status_code == 200
    refused(table.seats[0].get(table.at), 429, "request.too-many")
    assert table.seats[1].get(table.at).status_code == 200


STRANGERS = [None, "tys_0_{}", "tyk_unknown1_{}", "tyk_bad", "nonsense"]


@pytest.mark.parametrize("form", STRANGERS)
def test_who_shows_nothing_valid_is_counted_by_address(form: str | None) -> None:
    server = Server(rate_per_seat="3/second")
    table = server.start(PERSON, PERSON)
    seated = table.seats[0]
    assert seated.get(table.at).status_code == 200

    def ask(number: int, address: str) -> int:
        client = server.client(form and form.format("abcdefgh"[number] * 32))
        given = {"environ_overrides": {"REMOTE_ADDR": address}}
        return int(client.ask("GET", f"{table.at}?version=1", **given).status_code)

    first = 200 if form is None else 401
    assert [ask(number, "192.0.2.1") for number in range(5)] == [first] * 3 + [429] * 2
    assert ask(5, "192.0.2.2") == first
    given = {"environ_overrides": {"REMOTE_ADDR": "192.0.2.1"}}
    assert seated.ask("GET", table.at, **given).status_code == 200
    server.now += 1_000
    assert ask(6, "192.0.2.1") == first


def test_a_token_that_a_match_refused_is_not_known_afterwards() -> None:
    server = Server(rate_per_seat="2/second")
    table, other = server.start(PERSON, PERSON), server.start(PERSON, PERSON)
    stranger = server.client(other.seats[0].credential)
    for _ in range(2):
        refused(stranger.get(table.at), 401, "auth.bad-token")
    refused(stranger.get(table.at), 429, "request.too-many")


def test_the_operator_has_no_rate() -> None:
    server = Server(rate_per_seat="1/minute", rate_per_key="1/minute")
    for _ in range(3):
        assert server.client(OPERATOR).get("/v1/admin/keys").status_code == 200


def test_known_tokens_are_forgotten_rather_than_kept_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rates_module, "PROVEN", 2)
    rates = Rates(Settings(rate_per_seat="1/second"), lambda: 0, MemoryTally(), QUIET)
    for name in "abc":
        rates.prove(Caller("seat", name))

    rates.count(Caller("seat", "c"), "192.0.2.1")  # known: the seat's
    rates.count(Caller("seat", "a"), "192.0.2.1")  # forgotten: the address's
    with pytest.raises(TooMany):
        rates.count(Caller("seat", "b"), "192.0.2.1")


def test_a_rate_that_cannot_be_read_is_a_setting_that_cannot_be_used() -> None:
    with pytest.raises(SettingsError, match="TYCOON_RATE_PER_SEAT"):
        Server(rate_per_seat="many")


def test_a_key_has_so_many_open_matches_and_no_more() -> None:
    server = Server(open_matches_limit=3)
    made = [server.host.post("/v1/matches", NEW, key=f"k{number}") for number in range(3)]
    assert all(answer.status_code == 201 for answer in made)
    at = [f"/v1/matches/{answer.json['match']['id']}" for answer in made]

    before = server.snapshot()
    answer = server.host.post("/v1/matches", NEW)

    refused(answer, 429, "match.too-many-open")
    assert answer.headers["Retry-After"] == "60"
    assert server.snapshot() == before
    # What was created before is answered again, and another key is not concerned.
    assert server.host.post("/v1/matches", NEW, key="k0").data == made[0].data
    assert server.client(OTHER_KEY).post("/v1/matches", NEW).status_code == 201
    server.host.delete(at[0])
    for path in at:
        server.advance(path.rpartition("/")[2])
    server.now += 2_000
    assert server.host.post("/v1/matches", NEW).status_code == 201
    refused(server.host.post("/v1/matches", NEW), 429, "match.too-many-open")


def test_a_revoked_key_works_no_longer_than_two_seconds_elsewhere() -> None:
    server = Server()
    assert server.host.get("/v1/matches").status_code == 200
    server.keystore.revoke(API_KEY.split("_")[1])  # by another process
    server.now += 2_000
    refused(server.host.get("/v1/matches"), 401, "auth.bad-key")


def test_what_was_looked_up_by_a_wrong_clock_is_not_believed_for_hours() -> None:
    server = Server(open_matches_limit=1)
    server.now += HOUR_MS
    made = server.host.post("/v1/matches", NEW).json["match"]["id"]
    refused(server.host.post("/v1/matches", NEW), 429, "match.too-many-open")
    server.now -= HOUR_MS
    server.host.delete(f"/v1/matches/{made}")
    server.advance(made)
    assert server.host.post("/v1/matches", NEW).status_code == 201
    server.now += HOUR_MS
    assert server.host.get("/v1/matches").status_code == 200
    server.now -= HOUR_MS
    server.keystore.revoke(API_KEY.split("_")[1])  # by another process
    refused(server.host.get("/v1/matches"), 401, "auth.bad-key")


def test_a_thread_that_comes_late_does_not_open_the_last_window_again() -> None:
    told: list[int] = []

    def tell(name: str, number: int, asked: int) -> int:
        told.append(number)
        return told.count(number)

    window = Window(parse("3/second"), tell)
    taken = [window.take("a", now) for now in (1_000, 2_000, 1_999, 2_000, 1_999)]
    assert taken == [True, True, True, True, False]
    assert told[1:] == [2, 2, 2]
    assert window.take("a", 0), "a clock that was set back begins anew"


@pytest.mark.parametrize(
    ("proxies", "sent", "refusals"),
    [
        (1, ["198.51.100.1", "198.51.100.2"], [False, False]),
        (1, ["198.51.100.1", "6.6.6.6, 198.51.100.1"], [False, True]),
        (2, ["198.51.100.1, 10.0.0.1", "198.51.100.2, 10.0.0.1"], [False, False]),
        (0, ["198.51.100.1", "198.51.100.2"], [False, True]),
    ],
    ids=["each its own", "what a caller makes up counts for nothing", "two", "none is trusted"],
)
def test_behind_proxies_every_caller_has_its_own_rate(
    proxies: int, sent: list[str], refusals: list[bool]
) -> None:
    server = Server(rate_per_seat="1/minute", trusted_proxies=proxies)
    match = server.start(PERSON, PERSON)
    answers = [
        server.nobody.get(match.at, headers={"X-Forwarded-For": addresses}) for addresses in sent
    ]
    assert [answer.status_code == 429 for answer in answers] == refusals


def test_a_proxy_says_nothing_but_the_address() -> None:
    server = Server(trusted_proxies=1)
    others = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "gopher"}
    made = server.host.post(
        "/v1/matches",
        {"game": "tictactoe", "seats": [{"kind": "open"}, PERSON]},
        headers={**others, "X-Forwarded-Prefix": "/evil"},
    )
    assert made.status_code == 201
    assert "evil" not in made.text + repr(made.headers)
    assert "gopher" not in made.text
