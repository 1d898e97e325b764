"""Titles for people: refusals, moves, events, templates, and every name that a view uses."""

from __future__ import annotations

from shared.game import Text

NAME = Text(en="The Landlord's Game (1904)", ja="家主のゲーム（1904年）")

REFUSALS = {
    "wrong-number-of-seats": Text(en="Wrong number of players", ja="人数が合いません"),
    "over": Text(en="The match is over", ja="対戦は終わっています"),
    "not-asked": Text(en="Not your turn to act", ja="あなたの番ではありません"),
    "not-now": Text(en="Not possible now", ja="今はできません"),
    "proposals-used-up": Text(en="No proposal left this turn", ja="この手番の提案は使い切りました"),
    "finance-moves-used-up": Text(
        en="No finance move left this turn", ja="この手番の金融行動は使い切りました"
    ),
    "not-your-ticket": Text(en="Not your ticket", ja="あなたの券ではありません"),
    "ticket-too-dear": Text(en="Not enough cash for this lot", ja="この区画を買う現金がありません"),
    "lot-too-dear": Text(en="Not enough cash for this lot", ja="この区画を買う現金がありません"),
    "luxury-too-dear": Text(en="Not enough cash for a luxury", ja="贅沢品を買う現金がありません"),
    "not-in-jail": Text(en="Not in jail", ja="刑務所にいません"),
    "fine-too-dear": Text(en="Not enough cash for the fine", ja="罰金を払う現金がありません"),
    "no-backward": Text(en="No backward move", ja="後ろには進めません"),
    "no-pass": Text(en="No railroad pass", ja="鉄道の乗車券がありません"),
    "railroad-not-passed": Text(en="Railroad not passed", ja="その鉄道は通過しません"),
    "no-such-ride": Text(en="No such ride", ja="そこへは乗って行けません"),
    "no-notes": Text(en="At least one note", ja="紙幣は1枚以上です"),
    "lot-named-twice": Text(en="A lot is named twice", ja="同じ区画が重複しています"),
    "lot-not-owned": Text(en="Not the borrower's lot", ja="借り手の区画ではありません"),
    "lot-mortgaged": Text(en="Lot already mortgaged", ja="すでに抵当に入った区画です"),
    "too-little-security": Text(en="Too little security", ja="担保が足りません"),
    "no-such-bank-loan": Text(en="No such bank loan", ja="その銀行ローンはありません"),
    "no-such-notes": Text(en="Wrong number of notes", ja="紙幣の枚数が違います"),
    "notes-too-dear": Text(en="Not enough cash to repay", ja="返済する現金がありません"),
    "no-such-loan": Text(en="No such loan", ja="その借り入れはありません"),
    "loan-too-dear": Text(en="Not enough cash to repay", ja="返済する現金がありません"),
    "no-player-loans": Text(en="No loans between players", ja="プレイヤー間の貸し借りはありません"),
    "no-lending-in-debt": Text(en="No lending while in debt", ja="支払い中は貸せません"),
    "no-such-partner": Text(en="No such partner", ja="その相手とは取引できません"),
    "borrower-finished": Text(en="The borrower has finished", ja="借り手は周回を終えています"),
    "principal-out-of-range": Text(en="Principal out of range", ja="元金が範囲外です"),
    "interest-out-of-range": Text(en="Interest out of range", ja="利息が範囲外です"),
    "due-round-out-of-range": Text(en="Due round out of range", ja="返済する周が範囲外です"),
    "terms-refused": Text(en="Terms already refused", ja="すでに断られた条件です"),
    "no-security": Text(en="Nothing pledged for this", ja="この支払いに担保はありません"),
    "security-first": Text(en="Surrender the security", ja="先に担保を引き渡してください"),
    "bank-first": Text(en="The Bank would still lend", ja="まだ銀行から借りられます"),
}

