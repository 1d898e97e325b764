"""Titles for people, by refusal code, move, event, title and what a seat is asked."""

from __future__ import annotations

from shared.game import Text

NAME = Text(en="Daifugō", ja="大富豪")

REFUSALS = {
    "daifugo.wrong-number-of-seats": Text(en="Wrong number of players", ja="人数が合いません"),
    "daifugo.wrong-number-of-rounds": Text(
        en="Wrong number of rounds", ja="ラウンド数が正しくありません"
    ),
    "daifugo.not-asked": Text(en="Nothing to decide now", ja="今は行動できません"),
    "daifugo.exchange-first": Text(en="Give cards first", ja="先にカードを渡してください"),
    "daifugo.no-exchange-now": Text(en="No exchange now", ja="今はカード交換できません"),
    "daifugo.wrong-gift-count": Text(en="Wrong number of cards to give", ja="渡す枚数が違います"),
    "daifugo.duplicate-card": Text(en="A card is named twice", ja="同じカードが重複しています"),
    "daifugo.card-not-held": Text(en="Card not in your hand", ja="手札にないカードです"),
    "daifugo.no-cards": Text(en="No card chosen", ja="カードが選ばれていません"),
    "daifugo.too-many-cards": Text(en="More than four cards", ja="一度に出せるのは4枚までです"),
    "daifugo.not-a-set": Text(en="Not one rank", ja="同じ数字のカードではありません"),
    "daifugo.start-card-missing": Text(en="Start card missing", ja="ダイヤの3を含めてください"),
    "daifugo.wrong-count": Text(en="Not as many cards as the field", ja="場と枚数が違います"),
    "daifugo.not-stronger": Text(en="Too weak", ja="場のカードより強くありません"),
    "daifugo.forbidden-last-cards": Text(en="Forbidden last cards", ja="禁止上がりです"),
    "daifugo.leader-must-play": Text(en="The leader must play", ja="親はパスできません"),
}

MOVES = {
    "play_cards": Text(en="Play", ja="出す"),
    "pass": Text(en="Pass", ja="パス"),
    "give_cards": Text(en="Give", ja="渡す"),
}

EVENTS = {
    "daifugo.cards_dealt": Text(en="Cards dealt", ja="カード配布"),
    "daifugo.cards_taken": Text(en="Strongest cards handed over", ja="強いカードの献上"),
    "daifugo.cards_given": Text(en="Unwanted cards given", ja="不要なカードの譲渡"),
    "daifugo.lead_assigned": Text(en="First lead", ja="最初の親"),
    "daifugo.cards_played": Text(en="Cards played", ja="カードを出した"),
    "daifugo.passed": Text(en="Passed", ja="パスした"),
    "daifugo.order_reversed": Text(en="Revolution", ja="革命"),
    "daifugo.seat_finished": Text(en="Out", ja="上がり"),
    "daifugo.table_cleared": Text(en="Table cleared", ja="場が流れた"),
    "daifugo.lead_passed": Text(en="Lead passed on", ja="親が移った"),
    "daifugo.round_ended": Text(en="Round over", ja="ラウンド終了"),
}

TITLES = {
    "daifugo": Text(en="Tycoon", ja="大富豪"),
    "fugo": Text(en="Rich", ja="富豪"),
    "heimin": Text(en="Commoner", ja="平民"),
    "hinmin": Text(en="Poor", ja="貧民"),
    "daihinmin": Text(en="Beggar", ja="大貧民"),
}

ASKED = {
    "lead": Text(en="Lead any set", ja="好きな組を出してください"),
    "follow": Text(en="Beat the field or pass", ja="場より強い組を出すかパスしてください"),
    "give": Text(en="Choose cards to give", ja="渡すカードを選んでください"),
}

REASONS = {"rounds_played": Text(en="All rounds played", ja="全ラウンド終了")}

TEXTS = {**REFUSALS, **MOVES, **EVENTS, **TITLES, **ASKED, **REASONS}
