"""Whatever is sent, the answer is never a 5xx; a refusal is a problem and changes nothing."""

from __future__ import annotations

import json
import random
from typing import Any
from urllib.parse import quote

import pytest

from tests.api.server import API_KEY, OPEN, OPERATOR, OTHER_KEY, PERSON, Server, bot, document

ROUNDS = 12
OPERATIONS = [
    (path, method.upper(), operation["operationId"])
    for path, method, operation in document().operations()
]
TEXTS = [
    *("", " ", "0", "-1", "true", "null", "tictactoe", "daifugo", "m_" + "a" * 26, "x" * 5_000),
    *(
        "\x00",
        "\n",
        "é",
        "大富豪",
        "\U0001f0cf",
        "\u202e",
        "..",
        "../../etc/passwd",
        "%",
        "%00",
        "{}",
    ),
    *(
        "{}",
        "'; DROP TABLE",
        "<script>",
        "tys_0_" + "a" * 32,
        "\ud800",
        "9" * 30,
        "1e9",
        "NaN",
        "٣",
    ),
]
VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 16, 2**31, 2**63 - 1, -(2**63), 1.5, -0.0, 1e308),
    *([], {}, [[]], [{}], {"": {}}, {"type": "place"}, {"type": []}, ["place"], {"at": 1}),
]
RAW = [
    *(b"", b"\x00", b"\xff\xfe", b"{", b"[", b"[]", b"null", b"{}", b"{}" * 3, b"[" * 9_000),
    *(b'{"a":' * 9_000, b"9" * 9_000, b'{"move": NaN}', b'{"a":1,"a":2}', b'"\\ud800"', b"\n" * 9),
]


class Fuzz:
    """Requests at random around matches in every status."""

    def __init__(self, seed: str) -> None:
        self.dice = random.Random(seed)
        self.server = Server()
        waiting = self.server.start(PERSON, OPEN)
        running = self.server.start(PERSON, bot(), game="tictactoe")
        cards = self.server.start(*[PERSON] * 4, game="daifugo", visibility="private")
        ended = self.server.start(bot(), bot())
        self.server.advance(ended.id)
        self.matches = [table.id for table in (waiting, running, cards, ended)]
        self.series = [self._series(done) for done in (False, True)]
        self.names = self._names()
        self.credentials = [
            *(None, API_KEY, OTHER_KEY, OPERATOR, "nonsense", "tyk_x_y", "tys_0_", "\x7f"),
            *(c.credential for t in (waiting, running, cards) for c in t.seats.values()),
        ]

    def _series(self, done: bool) -> str:
        bots = [{"level": "greedy"}, {"level": "random"}]
        new = {"game": "tictactoe", "bots": bots, "matches": 4, "keep": "all"}
        made: str = self.server.host.post("/v1/series", new).json["id"]
        if done:
            self.server.tycoon.series_worker.work(made)
        return made

    def _names(self) -> list[str]:
        schemas = document().content["components"]["schemas"]
        return sorted(
            {name for schema in schemas.values() for name in schema.get("properties", ())}
        )

    def value(self, depth: int = 0) -> Any:
        kind = self.dice.random()
        if kind < 0.3 or depth > 3:
            return self.dice.choice(VALUES)
        if kind < 0.55:
            return self.dice.choice(TEXTS)
        if kind < 0.7:
            return [self.value(depth + 1) for _ in range(self.dice.randrange(4))]
        names = self.dice.sample(self.names, self.dice.randrange(5)) + self.dice.sample(TEXTS, 1)
        return {name: self.value(depth + 1) for name in names}

    def body(self, example: Any) -> bytes:
        kind = self.dice.random()
        if kind < 0.2:
            return self.dice.choice(RAW)
        if kind < 0.3:
            return self.dice.randbytes(self.dice.randrange(200))
        changed = json.loads(json.dumps(example)) if isinstance(example, dict) else {}
        for _ in range(self.dice.randrange(3)):
            name = self.dice.choice([*changed, *self.dice.sample(self.names, 2)])
            changed[name] = self.value()
        return json.dumps(changed).encode()

    def path(self, template: str) -> str:
        parts = []
        for part in template.split("/"):
            if part == "{match_id}" and self.dice.random() < 0.8:
                part = self.dice.choice(self.matches)
            elif part == "{series_id}" and self.dice.random() < 0.8:
                part = self.dice.choice(self.series)
            elif part == "{match}" and self.dice.random() < 0.8:
                part = str(self.dice.choice([0, 3, 4, 10**9 - 1]))
            elif part == "{game}" and self.dice.random() < 0.6:
                part = self.dice.choice(["tictactoe", "daifugo"])
            elif part.startswith("{"):
                part = quote(self.dice.choice(TEXTS), safe="", errors="surrogatepass")
            parts.append(part)
        return "/".join(parts)

    def query(self) -> dict[str, str]:
        names = self.dice.sample([*self.names, "dry_run", "limit", "after", "cursor"], 2)
        chosen = names[: self.dice.choice([0, 0, 1, 2])]
        return {name: self._clean(self.dice.choice(TEXTS)) for name in chosen}

    def headers(self) -> dict[str, str]:
        found = {"X-Request-Id": self._header(), "Accept-Language": self._header()}
        if self.dice.random() < 0.4:
            found["Idempotency-Key"] = self.dice.choice(["k", "a-key-of-some-length", "", "é"])
        if self.dice.random() < 0.3:
            found["If-None-Match"] = self.dice.choice(['W/"v3"', "*", '"', "é", ",,,"])
        return found

    def _header(self) -> str:
        text = self.dice.choice(TEXTS).encode("latin-1", "ignore").decode("latin-1")
        return text.replace("\n", "").replace("\x00", "")

    @staticmethod
    def _clean(text: str) -> str:
        return text.encode("utf-8", "ignore").decode()

    def type(self) -> str:
        kinds = ["application/json"] * 8 + ["application/x-ndjson", "text/plain", "", "a/b; c=\xff"]
        return self.dice.choice(kinds)


