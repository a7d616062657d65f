"""Settle several nights together: choose them, share what somebody paid for others, tick off the fewest payments."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from flask import Blueprint, Flask, g, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from tracker.app.event_rows import new_id, now
from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.app.settings import FolderSettings, records
from tracker.core.errors import AlreadyDone, Malformed, NotAllowed, TableError, Unknown
from tracker.core.events import Undo
from tracker.core.ledger import BANK
from tracker.core.payment_list import payment_list
from tracker.core.settlement import Payment
from tracker.extras._night_lists import groups_of_nights
from tracker.extras._night_summaries.night_summary import NightSummary
from tracker.extras._night_summaries.pages import get_summaries
from tracker.extras._night_summaries.summaries import Summaries
from tracker.extras._people import LinkedSeat, get_people, people_of
from tracker.extras._share import share_links
from tracker.extras._spreadsheets import safe
from tracker.extras.settle_up.settle_list import PERSON, ListedSeat, NightCost, OpenPayment, SettleUp
from tracker.formats.text import clean_text
from tracker.web.access.answered_forms import id_from_key
from tracker.web.access.roles import HOST, may
from tracker.web.base.context import get_nights, redirect_to
from tracker.web.error_pages import status_of
from tracker.web.wording.dates import NO_BREAK, day_of, month_name
from tracker.web.wording.texts import amount, gettext as _, listed, refusal, whole_number

MOST_NIGHTS = 60


class ListSettings(FolderSettings):
    """The settings of the data folder, with the lists."""

    settle_ups = records("settle-up:", SettleUp)
    """By id: the lists that settle several nights together."""


def lists_with(nights: Nights, codes: Collection[str]) -> dict[str, SettleUp]:
    """Return the lists that settle one of these nights, by their ids."""
    found = ListSettings(nights.store).settle_ups.all().items()
    return {name: one for name, one in found if not {*one.codes}.isdisjoint(codes)}


class SettleLists:
    """All lists of a data folder. Methods that change something raise TableError for what may not be, and NotSaved."""

    def __init__(self, nights: Nights, summaries: Summaries) -> None:
        self._nights, self._summaries = nights, summaries
        self._stored = ListSettings(nights.store).settle_ups

    def all(self) -> dict[str, SettleUp]:
        """Return every list by its id, the newest first."""
        return dict(sorted(self._stored.all().items(), key=lambda item: (item[1].made_at, item[0]), reverse=True))

    def find(self, name: str) -> SettleUp:
        """Return the list of an id. Raises Unknown."""
        found = self._stored.get(name)
        if found is None:
            raise Unknown("there is no such list any more")
        return found

    def free_nights(self) -> list[NightSummary]:
        """Return the nights that were played for money and have ended, the newest first; without those that an
        unfinished list has. Their `unpaid` are the open payments.
        """
        taken = {code for one in self.all().values() if not one.is_recorded for code in one.codes}
        return [one for one in self._summaries.all() if one.money[1] and one.is_over and one.code not in taken]

    def make(self, codes: Collection[str], name: str) -> None:
        """Make a list over these nights under an id, once; nights that are paid are for shared costs. Raises NotAllowed
        without any.
        """
        with self._nights.store.one_at_a_time("settle-up"):  # two lists made at once never have the same night
            if self._stored.get(name) is None:
                self._stored.put(name, self._made(codes))

    def _made(self, codes: Collection[str]) -> SettleUp:
        nights = [one for one in self.free_nights() if one.code in codes][:MOST_NIGHTS]
        if not nights:
            raise NotAllowed("choose at least one night")
        if len({one.decimals for one in nights}) > 1:
            raise NotAllowed("these nights were played for different money: make a list for each")
        seats = tuple(
            ListedSeat(night.code, seat.seat, self._party(night.code, seat.seat), seat.name)
            for night in nights
            for seat in night.seats
        )
        open_ = tuple(
            OpenPayment(night.code, one.source, one.target, one.cents) for night in nights for one in night.unpaid
        )
        return SettleUp(now(), seats, open_, decimals=nights[0].decimals)

    def _party(self, code: str, seat: str) -> str:
        person = people_of(self._nights).person_of(code, seat)
        return f"{PERSON}{person.id}" if person else f"{code}/{seat}"

    def delete(self, name: str) -> None:
        """Delete a list; what is open in its nights stays open. Raises NotAllowed when it is recorded."""

        def deleted(settle_up: SettleUp) -> None:
            if settle_up.is_recorded:
                raise NotAllowed("this list is recorded in its nights: take that back first")

        self.change(name, deleted)

    def change(self, name: str, change: Callable[[SettleUp], SettleUp | None]) -> SettleUp | None:
        """Store what `change` makes of a list as it is by now (None deletes it), and return that.

        Raises Unknown, and what `change` raises.
        """

        def changed(settle_up: SettleUp | None) -> SettleUp | None:
            if settle_up is None:
                raise Unknown("there is no such list any more")
            return change(settle_up)

        return self._stored.change(name, changed)

    # Ticking off

    def changed_nights(self, settle_up: SettleUp) -> list[str]:
        """Return the nights in which the payments of a list that is not recorded are no longer the open ones."""
        return [code for code in settle_up.codes if not settle_up.is_recorded and not self._is_open(settle_up, code)]

    def _is_open(self, settle_up: SettleUp, code: str) -> bool:
        try:
            night = self._nights.get(code).night
        except TableError:
            return False
        mine = Counter(one.event for one in settle_up.open if one.code == code)
        now_open = Counter(one.event for one in payment_list(night) if not one.is_made)
        already = Counter(night.payments_made) if settle_up.is_all_paid else Counter()
        return night.is_over and now_open <= mine <= now_open + already

    def tick(self, name: str, place: int, *, is_paid: bool, by: str, owed: Payment | None = None) -> None:
        """Tick one payment, or take that back; with the last tick the nights' own payments are recorded as paid.

        Raises NotAllowed when the list does not fit its nights any more, Stale when the payment there is not `owed` any
        more. When the disk fails on the way, the same tick again records the rest.
        """
        settle_up = self.find(name)
        if settle_up.is_recorded:
            return
        if self.changed_nights(settle_up):
            raise NotAllowed("a night of this list was changed since: delete the list and make it again")
        changed = self.change(name, lambda found: found.ticked(place, is_paid=is_paid, owed=owed))
        if changed and changed.is_all_paid and not changed.is_recorded:
            self._record(name, changed, by)

    def close(self, name: str, by: str) -> None:
        """Record a list in which nobody owes anybody anything: its nights' payments cancel each other out."""
        settle_up = self.find(name)
        if settle_up.is_all_paid and not settle_up.is_recorded and not self.changed_nights(settle_up):
            self._record(name, settle_up, by)

    def _record(self, name: str, settle_up: SettleUp, by: str) -> None:
        for number, one in enumerate(settle_up.open):
            self._nights.get(one.code).record(one.event, id=_id("settle", name, settle_up, number), by=by)
        self.change(name, lambda found: replace(found, is_recorded=True, paid=settle_up.paid))

    def undo(self, name: str, by: str) -> None:
        """Take back what the last tick recorded in the nights, and that tick."""
        settle_up = self.find(name)
        if not settle_up.is_recorded:
            return
        for number, one in enumerate(settle_up.open):
            table, event_id = self._nights.get(one.code), _id("settle", name, settle_up, number)
            for entry in table.entries:
                if entry.id == event_id:
                    with suppress(AlreadyDone):  # somebody took it back in the night itself
                        undo_id = _id("unsettle", name, settle_up, number)
                        table.record(Undo(entry.number), id=undo_id, by=by)
        self.change(name, SettleUp.taken_back)


