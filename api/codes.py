"""Every code that a problem can have: its status, and titles for people.

A code keeps its meaning and its status for ever. The codes of a game are titled by the game's own
`texts`; all of them are refused moves or options, 422.
"""

from __future__ import annotations

from typing import NamedTuple

from shared.game import AnyGame, Text

GAME_STATUS = 422


class Problem(NamedTuple):
    """What a code stands for."""

    status: int
    title: Text


def _problem(status: int, en: str, ja: str) -> Problem:
    return Problem(status, Text(en=en, ja=ja))


CODES = {
    "archive.unavailable": _problem(503, "The archive can't be reached", "保管庫を利用できません"),
    "auth.bad-header": _problem(401, "Credential can't be read", "認証情報を読み取れません"),
    "auth.bad-key": _problem(401, "Key not valid", "キーが無効です"),
    "auth.bad-token": _problem(401, "Seat token not valid", "席のトークンが無効です"),
    "auth.key-required": _problem(403, "API key required", "APIキーが必要です"),
    "auth.key-revoked": _problem(409, "Key revoked", "キーは失効しています"),
    "auth.no-seat": _problem(403, "You hold no seat", "席についていません"),
    "auth.not-owner": _problem(403, "Not your match", "この対戦の管理者ではありません"),
    "auth.operator-required": _problem(403, "Operators only", "運営者専用です"),
    "auth.required": _problem(401, "Credential required", "認証が必要です"),
    "auth.unknown-key": _problem(404, "No such API key", "そのAPIキーはありません"),
    "game.no-rules": _problem(404, "No rules text", "ルール文書がありません"),
    "game.unknown": _problem(404, "No such game", "そのゲームはありません"),
    "hint.in-work": _problem(429, "Still thinking", "前のヒントを考えています"),
    "hint.none": _problem(404, "No hint", "ヒントがありません"),
    "hint.off": _problem(403, "No hints here", "ヒントは提供していません"),
    "match.already-started": _problem(409, "Already started", "すでに始まっています"),
    "match.bad-budget": _problem(422, "Not a budget", "思考量の指定が正しくありません"),
    "match.bad-proof": _problem(422, "Draws don't fit the seed", "乱数の証明が合いません"),
    "match.bad-transcript": _problem(400, "Not a valid transcript", "棋譜が正しくありません"),
    "match.exists": _problem(409, "Match exists already", "対戦はすでに存在します"),
    "match.impossible-draw": _problem(422, "Impossible draw", "ありえない抽選結果です"),
    "match.level-without-bot": _problem(422, "Level without a bot", "ボット以外に強さの指定です"),
    "match.nobody-there": _problem(422, "An open seat has no holder", "空席に情報は付けられません"),
    "match.not-over": _problem(409, "Not over yet", "まだ終わっていません"),
    "match.not-started": _problem(409, "Not started yet", "まだ始まっていません"),
    "match.over": _problem(409, "The match is over", "対戦は終わっています"),
    "match.seat-count": _problem(422, "Wrong number of seats", "席の数が合いません"),
    "match.seats-open": _problem(409, "Seats are open", "空席があります"),
    "match.stale-version": _problem(409, "Stale version", "局面が進んでいます"),
    "match.start-with-open-seats": _problem(422, "Can't start at once", "空席があり開始できません"),
    "match.too-long": _problem(422, "Match too long", "対戦が長すぎます"),
    "match.too-many-open": _problem(429, "Too many open matches", "進行中の対戦が多すぎます"),
    "match.too-restless": _problem(409, "Too much before the start", "開始前の変更が多すぎます"),
    "match.unknown": _problem(404, "No such match", "その対戦はありません"),
    "match.unknown-draw": _problem(422, "No such draw", "その抽選はありません"),
    "match.unknown-game": _problem(422, "No such game", "そのゲームはありません"),
    "match.unknown-level": _problem(422, "No such level", "その強さはありません"),
    "match.version-not-reached": _problem(409, "Version not reached", "その版にまだ達していません"),
    "move.not-your-turn": _problem(409, "Not your turn", "あなたの番ではありません"),
    "request.bad-cursor": _problem(400, "Not a cursor of ours", "カーソルが正しくありません"),
    "request.failed": _problem(500, "Our fault", "サーバーの内部エラーです"),
    "request.incomplete": _problem(400, "Body incomplete", "本文が途中で切れています"),
    "request.invalid": _problem(400, "Does not fit the schema", "形式が合いません"),
    "request.invalid-json": _problem(400, "Not acceptable JSON", "JSONとして読み取れません"),
    "request.key-reused": _problem(422, "Key reused", "冪等キーが再利用されています"),
    "request.method-not-allowed": _problem(405, "Method not allowed", "許可されないメソッドです"),
    "request.precondition-failed": _problem(412, "Precondition failed", "前提条件に合いません"),
    "request.range-not-satisfiable": _problem(416, "No such range", "その範囲はありません"),
    "request.refused": _problem(400, "Request refused", "要求を受け付けられません"),
    "request.stopping": _problem(503, "Server is stopping", "サーバーは停止中です"),
    "request.too-large": _problem(413, "Body too large", "本文が大きすぎます"),
    "request.too-many": _problem(429, "Too many requests", "要求が多すぎます"),
    "request.unknown-problem": _problem(404, "No such problem", "その問題コードはありません"),
    "request.unknown-route": _problem(404, "No such address", "そのアドレスはありません"),
    "request.unsupported-media-type": _problem(415, "Wrong content type", "対応していない形式です"),
    "request.version-required": _problem(428, "Version or key required", "版か冪等キーが必要です"),
    "request.weak-key": _problem(400, "Idempotency key too short", "冪等キーが短すぎます"),
    "seat.bad-code": _problem(403, "Join code does not fit", "参加コードが合いません"),
    "seat.code-required": _problem(403, "Join code required", "参加コードが必要です"),
    "seat.nobody-there": _problem(409, "Nobody holds the seat", "席に誰もいません"),
    "seat.none-open": _problem(409, "No seat is open", "空席がありません"),
    "seat.not-yours": _problem(403, "Not your seat", "あなたの席ではありません"),
    "seat.resigned": _problem(409, "Already resigned", "すでに投了しています"),
    "seat.taken": _problem(409, "Seat taken", "席は埋まっています"),
    "seat.unknown": _problem(404, "No such seat", "その席はありません"),
    "series.at-once": _problem(422, "Too many at once", "同時実行数が正しくありません"),
    "series.bad-seed": _problem(422, "Not a seed", "シードが正しくありません"),
    "series.files-unavailable": _problem(503, "Files can't be reached", "ファイルを利用できません"),
    "series.match-count": _problem(422, "Wrong number of matches", "対戦数が正しくありません"),
    "series.no-match": _problem(404, "No such match yet", "その対戦はまだありません"),
    "series.not-kept": _problem(404, "Transcript not kept", "棋譜は保存されていません"),
    "series.over": _problem(409, "The series is over", "シリーズは終わっています"),
    "series.pairs-without-rotation": _problem(422, "Pairs need rotation", "組には席替えが必要です"),
    "series.too-many": _problem(429, "Too many series", "進行中のシリーズが多すぎます"),
    "series.unknown": _problem(404, "No such series", "そのシリーズはありません"),
    "store.broker-unavailable": _problem(503, "Tasks can't be sent", "処理を依頼できません"),
    "store.full": _problem(503, "The store is full", "保存領域がいっぱいです"),
    "store.newer": _problem(503, "Written by a newer version", "新しい版が書いた対戦です"),
    "store.not-replicated": _problem(503, "Not yet on a replica", "複製がまだ済んでいません"),
    "store.rebuild-superseded": _problem(409, "Rebuild superseded", "再構築は中止されています"),
    "store.unavailable": _problem(503, "The store does not answer", "保存先が応答しません"),
    "store.unknown-rebuild": _problem(404, "No such rebuild", "その再構築はありません"),
    "store.unreadable": _problem(500, "Stored match unreadable", "対戦の記録を読み取れません"),
}


class Catalogue:
    """The codes of this server: ours, and those of its games."""

    def __init__(self, games: list[AnyGame]) -> None:
        self._codes = dict(CODES)
        for game in games:
            for code, title in game.texts.items():
                if "." in code and "_" not in code:
                    self._codes[code] = Problem(GAME_STATUS, title)

    def get(self, code: str) -> Problem | None:
        """What a code stands for."""
        return self._codes.get(code)
