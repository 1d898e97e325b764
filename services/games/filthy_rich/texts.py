"""Titles for people, by refusal code, move, event, card and whatever words a view uses."""

from __future__ import annotations

from services.games.filthy_rich.state import CARD_SETS
from shared.game import Text

NAME = Text(en="Filthy Rich", ja="フィルシー・リッチ")

REFUSALS = {
    "filthy-rich.wrong-number-of-seats": Text("Wrong number of players", "人数が合いません"),
    "filthy-rich.game-over": Text("The game is over", "ゲームは終了しています"),
    "filthy-rich.not-asked": Text("Nothing to decide now", "今は行動できません"),
    "filthy-rich.not-now": Text("Not at this moment", "今はその行動はできません"),
    "filthy-rich.luxury-not-in-supply": Text("Luxury not for sale", "売り場にない贅沢品です"),
    "filthy-rich.luxury-too-dear": Text("Luxury too dear", "贅沢品を買うお金が足りません"),
    "filthy-rich.card-not-in-hand": Text("Card not in your hand", "手札にないカードです"),
    "filthy-rich.not-a-business-in-hand": Text(
        "No business card of your hand", "手札のビジネスカードではありません"
    ),
    "filthy-rich.sign-in-binder": Text("Sign already in the binder", "看板は既に使われています"),
    "filthy-rich.wrong-shape": Text("Slots don't match the sign", "看板の形に合わないスロットです"),
    "filthy-rich.slot-filled": Text("Slot is filled", "スロットが空いていません"),
    "filthy-rich.placing-too-dear": Text("Placing too dear", "費用と補償金が払えません"),
    "filthy-rich.not-an-asset-in-hand": Text(
        "No asset card of your hand", "手札の資産カードではありません"
    ),
    "filthy-rich.asset-too-dear": Text("Asset too dear", "資産を買うお金が足りません"),
    "filthy-rich.not-an-action-in-hand": Text(
        "No action card of your hand", "手札のアクションカードではありません"
    ),
    "filthy-rich.wrong-parameters": Text("Wrong choices for the card", "カードの指定が違います"),
    "filthy-rich.wrong-target": Text("Not a possible player", "選べないプレイヤーです"),
    "filthy-rich.nothing-to-exchange": Text("No cards to exchange", "交換できるカードがありません"),
    "filthy-rich.wrong-business": Text("Not a possible business", "選べない商売です"),
    "filthy-rich.sign-too-large": Text("Sign too large", "看板が大きすぎます"),
    "filthy-rich.sign-not-visible": Text("Sign not visible", "看板が見えていません"),
    "filthy-rich.takeover-too-dear": Text("Takeover too dear", "買収するお金が足りません"),
    "filthy-rich.same-position": Text("Same position", "同じ場所です"),
    "filthy-rich.wrong-page": Text("Not a possible page", "選べないページです"),
    "filthy-rich.wrong-gift": Text("Not a possible gift", "渡せないカードです"),
    "filthy-rich.not-your-business": Text("Not your business", "自分の商売ではありません"),
    "filthy-rich.not-your-loan": Text("Not your loan", "自分の融資ではありません"),
    "filthy-rich.loan-too-dear": Text("Loan too dear to repay", "返済するお金が足りません"),
    "filthy-rich.sell-first": Text("Sell a business first", "先に商売を売却してください"),
    "filthy-rich.bid-too-low": Text("Bid too low", "ビッド額が低すぎます"),
    "filthy-rich.bid-too-high": Text("Bid too high", "所持金を超えています"),
}

MOVES = {
    "buy_luxury": Text("Buy a luxury", "贅沢品を買う"),
    "skip_luxury": Text("Buy no luxury", "贅沢品を買わない"),
    "discard_for_1": Text("Discard for $1", "捨てて$1もらう"),
    "play_business": Text("Open a business", "商売を始める"),
    "play_asset": Text("Lay down an asset", "資産を置く"),
    "play_action": Text("Play an action", "アクションを使う"),
    "give": Text("Give a card", "カードを渡す"),
    "sell_business": Text("Sell a business", "商売を売却する"),
    "repay_loan": Text("Repay a loan", "融資を返済する"),
    "roll": Text("Roll the dice", "ダイスを振る"),
    "tax_sell": Text("Sell before the tax", "納税前に商売を売却する"),
    "tax_done": Text("Sell no more", "売却を終える"),
    "bid": Text("Bid", "ビッドする"),
    "pass": Text("Pass", "パス"),
    "bid_range": Text("Bid within a range", "範囲内でビッドする"),
}

