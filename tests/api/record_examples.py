"""Records the examples of the document: `python -m tests.api.record_examples`.

They are real answers of short matches, played with a fixed clock and written to
`api/examples.json`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.api.server import OPEN, OPERATOR, PERSON, Client, Server, bot

FILE = Path(__file__).parents[2] / "api" / "examples.json"
FIRST: Any = {"dealer": 0}
ANN: Any = {"kind": "person", "name": "Ann"}


def record() -> dict[str, Any]:
    """Answers by operation and status."""
    server = Server(public_url="https://tycoon.example", extra_games="")
    found: dict[str, Any] = {}

    def keep(name: str, answer: Any) -> Any:
        found[f"{name} {answer.status_code}"] = answer.json
        return answer.json

    def keep_problem(answer: Any) -> None:
        found[f"problem {answer.status_code}"] = answer.json

    host, nobody, operator = server.host, server.nobody, server.client(OPERATOR)
    new = {"game": "daifugo", "seats": [ANN, OPEN, bot(), bot("random")], "options": {"rounds": 1}}
    created = keep("createMatch", host.post("/v1/matches", {**new, "chance": FIRST}, key="e1"))
    at = f"/v1/matches/{created['match']['id']}"
    ann = server.client(created["tokens"][0]["token"])
    join = {"code": created["links"][0]["code"], "name": "Bob"}
    bob = server.client(keep("takeSeat", nobody.post(f"{at}/seats", join))["token"])
    keep_problem(nobody.post(f"{at}/seats", {"code": "wrong"}))
    keep("startMatch", ann.post(f"{at}/start"))
    _until_asked(server, [ann, bob], at)
    keep("getMatch", ann.get(at))
    listed = keep("listMoves", ann.get(f"{at}/moves", preview=True))
    keep("askHint", ann.post(f"{at}/hint", {"level": "search", "budget": {"iterations": 50}}))
    server.think_hints()
    keep("getHint", ann.get(f"{at}/hint"))
    body = {"move": listed["moves"][0]["move"], "expected_version": listed["version"]}
    keep("makeMove", ann.post(f"{at}/moves?dry_run=true", body))
    _refusals(server, ann, at, body, keep_problem)
    keep("makeMove", ann.post(f"{at}/moves", body, key="e2"))
    keep("listEvents", bob.get(f"{at}/events", after=4, limit=3))
    keep("renewToken", host.post(f"{at}/seats/1/token"))
    keep("resignMatch", ann.post(f"{at}/resign"))
    keep("erase", host.post("/v1/erasures", {"match": created["match"]["id"], "seat": 1}))
    keep("cancelMatch", host.delete(at))
    keep("listThoughts", _thoughts(server, host))
    keep("listMatches", _listed(server, host))
    keep("listResults", nobody.get("/v1/games/daifugo/results"))
    keep("importMatch", _imported(host, at))
    _series(server, host, keep)
    keep("listGames", nobody.get("/v1/games"))
    keep("getProblem", nobody.get("/problems/daifugo.wrong-count"))
    keep("getLivez", nobody.get("/livez"))
    keep("getReadyz", nobody.get("/readyz"))
    keep("createKey", operator.post("/v1/admin/keys", {"name": "our web site"}, key="e3"))
    keep("listKeys", operator.get("/v1/admin/keys"))
    keep("beginRebuild", operator.post("/v1/admin/rebuilds"))
    keep("getRebuild", operator.get("/v1/admin/rebuilds/2"))
    ended = {"matches": [created["match"]["id"]]}
    server.advance(*ended["matches"])
    keep("archiveMatches", operator.post("/v1/admin/archive", ended))
    keep("getArchive", operator.get("/v1/admin/archive"))
    keep("listArchived", operator.get("/v1/admin/archive/matches"))
    keep("restoreMatches", operator.post("/v1/admin/archive/restore", ended))
    return found


def _until_asked(server: Server, clients: list[Client], at: str) -> None:
    """Lets the bots and the other person play until the first client's seat is asked."""
    match_id = at.rpartition("/")[2]
    for _ in range(100):
        match = clients[0].get(at).json
        seat = match["active"][0]
        if seat == 0:
            return
        if seat < len(clients):
            listed = clients[seat].get(f"{at}/moves").json
            body = {"move": listed["moves"][0]["move"], "expected_version": match["version"]}
            clients[seat].post(f"{at}/moves", body)
        else:
            server.now += match["pace_ms"]
            server.advance(match_id)
    raise RuntimeError("the seat was never asked")


def _refusals(server: Server, ann: Client, at: str, body: Any, keep: Any) -> None:
    """One problem of each status."""
    host, nobody = server.host, server.nobody
    ill = {"type": "play_cards", "cards": ["3C", "4C"]}
    keep(ann.post(f"{at}/moves", {**body, "move": {"type": "fly"}}))
    keep(nobody.get(f"{at}/moves"))
    keep(host.get(f"{at}/moves"))
    keep(nobody.get("/v1/games/chess"))
    keep(ann.post(f"{at}/moves", {**body, "expected_version": 1}))
    keep(ann.get(at, headers={"If-Match": '"older"'}))
    keep(ann.post(f"{at}/moves", {**body, "move": ill}))
    keep(ann.post(f"{at}/moves", {"move": ill}))
    keep(host.ask("POST", "/v1/matches", data=b"x" * 70_000, content_type="application/json"))
    keep(host.ask("POST", "/v1/matches", data=b"x", content_type="text/plain"))
    limited = Server(rate_per_key="1/minute").host
    limited.get("/v1/matches")
    keep(limited.get("/v1/matches"))
    server.store_is_down = True
    keep(nobody.get("/readyz"))
    server.store_is_down = False


def _thoughts(server: Server, host: Client) -> Any:
    table = server.start(
        *(bot("search-20"), bot(), bot(), bot()),
        game="daifugo",
        options={"rounds": 1},
        chance=FIRST,
    )
    server.advance(table.id)
    return host.get(f"{table.at}/thoughts", limit=2)


def _listed(server: Server, host: Client) -> Any:
    for _ in range(2):
        server.advance(server.start(PERSON, OPEN, bot(), bot(), game="daifugo").id)
    return host.get("/v1/matches", limit=1)


def _series(server: Server, host: Client, keep: Any) -> None:
    new = {
        "game": "daifugo",
        "options": {"rounds": 1},
        "bots": [{"level": "search", "budget": {"iterations": 20}}, *[{"level": "greedy"}] * 3],
        "matches": 8,
        "seed": "5e" * 32,
    }
    made = keep("createSeries", host.post("/v1/series", new, key="e4"))
    server.now += 1_000
    server.tycoon.series_worker.work(made["id"])
    keep("getSeries", host.get(f"/v1/series/{made['id']}"))
    server.now += 1_000
    at = f"/v1/series/{host.post('/v1/series', new, key='e5').json['id']}"
    for verb in ("pause", "resume", "cancel"):
        keep(f"{verb}Series", host.post(f"{at}/{verb}"))
    keep("listSeries", host.get("/v1/series", limit=1))


def _imported(host: Client, at: str) -> Any:
    sent = {"data": host.get(f"{at}/export").data, "content_type": "application/x-ndjson"}
    return host.ask("POST", "/v1/matches/import", **sent)


if __name__ == "__main__":
    FILE.write_text(json.dumps(record(), ensure_ascii=False, indent=1, sort_keys=True) + "\n")
