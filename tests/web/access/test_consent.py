"""What takes chips from somebody else by agreement needs that person's yes, whatever says it and however it is sent."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random

from support.client_phones import Site
from support.random_nights import legal_event
from support.sample_nights import PEOPLE, record
from werkzeug.exceptions import Forbidden

from tracker import extras
from tracker.app.event_rows import new_id
from tracker.app.open_night import OpenNight
from tracker.core import events
from tracker.core.apply import apply
from tracker.core.errors import TableError
from tracker.core.events import Amend, Bid, Borrow, Event, Move, Repay, Undo
from tracker.core.ledger import BANK
from tracker.core.night import Night
from tracker.formats.codec import event_to
from tracker.web.access.consent import record_or_ask
from tracker.web.access.devices import Identity

WALKED = ("michigan-rummy", "michigan-kitty", "hearts-three-stages", "newmarket", "pope-joan", "spinado")
PERSON_FIELDS = ("seat", "source", "target", "holder", "buyer", "dealer", "offender")
SEVERAL_FIELDS = ("winners", "seats", "sits_out", "excused")
TAKING = ("borrow", "repay", "hand", "bid", "pass", "sale", "penalty", "out", "held", "place", "fine", "due", "turn-up")
BY_AGREEMENT = (Borrow, Repay, Move)
ME = "ben"


def variants(night: Night, event: Event) -> Iterator[Event]:
    """Yield an event with every person in each field that names one, and with everybody as everybody's cover."""
    people = night.seats
    for name in vars(event):
        if name in PERSON_FIELDS:
            yield from (replace(event, **{name: seat}) for seat in people)
        elif name in SEVERAL_FIELDS:
            yield from (replace(event, **{name: (seat,)}) for seat in people)
        elif name == "cover":
            covers = [{payer: lender} for payer in people for lender in (*people, BANK) if payer != lender]
            covers += [dict.fromkeys((one for one in people if one != lender), lender) for lender in people]
            made = [event, *(replace(event, seat=seat) for seat in people)] if hasattr(event, "seat") else [event]  # type: ignore[call-arg]
            yield from (replace(one, cover=cover) for one in made for cover in covers)  # type: ignore[call-arg]


def by_the_rules(night: Night, event: Event) -> Night:
    """Return the state after an event as the rules of the game alone make it: everybody pays out of their own chips."""
    bare = replace(event, cover={}) if hasattr(event, "cover") else event  # type: ignore[call-arg]
    try:
        return apply(night, bare)
    except TableError:
        for seat in night.seats:
            night = apply(night, events.Buy(seat, events.Amount(1000)))
        return apply(night, bare)


def paid(after: Night) -> Counter[str]:
    """Return the chips that each account gave by the newest event."""
    return Counter(sent.source for sent in after.last_transfers for _ in range(sent.chips))


def taken_from(before: Night, event: Event, after: Night) -> set[str]:
    """Return who gives chips other than by the rules of the game, judged by what moved."""
    if isinstance(event, BY_AGREEMENT):
        return {seat for seat in before.seats if after.stack(seat) < before.stack(seat)}
    cover: Mapping[str, str] = getattr(event, "cover", {})
    if isinstance(event, Bid) and not after.last_transfers:
        return {lender for lender in cover.values() if lender in before.seats}
    if not cover:
        return set()
    gave, owed = paid(after), paid(by_the_rules(before, event))
    lent = {seat for seat in before.seats if gave[seat] > owed[seat]}
    if before.house_rules.shortage == "iou":  # then an IOU to whom one pays is the rule
        return lent
    new = (after.ledger.iou.keys() - before.ledger.iou.keys()) & cover.items()
    return lent | {lender for _, lender in new if lender in before.seats}


API = ("api",) if "api" in extras.names() else ()


