"""Minimal Flask baselines: JSON in, JSON out; optionally one Redis round trip."""
import os
import redis
from flask import Flask, request, jsonify

app = Flask(__name__)
R = redis.Redis(host="127.0.0.1", port=int(os.environ.get("REDIS_PORT", "6390")), decode_responses=False)
LUA = R.register_script(
    'local v=redis.call("HINCRBY",KEYS[2],"v",1) '
    'redis.call("XADD",KEYS[1],tostring(v).."-0","d",ARGV[1]) return v')


@app.post("/echo")
def echo():
    d = request.get_json()
    return jsonify(ok=True, match=d["match"], version=d["version"] + 1)


@app.post("/ping")
def ping():
    d = request.get_json()
    R.ping()
    return jsonify(ok=True, match=d["match"], version=d["version"] + 1)


@app.post("/append")
def append():
    d = request.get_json()
    m = d["match"]
    v = LUA(keys=[f"s:{m}", f"v:{m}"], args=[request.get_data()])
    return jsonify(ok=True, match=m, version=v)


def raw(environ, start_response):
    """bare WSGI, no framework"""
    import json
    d = json.loads(environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)))
    b = json.dumps({"ok": True, "match": d["match"], "version": d["version"] + 1}).encode()
    start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(b)))])
    return [b]