def _id(word: str, name: str, settle_up: SettleUp, number: int) -> str:
    """Return the id under which one event of a list is recorded: the same at every attempt."""
    return f"{word}-{name}-{settle_up.times}-{number}"


bp = Blueprint("settle_up", __name__)

MOST_WHAT = 40
MOST_PAID_NIGHTS = 12


def begin(app: Flask) -> None:
    """Have the lists with a night removed with it, and said in what is kept about a person."""
    nights: Nights = app.extensions["nights"]

    prefix = ListSettings.settle_ups.prefix
    nights.settings_of_nights.append(lambda codes: [prefix + name for name in lists_with(nights, codes)])
    app.extensions["kept_about"]["settled together"] = kept_about


@bp.app_template_global("lists_with")
def lists_with_nights(codes: Collection[str]) -> Collection[str]:
    return lists_with(get_nights(), codes)


@bp.app_template_global()
def unfinished_list(table: OpenNight) -> str:
    """Return the id of the list that is to settle a night that is over together with others; empty for none."""
    found = lists_with(get_nights(), [table.code]).items() if table.night.is_over else ()
    return next((name for name, one in found if not one.is_recorded and len(one.codes) > 1), "")


def lists() -> SettleLists:
    return SettleLists(get_nights(), get_summaries())


