"""What BG Stats, Splitwise, Spliit, ihatemoney, Cospend and PokerNow export, each written by its own program's rules.

Read in the programs' sources where these are public (Spliit `expenses/export`, ihatemoney `list_of_dicts2csv`, Cospend
`exportCsvProject`), for BG Stats, Splitwise and PokerNow in the files that people have published
and in the readers that others have written for them.
"""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple
from urllib.parse import quote_plus


class Cost(NamedTuple):
    """Something that somebody has paid for others, in wholes of the currency."""

    what: str
    amount: str
    payer: str
    sharers: Sequence[str]
    is_repayment: bool = False
    day: str = "2026-01-05"


PEOPLE = ("Ann", "Bob", "Cara")
PIZZA = Cost("Pizza", "30.00", "Ann", PEOPLE)
TAXI = Cost("Taxi", "9.00", "Bob", PEOPLE, day="2026-01-06")
REPAID = Cost("Back to Ann", "4.00", "Bob", ("Ann",), is_repayment=True, day="2026-01-07")
COSTS = (PIZZA, TAXI)
WHAT_IS_OWED = {"Ann": 1700, "Bob": -400, "Cara": -1300}
"""What pizza and taxi come to, in cents."""


def shares(cost: Cost, digits: int = 2) -> dict[str, Decimal]:
    """Each one's part in whole units; the first ones have one more of what can't be split."""
    units = int(Decimal(cost.amount) * 10**digits)
    each, rest = divmod(units, len(cost.sharers))
    return {name: Decimal(each + (at < rest)).scaleb(-digits) for at, name in enumerate(cost.sharers)}


# Splitwise: a comma, a line of head in the account's language, an empty line, then what each row changes for each
# person, which sums to zero; an empty line, and the balance of each currency, its cost a blank.

SPLITWISE_HEADS = {
    "en": "Date,Description,Category,Cost,Currency|Total balance",
    "de": "Datum,Beschreibung,Kategorie,Kosten,Währung|Gesamtbilanz",
    "fr": "Date,Description,Catégorie,Coût,Devise|Solde total",
    "es": "Fecha,Descripción,Categoría,Coste,Moneda|Saldo total",
    "it": "Data,Descrizione,Categorie,Costo,Valuta|Bilancio totale",
    "pt": "Data,Descrição,Categoria,Custo,Moeda|Saldo total",
}


def splitwise(
    costs: Sequence[Cost] = COSTS,
    people: Sequence[str] = PEOPLE,
    currency: str | Sequence[str] = "EUR",
    language: str = "en",
    digits: int = 2,
) -> str:
    head, balance = SPLITWISE_HEADS[language].split("|")
    currencies = [currency] * len(costs) if isinstance(currency, str) else [*currency]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*head.split(","), *people])
    out.write("\n")
    sums: dict[str, dict[str, Decimal]] = {}
    for cost, code in zip(costs, currencies, strict=True):
        parts = shares(cost, digits)
        changes = {name: (cost.payer == name) * Decimal(cost.amount) - parts.get(name, Decimal(0)) for name in people}
        own = sums.setdefault(code, dict.fromkeys(people, Decimal(0)))
        for name, change in changes.items():
            own[name] += change
        category = "Payment" if cost.is_repayment else "Dining out"
        cells = [f"{Decimal(one):.{digits}f}" for one in changes.values()]
        writer.writerow([cost.day, cost.what, category, f"{Decimal(cost.amount):.{digits}f}", code, *cells])
    out.write("\n")
    for code, own in sums.items():
        writer.writerow(["2026-02-01", balance, " ", " ", code, *(f"{one:.{digits}f}" for one in own.values())])
    return out.getvalue()


# Spliit: a BOM, json2csv (text in quotes, also the head; numbers bare; \n), each one's share with a plus for the payer


def _json2csv(value: object) -> str:
    if value is None:
        return ""
    return '"' + value.replace('"', '""') + '"' if isinstance(value, str) else str(value)


def _js_number(value: Decimal) -> str:
    """A number as JavaScript writes it: no zeros behind the decimals, and none for minus zero."""
    text = f"{value.normalize():f}"
    return "0" if text in ("-0", "0") else text


