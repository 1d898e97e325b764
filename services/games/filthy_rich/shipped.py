"""The cards of FR-14, one card a row, one table a kind."""

from __future__ import annotations

from services.games.filthy_rich.card_set import Action, Asset, Business, CardSet, Luxury
from shared.game import Text

# fmt: off - one card a row
LUXURIES = (  # FR-14.1: id, name, price, tax icons
    Luxury("L01", Text("Personal Trainer", "専属トレーナー"), 6, 1),
    Luxury("L02", Text("Trophy Spouse", "自慢の伴侶"), 9, 2),
    Luxury("L03", Text("Vintage Sports Car", "クラシックスポーツカー"), 12, 1),
    Luxury("L04", Text("Title of Nobility", "貴族の称号"), 15, 0),
    Luxury("L05", Text("Racehorse", "競走馬"), 18, 1),
    Luxury("L06", Text("Private Jet", "自家用ジェット"), 21, 1),
    Luxury("L07", Text("European Castle", "ヨーロッパの城"), 24, 1),
    Luxury("L08", Text("Old Master Painting", "巨匠の名画"), 28, 0),
    Luxury("L09", Text("Mega Yacht", "巨大ヨット"), 32, 1),
    Luxury("L10", Text("Private Island", "プライベートアイランド"), 36, 1),
    Luxury("L11", Text("Football Club", "サッカークラブ"), 40, 1),
    Luxury("L12", Text("Space Shuttle", "スペースシャトル"), 45, 2),
)

BUSINESSES = (  # FR-14.2: id, name, cost, shape, tax icons, HIT, amount, each; more
    Business("B01", Text("Chapter 11 Books", "破産書店"), 3, "S1", 2, "flat", 4, sale_bonus=2),
    Business("B02", Text("Shmoo Hut", "シュムーハット"), 5, "S1", 1, "flat", 4),
    Business(
        "B03", Text("Sven's Swedish Tacos", "スヴェンのタコス"), 4, "S1", 1, "neighbours", 3, each=1
    ),
    Business("B04", Text("Tic Toc's", "チクタク時計店"), 6, "S1", 0, "open_page", 2, 1),
    Business("B05", Text("Tornado Cleaners", "トルネードクリーニング"), 12, "V2", 1, "flat", 5),
    Business("B06", Text("Copycat Copies", "コピーキャット"), 7, "V2", 1, "flat", 3),
    Business(
        "B07", Text("Loophole & Sons", "抜け穴税理士事務所"), 8, "H2", 0, "flat", 2, tax_income=3
    ),
    Business(
        "B08", Text("Lucky Star Pawn", "ラッキースター質店"), 9, "H2", 2, "collect", 2, each=1
    ),
    Business("B09", Text("Midnight Motors", "ミッドナイトモータース"), 13, "V3", 2, "flat", 4),
    Business(
        "B10", Text("Grand Bingo Hall", "グランドビンゴホール"), 11, "H3", 2, "bingo", 0, each=1
    ),
    Business("B11", Text("Everything Emporium", "なんでも百貨店"), 16, "Q4", 3, "flat", 4),
)

ASSETS = (  # FR-14.3: id, name, cost, tax icons, effect, amount
    Asset("S01", Text("Yakuza Loan", "ヤクザの融資"), 0, 3, "loan", 12),
    Asset("S02", Text("Protection Racket", "みかじめ料"), 6, 1, "protection_racket", 1),
    Asset("S03", Text("Street Lease", "路面賃借権"), 2, 0, "street_lease", 1),
    Asset("S04", Text("Tax Shelter", "節税対策"), 6, 0, "tax_shelter", 2),
    Asset("S05", Text("Retained Accountant", "顧問会計士"), 4, 0, "accountant", 2),
    Asset("S06", Text("Rich Uncle", "裕福なおじ"), 5, 0, "rich_uncle", 1),
    Asset("S07", Text("Flashing Neon", "点滅ネオン"), 6, 1, "flashing_neon", 1),
    Asset("S08", Text("Street Vendor", "露天商"), 3, 0, "street_vendor", 1),
)

ACTIONS = (  # FR-14.4: id, name, effect, amount
    Action("A01", Text("IRS Audit", "税務調査"), "irs_audit"),
    Action("A02", Text("Business Scout", "ビジネススカウト"), "business_scout"),
    Action("A03", Text("Zoning Violation", "用途地域違反"), "zoning_violation"),
    Action("A04", Text("Street Fair", "ストリートフェア"), "street_fair"),
    Action("A05", Text("Rush Hour", "ラッシュアワー"), "more_dice", 2),
    Action("A06", Text("Road Works", "道路工事"), "more_dice", -1),
    Action("A07", Text("Tax Holiday", "免税日"), "tax_holiday"),
    Action("A08", Text("Hostile Takeover", "敵対的買収"), "hostile_takeover"),
    Action("A09", Text("Moving Day", "引っ越し"), "moving_day"),
    Action("A10", Text("Insurance Payout", "保険金"), "insurance_payout", 4),
    Action("A11", Text("Passing the Hat", "投げ銭"), "passing_the_hat", 2),
    Action("A12", Text("Industrial Espionage", "産業スパイ"), "industrial_espionage"),
)
# fmt: on

SHIPPED = CardSet.of(LUXURIES, BUSINESSES, ASSETS, ACTIONS)