@bp.get("/settle-up")
@may(HOST)
def index(wrong: str = "") -> str:
    """Offer the nights (of a group) with open payments, the newest that are paid, and the lists that were made."""
    group, groups = request.args.get("group", ""), groups_of_nights()

    def is_asked_for(codes: Iterable[str]) -> bool:
        return not group or any(groups.get(code) == group for code in codes)

    stored = {name: one for name, one in lists().all().items() if is_asked_for(one.codes)}
    made = {name: SettleView(one) for name, one in stored.items()}
    free = [one for one in lists().free_nights() if is_asked_for([one.code])]
    return render_template(
        "settle_up/lists.html",
        group=group,
        nights=[one for one in free if one.unpaid],
        paid_nights=[one for one in free if not one.unpaid][:MOST_PAID_NIGHTS],
        unfinished={name: view for name, view in made.items() if not view.settle_up.is_recorded},
        finished={name: view for name, view in made.items() if view.settle_up.is_recorded},
        amount=amount,
        day_of=day_of,
        key=new_id(),
        wrong=wrong,
    )


@bp.post("/settle-up")
@may(HOST)
def make() -> ResponseReturnValue:
    name = id_from_key(request.form)
    try:
        lists().make(request.form.getlist("night"), name)
    except TableError as error:
        return index(refusal(error)), status_of(error)
    return redirect_to("settle_up.page", name=name)


@bp.get("/settle-up/<name>")
@may(HOST)
def page(name: str, wrong: str = "") -> str:
    """Show a list: who pays whom, ticked off, and what it is made of."""
    found = lists().find(name)
    view = SettleView(found)
    changed = [view.night_name(code) for code in lists().changed_nights(found)]
    return render_template(
        "settle_up/list.html",
        name=name,
        view=view,
        changed=changed,
        asked=request.args.get("night", ""),
        cost_night=asked if (asked := request.values.get("night", "")) in found.codes else found.codes[0],
        links=share_links(_("Settle up"), view.text),
        key=new_id(),
        wrong=wrong,
    )


@bp.post("/settle-up/<name>/tick")
@may(HOST)
def tick(name: str) -> ResponseReturnValue:
    """Bring one payment to the state that the form wants; the last tick is recorded in the nights."""
    place = whole_number(request.form.get("place", ""))
    wants = request.form.get("wants") == "paid"
    debtor, creditor, cents = [*request.form.getlist("owed"), "", "", ""][:3]
    owed = Payment(debtor, creditor, whole_number(cents, most_digits=13) or 0) if cents else None
    paid_at = -1 if place is None else place
    return _done(name, lambda: lists().tick(name, paid_at, is_paid=wants, by=g.identity.by, owed=owed))


@bp.post("/settle-up/<name>/close")
@may(HOST)
def close(name: str) -> ResponseReturnValue:
    """Record a list in which all payments are ticked, or nobody owes anybody anything."""
    return _done(name, lambda: lists().close(name, by=g.identity.by))