def spliit(
    costs: Sequence[Cost] = COSTS,
    people: Sequence[str] = PEOPLE,
    currency: str = "EUR",
    digits: int = 2,
    *,
    has_original: bool = True,
) -> str:
    head = ["Date", "Description", "Category", "Currency", "Cost"]
    head += ["Original cost", "Original currency", "Conversion rate"] if has_original else []
    head += ["Is Reimbursement", "Split mode", *(f"'{one}" if one[:1] in "=+-@" else one for one in people)]
    lines = [",".join(map(_json2csv, head))]
    for cost in costs:
        parts, sign = shares(cost, digits), {True: 1, False: -1}
        amount = f"{Decimal(cost.amount):.{digits}f}"
        row: list[object] = [cost.day, cost.what, "Payment" if cost.is_repayment else "Dining Out", currency, amount]
        row += [None, None, None] if has_original else []
        row += ["Yes" if cost.is_repayment else "No", "Evenly"]
        cells = [_js_number(parts.get(one, Decimal(0)) * sign[one == cost.payer]) for one in people]
        lines.append(",".join([*map(_json2csv, row), *cells]))
    return "\ufeff" + "\n".join(lines)


def spliit_json(costs: Sequence[Cost] = COSTS, currency: str = "EUR", digits: int = 2) -> str:
    none = dict.fromkeys(("originalAmount", "originalCurrency", "conversionRate", "notes"))
    expenses = [
        {
            **none,
            "id": f"e{at}",
            "expenseDate": f"{cost.day}T00:00:00.000Z",
            "title": cost.what,
            "category": {"grouping": "Food", "name": "Dining Out"},
            "amount": int(Decimal(cost.amount) * 10**digits),
            "paidById": f"p-{cost.payer}",
            "paidFor": [{"participantId": f"p-{one}", "shares": 100} for one in cost.sharers],
            "isReimbursement": cost.is_repayment,
            "splitMode": "EVENLY",
        }
        for at, cost in enumerate(costs)
    ]
    group = {"id": "g", "name": "Lake house", "information": "", "currency": "€", "currencyCode": currency}
    participants = [{"id": f"p-{one}", "name": one} for one in PEOPLE]
    return json.dumps({**group, "expenses": expenses, "participants": participants, "activities": []})


# ihatemoney: Python's csv with its defaults (\r\n, quotes where needed), floats of two decimals, XXX for no currency


def _guarded(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\n") else value


def _bills(costs: Sequence[Cost], weights: Mapping[str, float] | None = None) -> list[dict[str, Any]]:
    return [
        {
            "what": cost.what,
            "bill_type": "Reimbursement" if cost.is_repayment else "Expense",
            "amount": round(float(cost.amount), 2),
            "currency": "XXX",
            "date": cost.day,
            "payer_name": cost.payer,
            "payer_weight": (weights or {}).get(cost.payer, 1.0),
            "owers": [*cost.sharers],
        }
        for cost in costs
    ]


def ihatemoney(costs: Sequence[Cost] = COSTS, weights: Mapping[str, float] | None = None) -> str:
    bills = _bills(costs[::-1], weights)
    return _written([*bills[0]], [[*{**one, "owers": ", ".join(one["owers"])}.values()] for one in bills])


def ihatemoney_json(costs: Sequence[Cost] = COSTS) -> str:
    return json.dumps(_bills(costs))


def ihatemoney_transactions() -> str:
    owed = [("Bob", "Ann", 4.0, "XXX"), ("Cara", "Ann", 13.0, "XXX")]
    return _written(["ower", "receiver", "amount", "currency"], owed)


def _written(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out).writerows([head, *([_guarded(cell) for cell in row] for row in rows)])
    return out.getvalue()


# Cospend: sections parted by empty lines, each with its own head; text in quotes by hand, floats as PHP writes them


def _php_float(text: str | float) -> str:
    return f"{float(text):.14g}"


def cospend(
    costs: Sequence[Cost] = COSTS, weights: Mapping[str, float] | None = None, deleted: Sequence[Cost] = ()
) -> str:
    weight = {one: _php_float((weights or {}).get(one, 1)) for one in PEOPLE}
    lines = ["name,weight,active,color", *(f'"{one}",{weight[one]},1,"#ddcb55"' for one in PEOPLE), ""]
    lines.append(
        "what,amount,date,timestamp,payer_name,payer_weight,payer_active,owers,repeat,repeatfreq,repeatallactive,"
        "repeatuntil,categoryid,paymentmode,paymentmodeid,comment,deleted"
    )
    for cost in (*costs, *deleted):
        what, owers = cost.what.replace('"', '""'), ",".join(cost.sharers).replace('"', '""')
        lines.append(
            f'"{what}",{_php_float(cost.amount)},{cost.day},1767600000,"{cost.payer}",{weight[cost.payer]},1,"{owers}",'
            f'n,1,0,,0,n,0,"{quote_plus("for all, of course")}",{int(cost in deleted)}'
        )
    lines += ["", "categoryname,categoryid,icon,color", '"Grocery",12,"🛒","#ffaa00"', ""]
    lines += ["paymentmodename,paymentmodeid,icon,color", '"Cash",2,"💵","#556B2F"']
    lines += ["", "currencyname,exchange_rate", '"€",1', '"dollar",0.9', ""]
    return "\n".join(lines)


# PokerNow: a row for each time that somebody sat down; who still sits has no end and no buy-out


def poker_ledger(unit: Decimal = Decimal(1), line_end: str = "\n", *, has_escrow: bool = False) -> str:
    head = ["player_nickname", "player_id", "session_start_at", "session_end_at", "buy_in", "buy_out", "stack"]
    sat = [
        ("Alex, Jr.", "7laCmNIu1Q", "2026-08-26T20:40:29.687Z", "", 5000, "", 6050, 1050),
        ("Blair", "wniWV9SZCA", "2026-08-26T20:10:46.798Z", "", 5000, "", 10228, 5228),
        ("Alex", "7laCmNIu1Q", "2026-08-26T19:17:52.143Z", "2026-08-26T20:39:41.592Z", 2500, 0, 0, -2500),
        ("Casey", "SEqtk4oefp", "2026-08-26T19:17:52.139Z", "2026-08-26T20:32:37.389Z", 7500, 3722, 0, -3778),
    ]
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator=line_end)
    writer.writerow([*head, *(["nit_escrow"] if has_escrow else []), "net"])
    for *who, bought, back, stack, net in sat:
        money = [one if one == "" else _amount(Decimal(str(one)) * unit) for one in (bought, back, stack)]
        writer.writerow([*who, *money, *(["0"] if has_escrow else []), _amount(Decimal(str(net)) * unit)])
    return out.getvalue()


