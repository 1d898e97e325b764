"""A small client of the HTTP API: all that the command line knows of a server."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

import httpx

PAUSES_S = (0.1, 0.3, 1.0)
"""Waits before a request is sent again, in seconds."""

PATIENCE_S = 5.0
"""The longest `Retry-After` that is waited for."""

TIMEOUT_S = 30.0

Json = Any


class Problem(Exception):
    """A refusal of the server: its status and its RFC 9457 document."""

    def __init__(self, status: int, document: Mapping[str, Any]) -> None:
        super().__init__(document.get("detail", ""))
        self.status = status
        self.document = dict(document)

    @property
    def code(self) -> str:
        """The stable code."""
        return str(self.document.get("code", ""))


class Unreachable(Exception):
    """Nothing that speaks our API answers at the address; the sentence says what happened."""


@dataclass(frozen=True, slots=True)
class Link:
    """How a server is reached, where that is not the network: tests have one in their process.

    `pause` waits for some seconds.
    """

    transport: httpx.BaseTransport | None = None
    pause: Callable[[float], None] = time.sleep


@dataclass(frozen=True, slots=True)
class Client:
    """Requests with one credential.

    Every POST and DELETE carries a fresh `Idempotency-Key`, so it may be sent again where the
    answer was lost: the server carries it out once. `pause` is the link's.
    """

    http: httpx.Client
    credential: str | None = None
    pause: Callable[[float], None] = time.sleep

    def holding(self, credential: str) -> Client:
        """The same connection with another key or token."""
        return replace(self, credential=credential)

    def get(self, path: str, **query: object) -> Json:
        """What the server has at a path.

        Raises:
            Problem: refused.
            Unreachable: no answer, or none of ours.
        """
        return _document(self._send("GET", path, query=query))

    def raw(self, path: str) -> bytes:
        """The same where the answer is no JSON document."""
        return self._send("GET", path).content

    def stream(self, path: str) -> Iterator[bytes]:
        """The same for what is too long to be held at once: part by part. It is asked for once.

        Raises:
            Problem, Unreachable: as `get`; or the answer breaks off.
        """
        request = self.http.build_request("GET", path, headers=self._headers())
        try:
            response = self.http.send(request, stream=True)
            try:
                if not response.is_success:
                    response.read()
                yield from _checked(response).iter_bytes()
            finally:
                response.close()
        except httpx.TransportError as failed:
            raise Unreachable(f"{self.http.base_url} does not answer ({failed}).") from failed

    def lines(self, path: str) -> Iterator[str]:
        """A long answer line by line. Raises as `stream`."""
        left = b""
        for part in self.stream(path):
            *whole, left = (left + part).split(b"\n")
            yield from (line.decode() for line in whole)

    def post(self, path: str, body: Json) -> Json:
        """The answer to a command. Raises as `get`."""
        return _document(self._send("POST", path, body=body))

    def delete(self, path: str) -> None:
        """Takes something away. Raises as `get`."""
        self._send("DELETE", path)

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: Json = None,
    ) -> httpx.Response:
        headers = self._headers()
        if method != "GET":
            headers["Idempotency-Key"] = secrets.token_urlsafe(24)
        request = self.http.build_request(
            method, path, params=_params(query or {}), json=body, headers=headers
        )
        for pause in PAUSES_S:
            try:
                response = self.http.send(request)
            except httpx.TransportError:
                self.pause(pause)
                continue
            if not _again(response):
                return _checked(response)
            self.pause(float(response.headers.get("Retry-After", pause)))
        try:
            return _checked(self.http.send(request))
        except httpx.TransportError as failed:
            raise Unreachable(f"{self.http.base_url} does not answer ({failed}).") from failed

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.credential}"} if self.credential else {}


def path(*parts: str) -> str:
    """A path of the API; what a user typed stays one part of it."""
    return "/v1/" + "/".join(quote(part, safe="") for part in parts)


def _params(query: Mapping[str, object]) -> dict[str, str]:
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in query.items()
        if value is not None
    }


def _again(response: httpx.Response) -> bool:
    """Whether the server asks to be asked again, and soon."""
    if response.status_code not in (429, 503):
        return False
    wait = response.headers.get("Retry-After", "0" if response.status_code == 503 else "")
    return wait.isdecimal() and int(wait) <= PATIENCE_S


def _checked(response: httpx.Response) -> httpx.Response:
    if response.is_success:
        return response
    document = _document(response)
    if not isinstance(document, dict) or "code" not in document:
        raise _stranger(response)
    raise Problem(response.status_code, document)


def _document(response: httpx.Response) -> Json:
    try:
        return response.json()
    except ValueError as wrong:
        raise _stranger(response) from wrong


def _stranger(response: httpx.Response) -> Unreachable:
    return Unreachable(
        f"What answers at {response.url.copy_with(path='/', query=None)} is no Tycoon: "
        f"status {response.status_code}, {response.headers.get('Content-Type', 'no content type')}."
    )