EVENTS = {
    "filthy_rich.hands_dealt": Text("Hands dealt", "カード配布"),
    "filthy_rich.first_player_drawn": Text("First player drawn", "最初のプレイヤー決定"),
    "filthy_rich.turn_began": Text("A turn begins", "ターン開始"),
    "filthy_rich.money_paid": Text("Money paid", "支払い"),
    "filthy_rich.luxury_bought": Text("Luxury bought", "贅沢品の購入"),
    "filthy_rich.luxury_skipped": Text("No luxury bought", "贅沢品を買わなかった"),
    "filthy_rich.card_discarded": Text("Card discarded", "カードを捨てた"),
    "filthy_rich.business_opened": Text("Business opened", "商売の開始"),
    "filthy_rich.asset_played": Text("Asset laid down", "資産を置いた"),
    "filthy_rich.action_played": Text("Action played", "アクションを使った"),
    "filthy_rich.action_finished": Text("Action carried out", "アクションの完了"),
    "filthy_rich.action_skipped": Text("Action skipped", "アクションを飛ばした"),
    "filthy_rich.dice_changed": Text("Number of dice changed", "ダイスの数が変わった"),
    "filthy_rich.taxes_suspended": Text("No taxes this turn", "このターンは免税"),
    "filthy_rich.page_opened": Text("Page opened", "ページを開いた"),
    "filthy_rich.business_taken_over": Text("Business taken over", "商売の買収"),
    "filthy_rich.sign_moved": Text("Sign moved", "看板の移動"),
    "filthy_rich.card_revealed": Text("Card revealed", "カードの公開"),
    "filthy_rich.card_scouted": Text("Business card taken", "ビジネスカードを手札に加えた"),
    "filthy_rich.card_taken": Text("Card taken from a hand", "手札から抜き取った"),
    "filthy_rich.card_given": Text("Card given in return", "代わりのカードを渡した"),
    "filthy_rich.business_sold": Text("Business sold", "商売の売却"),
    "filthy_rich.loan_repaid": Text("Loan repaid", "融資の返済"),
    "filthy_rich.dice_rolled": Text("Business dice rolled", "商売ダイスの結果"),
    "filthy_rich.business_hit": Text("HIT", "ヒット"),
    "filthy_rich.tax_began": Text("Taxes", "納税"),
    "filthy_rich.sales_ended": Text("Sells no more", "売却を終えた"),
    "filthy_rich.seat_knocked_out": Text("Knocked out", "ノックアウト"),
    "filthy_rich.tax_ended": Text("Taxes are paid", "納税終了"),
    "filthy_rich.auction_opened": Text("Auction", "オークション開始"),
    "filthy_rich.bid_made": Text("Bid made", "ビッドした"),
    "filthy_rich.bid_passed": Text("Passed", "パスした"),
    "filthy_rich.auction_won": Text("Auction won", "落札"),
    "filthy_rich.luxury_removed": Text("Luxury out of the game", "贅沢品の除外"),
    "filthy_rich.page_rolled": Text("Page die rolled", "ページダイスの結果"),
    "filthy_rich.pile_reshuffled": Text("Discard pile reshuffled", "捨て札のリシャッフル"),
    "filthy_rich.card_drawn": Text("Card drawn", "カードを引いた"),
    "filthy_rich.game_ended": Text("The game is over", "ゲーム終了"),
}

PHASES = {
    "waiting": Text("Not begun", "開始前"),
    "luxury": Text("Luxury", "贅沢品"),
    "actions": Text("Actions", "アクション"),
    "rolled": Text("Dice rolled", "ダイスの処理"),
    "ended": Text("Over", "終了"),
}

ASKED = {
    "buy_luxury": Text("Buy a luxury or none", "贅沢品を買うか決めてください"),
    "take_action": Text("Play or discard a card", "カードを使うか捨ててください"),
    "roll": Text("Roll the dice", "ダイスを振ってください"),
    "give": Text("Give a card in return", "代わりに渡すカードを選んでください"),
    "sell_for_tax": Text("Sell, or go on to the tax", "売却するか納税に進んでください"),
    "bid": Text("Bid or pass", "ビッドするかパスしてください"),
}

PAYMENTS = {
    "rich_uncle": Text("Rich Uncle", "裕福なおじ"),
    "protection_racket": Text("Protection Racket", "みかじめ料"),
    "luxury": Text("Price of a luxury", "贅沢品の代金"),
    "discard": Text("For a discarded card", "捨て札の代金"),
    "business": Text("Cost of a business", "商売の費用"),
    "compensation": Text("Compensation", "補償金"),
    "asset": Text("Cost of an asset", "資産の費用"),
    "loan": Text("Loan", "融資"),
    "repayment": Text("Repayment", "返済"),
    "takeover": Text("Takeover", "買収"),
    "insurance_payout": Text("Insurance", "保険金"),
    "passing_the_hat": Text("Passing the Hat", "投げ銭"),
    "hit": Text("HIT", "ヒットの収益"),
    "tribute": Text("Lucky Star Pawn", "ラッキースター質店"),
    "flashing_neon": Text("Flashing Neon", "点滅ネオン"),
    "street_vendor": Text("Street Vendor", "露天商"),
    "tax_income": Text("Income at a tax", "納税時の収入"),
    "sale": Text("Sale of a business", "商売の売却代金"),
    "tax": Text("Tax", "税金"),
    "estate": Text("Cash of a knocked-out player", "除外されたプレイヤーの現金"),
    "auction": Text("Auction", "落札額"),
}

REASONS = {
    "luxuries": Text("Third luxury bought", "3つめの贅沢品を購入"),
    "last_one_left": Text("Last one left", "最後の1人"),
    "turn_limit": Text("Turn limit", "ターン数の上限"),
}

CARDS = {
    row.id: row.name
    for cards in CARD_SETS.values()
    for rows in (cards.luxuries, cards.businesses, cards.assets, cards.actions)
    for row in rows.values()
}

TEXTS = {**PAYMENTS, **PHASES, **ASKED, **REFUSALS, **MOVES, **EVENTS, **REASONS, **CARDS}
"""Where a word stands for two things (`bid`, `give`), the move has the title."""