@bp.post("/settle-up/<name>/undo")
@may(HOST)
def undo(name: str) -> ResponseReturnValue:
    """Take back the last tick, with all that it recorded."""
    return _done(name, lambda: lists().undo(name, by=g.identity.by))


@bp.post("/settle-up/<name>/delete")
@may(HOST)
def delete(name: str) -> ResponseReturnValue:
    return _done(name, lambda: lists().delete(name), redirect_to("settle_up.index"))


@bp.post("/settle-up/<name>/cost")
@may(HOST)
def add_cost(name: str) -> ResponseReturnValue:
    """Add what somebody has paid for others; without choosing anybody it was for all of that evening."""
    form = request.form

    def add() -> None:
        found = lists().find(name)
        code, _slash, payer = form.get("payer", "").partition("|")
        everybody = list(dict.fromkeys(seat.party for seat in found.seats if seat.code == code))
        sharers = [party for party in everybody if f"{code}|{party}" in form.getlist("sharer")]
        what = clean_text(form.get("what", ""), MOST_WHAT)
        cost = NightCost(
            code,
            what,
            payer,
            tuple(sharers or everybody),
            cents_from(form.get("cost", ""), found.decimals),
            id_from_key(form),
        )
        lists().change(name, lambda one: one.with_cost(cost))

    return _done(name, add)


@bp.post("/settle-up/<name>/cost/remove")
@may(HOST)
def remove_cost(name: str) -> ResponseReturnValue:
    key = request.form.get("cost", "")
    return _done(name, lambda: lists().change(name, lambda one: one.without_cost(key)))


def _done(name: str, act: Callable[[], object], then: Response | None = None) -> ResponseReturnValue:
    """Answer with `then`, or the list, once `act` has changed it; with the list and the refusal where it has not."""
    try:
        act()
    except TableError as error:
        return page(name, refusal(error)), status_of(error)
    except Malformed as error:
        return page(name, refusal(error)), 422
    return then or redirect_to("settle_up.page", name=name)


def cents_from(text: str, decimals: int = 2) -> int:
    """Return the cents of a sum as people type it, with a point or a comma; 0 for any other text."""
    found = re.fullmatch(rf"(\d{{1,9}})(?:[.,](\d{{0,{decimals}}}))?", text.strip(), re.ASCII)
    return int(found[1] + (found[2] or "").ljust(decimals, "0")) if found else 0


# What is kept about a person