MOVES = {
    "buy_ticket": Text(en="Buy the lot of a ticket", ja="券の区画を買う"),
    "tickets_done": Text(en="Return the other tickets", ja="残りの券を戻す"),
    "throw": Text(en="Throw the dice", ja="サイコロを振る"),
    "pay_fine": Text(en="Pay the fine", ja="罰金を払う"),
    "move": Text(en="Move", ja="進む"),
    "buy_lot": Text(en="Buy the lot", ja="区画を買う"),
    "rent_lot": Text(en="Rent the lot", ja="区画を借りる"),
    "buy_luxury": Text(en="Buy a luxury", ja="贅沢品を買う"),
    "decline_luxury": Text(en="Buy no luxury", ja="贅沢品を買わない"),
    "borrow_bank": Text(en="Borrow from the Bank", ja="銀行から借りる"),
    "repay_bank": Text(en="Repay bank notes", ja="銀行に返済する"),
    "propose_loan": Text(en="Propose a loan", ja="貸し借りを提案する"),
    "accept_loan": Text(en="Accept the loan", ja="提案を受ける"),
    "refuse_loan": Text(en="Refuse the loan", ja="提案を断る"),
    "repay_loan": Text(en="Repay a loan", ja="借り入れを返す"),
    "surrender_security": Text(en="Surrender the security", ja="担保を引き渡す"),
    "go_poorhouse": Text(en="Go to the poor house", ja="救貧院に行く"),
    "bank_terms": Text(en="Other terms of the Bank", ja="銀行のほかの条件"),
    "loan_terms": Text(en="Terms between players", ja="プレイヤー間の条件"),
}

EVENTS = {
    "dice_thrown": Text(en="Dice thrown", ja="サイコロを振った"),
    "first_player_decided": Text(en="First player", ja="最初のプレイヤー"),
    "ticket_drawn": Text(en="Ticket drawn", ja="券を引いた"),
    "choice_opened": Text(en="A choice", ja="選択"),
    "tickets_returned": Text(en="Tickets returned", ja="券を戻した"),
    "lot_bought": Text(en="Lot bought", ja="区画を買った"),
    "turn_started": Text(en="Turn", ja="手番"),
    "turn_missed": Text(en="Turn missed", ja="手番を失った"),
    "moved": Text(en="Moved", ja="進んだ"),
    "mother_earth_passed": Text(en="Mother Earth passed", ja="母なる地球を通過"),
    "paid": Text(en="Paid", ja="支払った"),
    "debt_opened": Text(en="Not enough cash", ja="現金が足りない"),
    "sent_to_jail": Text(en="Sent to jail", ja="刑務所へ"),
    "left_jail": Text(en="Out of jail", ja="刑務所を出た"),
    "sent_to_poorhouse": Text(en="Sent to the poor house", ja="救貧院へ"),
    "poor_count": Text(en="Count in the poor house", ja="救貧院での数え"),
    "left_poorhouse": Text(en="Out of the poor house", ja="救貧院を出た"),
    "luxury_bought": Text(en="Luxury bought", ja="贅沢品を買った"),
    "luxury_declined": Text(en="Luxury declined", ja="贅沢品を断った"),
    "charter_placed": Text(en="Charter placed", ja="特許状を置いた"),
    "legacy_received": Text(en="Legacy received", ja="遺産を受け取った"),
    "bank_loan_made": Text(en="Bank loan", ja="銀行ローン"),
    "bank_note_repaid": Text(en="Bank notes repaid", ja="銀行に返済した"),
    "loan_proposed": Text(en="Loan proposed", ja="貸し借りの提案"),
    "loan_accepted": Text(en="Loan accepted", ja="提案の承諾"),
    "loan_refused": Text(en="Loan refused", ja="提案の拒否"),
    "loan_repaid": Text(en="Loan repaid", ja="借り入れの返済"),
    "security_surrendered": Text(en="Security surrendered", ja="担保の引き渡し"),
    "game_ended": Text(en="Count-up", ja="集計"),
}

