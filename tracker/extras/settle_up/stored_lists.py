"""Lists that settle several nights together: made from what is open, ticked off, and then recorded in the nights."""

from collections import Counter
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace

from tracker.app.event_rows import now
from tracker.app.nights import Nights
from tracker.app.settings import FolderSettings, SettingGroup
from tracker.archive.night_summary import NightSummary
from tracker.archive.summaries import Summaries
from tracker.core.errors import AlreadyDone, NotAllowed, TableError, Unknown
from tracker.core.events import Undo
from tracker.core.payment_list import payment_list
from tracker.core.settlement import Payment
from tracker.extras.settle_up.settle_list import PERSON, ListedSeat, OpenPayment, SettleUp
from tracker.formats.records import Record

MOST_NIGHTS = 60
SETTLE_UP = Record(SettleUp)


class ListSettings(FolderSettings):
    """The settings of the data folder, with the lists."""

    settle_ups = SettingGroup("settle-up:", SETTLE_UP.read, SETTLE_UP.text)
    """By id: the lists that settle several nights together."""


def lists_with(nights: Nights, codes: Collection[str]) -> list[str]:
    """Return the ids of the lists that settle one of these nights."""
    found = ListSettings(nights.store).settle_ups.all().items()
    return [name for name, one in found if not {*one.codes}.isdisjoint(codes)]


def unfinished_with(nights: Nights, code: str) -> str:
    """Return the id of the list that is to settle a night together with others; empty for none."""
    found = ListSettings(nights.store).settle_ups.all().items()
    names = (name for name, one in found if not one.is_recorded and code in one.codes and len(one.codes) > 1)
    return next(names, "")


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
        person = self._nights.people.person_of(code, seat)
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