@dataclass
class Ways:
    """A table of four, Ben who tries to record, and what came of it."""

    site: Site
    preset: str
    tried: set[tuple[str, str]] = field(default_factory=set)
    """Kinds of events, and how they were tried."""
    asked: set[str] = field(default_factory=set)
    """Kinds of events about which others were asked."""
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        code = self.site.open_night(self.site.host(), "Ruth", self.preset)
        self.ben = self.site.join(code, "Ben")
        self.table = self.site.tables.get(code)
        for seat in ("mia", "tom"):
            record(self.table, events.Sit(events.SeatId(seat), events.Name(PEOPLE[seat]), events.Chips(40)))
        record(self.table, events.Rule({"stop.fine": 1}))
        self.site.access.pace.burst = 10**9

    def send(self, way: str, event: Event) -> None:
        """Have Ben record an event, as the pages do or by the API."""
        if way == "page":
            with self.site.app.test_request_context(), suppress(TableError, Forbidden):
                record_or_ask(self.table, Identity("seat", ME, code=self.table.code), event, id=new_id())
            return
        headers = {"Host": self.ben.host, "Origin": f"http://{self.ben.host}"}
        self.ben.client.post(f"/api/nights/{self.table.code}/events", json=event_to(event), headers=headers)

    def attempt(self, event: Event) -> None:
        """Try one event in every way; once it is recorded have Ben change it, take it back and bring it back."""
        table, before = self.table, self.table.night
        for way in ("page", *API):
            self.check(before, event, way, event)
        table.record(event, id=new_id(), by=ME)
        mine, held = table.head, table.night
        for name in {*vars(event)} & {*PERSON_FIELDS, "cover"}:
            self.send("page", Amend(mine, {name: {ME: "mia"} if name == "cover" else "mia"}))
            assert table.head == mine, (event, name)
        for way in ("page", *API):
            if table.night == before:
                table.record(event, id=new_id(), by=ME)
            self.send(way, Undo(table.head))
            self.tried.add((event.kind, "undo"))
            if table.night == before:
                lost = [seat for seat in before.seats if before.stack(seat) < held.stack(seat) and seat != ME]
                if isinstance(event, BY_AGREEMENT) and lost:
                    self.wrong.append(f"{self.preset}, undo by {way}: {event} takes chips from {lost}")
                self.check(before, event, f"redo by {way}", Undo(table.head))
        if table.night != before:
            record(table, Undo(max(number for number, made, _ in table._steps if made == event)))

    def check(self, before: Night, event: Event, way: str, sent: Event) -> None:
        """Send what would bring an event about, note whose chips it takes, and take it back."""
        head = self.table.head
        self.send(way.removeprefix("redo by "), sent)
        self.tried.add((event.kind, way))
        if self.table.head > head:
            if lost := taken_from(before, event, self.table.night) - {ME}:
                self.wrong.append(f"{self.preset}, {way}: {event} takes chips from {lost}")
            record(self.table, Undo(self.table.head))
        if self.table.settings.requests.of_hand(self.table.night.hand):
            self.asked.add(event.kind)
        self.table.settings.requests = type(self.table.settings.requests)()


def walk(site: Site, preset: str, steps: int, most: int) -> Ways:
    """Play a night with few chips, and at each event of a new kind or phase try what else could be sent then."""
    ways, chance = Ways(site, preset), Random(preset)
    table, seen = ways.table, set[tuple[str, str]]()
    for _ in range(steps):
        event = legal_event(table.night, chance, may_end=False)
        if event.kind not in ("sit", "leave", "rule") and (event.kind, table.night.phase) not in seen:
            seen.add((event.kind, table.night.phase))
            for one in [event, *to_try(table, event, chance, most)]:
                ways.attempt(one)
        record(table, event, by="ruth")
        make_poor(table, chance)
    return ways


def to_try(table: OpenNight, event: Event, chance: Random, most: int) -> list[Event]:
    """Return some variants of an event that may happen now: of those that take chips from others, and of the rest."""
    taking, others = list[Event](), list[Event]()
    for one in variants(table.night, event):
        with suppress(TableError):
            lost = taken_from(table.night, one, table.preview(one)) - {ME}
            (taking if lost else others).append(one)
    return [one for group in (taking, others) for one in chance.sample(group, min(len(group), most))]


def make_poor(table: OpenNight, chance: Random) -> None:
    """Take chips away at times: whoever can't pay is who needs the chips of others."""
    for seat in table.night.seats:
        chips = table.night.stack(seat)
        if chips > 12 and chance.random() < 0.2:
            record(table, Move(seat, BANK, events.Amount(chips - 2)))


def test_no_event_takes_chips_of_somebody_who_has_not_agreed(
    site: Site, short_or_long: Callable[[int, int], int]
) -> None:
    walks = [walk(site, preset, 100, short_or_long(2, 20)) for preset in WALKED]
    assert [found for one in walks for found in one.wrong] == []
    tried = {pair for one in walks for pair in one.tried}
    for way in ("page", "undo", "redo by page", *API, *(f"redo by {way}" for way in API)):
        assert {kind for kind, how in tried if how == way} >= set(TAKING), way
    assert {kind for one in walks for kind in one.asked} >= {"borrow", "hand", "sale", "bid"}
