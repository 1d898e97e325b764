"""What commands have in common: options, output for people or programs, exit codes."""

from __future__ import annotations

import functools
import inspect
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Literal

import click
import httpx
import msgspec
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from api.cli.client import TIMEOUT_S, Client, Json, Link, Problem, Unreachable, path
from api.cli.home import Secrets
from api.cli.words import Lang, Words, language, printable

REFUSED = 1
"""Exit code: the server refused, or a check failed. 0 is success, 2 (click's) a usage error."""

UNREACHABLE = 3
"""Exit code: the server can't be reached, is not ready, or failed."""

UNAUTHORIZED = 4
"""Exit code: a key or token is missing, not valid, or may not do this."""

EXIT_CODES = """
\b
Exit codes: 0 done; 1 refused, or a check failed; 2 wrong usage; 3 the server
can't be reached or failed; 4 a key or token is missing, void or not enough.
"""

Key = Literal["api_key", "operator_key"]


@dataclass(frozen=True, slots=True)
class Output:
    """Standard output and standard error, for people or, `as_json`, for programs."""

    as_json: bool
    lang: Lang
    console: Console = field(default_factory=lambda: Console(highlight=False, markup=False))
    errors: Console = field(
        default_factory=lambda: Console(highlight=False, markup=False, stderr=True)
    )

    def show(self, document: Json, human: Callable[[], RenderableType]) -> None:
        """A document: as one line of JSON, or as `human` renders it."""
        if self.as_json:
            click.echo(encoded(document))
        else:
            # A terminal breaks long lines itself, and a link or token can still be copied whole.
            self.console.print(human(), soft_wrap=True)

    def note(self, document: Json, text: str) -> None:
        """The same where a sentence is enough for people."""
        self.show(document, lambda: Text(text))

    def problem(self, document: Json, hint: str = "") -> None:
        """Why something was not done, on standard error."""
        if self.as_json:
            click.echo(encoded(document), err=True)
            return
        self.errors.print(problem_text(document), soft_wrap=True)
        if hint:
            self.errors.print(hint, soft_wrap=True)

    def bar(self, what: str, *, shown: bool = True) -> Progress:
        """How far long work is, for people alone; it goes away at the end."""
        return Progress(
            TextColumn(what),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=self.errors,
            transient=True,
            disable=self.as_json or not shown,
        )

    def words(self, client: Client, game: str) -> Words:
        """A game's titles; a program needs none."""
        if self.as_json:
            return Words(self.lang)
        found = client.get(path("games", game))
        return Words(self.lang, found["texts"], found["name"])


def encoded(document: Json) -> str:
    """JSON in one line."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def problem_text(document: Json) -> Text:
    """`code (rule): sentence`, and a line for each wrong part of the request."""
    rule = f" ({document['rule']})" if document.get("rule") else ""
    lines = [f"{document['code']}{rule}: {document.get('detail', '')}"]
    for error in document.get("errors", ()):
        where = error.get("pointer") or error.get("parameter") or error.get("header") or "/"
        lines.append(f"  {where}: {error.get('detail', '')}")
    return Text("\n".join(map(printable, lines)))


def _url(context: click.Context, parameter: click.Parameter, given: str) -> str:
    try:
        url = httpx.URL(given)
    except httpx.InvalidURL as wrong:
        raise click.BadParameter(f"{given!r} is no address: {wrong}.") from wrong
    if url.scheme not in ("http", "https") or not url.host:
        raise click.BadParameter(f"{given!r} is no http:// or https:// address.")
    return given


def spoken(function: Callable[..., None]) -> Callable[..., None]:
    """Adds `--json` and `--lang`; the command gets an `out: Output` instead."""

    @click.option("--json", "as_json", is_flag=True, help="Print JSON only.")
    @click.option(
        "--lang", type=click.Choice(["en", "ja"]), help="Language of titles. [default: your LANG]"
    )
    @functools.wraps(function)
    def command(*args: Any, as_json: bool, lang: Lang | None, **options: Any) -> None:
        function(*args, out=Output(as_json, lang or language(_locale())), **options)

    return command


def _locale() -> str:
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    return next((os.environ[name] for name in names if os.environ.get(name)), "en")


def _here() -> str:
    """Where `tycoon up` listens with the same settings."""
    host = os.environ.get("TYCOON_HTTP_HOST", "127.0.0.1")
    return f"http://{host}:{os.environ.get('TYCOON_HTTP_PORT', '8000')}"


def online(key: Key = "api_key") -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Adds the options of a command that speaks with a server.

    The command gets `client: Client`, which holds the key, and `out: Output`. A refusal ends it
    with a sentence and the exit code of its kind.
    """
    name = "--" + key.replace("_", "-")
    variable = f"TYCOON_{key.upper()}"

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        @spoken
        @click.option(
            "--url",
            envvar="TYCOON_URL",
            default=_here,
            show_default="where `tycoon up` listens",
            callback=_url,
            help="Where the server is. [TYCOON_URL]",
        )
        @click.option(
            name,
            "credential",
            envvar=variable,
            help=f"[{variable}; else what `tycoon up` keeps in its data folder]",
        )
        @functools.wraps(function)
        def command(
            *args: Any, url: str, credential: str | None, out: Output, **options: Any
        ) -> None:
            hint = f"Give {name} or set {variable}."
            link = click.get_current_context().find_object(Link) or Link()
            with _reported(out, hint), _http(url, link) as http:
                client = Client(http, credential or _kept(url, key), link.pause)
                function(*args, client=client, out=out, **options)

        command.__doc__ = f"{inspect.getdoc(function)}\n{EXIT_CODES}"
        return command

    return decorate


def _http(url: str, link: Link) -> httpx.Client:
    return httpx.Client(base_url=url, transport=link.transport, timeout=TIMEOUT_S)


def _kept(url: str, key: Key) -> str | None:
    """The key that `tycoon up` made here; it is for this machine's server and for no other."""
    if not _is_here(httpx.URL(url).host):
        return None
    try:
        kept = (Path(os.environ.get("TYCOON_DATA_DIR", ".tycoon")) / "secrets.json").read_bytes()
        return str(getattr(msgspec.json.decode(kept, type=Secrets), key))
    except (OSError, msgspec.DecodeError):
        return None  # without a key the server's own answer says what is missing


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@contextmanager
def _reported(out: Output, hint: str) -> Iterator[None]:
    context = click.get_current_context()
    try:
        yield
    except Problem as problem:
        unauthorized = problem.status in (401, 403)
        out.problem(problem.document, hint if problem.code == "auth.required" else "")
        failed = UNREACHABLE if problem.status >= 500 else REFUSED
        context.exit(UNAUTHORIZED if unauthorized else failed)
    except Unreachable as failure:
        out.problem({"code": "server.unreachable", "detail": str(failure)})
        context.exit(UNREACHABLE)
    except UnicodeEncodeError as wrong:
        raise click.UsageError(f"{wrong.object!r} can't be sent: it is no valid text.") from wrong
