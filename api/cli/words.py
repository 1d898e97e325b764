"""Titles in the reader's language: a game's own from the catalogue, a match's from here."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Lang = Literal["en", "ja"]

MATCH_TEXTS: Mapping[str, Mapping[Lang, str]] = {
    "match.created": {"en": "Match created", "ja": "対戦が作られた"},
    "match.seat_joined": {"en": "Seat taken", "ja": "着席"},
    "match.seat_left": {"en": "Seat left", "ja": "離席"},
    "match.client_seed_given": {"en": "Seed of a seat", "ja": "席の乱数シード"},
    "match.seat_filled": {"en": "Seat given to a bot", "ja": "ボットが着席"},
    "match.started": {"en": "Match started", "ja": "対戦開始"},
    "match.seat_resigned": {"en": "Resigned", "ja": "投了"},
    "match.timed_out": {"en": "Out of time", "ja": "時間切れ"},
    "match.fault_recorded": {"en": "A bot failed", "ja": "ボットの不具合"},
    "match.ended": {"en": "Match over", "ja": "対戦終了"},
    "waiting": {"en": "waiting", "ja": "待機中"},
    "running": {"en": "running", "ja": "対戦中"},
    "ended": {"en": "over", "ja": "終了"},
    "completed": {"en": "played to the end", "ja": "最後まで対戦"},
    "resigned": {"en": "resigned", "ja": "投了"},
    "abandoned": {"en": "abandoned", "ja": "全員離席"},
    "expired": {"en": "expired", "ja": "期限切れ"},
    "cancelled": {"en": "cancelled", "ja": "取り消し"},
    "person": {"en": "person", "ja": "人"},
    "bot": {"en": "bot", "ja": "ボット"},
    "agent": {"en": "agent", "ja": "エージェント"},
    "open": {"en": "open", "ja": "空席"},
    "seat": {"en": "seat", "ja": "席"},
    "place": {"en": "place", "ja": "順位"},
    "score": {"en": "score", "ja": "得点"},
    "holder": {"en": "holder", "ja": "担当"},
    "you": {"en": "you", "ja": "あなた"},
    "to_move": {"en": "to move", "ja": "手番"},
    "version": {"en": "version", "ja": "版"},
    "your_moves": {"en": "Your moves", "ja": "あなたの手"},
    "waiting_for_others": {"en": "Waiting for the others", "ja": "相手を待っています"},
}
"""What no game's catalogue names."""


def language(locale: str) -> Lang:
    """The language of a `LANG` such as `ja_JP.UTF-8`; English for every other than Japanese."""
    return "ja" if locale.lower().startswith("ja") else "en"


@dataclass(frozen=True, slots=True)
class Words:
    """Titles by code. `texts` and the game's `name` are the catalogue's, by language."""

    lang: Lang
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    name: Mapping[str, str] = field(default_factory=dict)

    def known(self, code: str) -> str | None:
        """The title of a code; `None` where nobody names it."""
        titles = self.texts.get(code) or MATCH_TEXTS.get(code)
        return None if titles is None else printable(str(titles[self.lang]))

    def title(self, code: str) -> str:
        """The title of a code; one that nobody names is made readable."""
        return self.known(code) or printable(code.rpartition(".")[2].replace("_", " "))

    def our(self, code: str) -> str:
        """A word of ours, whatever a game means by the same code."""
        return MATCH_TEXTS[code][self.lang]

    def game(self, slug: str) -> str:
        """What the game is called."""
        return printable(self.name.get(self.lang, slug))

    def value(self, value: Any) -> str:
        """A JSON value in one line."""
        if value is None:
            return "-"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, str):
            return self.known(value) or printable(value)
        if isinstance(value, list):
            brackets = any(isinstance(item, list | dict) for item in value)
            return (", " if brackets else " ").join(map(self.value, value)) or "-"
        if isinstance(value, dict):
            return self.fields(value)
        return str(value)

    def fields(self, values: Mapping[str, Any], *leave_out: str) -> str:
        """The members of a JSON object in one line; those without a value say nothing."""
        return "  ".join(
            f"{self.title(name)} {self.value(value)}"
            for name, value in values.items()
            if value not in (None, []) and name not in leave_out
        )


def printable(text: str) -> str:
    """Text that other people chose must not steer our terminal."""
    return "".join("\ufffd" if unicodedata.category(c) in ("Cc", "Cf") else c for c in text)
