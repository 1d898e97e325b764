"""eventsourcing (pip) commands/s for a tiny aggregate. python es.py [secs] [runs].
command = load aggregate from repository by id, decide, trigger event, save (the library's documented pattern)."""
import os, sys, time, tempfile, statistics as st
from uuid import uuid4
SECS = float(sys.argv[1]) if len(sys.argv) > 1 else 2
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 3
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event


class Match(Aggregate):
    @event("Started")
    def __init__(self, players): self.players = players; self.cells = {}; self.turn = 0

    @event("Placed")
    def place(self, at, player): self.cells[at] = player; self.turn += 1


class Game(Application):
    def start(self):
        m = Match(["a", "b"]); self.save(m); return m.id

    def place(self, mid):
        m = self.repository.get(mid); m.place(m.turn % 9, "ab"[m.turn % 2]); self.save(m)


def bench(label, env, per_match, keep=False):
    rows = []
    for _ in range(RUNS):
        app = Game(env=env); n = 0; lat = []; t0 = time.perf_counter()
        while time.perf_counter() - t0 < SECS:
            mid = app.start(); m = None
            if keep: m = app.repository.get(mid)
            for _ in range(per_match):
                a = time.perf_counter()
                if keep: m.place(m.turn % 9, "ab"[m.turn % 2]); app.save(m)
                else: app.place(mid)
                lat.append(time.perf_counter() - a); n += 1
        d = time.perf_counter() - t0; lat.sort(); rows.append((n / d, lat[len(lat) // 2] * 1e3, lat[int(len(lat) * .99)] * 1e3)); app.close()
    r = sorted(rows)[len(rows) // 2]
    print(f"{label:60s} commands/s med={r[0]:.0f} [{min(x[0] for x in rows):.0f}-{max(x[0] for x in rows):.0f}] p50_ms={r[1]:.3f} p99_ms={r[2]:.3f}", flush=True)


pop = {"PERSISTENCE_MODULE": "eventsourcing.popo"}
sql = lambda f: {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": f}
cache = {"AGGREGATE_CACHE_MAXSIZE": "1000"}
d = tempfile.mkdtemp()
for k in (30, 300):
    bench(f"POPO, {k} events/aggregate, replay each command", pop, k)
    bench(f"SQLite file, {k} events/aggregate, replay each command", sql(f"{d}/{k}.db"), k)
bench("POPO, 30, aggregate cache", {**pop, **cache}, 30)
bench("SQLite file, 30, aggregate cache", {**sql(d + "/c.db"), **cache}, 30)
bench("POPO, 30, aggregate object kept (no repository)", pop, 30, True)


def replay(label, env, k=500):
    app = Game(env=env); mid = app.start()
    for _ in range(k - 1): app.place(mid)
    rows = []
    for _ in range(RUNS):
        n = 0; t0 = time.perf_counter()
        while time.perf_counter() - t0 < SECS / 2: app.repository.get(mid); n += 1
        rows.append(n * k / (time.perf_counter() - t0))
    print(f"{label:60s} replayed events/s med={st.median(rows):.0f} [{min(rows):.0f}-{max(rows):.0f}]", flush=True)


replay("replay 500-event aggregate, POPO", pop); replay("replay 500-event aggregate, SQLite", sql(d + "/r.db"))
