"""Every offer of the log's pages is taken: undo, bring back, and each question of a correction answered otherwise.

Nothing that a page offers is refused, the chips that move are those of the difference that was shown and of the
sentences on what to hand over, and taking the correction back leaves the night as it was.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from random import Random
from urllib.parse import urlencode

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage, Tag, sent, text_of
from support.random_nights import every_kind_of_preset, legal_event
from werkzeug.datastructures import MultiDict

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.core.events import KINDS, Amend, Event, Name, SeatId, Sit, Undo
from tracker.core.game import GAMES
from tracker.core.ledger import BANK
from tracker.core.night import Night
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.access.rate_limits import PostRateLimit
from tracker.web.events.registry import kind_of

Facts = tuple[object, ...]
Form = dict[str, str | list[str]]
Pairs = list[tuple[str, str]]


def facts(night: Night) -> Facts:
    """Return everything that an undo has to bring back."""
    ledger, deal = night.ledger, night.deal
    balances = {account: chips for account, chips in ledger.balances.items() if chips}
    people = {seat: (person.name, person.is_here) for seat, person in night.people.items()}
    scores = (dict(night.points), night.is_reversed, night.faults, len(night.deals))
    return night.phase, night.hand, balances, dict(ledger.iou), people, scores, night.seats, deal, night.counted


def holdings(night: Night) -> dict[str, int]:
    """Return the chips of every seat, of the whole board and of the box; in score games the points."""
    if night.preset.game != "pots":
        return dict(night.points)
    board = sum(night.pot(pot) for pot in night.preset.board)
    people = {seat: night.stack(seat) for seat in night.people}
    return {**people, "Board": board, "Box": night.ledger.balance(BANK)}


def changes(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    """Return who has more or fewer now, and by how many chips."""
    found = {one: after.get(one, 0) - before.get(one, 0) for one in {*before, *after}}
    return {one: chips for one, chips in found.items() if chips}


class LogWalk:
    """A random night of four; in some of its states every row of the log is tried, on the host's phone and on Bob's."""

    def __init__(self, site: Site, preset: str, seed: int, rows: int, untouched: set[str]) -> None:
        self.chance, self.rows, self.untouched = Random(f"{preset} {seed}"), rows, untouched
        site.access.pace = PostRateLimit(burst=1_000_000)
        self.site, self.preset, self.host = site, preset, site.host()
        self.code = site.open_night(self.host, "Ann", preset)
        self.bob = site.join(self.code, "Bob")
        self.table = site.tables.get(self.code)
        self.before: dict[int, Facts] = {}
        """The facts before each entry of the walk was recorded."""
        self.findings: list[str] = []
        self.offers = 0
        for seat in ("cara", "dan"):
            self.record(Sit(SeatId(seat), Name(seat.capitalize())))

    def record(self, event: Event) -> None:
        self.before[self.table.head + 1] = facts(self.table.night)
        may_bob = kind_of(event, self.table.night).may_record(event, self.table.night, "bob", is_open=False)
        self.table.record(event, id=new_id(), by="bob" if may_bob else "host")

    def run(self, states: int, length: int = 6) -> None:
        for _ in range(states):
            for _ in range(self.chance.randint(1, length)):
                if not self.table.night.is_over:
                    self.record(legal_event(self.table.night, self.chance))
            for phone in (self.bob, self.host):
                self.try_rows(phone)
            self.leave_undone()
        self.leave_all_as_they_are()

    def leave_all_as_they_are(self, most: int = 150) -> None:
        """Play another night, and send the correction form of one entry of each kind as it is that no walk has sent."""
        self.table = self.site.tables.get(self.site.open_night(self.host, "Ann", self.preset))
        self.code = self.table.code
        for seat in ("bob", "cara", "dan"):
            self.record(Sit(SeatId(seat), Name(seat.capitalize())))
        while self.table.head < most and not self.table.night.is_over:
            self.record(legal_event(self.table.night, self.chance, may_end=False))
        for number, event, _after in self.table.history().steps:
            if event.kind not in self.untouched:
                self.leave_as_it_is(self.host, f"/change/{number}")

    def leave_undone(self) -> None:
        """Take some entry back for good, so that later pages have one to bring back."""
        history, head = self.table.history(), self.table.head
        number = self.chance.choice([number for number, _, _ in history.steps])
        if number > 4 and self.chance.random() < 0.3:
            self.host.post(f"/n/{self.code}/undo", {"event": str(number), "key": f"kept-{number}"})
        if self.table.head > head:
            self.before.clear()  # of a log that has changed

    # Rows

    def page(self, phone: ClientPhone, path: str = "/log") -> HtmlPage:
        answer = phone.get(f"/n/{self.code}{path}")
        assert answer.status_code == 200, f"{path}: {answer.status_code} {answer.text[:200]}"
        return HtmlPage(answer.text)

    def try_rows(self, phone: ClientPhone) -> None:
        rows = [row for row in self.page(phone).select("li.entry") if row.select_one(".do")]
        newest = [row for row in rows if row.select_one(".do form")]
        others = [row for row in rows if row not in newest]
        for row in rows:
            for link in row.select(".do a[href*='/change/']"):
                self.leave_as_it_is(phone, link.get("href").partition(self.code)[2])
        for row in [*newest, *self.chance.sample(others, min(self.rows, len(others)))]:
            self.try_row(phone, row)

    def try_row(self, phone: ClientPhone, row: Tag) -> None:
        entry, number = row.get("id"), int(row.get("id").removeprefix("e-"))
        links = [link.get("href").partition(self.code)[2] for link in row.select(".do a")]
        if self.page(phone).has(f"#{entry} .do form"):  # an undo of another row may have taken it away since
            self.undo_and_bring_back(phone, entry, number)
        for link in links:
            if "/change/" in link:
                self.try_changes(phone, link)
            page = self.page(phone, link.replace("/change/", "/take-back/"))
            self.try_difference(phone, page, f"take back {self.words(row)}")

    def words(self, row: Tag) -> str:
        return text_of(row.select(".tx p")[0])

    def say(self, what: str) -> None:
        sentence = f"{self.preset}: {what}"
        if sentence not in self.findings:
            self.findings.append(sentence)

    # One tap: undo, and bring back

    def undo_and_bring_back(self, phone: ClientPhone, entry: str, number: int) -> None:
        then = facts(self.table.night)
        first = self.tap(phone, entry)
        is_back = then != facts(self.table.night) or first
        if first == "undo" and facts(self.table.night) != self.before.get(number, facts(self.table.night)):
            self.say(f"undo of {self.table.entries[number - 1].event.kind} left something")
        if is_back and self.tap(phone, entry) and facts(self.table.night) != then:
            self.say(f"undoing and bringing back {self.table.entries[number - 1].event.kind} left something")

    def tap(self, phone: ClientPhone, entry: str) -> str:
        """Take the button of a row; return `undo` or `back`, or nothing where there is none or it is refused."""
        page = self.page(phone)
        row = page.one(f"#{entry}")
        form, words = row.select_one(".do form"), self.words(row)
        if not isinstance(form, Tag):
            self.say(f"no button any more beside “{words}”")
            return ""
        was_gone = "undone" in row.get("class").split()
        button = form.select_one("button[name=event]")
        assert isinstance(button, Tag)
        self.offers += 1
        data: Form = {tag.get("name"): value for tag, value in sent(form)}
        data["event"] = button.get("value")
        answer = phone.post(f"/n/{self.code}/undo", data, HX_Request="true")
        if answer.status_code != 200:
            self.say(f"{text_of(button)} “{words}” is refused: {HtmlPage(answer.text).text()[:200]}")
            return ""
        row = self.page(phone).one(f"#{entry}")
        if ("undone" in row.get("class").split()) == was_gone:
            self.say(f"{text_of(button)} “{words}” shows nothing")
        if not was_gone and "taken back" not in text_of(row):
            self.say(f"“{words}” does not say that it was taken back")
        return "back" if was_gone else "undo"

    # Corrections with their difference

    def leave_as_it_is(self, phone: ClientPhone, link: str) -> None:
        """Send a correction form that nobody has touched, which changes nothing."""
        untouched = [(tag.get("name"), value) for tag, value in sent(self.page(phone, link).one("#fix"))]
        same = self.page(phone, f"{link}?{urlencode(untouched)}")
        if "Change something" not in same.text("#difference"):
            self.say(f"{link}: answered as before, it is a change: {same.text('#difference')}")
        self.untouched.add(self.table.entries[int(link.rpartition("/")[2]) - 1].event.kind)

    def try_changes(self, phone: ClientPhone, link: str) -> None:
        page = self.page(phone, link)
        untouched = [(tag.get("name"), value) for tag, value in sent(page.one("#fix"))]
        for changed in one_change(page.one("#fix"), untouched, self.chance):
            answer = phone.get(f"/n/{self.code}{link}?{urlencode(changed)}")
            self.try_difference(phone, HtmlPage(answer.text), f"{link}?{urlencode(changed)}")

    def try_difference(self, phone: ClientPhone, page: HtmlPage, what: str) -> None:
        """Save what a page shows the difference of, compare, and take it back."""
        dock = page.one("#difference")
        form = dock.select_one("form[method=post]")
        if not isinstance(form, Tag):
            if not dock.select_one(".note.bad") and "Change something" not in text_of(dock):
                self.say(f"{what}: neither a difference nor a reason")
            return
        then, before, shown = facts(self.table.night), self.table.night, difference_of(dock)
        self.offers += 1
        by_hand = form.select_one("button[name=at-table][value=hand]")
        button = {"at-table": "hand"} if by_hand else {}
        data = MultiDict([(tag.get("name"), value) for tag, value in sent(form)] + list(button.items()))
        answer = phone.post(form.get("action"), dict(data.lists()))
        if answer.status_code != 303:
            self.say(f"{what} is refused: {answer.status_code} {HtmlPage(answer.text).text('main')[:200]}")
            return
        made, seats = changes(holdings(before), holdings(self.table.night)), names(before, self.table.night)
        if {seats[name]: chips for name, chips in shown.items()} != made:
            self.say(f"{what}: the page said {shown}, and {made} happened")
        given = given_of(HtmlPage(phone.get(answer.location).text), seats) if by_hand else made
        if given != made:
            self.say(f"{what}: hand over {given}, and {made} happened")
        if isinstance(self.table.entries[-1].event, Undo | Amend):
            self.table.record(Undo(self.table.head), id=new_id(), by="host")
        if facts(self.table.night) != then:
            self.say(f"{what}: taken back, it left something")


def names(*nights: Night) -> dict[str, str]:
    """Return what pages may call each seat -> the seat; the board and the box are called as they are."""
    people = {night.name(seat): seat for night in nights for seat in night.people}
    return {**{seat: seat for seat in people.values()}, **people, "Board": "Board", "Box": "Box"}


def one_change(form: Tag, untouched: Pairs, chance: Random) -> Iterator[Pairs]:
    """Yield what the correction form sends with one answer changed: every question once."""
    for name in dict.fromkeys(tag.get("name") for tag in form.select("[name]")):
        fields = form.select(f"[name='{name}']")
        kind = "select" if fields[0].name == "select" else fields[0].get("type")
        rest, now = [pair for pair in untouched if pair[0] != name], [value for key, value in untouched if key == name]
        choices = [one.get("value") for one in (fields[0].select("option") if kind == "select" else fields)]
        others = [value for value in choices if value not in now]
        if kind in ("select", "radio") and others:
            yield [*rest, (name, chance.choice(others))]
        elif kind == "checkbox":
            value = chance.choice(choices)
            kept = [one for one in now if one != value] if value in now else [*now, value]
            yield [*rest, *((name, one) for one in kept)]
        elif kind == "number":
            yield [*rest, (name, str(int(now[0] or 0) + chance.choice((1, 2))))]
        elif kind == "text":
            yield [*rest, (name, f"{now[0]}x")]


def difference_of(dock: Tag) -> dict[str, int]:
    """Return what a page says will change: chips by person, `Board` and `Box`, or points by person."""
    found: dict[str, int] = {}
    for line in dock.select("ul.diff:not(.small) > li"):
        whose, number = line.select_one("bdi") or line.select_one(".tag"), line.select_one(".num")
        if isinstance(whose, Tag) and isinstance(number, Tag):
            found[text_of(whose)] = int(text_of(number).replace("−", "-").replace(",", ""))
    return found


MOVES = (
    (r"^(?P<giver>.+): (?P<n>\d+) back into the box$", "", "Box"),
    (r"^(?P<taker>.+): (?P<n>\d+) from the box$", "Box", ""),
    (r"^(?P<giver>\S+) gives (?P<taker>\S+) (?P<n>\d+)$", "", ""),
    (r"^(?P<giver>\S+) puts (?P<n>\d+) here: ", "", "Board"),
    (r"^(?P<taker>\S+) takes (?P<n>\d+) from here: ", "Board", ""),
    (r"^(?P<n>\d+) from here: ", "Board", "Board"),
)
"""The sentences of what is handed over, and who gives and takes where no person does."""


def given_of(page: HtmlPage, seats: Mapping[str, str]) -> dict[str, int]:
    """Return what the sentences under "Now hand over at the table" change: chips by seat, `Board` and `Box`."""
    found: dict[str, int] = {}
    for line in page.texts(".hand-over li"):
        for pattern, giver, taker in MOVES:
            if match := re.search(pattern, line):
                named = match.groupdict()
                for name, sign in ((named.get("giver", giver), -1), (named.get("taker", taker), 1)):
                    whose = seats.get(name, "Board")  # a place of the board is called by its name
                    found[whose] = found.get(whose, 0) + sign * int(named["n"])
                break
        else:
            raise AssertionError(line)
    return {whose: chips for whose, chips in found.items() if chips}


PRESETS = [preset.id for preset in every_kind_of_preset()]


@pytest.fixture(name="walks", scope="module")
def _walks(
    tmp_path_factory: pytest.TempPathFactory, short_or_long: Callable[[int, int], int]
) -> Callable[[str], LogWalk]:
    """Give a function that returns a preset's walk; each is made once."""
    store = Store(tmp_path_factory.mktemp("data") / "nights.db")
    site, made, untouched = Site(Nights(store, StreamHub())), dict[str, LogWalk](), set[str]()

    def walk_of(preset: str) -> LogWalk:
        if preset not in made:
            made[preset] = LogWalk(site, preset, short_or_long(0, 1), rows=short_or_long(2, 6), untouched=untouched)
            made[preset].run(short_or_long(3, 20))
        return made[preset]

    return walk_of


@pytest.mark.parametrize("preset", PRESETS)
def test_what_the_log_offers_is_accepted_and_does_what_it_says(walks: Callable[[str], LogWalk], preset: str) -> None:
    walk = walks(preset)
    assert walk.offers > 5
    assert not walk.findings


def test_each_kind_of_entry_is_corrected_in_some_game(walks: Callable[[str], LogWalk]) -> None:
    untouched = [walks(preset).untouched for preset in PRESETS][-1]
    played, kinds = {preset.game for preset in every_kind_of_preset()}, {*KINDS}
    for game in GAMES.values():  # those of extras that are not there have kinds of their own
        if game.name not in played:
            kinds -= game.handlers.keys() - GAMES["pots"].handlers.keys()
    assert untouched >= kinds - {"undo", "amend", "paid", "end", "reverse"}
