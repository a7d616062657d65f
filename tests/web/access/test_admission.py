"""Whoever acts does every act to every kind of target: devices change where the table says so, and nowhere else."""

import ast
from collections.abc import Callable, Iterator
from enum import Enum

import pytest
from support.client_phones import ClientPhone, Site, add_people
from support.of_extras import functions_of_extras, of_extras
from support.paths import ROOT
from support.sample_nights import Form, SampleNight

from tracker import extras
from tracker.core.events import Leave
from tracker.storage import DeviceRow, NotSaved
from tracker.web.access.admission import send_away
from tracker.web.access.devices import MOST_PER_SEAT, Devices, hash_token


class Relation(Enum):
    """How the one who acts stands to the device or seat that an act concerns."""

    STRANGER = "no device of this night"
    WAITING = "waits to be admitted"
    WATCHER = "watches"
    OTHER_SEAT = "a phone of another seat"
    SAME_SEAT = "another phone of the seat concerned"
    OWN_DEVICE = "the device concerned"
    HOST = "the host's device"


AT_TABLE = frozenset({Relation.OTHER_SEAT, Relation.SAME_SEAT, Relation.HOST})
OWN_SEAT = frozenset({Relation.SAME_SEAT, Relation.HOST})
OWN_PHONE = OWN_SEAT | {Relation.OWN_DEVICE}
BY_HOST = frozenset({Relation.HOST})


class Table(SampleNight):
    """A night in its first hand: two phones of Ruth, who runs it, and of Ben, one of Mia; one watches, one waits.

    The other phone at the host's seat is no host.
    """

    def __init__(self, site: Site) -> None:
        super().__init__(site, people=("Ben", "Mia"))
        add_people(self.host, self.code, "Tom")
        self.phones |= {"host": self.host, "watcher": site.request_join(self.code, watch="1")}
        site.start_first_hand(self.host, self.code)
        asking = {"host_too": HOSTS, "ben_too": BENS, "sam": {"name": "Sam"}, "waiting": {"name": "Zoe"}}
        self.phones |= {name: site.request_join(self.code, **target) for name, target in asking.items()}
        for name in ("host_too", "ben_too", "sam"):
            self.admit(self.phones[name])

    def devices(self) -> dict[int, tuple[str, str | None, bool]]:
        """Return the devices that are good now: role, seat, and whether it was admitted."""
        rows = self.site.access.devices.devices_of(self.code)
        answered = self.site.tables.store.settings(self.code)
        return {row.id: (row.role, row.seat, f"let-in.{row.id}" in answered) for row in rows}

    def device(self, phone: ClientPhone) -> DeviceRow:
        """Return the row behind a phone's cookie."""
        name = f"{self.site.access.devices.cookie_name}_{self.code}"
        row = self.site.tables.store.devices.by_token(hash_token(phone.cookies[name]))
        assert row
        return row

    def admit(self, phone: ClientPhone) -> None:
        assert self.host.post(f"{self.base}/knocks/{self.device(phone).id}/in").status_code == 303
        assert phone.post(f"{self.base}/enter").status_code == 303
        assert phone.get(self.base).status_code == 200


Try = Callable[[Table, ClientPhone], None]
"""Has a phone try an act; what it changed is compared afterwards."""


def answering(answer: str, **target: str) -> Try:
    """Have a new phone ask to join, and the phone that acts answer it: "in" or "away"."""

    def act(table: Table, phone: ClientPhone) -> None:
        asking = table.site.request_join(table.code, **target)
        phone.post(f"{table.base}/knocks/{table.device(asking).id}/{answer}")

    return act


def dismissing(target: str) -> Try:
    def dismiss(table: Table, phone: ClientPhone) -> None:
        phone.post(f"{table.base}/devices/{table.device(table.phones[target]).id}/away")

    return dismiss


def posting(path: str, **form: str) -> Try:
    """Have the phone that acts send a form to an address of the night."""

    def post(table: Table, phone: ClientPhone) -> None:
        phone.post(f"{table.base}/{path}", {**form})

    return post


