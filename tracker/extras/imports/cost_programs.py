"""The files of programs for shared costs and of poker sites, each known by its columns or fields."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from math import floor
from typing import Any

from tracker.core.errors import N_, Fault
from tracker.extras._night_files.json_text import UnreadableError
from tracker.extras.imports.csv_tables import numbers_in
from tracker.extras.imports.other_night import COSTS, OtherFile, OtherNight, label_on, name_from, told_apart
from tracker.formats.evening import evening_of
from tracker.formats.text import UNREADABLE

WITHOUT_CENTS = frozenset(
    re.findall("...", "BIFCLPCOPDJFGNFHUFIDRIRRISKJPYKMFKRWLAKLBPMMKPYGRWFTWDUGXUZSVNDVUVXAFXOFXPF")
)
"""Currencies that are counted in wholes, some of which have cents that nobody uses."""
WITH_THOUSANDTHS = frozenset(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"])
MOST_OWING, LONGEST_CURRENCY = 20, 20
MOST_SUM = 10**9
"""In the smallest unit."""


@dataclass
class Balances:
    """What rows of shared costs come to for each person, in each of their currencies, exactly."""

    app: str
    name: str = ""
    sums: dict[str, dict[str, Fraction]] = field(default_factory=dict)
    """By currency and name: what somebody gets (+) or owes (-), in wholes."""
    last: date | None = None
    """The day of the newest row."""
    remarks: list[Fault] = field(default_factory=list)
    _smallest: dict[str, int] = field(default_factory=dict)
    """By currency: the most decimals of a sum."""

    def add(self, currency: str, changes: Mapping[str, Fraction], day: date | None = None) -> None:
        """Add what a row changes, which sums to zero."""
        currency = name_from(currency, LONGEST_CURRENCY)
        sums = self.sums.setdefault(currency, {})
        for name, change in changes.items():
            sums[name] = sums.get(name, Fraction(0)) + change
        self.last = max(filter(None, (self.last, day)), default=None)

    def see(self, currency: str, *numbers: Fraction) -> None:
        """Note how many decimals the sums of a currency are written with."""
        currency, seen = name_from(currency, LONGEST_CURRENCY), max(map(_decimals, numbers), default=0)
        self._smallest[currency] = max(self._smallest.get(currency, 0), seen)

    def file(self) -> OtherFile:
        """Return what is owed in each currency as a night. Raises UnreadableError where a table can't be made of it."""
        nights = [self._night(currency) for currency, sums in self.sums.items() if any(sums.values())]
        if not nights:
            raise UnreadableError("in this table nobody owes anybody anything")
        return OtherFile(self.app, tuple(nights), remarks=tuple(self.remarks))

    def _night(self, currency: str) -> OtherNight:
        decimals = decimals_of(currency, self._smallest.get(currency, 0))
        sums = self.sums[currency]
        points = in_units({name: one for name, one in sums.items() if one or len(sums) <= MOST_OWING}, decimals)
        if len(points) > MOST_OWING:
            raise UnreadableError("more than {most} people owe or get something in this table", most=MOST_OWING)
        if max(map(abs, points.values())) > MOST_SUM:
            raise UnreadableError("a sum in this table is larger than {most}", most=f"{MOST_SUM // 10**decimals:,}")
        mark = f"{COSTS}{currency}"
        at = label_on(self.last) if self.last and 1970 < self.last.year < 9000 else ""
        return OtherNight(self.name, at, points, is_money=True, decimals=decimals, currency=currency, mark=mark)


def decimals_of(currency: str, seen: int) -> int:
    """Return how many decimals a currency has here, by its code; of an unknown one, as many as were `seen`."""
    code = currency.strip().upper()
    if code in WITHOUT_CENTS and not seen:
        return 0
    return 3 if code in WITH_THOUSANDTHS or (seen == 3 and not re.fullmatch(r"[A-Z]{3}|[€$£¥]", code)) else 2