@pytest.mark.parametrize(("path", "method", "name"), OPERATIONS, ids=[o[2] for o in OPERATIONS])
def test_malformed_requests(path: str, method: str, name: str) -> None:
    fuzz = Fuzz(name)
    item = document().content["paths"][path][method.lower()]
    content = item.get("requestBody", {}).get("content", {}).get("application/json", {})
    for _ in range(ROUNDS * (4 if content else 1)):
        wrong = fuzz.dice.random() < 0.05
        asked = fuzz.dice.choice(["PUT", "PATCH", "DELETE", "TRACE", "X"]) if wrong else method
        before = fuzz.server.snapshot()
        answer = fuzz.server.client(fuzz.dice.choice(fuzz.credentials)).ask(
            asked,
            fuzz.path(path),
            data=fuzz.body(content.get("example")),
            content_type=fuzz.type(),
            query_string=fuzz.query(),
            headers=fuzz.headers(),
        )
        assert answer.status_code < 500 or name == "getReadyz", answer.text
        if answer.status_code >= 400:
            assert answer.mimetype == "application/problem+json"
            assert fuzz.server.snapshot() == before
    assert not [line for line in fuzz.server.lines if line["level"] == "error"]


def test_transcripts_with_one_byte_changed() -> None:
    server = Server()
    dice = random.Random(7)
    for game, seats in (("tictactoe", 2), ("daifugo", 4)):
        options = {"rounds": 1} if game == "daifugo" else {}
        table = server.start(*[bot()] * seats, game=game, options=options)
        server.advance(table.id)
        if server.host.get(table.at).json["status"] != "ended":
            server.host.delete(table.at)
        good = server.host.get(f"{table.at}/export").data
        for _ in range(150):
            bad = bytearray(good)
            at = dice.randrange(len(bad))
            bad[at : at + dice.randrange(1, 3)] = dice.choice(
                [
                    b"",
                    b"9",
                    b'"',
                    b"-",
                    b"[]",
                    b"{}",
                    b"null",
                    b"1.5",
                    b"\xff",
                    bytes([bad[at] ^ 1]),
                ]
            )
            answer = server.host.ask(
                "POST",
                "/v1/matches/import",
                data=bytes(bad),
                content_type="application/x-ndjson",
            )
            assert answer.status_code < 500, (answer.text, bytes(bad[at - 60 : at + 60]))
    assert not [line for line in server.lines if line["level"] == "error"]
