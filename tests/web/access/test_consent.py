"""What takes chips from somebody else by agreement needs that person's yes, whatever says it and however it is sent."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from random import Random
from typing import Any

from support.client_phones import ClientPhone, Site
from support.random_nights import legal_event
from support.sample_nights import PEOPLE, record

from tracker import extras
from tracker.app.open_night import OpenNight
from tracker.core.apply import apply
from tracker.core.errors import TableError
from tracker.core.events import (
    Amount,
    Bid,
    Borrow,
    Buy,
    Chips,
    Event,
    Move,
    Name,
    Repay,
    Rule,
    SeatId,
    Sit,
    Undo,
)
from tracker.core.ledger import BANK
from tracker.core.night import Night
from tracker.formats.codec import event_to
from tracker.web.base.snapshot import snapshot_of
from tracker.web.events.event_kind import MoveForm
from tracker.web.events.registry import event_of, kind_of

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
            night = apply(night, Buy(seat, Amount(1000)))
        return apply(night, bare)


def paid(after: Night) -> Counter[str]:
    """Return the chips that each account gave by the newest event."""
    found: Counter[str] = Counter()
    for sent in after.last_transfers:
        found[sent.source] += sent.chips
    return found


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


def form_of(table: OpenNight, event: Event) -> dict[str, Any] | None:
    """Return a form of the table's page that records this event; None where no button can say it."""
    snapshot, raw = snapshot_of(table), event_to(event)
    said = {name: " ".join(value) if isinstance(value, list) else str(value) for name, value in raw.items()}
    cover = {f"cover-{seat}": source for seat, source in raw.get("cover", {}).items()}
    owed = {f"owed-{said['holder']}": said["chips"]} if "holder" in said else {}
    people = [said[name] for name in ("seat", "buyer") if name in said]
    fields_ = {"seat": people[0] if people else "", **said, **cover, **owed, "turn": said.get("seat", "")}
    fields_ |= {"seat": said["buyer"]} if "buyer" in said else {}
    slashes = [f"{said.get(one, '')}/{said.get(two, '')}" for one, two in (("offence", "suit"), ("pot", "offender"))]
    for verb in (event.kind, *kind_of(event, table.night).buttons):
        for argument in ("", *said.values(), *slashes):
            form = {**fields_, "do": f"{verb}:{argument}"}
            try:
                read = event_of(MoveForm(form, snapshot.night, snapshot.moment, snapshot.plan, snapshot.count))
            except (TableError, ValueError, KeyError):
                continue
            if read == event:
                return form
    return None


API = ("api",) if "api" in extras.names() else ()