SPACES = {
    "mother_earth": Text(
        en="Labor upon Mother Earth Produces Wages", ja="母なる地球での労働は賃金を生む"
    ),
    "lot": Text(en="Lot", ja="区画"),
    "necessity": Text(en="Absolute Necessity", ja="絶対必需品"),
    "bread": Text(en="Absolute Necessity: Bread", ja="絶対必需品：パン"),
    "coal": Text(en="Absolute Necessity: Coal / Jail", ja="絶対必需品：石炭／刑務所"),
    "shelter": Text(en="Absolute Necessity: Shelter", ja="絶対必需品：住まい"),
    "clothing": Text(en="Absolute Necessity: Clothing", ja="絶対必需品：衣類"),
    "no_trespassing": Text(en="No Trespassing - Go to Jail", ja="立入禁止　刑務所へ行け"),
    "lord_blueblood": Text(
        en="No Trespassing - Go to Jail (Owner Lord Blueblood, London, England)",
        ja="立入禁止　刑務所へ行け（所有者ブルーブラッド卿、ロンドン）",
    ),
    "railroad": Text(en="R.R.", ja="鉄道"),
    "luxury": Text(en="Luxury", ja="贅沢"),
    "franchise": Text(en="Franchise", ja="フランチャイズ"),
    "light": Text(en="Light Franchise", ja="電灯のフランチャイズ"),
    "water": Text(en="Water Franchise", ja="水道のフランチャイズ"),
    "public_park": Text(en="Public Park / Poor House", ja="公共の公園／救貧院"),
    "legacy": Text(en="Legacy", ja="遺産"),
}

PLACES = {
    "board": Text(en="On the board", ja="盤上"),
    "jail": Text(en="In jail", ja="刑務所の中"),
    "released": Text(en="Free, still at the jail", ja="釈放され、まだ刑務所の前"),
    "poorhouse": Text(en="In the poor house", ja="救貧院の中"),
    "bank": Text(en="Bank", ja="銀行"),
    "wages": Text(en="Wages", ja="賃金"),
    "public_treasury": Text(en="Public Treasury", ja="公庫"),
}

ASKED = {
    "ticket_buy": Text(en="Buy lots of your tickets", ja="引いた券の区画を買ってください"),
    "turn_start": Text(en="Throw the dice", ja="サイコロを振ってください"),
    "move_choice": Text(en="Choose how to move", ja="進み方を選んでください"),
    "lot_choice": Text(en="Buy the lot or pay its rent", ja="区画を買うか借りてください"),
    "luxury_choice": Text(en="Buy a luxury or miss a turn", ja="贅沢品を買うか手番を失います"),
    "debt": Text(en="Find money for what is due", ja="支払うお金を用意してください"),
    "loan_reply": Text(en="Accept or refuse the loan", ja="提案を受けるか断ってください"),
    "game_over": Text(en="The match is over", ja="対戦終了"),
}

REASONS = {
    "rent": Text(en="Rent", ja="家賃"),
    "half_rent": Text(en="Half the rent to the first tenant", ja="先客への家賃の半分"),
    "bank_interest": Text(en="Interest of the Bank", ja="銀行の利息"),
    "loan_interest": Text(en="Interest of a loan", ja="借り入れの利息"),
    "loan_due": Text(en="Loan and its interest due", ja="借り入れの返済期限"),
    "rounds": Text(en="All rounds made", ja="全員が周回を終えた"),
    "turn_limit": Text(en="Turn limit reached", ja="手番の上限に達した"),
}

TEXTS = {
    **{f"landlords-game.{code}": text for code, text in REFUSALS.items()},
    **MOVES,
    **{f"landlords_game.{name}": text for name, text in EVENTS.items()},
    **SPACES,
    **PLACES,
    **ASKED,
    **REASONS,
}