def _decimals(number: Fraction) -> int:
    return next((count for count in range(4) if (number * 10**count).denominator == 1), 4)


def in_units(sums: Mapping[str, Fraction], decimals: int) -> dict[str, int]:
    """Return exact sums in the smallest unit, rounded so that they still come to zero: largest remainders up first."""
    scaled = {name: one * 10**decimals for name, one in sums.items()}
    units = {name: floor(one) for name, one in scaled.items()}
    missing = round(sum(scaled.values())) - sum(units.values())
    for name in sorted(units, key=lambda name: units[name] - scaled[name])[:missing]:
        units[name] += 1
    return units


def split(amount: Fraction, weights: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return each one's exact part of an amount. Raises ValueError where nobody has a weight."""
    whole = sum(weights.values())
    if not whole:
        raise ValueError("nobody shares it")
    return {name: amount * weight / whole for name, weight in weights.items()}


def paid(payer: str, amount: Fraction, shares: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return what it changes that somebody has paid an amount of which each has this share."""
    changes = {name: -share for name, share in shares.items()}
    changes[payer] = changes.get(payer, Fraction(0)) + amount
    return changes


def day_in(cell: str) -> date | None:
    """Return the day that a cell of a table begins with, as programs and spreadsheets write it; None for none."""
    if found := re.match(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", cell):
        year, month, day = map(int, found.groups())
    elif found := re.match(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})\b", cell):
        day, month, year = map(int, found.groups())
        if month > 12:
            day, month = month, day
        year += 2000 if year < 100 else 0
    else:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def columns(head: Sequence[str]) -> dict[str, int]:
    """Return the place of each column by its name in small letters; of a name that stands twice, the first."""
    return {name.strip().casefold(): place for place, name in reversed([*enumerate(head)])}


Rows = Sequence[Sequence[str]]
FIXED = 5
"""Columns that Splitwise writes before those of the people: day, description, category, cost, currency."""
DROPPED = N_("Columns that are no people’s are left out: {names}.")


def costs_of_table(rows: Rows) -> OtherFile | None:
    """Return what a table of one of the programs says; None for another kind, UnreadableError for one not whole."""
    return next((read(rows) for knows, read in PROGRAMS if knows(rows)), None)


def _padded(rows: Rows, width: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each row below the head, as many as the head has."""
    for number, row in enumerate(rows[1:], 2):
        if len(row) > width and any(row[width:]):
            raise UnreadableError("row {number} of the table has another number of columns", number=number)
        yield number, [*row[:width], *[""] * (width - len(row))]


def _people(names: Iterable[str]) -> list[str]:
    return told_apart(name_from(name) or "?" for name in names)


def _unreadable_sum(number: int) -> UnreadableError:
    return UnreadableError("row {number} of the table has a sum that can’t be read", number=number)


# Splitwise: what each row changes for each person; its columns are called as in the reader's language


def _is_splitwise(rows: Rows) -> bool:
    head = rows[0]
    if len(head) < FIXED + 2 or not all(head[:FIXED]) or any(day_in(cell) for cell in head):
        return False
    if [cell.casefold() for cell in head[:3]] == ["date", "description", "category"] and head[3].casefold() == "cost":
        return True
    costs = numbers_in(row[3] if len(row) > FIXED else "" for row in rows[1:])
    return any(
        cost is not None and day_in(row[0]) and row[4] and not any(map(str.isdigit, row[4]))
        for row, cost in zip(rows[1:], costs, strict=True)
        if len(row) > FIXED
    )


def _splitwise(rows: Rows) -> OtherFile:
    head = rows[0]
    balances, people = Balances("Splitwise"), _people(head[FIXED:])
    listed = [*_padded(rows, len(head))]
    currencies = [row[4] for _, row in listed if row[3]]
    code = currencies[0] if currencies else ""
    parsed = [*numbers_in((cell for _, row in listed for cell in row[FIXED:]), _digits(code))]
    for place, (number, row) in enumerate(listed):
        changes = parsed[place * len(people) : (place + 1) * len(people)]
        if any(change is None for change in changes):
            if not row[3] and not any(row[FIXED:]):
                continue  # a line of text, or a currency in which nothing was spent
            raise _unreadable_sum(number)
        by_name = dict(zip(people, (change or Fraction(0) for change in changes), strict=True))
        currency = row[4] or code
        if not row[3]:
            _check_balance(number, balances.sums.get(currency, dict.fromkeys(people, Fraction(0))), by_name)
            continue
        if sum(by_name.values()):
            raise UnreadableError("row {number} of the table does not say who has paid", number=number)
        balances.see(currency, *by_name.values())
        balances.add(currency, by_name, day_in(row[0]))
    return balances.file()


def _digits(currency: str) -> int | None:
    digits = decimals_of(currency, 0)
    return None if digits == 2 else digits


def _check_balance(number: int, above: Mapping[str, Fraction], said: Mapping[str, Fraction]) -> None:
    """Raise UnreadableError for a row without a cost, unless it sums up the rows above it."""
    if {name: one for name, one in above.items() if one} != {name: one for name, one in said.items() if one}:
        raise UnreadableError("row {number} is not the sum of the rows above it: the table is not whole", number=number)


# Spliit: each one's share in each row, with another sign for who has paid it all

_SPLIIT = {"date", "description", "currency", "cost"}
_SPLIIT_OWN = {"category", "original cost", "original currency", "conversion rate", "is reimbursement", "split mode"}
PAYER = "paid by"


def _is_spliit(rows: Rows) -> bool:
    names = columns(rows[0])
    return names.keys() >= _SPLIIT and bool(names.keys() & {"is reimbursement", "split mode"})


def _spliit(rows: Rows) -> OtherFile:
    names = columns(rows[0])
    listed = [*_padded(rows, len(rows[0]))]
    fixed = {place for name, place in names.items() if name in _SPLIIT | _SPLIIT_OWN | {PAYER}}
    places = [place for place in range(len(rows[0])) if place not in fixed]
    code = listed[0][1][names["currency"]] if listed else ""
    cells = (row[place] for _, row in listed for place in (names["cost"], *places))
    numbers, width = [*numbers_in(cells, _digits(code))], len(places) + 1
    is_sum = [
        all(numbers[at * width + 1 + column] is not None for at in range(len(listed))) for column in range(len(places))
    ]
    last_fixed = max(names.get("split mode", 0), names.get("is reimbursement", 0))
    kept = [at for at, place in enumerate(places) if is_sum[at] and place > last_fixed]
    balances = Balances("Spliit")
    dropped = [rows[0][place] for at, place in enumerate(places) if at not in kept and rows[0][place]]
    originals = [names[name] for name in ("original cost", "original currency") if name in names]
    dropped += [rows[0][place] for place in originals if any(row[place] for _, row in listed)]
    if dropped:
        balances.remarks.append(Fault(DROPPED, names=", ".join(name_from(name) for name in dropped)))
    people = _people(rows[0][places[at]] for at in kept)
    for at, (number, row) in enumerate(listed):
        cost, *all_cells = numbers[at * width : (at + 1) * width]
        if cost is None:
            raise _unreadable_sum(number)
        shares = {name: all_cells[one] or Fraction(0) for name, one in zip(people, kept, strict=True)}
        said = name_from(row[names[PAYER]]) if PAYER in names else ""
        currency = row[names["currency"]]
        balances.see(currency, cost, *shares.values())
        balances.add(currency, _spliit_row(number, cost, shares, said), day_in(row[names["date"]]))
    return balances.file()


def _spliit_row(number: int, cost: Fraction, shares: Mapping[str, Fraction], said: str) -> dict[str, Fraction]:
    """Return what a row of Spliit changes. Raises UnreadableError where it can't be known who has paid."""
    sign = -1 if cost < 0 else 1  # of what came in, all signs are turned
    parts = {name: abs(share) for name, share in shares.items()}
    slack = Fraction(len(shares), 100)  # older versions wrote each share rounded for itself
    if abs(sum(parts.values()) - abs(cost)) > slack:
        raise UnreadableError("row {number} of the table: the shares are not what it has cost", number=number)
    payers = [said] if said in shares else [name for name, share in shares.items() if share * sign > 0]
    payers = payers or [name for name, share in shares.items() if not share]  # who takes no part may have paid
    if len(payers) != 1:
        raise UnreadableError(
            "row {number} does not say who has paid; Spliit’s other export does: choose JSON there", number=number
        )
    return paid(payers[0], sum(parts.values(), Fraction(0)) * sign, {name: part * sign for name, part in parts.items()})


def is_spliit_json(value: object) -> bool:
    return isinstance(value, dict) and {"participants", "expenses"} <= value.keys()


def spliit_json(value: Mapping[str, Any]) -> OtherFile:
    """Return what Spliit's JSON export comes to. Raises UnreadableError."""
    try:
        ids = [str(one["id"]) for one in value["participants"]]
        names = dict(zip(ids, _people(one["name"] for one in value["participants"]), strict=True))
        code = value.get("currencyCode") or ""
        digits = 0 if code in SPLIIT_WHOLE else 2
        balances = Balances("Spliit", name_from(value.get("name"), 100))
        for one in value["expenses"]:
            amount = int(one["amount"])
            weights = {str(share["participantId"]): int(share["shares"]) for share in one["paidFor"]}
            if one.get("splitMode") == "EVENLY":
                weights = dict.fromkeys(weights, 1)
            parts = {names[who]: Fraction(part, 10**digits) for who, part in _spliit_parts(one, weights).items()}
            parts = {name: parts.get(name, Fraction(0)) for name in names.values()}
            changes = paid(names[str(one["paidById"])], Fraction(amount, 10**digits), parts)
            balances.add(code or str(value.get("currency") or ""), changes, day_in(str(one.get("expenseDate"))))
    except (*UNREADABLE, ZeroDivisionError):
        raise UnreadableError("this is no whole export of Spliit") from None
    return balances.file()


SPLIIT_WHOLE = frozenset({"COP", "HUF", "IDR", "ISK", "JPY", "KRW", "VND"})
"""Currencies whose sums Spliit keeps in wholes; those of all others in hundredths."""


def _spliit_parts(expense: Mapping[str, Any], weights: Mapping[str, int]) -> dict[str, int]:
    """Return each one's part of an expense, to the unit as Spliit shows it: largest remainders get one more.

    Among equals the first is chosen by a checksum (FNV-1a, 32 bit) of the expense's id.
    """
    amount, whole, order = int(expense["amount"]), sum(weights.values()), sorted(weights)
    checksum = 0x811C9DC5
    for char in str(expense.get("id") or ""):
        checksum = ((checksum ^ ord(char)) * 0x01000193) & 0xFFFFFFFF
    first = checksum % len(order) if expense.get("id") else 0
    parts = {who: amount * weights[who] // whole for who in order}
    rest = {who: amount * weights[who] % whole for who in order}
    turn = {who: (place - first) % len(order) for place, who in enumerate(order)}
    for who in sorted(order, key=lambda who: (-rest[who], turn[who]))[: amount - sum(parts.values())]:
        parts[who] += 1
    return parts


# ihatemoney and Cospend: a payer, an amount, and who shares it

_BILL = {"what", "amount", "date", "payer_name", "owers"}


def _is_bills(rows: Rows) -> bool:
    return any(columns(row).keys() >= _BILL for row in rows[:2000])


def _bills(rows: Rows) -> OtherFile:
    """Read the section of the bills, and before it that of the people with their weights, which Cospend writes."""
    at = next(place for place, row in enumerate(rows) if columns(row).keys() >= _BILL)
    head, weights = columns(rows[at]), {}
    if at and columns(rows[0]).keys() >= {"name", "weight"}:
        places = columns(rows[0])
        found = numbers_in(row[places["weight"]] for row in rows[1:at])
        weights = {row[places["name"]]: weight for row, weight in zip(rows[1:at], found, strict=True)}
    end = next((place for place in range(at + 1, len(rows)) if _is_section(rows[place])), len(rows))
    bills = []
    for _, row in _padded(rows[at:end], len(rows[at])):
        bill = {name: row[place] for name, place in head.items()}
        if bill.get("deleted") not in ("1", "true"):
            bills.append(bill)
    amounts = numbers_in(bill["amount"] for bill in bills)
    is_cospend = "payer_active" in head
    balances = Balances("Cospend" if is_cospend else "ihatemoney")
    known = {*weights, *(bill["payer_name"] for bill in bills)}
    with_owers = [{**bill, "owers": _owers(bill["owers"], known)} for bill in bills]
    return _from_bills(balances, with_owers, [*amounts], {name: one for name, one in weights.items() if one})


def _is_section(row: Sequence[str]) -> bool:
    return [*row[:2]] in (["categoryname", "categoryid"], ["paymentmodename", "paymentmodeid"]) or (
        [*row[:2]] == ["currencyname", "exchange_rate"]
    )


def _owers(cell: str, known: Iterable[str]) -> list[str]:
    """Return the people in a cell, parted by commas; a known name may have a comma in it."""
    left, found = cell.strip(), []
    longest_first = sorted(filter(None, known), key=len, reverse=True)
    while left:
        name = next((one for one in longest_first if re.match(rf"{re.escape(one)}\s*(,|$)", left)), None)
        name = name or left.split(",")[0]
        found.append(name.strip())
        left = left[len(name) :].lstrip().removeprefix(",").lstrip()
    return [one for one in found if one]


def _from_bills(
    balances: Balances,
    bills: Sequence[Mapping[str, Any]],
    amounts: Sequence[Fraction | None],
    weights: Mapping[str, Fraction],
) -> OtherFile:
    """Return what bills come to; a payer's weight stands beside it. Raises UnreadableError."""
    by_payer = numbers_in(str(bill.get("payer_weight", "")) for bill in bills)
    seen = {bill["payer_name"]: weight for bill, weight in zip(bills, by_payer, strict=True) if weight}
    weights = {**seen, **weights}
    everybody = dict.fromkeys(name for bill in bills for name in (bill["payer_name"], *bill["owers"]))
    shown = dict(zip(everybody, _people(everybody), strict=True))
    unknown = [shown[name] for name in everybody if name not in weights]
    if unknown and any(weight != 1 for weight in weights.values()):
        balances.remarks.append(
            Fault(N_("The file does not say for how many {names} count: taken as one."), names=", ".join(unknown))
        )
    for number, (bill, amount) in enumerate(zip(bills, amounts, strict=True), 2):
        if amount is None:
            raise _unreadable_sum(number)
        owers = {shown[name]: weights.get(name, Fraction(1)) for name in bill["owers"]}
        if not owers:
            raise UnreadableError("row {number} of the table does not say who shares it", number=number)
        currency = str(bill.get("currency") or "")
        currency = "" if currency == "XXX" else currency
        balances.see(currency, amount)
        balances.add(currency, paid(shown[bill["payer_name"]], amount, split(amount, owers)), day_in(str(bill["date"])))
    return balances.file()


def is_bills_json(value: object) -> bool:
    are_bills = (isinstance(one, dict) and one.keys() >= _BILL for one in value) if isinstance(value, list) else ()
    return bool(value) and isinstance(value, list) and all(are_bills)


def bills_json(value: Sequence[Mapping[str, Any]]) -> OtherFile:
    """Return what ihatemoney's JSON export comes to. Raises UnreadableError."""
    try:
        bills = [{**one, "payer_name": str(one["payer_name"]), "owers": [*map(str, one["owers"])]} for one in value]
        return _from_bills(Balances("ihatemoney"), bills, [Fraction(str(one["amount"])) for one in value], {})
    except UNREADABLE as error:
        raise (
            error if isinstance(error, UnreadableError) else UnreadableError("this is no whole export of ihatemoney")
        ) from None


# What is left to pay, as ihatemoney proposes it; and ledgers of poker sites: a name and a net a row


def _is_transactions(rows: Rows) -> bool:
    return columns(rows[0]).keys() >= {"amount", "ower", "receiver"}


def _transactions(rows: Rows) -> OtherFile:
    head, balances = columns(rows[0]), Balances("ihatemoney")
    listed = [*_padded(rows, len(rows[0]))]
    for (number, row), amount in zip(listed, numbers_in(row[head["amount"]] for _, row in listed), strict=True):
        if amount is None:
            raise _unreadable_sum(number)
        ower, receiver = (name_from(row[head[column]]) or "?" for column in ("ower", "receiver"))
        currency = row[head["currency"]].replace("XXX", "") if "currency" in head else ""
        balances.see(currency, amount)
        balances.add(currency, paid(receiver, amount, {ower: amount}))
    return balances.file()


_PERSON = ("player_nickname", "player", "nickname", "name", "person", "spieler", "joueur", "jugador")
_NET = ("net", "net result", "result", "profit", "+/-", "netto", "ergebnis", "gewinn", "résultat", "gain", "resultado")
_ABOUT_POKER = {"buy_in", "buy-in", "buy in", "buyin", "buy_out", "cash_out", "cash out", "cashout", "stack"}


def _ledger_columns(rows: Rows) -> tuple[int, int] | None:
    """Return the places of the name and of the net in a ledger; None for another table."""
    names = columns(rows[0])
    person = next((names[one] for one in _PERSON if one in names), None)
    net = next((names[one] for one in _NET if one in names), None)
    is_ledger = len(rows[0]) == 2 or bool(names.keys() & _ABOUT_POKER) or "player_nickname" in names
    return (person, net) if person is not None and net is not None and is_ledger else None


def _ledger(rows: Rows) -> OtherFile:
    person, net = _ledger_columns(rows) or (0, 0)
    names = columns(rows[0])
    own, began = names.get("player_id", person), names.get("session_start_at")
    listed = [*_padded(rows, len(rows[0]))]
    called: dict[str, str] = {}
    for _, row in listed:
        called.setdefault(row[own].casefold(), row[person])  # one may sit down again under another name
    shown = dict(zip(called, _people(called.values()), strict=True))
    found = [*numbers_in(row[net] for _, row in listed)]
    is_whole = all(number is not None and number.denominator == 1 for number in found)
    balances = Balances(N_("a poker ledger"))
    for (number, row), won in zip(listed, found, strict=True):
        if won is None:
            raise _unreadable_sum(number)
        balances.see("", won)
        balances.add("", {shown[row[own].casefold()]: won / (100 if is_whole else 1)}, _day_of(row, began))
    if rest := sum(balances.sums.get("", {}).values()):
        raise UnreadableError(
            "what was won and lost in this table comes to {rest}, not to 0: somebody is missing",
            rest=f"{float(rest):g}",
        )
    file = balances.file()
    return OtherFile(file.app, file.nights, has_unit=is_whole)


def _day_of(row: Sequence[str], place: int | None) -> date | None:
    """Return the day of play of a session, which begins at a moment in UTC."""
    cell = row[place] if place is not None else ""
    return evening_of(cell) if cell.endswith("Z") else day_in(cell)


PROGRAMS: Sequence[tuple[Callable[[Rows], bool], Callable[[Rows], OtherFile]]] = (
    (_is_spliit, _spliit),
    (_is_splitwise, _splitwise),
    (_is_bills, _bills),
    (_is_transactions, _transactions),
    (lambda rows: _ledger_columns(rows) is not None, _ledger),
)