# Every phone of the table: the seat that it is on, and how it stands to what is not of that seat.
PHONES = {
    "stranger": ("-", Relation.STRANGER),
    "waiting": ("-", Relation.WAITING),
    "watcher": ("-", Relation.WATCHER),
    "mia": ("mia", Relation.OTHER_SEAT),
    "ben": ("ben", Relation.OTHER_SEAT),
    "ben_too": ("ben", Relation.OTHER_SEAT),
    "host_too": ("ruth", Relation.OTHER_SEAT),
    "host": ("-", Relation.HOST),
}
NEW, FREE, WATCH, BENS, HOSTS = {"name": "Jo"}, {"seat": "tom"}, {"watch": "1"}, {"seat": "ben"}, {"seat": "ruth"}
TRIES: dict[str, tuple[Try, frozenset[Relation], str, str]] = {
    "admit a new person": (answering("in", **NEW), AT_TABLE, "jo", ""),
    "refuse a new person": (answering("away", **NEW), AT_TABLE, "jo", ""),
    "admit to a free seat": (answering("in", **FREE), AT_TABLE, "tom", ""),
    "refuse a free seat": (answering("away", **FREE), AT_TABLE, "tom", ""),
    "admit a watcher": (answering("in", **WATCH), AT_TABLE, "", ""),
    "refuse a watcher": (answering("away", **WATCH), AT_TABLE, "", ""),
    "admit to Ben's seat": (answering("in", **BENS), OWN_SEAT, "ben", ""),
    "refuse Ben's seat": (answering("away", **BENS), OWN_SEAT, "ben", ""),
    "admit to the host's seat": (answering("in", **HOSTS), OWN_SEAT, "ruth", ""),
    "refuse the host's seat": (answering("away", **HOSTS), OWN_SEAT, "ruth", ""),
    "dismiss a player's phone": (dismissing("ben"), OWN_PHONE, "ben", "ben"),
    "dismiss the host's phone": (dismissing("host"), BY_HOST, "ruth", "host"),  # nobody leaves a table without one
    "dismiss the host's other phone": (dismissing("host_too"), OWN_PHONE, "ruth", "host_too"),
    "dismiss a watcher": (dismissing("watcher"), BY_HOST, "", "watcher"),
    "dismiss who waits": (dismissing("waiting"), AT_TABLE, "", ""),
    "remove who came in this hand": (posting("seat/sam/remove"), BY_HOST, "sam", ""),
}
"""What is tried at the table itself, who may do it, the seat that it concerns, and the phone that it ends."""


def by_extras() -> Iterator[tuple[str, tuple[Try, frozenset[Relation], str, str]]]:
    """Yield the same of what extras let phones do."""
    for tries in functions_of_extras("tries"):
        for what, (attempt, relation, seat, ended) in tries().items():
            yield what, (attempt, frozenset({Relation[relation]}), seat, ended)


def standing_to(phone: str, seat: str, ended: str) -> Relation:
    """Return how a phone stands to what is tried, from the story alone."""
    own_seat, elsewhere = PHONES[phone]
    if phone == ended or (ended == "*" and elsewhere in (Relation.OTHER_SEAT, Relation.HOST)):
        return elsewhere if elsewhere is Relation.WAITING else Relation.OWN_DEVICE
    return Relation.SAME_SEAT if seat == own_seat else elsewhere


@pytest.mark.parametrize("phone", PHONES)
def test_devices_change_where_the_table_allows_it_and_nowhere_else(site: Site, phone: str) -> None:
    table = Table(site)
    for what, (attempt, allowed, seat, ended) in (*TRIES.items(), *by_extras()):
        actor = site.phone() if phone == "stranger" else table.phones[phone]
        before = table.devices()
        attempt(table, actor)
        after = table.devices()
        has_changed = any(after.get(device) != row for device, row in before.items())
        # The attempt puts its own join request there: that is a change once it is answered.
        requests = {device: row for device, row in after.items() if device not in before}
        was_answered = any(role != "knock" or is_admitted for role, _, is_admitted in requests.values())
        was_refused = what.startswith("refuse") and not requests
        is_allowed = standing_to(phone, seat, ended) in allowed
        assert (has_changed or was_answered or was_refused) == is_allowed, what
        for device in requests:
            site.access.devices.dismiss(device)
        if has_changed:
            table = Table(site)


ROLE_CHANGES = {
    **{f"join.join_requests.{function}": "tried above" for function in ("let_in", "enter", "refuse")},
    **{f"join.seat_pages.{function}": "tried above" for function in ("send_phone_away", "remove")},
    "join.join_requests.ask_otherwise": "the end of the own wait, or of one at a night that is over",
    "join.pages.new_code": "the end of what was said to phones that have not come in yet, by the host",
    "access.admission.end_scripts": "the end of a seat's scripts with its phone, or of a night's with its host",
    "join.pages.join": "in an open lobby, to whoever has its code: a new or a free seat, or to watch",
    "join.pages.ask_to_join": "to wait for the table's answer, to whoever has the code",
    "nights.home.redeem": "host of new nights, to the one browser that opens the link from the terminal",
    "nights.home.take_over": "host of a night, to the browser of that link",
    "nights.new_night.open_night": "host of a new night, to the browser of that link",
    "nights.night_options.open_again": "host of a new night, to the browser of that link or to the host of the last, "
    "and what they were there to the phones of its people",
    "access.permissions._to_next_night": "what a phone was at the night before, to the browser that was it there",
    **dict(one.split(": ") for one in of_extras("role_changes")),
}
"""Every function of the pages that gives a device a role or ends it: where it is tried, or to whom it is free."""