def kept_about(_name: str, seats: Iterable[LinkedSeat], persons: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the lists over several nights that somebody is in, each with the payments and costs that are theirs."""
    mine = {*(f"{PERSON}{one}" for one in persons), *("/".join(one) for one in seats)}
    for found in lists().all().values():
        names = {seat.party: seat.name for seat in found.seats}
        if mine.isdisjoint(names):
            continue
        yield {
            "made at": found.made_at,
            "decimals": found.decimals,
            "payments": [
                {
                    "from": names.get(pay.debtor, pay.debtor),
                    "to": names.get(pay.creditor, pay.creditor),
                    "cents": pay.chips,
                    "paid": found.is_made(place),
                }
                for place, pay in enumerate(found.payments)
                if not mine.isdisjoint((pay.debtor, pay.creditor))
            ],
            "costs": [
                {"what": cost.what, "paid by": names[cost.payer], "cents": cost.cents, "shared by": len(cost.sharers)}
                for cost in found.costs
                if not mine.isdisjoint((cost.payer, *cost.sharers))
            ],
        }


# A list as values for its pages


@dataclass(frozen=True)
class PartyName:
    """Somebody in the list."""

    name: str
    day: str = ""
    """The evening, of somebody who is told apart from the same name at others by it."""

    def __str__(self) -> str:
        return _("%(name)s (%(day)s)", name=self.name, day=self.day) if self.day else self.name


@dataclass(frozen=True)
class SettleView:
    """A list with the names of its people and nights as they are now."""

    settle_up: SettleUp

    @cached_property
    def people(self) -> Mapping[str, str]:
        """The name of each person, by its party."""
        return {f"{PERSON}{person.id}": person.name for person in get_people().all()}

    @cached_property
    def nights(self) -> Mapping[str, NightSummary]:
        return {one.code: one for one in get_summaries().of(self.settle_up.codes)}

    @cached_property
    def names(self) -> Mapping[str, PartyName]:
        """The name of each party; one that is no person is told apart by its evening."""
        is_one_night = len(self.settle_up.codes) == 1
        names = {BANK: PartyName(_("the box"))}
        for seat in self.settle_up.seats:
            day = "" if is_one_night or seat.party in self.people else self.short_day(seat.code)
            names[seat.party] = PartyName(self.people.get(seat.party) or self.name_of(seat), day)
        return names

    @property
    def has_unlinked(self) -> bool:
        """Whether somebody of a list over several nights is no person, and so stands in it by the evening."""
        parties = {seat.party for seat in self.settle_up.seats}
        return len(self.settle_up.codes) > 1 and any(not party.startswith(PERSON) for party in parties)

    def day(self, code: str) -> str:
        """Return the day of a night; empty for one that is not there any more."""
        return day_of(self.nights[code].day) if code in self.nights else ""

    def short_day(self, code: str) -> str:
        """Return the day of a night without its year; empty where nobody knows it."""
        evening = self.nights[code].evening if code in self.nights else None
        if evening is None:
            return ""
        return _("%(day)s %(month)s", day=evening.day, month=month_name(evening)).replace(" ", NO_BREAK)

    def night_name(self, code: str) -> str:
        name = self.nights[code].name if code in self.nights else code
        return "\N{NO-BREAK SPACE}· ".join(part for part in (name, self.day(code)) if part)

    @property
    def night_names(self) -> list[str]:
        return [self.night_name(code) for code in self.settle_up.codes]

    @property
    def days(self) -> str:
        return listed(self.day(code) or code for code in reversed(self.settle_up.codes))

    @property
    def text(self) -> str:
        """The list as plain text to copy or send."""
        lines = [_("Settle up"), self.days]
        for place, one in enumerate(self.settle_up.payments):
            sentence = _(
                "%(debtor)s pays %(creditor)s %(amount)s",
                debtor=self.names[one.debtor],
                creditor=self.names[one.creditor],
                amount=self.amount(one.chips),
            )
            lines.append(f"{sentence} ({_('paid')})" if self.settle_up.is_made(place) else sentence)
        if costs := self.settle_up.costs:
            said = (f"{one.what or _('Shared cost')} {self.amount(one.cents)}: {self.cost_line(one)}" for one in costs)
            lines += ["", _("Shared costs"), *said]
        return "\n".join(str(safe(line)) for line in lines)  # pasted into a spreadsheet, each line is a cell

    def amount(self, cents: int) -> str:
        return amount(cents, self.settle_up.decimals)

    @property
    def left(self) -> int:
        """How many payments are still to be made."""
        return sum(not self.settle_up.is_made(place) for place, _one in enumerate(self.settle_up.payments))

    def cost_line(self, cost: NightCost) -> str:
        """Return who paid a shared cost for whom, and on which evening."""
        names = dict(self.parties_of(cost.code))
        payer, day = names[cost.payer], self.short_day(cost.code)
        if len(cost.sharers) == len(names):
            line = _("%(payer)s paid for everybody", payer=payer)
        else:
            line = _("%(payer)s paid for %(names)s", payer=payer, names=listed(names[one] for one in cost.sharers))
        return "\N{NO-BREAK SPACE}· ".join(part for part in (line, day) if part)

    def parties_of(self, code: str) -> Sequence[tuple[str, str]]:
        return [(seat.party, self.name_of(seat)) for seat in self.settle_up.seats if seat.code == code]

    def name_of(self, seat: ListedSeat) -> str:
        """Return a seat's name as its night has it now: somebody may have been forgotten since the list was made."""
        night = self.nights.get(seat.code)
        place = night.place_of.get(seat.seat) if night else None
        return seat.name if night is None or place is None else night.seats[place].name
