"""Titles for people, by refusal code, move, event, company, icon and whatever else a view names."""

from __future__ import annotations

from shared.game import Text

NAME = Text(en="Mint Rails", ja="ミントレールズ")

REFUSALS = {
    "mint-rails.wrong-number-of-seats": Text(en="Wrong number of players", ja="人数が合いません"),
    "mint-rails.no-rival": Text(en="No Rival here", ja="ライバルは1人ゲームだけです"),
    "mint-rails.unknown-city": Text(en="No such city", ja="その都市はありません"),
    "mint-rails.game-over": Text(en="The game is over", ja="ゲームは終了しています"),
    "mint-rails.rival-plays-itself": Text(en="The Rival plays by itself", ja="ライバルは自動です"),
    "mint-rails.not-your-pick": Text(
        en="Not your turn to draft", ja="ドラフトの順番ではありません"
    ),
    "mint-rails.draft-first": Text(en="Draft a share first", ja="先に株券を取ってください"),
    "mint-rails.no-draft-share-left": Text(en="No draft share left", ja="株券が残っていません"),
    "mint-rails.equal-pair": Text(en="Equal pair", ja="他の人と同じ組み合わせです"),
    "mint-rails.not-your-turn": Text(en="Not your turn", ja="手番ではありません"),
    "mint-rails.draft-over": Text(en="The draft is over", ja="ドラフトは終わりました"),
    "mint-rails.company-in-city": Text(en="Already in this city", ja="既にその都市にいます"),
    "mint-rails.city-full": Text(en="City full", ja="その都市は満員です"),
    "mint-rails.not-beige": Text(en="Not a beige hex", ja="ベージュのマスではありません"),
    "mint-rails.cube-in-path": Text(en="Already a cube there", ja="既にキューブがあります"),
    "mint-rails.broken-path": Text(en="Broken path", ja="線路がつながっていません"),
    "mint-rails.no-start": Text(en="No start beside it", ja="出発点が隣にありません"),
    "mint-rails.not-shortest": Text(en="Not the shortest way", ja="最短経路ではありません"),
    "mint-rails.too-few-cubes": Text(en="Too few cubes", ja="キューブが足りません"),
    "mint-rails.icon-missing": Text(en="Choose an icon", ja="アイコンを選んでください"),
    "mint-rails.icon-not-shown": Text(en="Icon not shown there", ja="その都市にないアイコンです"),
    "mint-rails.none-in-market": Text(en="None in the market", ja="市場に株券がありません"),
    "mint-rails.fund-too-low": Text(en="Fund too low", ja="資金が足りません"),
}

MOVES = {
    "draft_share": Text(en="Draft a share", ja="株券を取る"),
    "lay_track": Text(en="Lay track", ja="線路を敷く"),
    "buy_share": Text(en="Buy a share", ja="株券を購入"),
}

EVENTS = {
    "mint_rails.map_laid": Text(en="Map laid", ja="地図を並べた"),
    "mint_rails.draft_begun": Text(en="Draft begun", ja="ドラフト開始"),
    "mint_rails.rival_chose": Text(en="The Rival drew lots", ja="ライバルの抽選"),
    "mint_rails.share_drafted": Text(en="Share drafted", ja="株券を取った"),
    "mint_rails.draft_ended": Text(en="Draft over", ja="ドラフト終了"),
    "mint_rails.track_laid": Text(en="Track laid", ja="線路を敷いた"),
    "mint_rails.share_bought": Text(en="Share bought", ja="株券を購入した"),
    "mint_rails.turn_passed": Text(en="No legal action: passed", ja="行動できずパス"),
    "mint_rails.match_scored": Text(en="Dividends paid", ja="配当と得点計算"),
}

COMPANIES = {
    "black": Text(en="Black", ja="黒"),
    "white": Text(en="White", ja="白"),
    "pink": Text(en="Pink", ja="桃"),
    "brown": Text(en="Brown", ja="茶"),
}

ICONS = {
    "coal": Text(en="Coal", ja="石炭"),
    "chicken": Text(en="Chicken", ja="鶏"),
    "pig": Text(en="Pig", ja="豚"),
    "wood": Text(en="Wood", ja="木材"),
}

HEXES = {
    "beige": Text(en="Plain land", ja="平地"),
    "city": Text(en="City", ja="都市"),
    "headquarters": Text(en="Headquarters", ja="本拠地"),
}

ASKED = {
    "draft_first": Text(en="Take a first share", ja="1枚目の株券を取ってください"),
    "draft_second": Text(en="Take a second share", ja="2枚目の株券を取ってください"),
    "act": Text(en="Lay track or buy a share", ja="線路を敷くか株券を購入してください"),
}

OPTIONS = {
    "three_colour_reading": Text(en="Three-colour bonus", ja="三色ボーナス"),
    "cubes": Text(en="Cubes of three companies", ja="3社のキューブ"),
    "off": Text(en="Off", ja="なし"),
    "rival": Text(
        en="The Rival. For a stronger opponent give a second seat to a built-in bot.",
        ja="ライバル。もっと強い相手には2つ目の席にボットを置いてください。",
    ),
    "rival_note": Text(
        en="The Rival is this server's own; the published game's solo opponent is another.",
        ja="ライバルはこのサーバー独自のもので、製品版のソロ用の相手とは異なります。",
    ),
    "easy": Text(en="Easy", ja="やさしい"),
    "normal": Text(en="Normal", ja="ふつう"),
}

REASONS = {
    "sold_out": Text(en="Companies sold out", ja="株券の売り切れ"),
    "stalled": Text(en="Nobody could act", ja="全員行動不能"),
}

TEXTS = {
    **REFUSALS,
    **MOVES,
    **EVENTS,
    **COMPANIES,
    **ICONS,
    **HEXES,
    **ASKED,
    **OPTIONS,
    **REASONS,
}