def test_no_page_changes_a_role_but_those_that_the_table_names() -> None:
    changing = {"register_device", "issue", "dismiss", "let_in", "hand_over", "end_admissions"}
    changing |= {"bring_along", "move_here"}
    assert changing - {"hand_over", "issue"} <= set(vars(Devices))
    found = set()
    there = ["web", *(f"extras/{name}" for name in ("_*", *extras.names()))]
    for path in [one for folder in there for one in (ROOT / "tracker").glob(f"{folder}/**/*.py")]:
        room = ".".join(path.relative_to(ROOT / "tracker").with_suffix("").parts).removeprefix("web.")
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            calls = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
            sends_away = any(isinstance(call, ast.Name) and call.id == send_away.__name__ for call in calls)
            if sends_away or changing & {call.attr for call in calls if isinstance(call, ast.Attribute)}:
                found.add(f"{room}.{function.name}")
    found.discard(f"access.admission.{send_away.__name__}")
    assert {name for name in found if not name.startswith("access.devices.")} == set(ROLE_CHANGES)


@pytest.fixture(name="table")
def _table(site: Site) -> Table:
    return Table(site)


def test_a_yes_for_a_free_seat_is_none_once_somebody_else_has_it(site: Site, table: Table) -> None:
    first, second = site.request_join(table.code, seat="tom"), site.request_join(table.code, seat="tom")
    for phone in (first, second):
        table.phones["mia"].post(f"{table.base}/knocks/{table.device(phone).id}/in")
    assert first.post(f"{table.base}/enter").location == table.base
    assert first.get(table.base).status_code == 200
    second.post(f"{table.base}/enter")
    assert table.device(second).role == "knock"
    table.admit(second)
    assert table.device(second).role == "seat"


def test_the_count_ends_the_oldest_phone_of_a_seat_and_never_the_host_or_a_script(site: Site, table: Table) -> None:
    script = site.script_token(table.code, "seat", seat="ruth")
    admitted = [table.phones["host_too"]]
    for _ in range(2 * MOST_PER_SEAT):
        phone = site.request_join(table.code, seat="ruth")
        asked = f'id="join-request-{table.device(phone).id}"'
        assert [asked in one.get(table.base).text for one in (table.host, table.phones["mia"])] == [True, False]
        table.admit(phone)
        admitted.append(phone)
    assert [phone.get(table.base).status_code for phone in admitted] == [403] * (len(admitted) - 3) + [200] * 3
    assert table.host.get(f"{table.base}/settings").status_code == 200
    assert site.tables.store.devices.by_token(hash_token(script)) is not None


@pytest.mark.parametrize("way", ["scanned", "typed"])
def test_a_host_who_asks_to_come_in_stays_the_host(site: Site, way: str) -> None:
    for target in (BENS, NEW, WATCH):
        host = site.host()
        code = site.open_night(host, "")
        site.join(code, "Ben")
        proof = {"token": site.join_link(code)[3:]} if way == "scanned" else {"typed": site.typed_code(code)}
        host.post("/join", {**proof, **target})
        assert host.get(f"/n/{code}/settings").status_code == 200, target


def test_a_waiting_phone_has_no_seat_when_the_host_link_is_opened(site: Site, table: Table) -> None:
    asking = site.request_join(table.code, seat="ben")
    token = site.access.mint_host_link().rsplit("/", 1)[1]
    assert asking.post("/host", {"token": token, "night": table.code}).status_code == 303
    assert (table.device(asking).role, table.device(asking).seat) == ("host", None)


def test_whoever_has_left_admits_nobody(table: Table) -> None:
    sam = table.site.request_join(table.code, seat="sam")
    table.admit(sam)
    table.record(Leave("sam"))
    waiting = table.device(table.phones["waiting"]).id
    assert f"knocks/{waiting}" not in sam.get(table.base).text
    assert sam.post(f"{table.base}/knocks/{waiting}/in").status_code == 403
    assert table.ben.post(f"{table.base}/knocks/{waiting}/in").status_code == 303


def fails_once(site: Site, monkeypatch: pytest.MonkeyPatch, send: Callable[[], int]) -> tuple[int, int]:
    """Return how a form is answered while nothing can be saved, and when it is sent again."""

    def add(*_: object, **__: object) -> None:
        raise NotSaved("full", certain=True)

    with monkeypatch.context() as patch:
        patch.setattr(site.tables.store.devices, "add", add)
        first = send()
    return first, send()


def test_a_link_that_could_not_be_used_for_the_disk_works_when_it_is_sent_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, token = table.site, table.site.access.mint_host_link().rsplit("/", 1)[1]
    browser = site.phone()
    form: Form = {"token": token, "night": table.code}
    assert fails_once(site, monkeypatch, lambda: browser.post("/host", form).status_code) == (503, 303)
    assert site.phone().post("/host", form).status_code == 410