def _amount(number: Decimal) -> str:
    return f"{number.quantize(Decimal('0.01'), ROUND_HALF_UP).normalize():f}"


POKER_NETS = {"Alex, Jr.": -1450, "Blair": 5228, "Casey": -3778}

# BG Stats: one JSON of the whole history; scores are what was typed on the phone, its day stands beside the local time


def play(
    scores: Sequence[tuple[int, object]], game: int = 1, at: str = "2026-01-05 20:30:00", **more: object
) -> dict[str, Any]:
    """A play; `scores` are (player, what was typed). The most points win unless `won` names who has."""
    won = more.pop("won", None)
    winners = won if isinstance(won, tuple) else ()
    rows = [
        {"score": score, "winner": one in winners, "playerRefId": one, "rank": 0, "role": ""} for one, score in scores
    ]
    return {
        **dict.fromkeys(("rounds", "bggId", "rating", "scoringSetting", "durationMin"), 0),
        **dict.fromkeys(("modificationDate", "entryDate", "playDate"), at),
        "uuid": f"{game}-{at}-{len(scores)}-{scores!s}".replace(" ", ""),
        "playDateYmd": int(at[:10].replace("-", "")),
        **dict.fromkeys(("usesTeams", "ignored"), False),
        "manualWinner": won is not None,
        "gameRefId": game,
        "playerScores": rows,
        **more,
    }


def bg_stats(*plays: Mapping[str, Any], people: Sequence[str] = ()) -> str:
    """An export: game 1 is won by the fewest points, 7 by the most, 8 is played together, 9 has no points."""
    flags = ("highestWins", "noPoints", "cooperative")
    kinds = {1: ("Hearts", 0, 0, 0), 7: ("Skat", 1, 0, 0), 8: ("Pandemic", 1, 1, 1), 9: ("Chess", 1, 1, 0)}
    games = [
        {"id": at, "uuid": f"game-{at}", "name": name, **dict(zip(flags, map(bool, said), strict=True))}
        for at, (name, *said) in kinds.items()
    ]
    names = {3: "Ann", 4: "Bob", 5: "Anonymous player", **dict(enumerate(people, 100))}
    players = [{"id": at, "uuid": f"player-{at}", "name": name, "isAnonymous": at == 5} for at, name in names.items()]
    more = {"tags": [], "groups": [], "locations": [{"id": 1, "uuid": "l", "name": "Home"}]}
    return json.dumps({**more, "games": games, "players": players, "plays": plays}, ensure_ascii=False, indent=2)


HEARTS = play([(3, "12"), (4, "26")], won=(3,))
SKAT = play([(4, "-3"), (3, "8")], 7, "2026-01-06 20:30:00", won=(3,))
PLAYS = bg_stats(HEARTS, SKAT)
SPLITWISE = splitwise()
SPLIIT = spliit()
