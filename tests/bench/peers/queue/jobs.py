"""The same no-op job for each task queue, counted in Redis.
Each job does one pipeline: RPUSH start-latency, so the driver can wait for the count. BENCH_LAT=0: only INCR every job."""
import os, time
import redis
PORT = int(os.environ.get("REDIS_PORT", "6390"))
URL = f"redis://127.0.0.1:{PORT}/0"
_r = None


def r():
    global _r
    if _r is None:
        _r = redis.Redis(port=PORT, db=1)
    return _r


def work(sent):
    """record send->start latency in ms (one redis round trip, the same for every queue)"""
    r().rpush("lat", "%.4f" % ((time.time() - sent) * 1e3))