@dataclass
class Ways:
    """A table of four, the phones that try to record, and what came of it."""

    site: Site
    preset: str
    tried: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By kind of event and way in: how often it was tried."""
    recorded: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    amended: set[tuple[str, str, str]] = field(default_factory=set)
    """Kinds of events, phases and fields of which a change was tried, which is refused whatever stands in them."""
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        host = self.site.host()
        self.code = self.site.open_night(host, "Ruth", self.preset)
        self.ben = self.site.join(self.code, "Ben")
        self.watcher = self.site.request_join(self.code, watch="1")
        self.table = self.site.tables.get(self.code)
        for seat in ("mia", "tom"):
            record(self.table, Sit(SeatId(seat), Name(PEOPLE[seat]), Chips(40)))
        record(self.table, Rule({"stop.fine": 1}))
        self.site.access.pace.burst = 10**9

    def post(self, phone: ClientPhone, path: str, form: dict[str, Any]) -> int:
        return phone.post(f"/n/{self.code}/{path}", form, HX_Request="true").status_code

    def by_api(self, phone: ClientPhone, event: Event) -> int:
        return self.send_json(phone, event_to(event))

    def send_json(self, phone: ClientPhone, event: dict[str, Any]) -> int:
        """Return the status of an event that is sent to the API, which refuses all where it was deleted."""
        headers = {"Host": phone.host, "Origin": f"http://{phone.host}"}
        remote = {"REMOTE_ADDR": phone.address}
        path = f"/api/nights/{self.code}/events"
        status = phone.client.post(path, json=event, headers=headers, environ_overrides=remote).status_code
        return status if API else 403

    def attempt(self, event: Event) -> None:
        """Try one event in every way, from Ben's phone and from one that only watches."""
        before, head = self.table.night, self.table.head
        form = form_of(self.table, event)
        self.check(before, event, "api", lambda: self.by_api(self.ben, event))
        if form is not None:
            self.check(before, event, "page", lambda: self.post(self.ben, "record", form))
        for status in (self.by_api(self.watcher, event), self.post(self.watcher, "record", form or {"do": event.kind})):
            assert status == 403
        assert (self.table.night, self.table.head >= head) == (before, True)
        self.attempt_corrections(before, event)

    def check(self, before: Night, event: Event, way: str, send: Any) -> None:
        head = self.table.head
        status = send()
        self.tried[event.kind, way] += 1
        if self.table.head > head:
            self.recorded[event.kind] += 1
            lost = taken_from(before, event, self.table.night) - {ME}
            if lost:
                self.wrong.append(f"{self.preset}, {way}: {event} takes chips from {lost} ({status})")
            record(self.table, Undo(self.table.head))
        requests = self.table.settings.requests.of_hand(self.table.night.hand)
        self.asked[event.kind] += len(requests)
        self.table.settings.requests = type(self.table.settings.requests)()

    def attempt_corrections(self, before: Night, event: Event) -> None:
        """Have Ben take back, bring back and change an entry that he recorded while everybody might."""
        self.table.record(event, id=f"{self.table.head}-mine", by=ME)
        mine, held = self.table.head, self.table.night
        for name in (one.name for one in fields(event)):
            if name in (*PERSON_FIELDS, "cover", "chips") and (event.kind, before.phase, name) not in self.amended:
                self.amended.add((event.kind, before.phase, name))
                self.amend(mine, name)
        for way in ("page", *API):
            self.table.record(event, id=f"{self.table.head}-again", by=ME) if self.table.night == before else None
            newest = self.table.head
            self.send_undo(way, newest)
            if self.table.night == before:
                lost = [seat for seat in before.seats if before.stack(seat) < held.stack(seat) and seat != ME]
                if isinstance(event, BY_AGREEMENT) and lost:
                    self.wrong.append(f"{self.preset}, undo by {way}: {event} takes chips from {lost}")
                self.check(before, event, f"redo by {way}", lambda way=way: self.send_undo(way, self.table.head))
        if self.table.night != before:
            record(self.table, Undo(max(n for n, made, _ in self.table._steps if made == event)))
        self.tried[event.kind, "undo"] += 1

    def amend(self, number: int, name: str) -> None:
        head = self.table.head
        change = {"kind": "amend", "event": number, "change": {name: {ME: "mia"} if name == "cover" else "mia"}}
        assert self.send_json(self.ben, change) == 403
        assert self.post(self.ben, f"change/{number}", {name: "mia"}) == 403
        assert self.table.head == head

    def send_undo(self, way: str, number: int) -> int:
        if way == "page":
            form: dict[str, str | list[str]] = {"event": str(number), "key": f"u{self.table.head}"}
            return self.ben.post(f"/n/{self.code}/undo", form).status_code  # without htmx no log is rendered
        return self.by_api(self.ben, Undo(number))


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
        table.record(event, id=f"{table.head}-played", by="ruth")
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
            record(table, Move(seat, BANK, Amount(chips - 2)))


def test_no_event_takes_chips_of_somebody_who_has_not_agreed(
    site: Site, short_or_long: Callable[[int, int], int]
) -> None:
    walks = [walk(site, preset, 100, short_or_long(2, 20)) for preset in WALKED]
    wrong = [found for one in walks for found in one.wrong]
    assert wrong == []
    tried, asked = set[tuple[str, str]](), Counter[str]()
    for one in walks:
        tried |= one.tried.keys()
        asked += one.asked
    for way in ("undo", "redo by page", *API, *(f"redo by {way}" for way in API)):
        assert {kind for kind, how in tried if how == way} >= set(TAKING), way
    assert {kind for kind, how in tried if how == "page"} >= {"borrow", "repay", "sale", "bid", "hand"}
    assert asked.keys() >= {"borrow", "hand", "sale", "bid"}
