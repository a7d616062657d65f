"""A walk over the offers of a night's pages: each is taken, and what happened is compared with what the page said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from random import Random

from support.cards_left import by_the_draft, on_phone
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage, Tag, text_of
from support.page_offers import Offer, PageReader
from werkzeug.test import TestResponse

from tracker.app.event_rows import new_id
from tracker.core.events import Undo
from tracker.web.access.rate_limits import PostRateLimit
from tracker.web.base.snapshot import snapshot_of
from tracker.web.drawing.board import pile_size

PEOPLE = ("Ruth", "Ben", "Mia", "Tom")
BOARDS = 3
"""On so many boards of a kind is an offer taken that is not needed to go on there."""


def role_of(phone: str) -> str:
    return "host" if phone == "host" else "seat"


def same_tap(one: Offer, other: Offer) -> bool:
    """Return whether two offers are the same tap; the numbers that their buttons name may have changed."""

    def tap(offer: Offer) -> Mapping[str, str]:
        form = {name: value for name, value in offer.form.items() if name not in ("key", "head", "claim", "hands")}
        return {**form, "do": re.sub(r"\d+$", "", offer.do)} if offer.do.startswith("undo") else form

    return tap(one) == tap(other)


def question(html: str) -> HtmlPage:
    """Return the question that a page shows, without parsing the rest of it; an empty page where it asks nothing."""
    asked = re.search(r'data-ask="(\w+)"', html)
    found = (
        re.search(rf'<div class="ask a-{asked[1]}".*?(?=<div class="ask |</section>)', html, re.DOTALL)
        if asked
        else None
    )
    return HtmlPage(found[0] if found else "")


def undo_of(page: HtmlPage) -> Offer | None:
    """Return the undo of the question that shows, with the words beside it; None where there is none."""
    now = question(page.html)
    if '<button class="undo' not in now.html or not now.has("button.undo[name=do]"):
        return None
    button = now.one("button.undo[name=do]")
    form = {name: hidden_value(page.html, name) for name in ("head", "claim", "hand", "seat")}
    form |= {"key": key} if (key := hidden_value(page.html, "key")) else {}
    return Offer(f"{last_words(page)} [{text_of(button)}]", {**form, "do": button.get("value")})


def hidden_value(html: str, name: str) -> str:
    found = re.search(rf'<input type="hidden" name="{name}" value="([^"]*)"', html)
    return found[1] if found else ""


def refusal_of(answer: TestResponse) -> str:
    notice = HtmlPage(answer.text).text("[data-notice]") if "data-notice" in answer.text else answer.text[:80]
    return f"{answer.status_code} {notice}"


def last_words(page: HtmlPage) -> str:
    return question(page.html).text(".last > p", inline=())


PASSING = re.compile(
    r'<(?P<tag>p|span) id="last"[^>]*>.*?</(?P=tag)>'  # what happened last
    r'|<span hidden data-tell="not out">.*?</span>'
    r'|<div id="requests".*?(?=<form id="move")'  # what was asked for is not asked for again
    r'|<small class="muted">(?:(?!</small>).)*</small>(?=</p>)'
    r'|<button class="undo[" ].*?</button>'
    r'|<span class="muted">[^<]*</span>(?=</p>)'  # how to answer, where the newest event does not stand instead
    r'|/change/\d+|data-(?:at|head|claim|moves)="[^"]*"|(?<=id=")[a-z-]+-\d+(?=")'
    r'|<input type="hidden" name="(?:key|head|claim)"(?: [a-z-]+="[^"]*")*>',
    re.DOTALL,
)


@lru_cache(maxsize=64)
def facts(html: str) -> str:
    """Return a page without the line about the newest event, and without what follows from the log's length."""
    return " ".join(PASSING.sub("", html).split())


def first_difference(then: str, now: str) -> str:
    at = next(
        (at for at, (old, new) in enumerate(zip(then, now, strict=False)) if old != new), min(len(then), len(now))
    )
    start = max(0, at - 60)
    return f"{then[start : at + 120]!r} became {now[start : at + 120]!r}"


def numbers_in(element: Tag) -> list[int]:
    """Return the numbers in an element's text, those behind a minus below zero."""
    return [int(number.replace("−", "-")) for number in re.findall(r"−?\d+", element.get_text())]


def numbers_of_seats(page: HtmlPage, selector: str) -> dict[str, int]:
    """Return the last number in something that stands in a person's place, by the seat."""
    found = ((one.get("id")[2:], one.select_one(selector)) for one in page.select("[id^=s-]"))
    return {seat: numbers_in(part)[-1] for seat, part in found if part and numbers_in(part)}


class Walk:
    """A night of four whose offers are taken one after the other, always those that were taken least before."""

    def __init__(
        self,
        site: Site,
        preset: str,
        phones: str,
        form: Mapping[str, str],
        *,
        language: str = "en",
        is_long: bool = False,
        compared: Counter[object] | None = None,
    ) -> None:
        """`phones`: "one" for all, "own" for all but the last, or "open" to all: the host's and Ben's.

        `compared` is how often other walks by the same phones have compared something, on boards of a kind.
        """
        self.preset, self.language, self.is_long = preset, language, is_long
        self.compared = Counter[object]() if compared is None else compared
        self.chance = Random(0)
        self.findings: list[str] = []
        self.states: set[object] = set()
        self.offers = self.undos = 0
        self.taken: Counter[str] = Counter()
        self.done: set[tuple[object, str, str]] = set()
        self._read: dict[str, HtmlPage] = {}
        site.access.pace = PostRateLimit(burst=1_000_000)
        host = site.host()
        answer = host.post("/new", {"preset": preset, "host": PEOPLE[0], "full": "1", **form})
        assert answer.status_code == 303, answer.text
        self.code = answer.location.split("/")[2]
        self.phones: dict[str, ClientPhone] = {"host": host}
        for name in PEOPLE[1:]:
            if phones == "one" or name == PEOPLE[-1] or (phones == "open" and name != "Ben"):
                assert host.post(f"/n/{self.code}/seats", {"name": name}).status_code in (200, 303)
            else:
                self.phones[name.lower()] = site.join(self.code, name)
        self.table = site.tables.get(self.code)
        self.table.settings.is_open_to_all = phones == "open"

    def find(self, what: str) -> None:
        if what not in self.findings:
            self.findings.append(what)

    # The night's pages

    def read(self, phone: str) -> HtmlPage:
        """Return what a phone shows: the answer to what it did last, else fetched once between two things done."""
        if phone not in self._read:
            answer = self.phones[phone].get(f"/n/{self.code}/live", Accept_Language=self.language)
            assert answer.status_code == 200, answer.text
            self._read[phone] = HtmlPage(answer.text)
        return self._read[phone]

    def read_all(self) -> dict[str, HtmlPage]:
        return {phone: self.read(phone) for phone in self.phones}

    def sheet(self, phone: str, address: str) -> HtmlPage:
        answer = self.phones[phone].get(f"/n/{self.code}{address}", HX_Request="true", Accept_Language=self.language)
        assert answer.status_code == 200, f"{address}: {answer.text}"
        return HtmlPage(answer.text)

    def offers_of(self, phone: str, page: HtmlPage) -> list[Offer]:
        """Return the offers of a page and of all its sheets."""
        reader = PageReader(page)
        found = reader.offers()
        open_sheets = reader.sheet_addresses() if page.has("#move[data-ask]") else []
        for address in open_sheets:
            sheet = self.sheet(phone, address)
            more = [f"/sheet/{link.rpartition('/')[2]}" for link in sheet.values("a[href][data-open]", "href")]
            open_sheets += [inner for inner in more if inner not in open_sheets]
            found += reader.sheet(address, sheet)
        return found

    def post(self, phone: str, offer: Offer) -> TestResponse:
        self.offers += 1
        self._read.clear()
        headers = {"HX_Request": "true", "Accept_Language": self.language}
        answer = self.phones[phone].post(f"/n/{self.code}/record", dict(offer.form), **headers)
        if answer.status_code == 200:  # a refusal says its reason, which is gone with the next picture
            self._read[phone] = HtmlPage(answer.text)
        return answer

    def undo_newest(self) -> None:
        """Undo the newest event without a page."""
        self._read.clear()
        self.table.record(Undo(self.table.head), id=new_id(), by="host")

    def numbers(self) -> dict[str, int]:
        """Return the chips of every person and place, or everybody's points."""
        night = self.table.night
        if not night.preset.is_pot_game:
            return dict(night.points)
        stacks = {str(seat): night.stack(seat) for seat in night.people}
        return {**stacks, **{pot: night.pot(pot) for pot in night.preset.board}}

    # Walking

    def run(self, steps: int, most: int) -> None:
        """Go on from state to state; in each that was not seen before, take every kind of offer at most so often."""
        for _ in range(steps):
            pages = self.read_all()
            offers = {phone: self.offers_of(phone, page) for phone, page in pages.items()}
            key = self.key(offers)
            if key not in self.states:
                self.states.add(key)
                for phone, offer in self.each_kind(offers, most):
                    fresh = self.again(phone, offer, pages[phone])
                    if fresh is not None:
                        self.take(phone, fresh, goes_on=False)
            self.go_on(pages, offers)

    def key(self, offers: Mapping[str, list[Offer]]) -> object:
        night = self.table.night
        kinds = {(role_of(phone), one.kind) for phone, found in offers.items() for one in found}
        return night.phase, bool(self.table.draft.winner), frozenset(kinds)

    def each_kind(self, offers: Mapping[str, list[Offer]], most: int) -> Iterator[tuple[str, Offer]]:
        """Yield some offers of each kind; own phones whose offers are alike are one kind of phone."""
        by_kind: dict[tuple[str, str], list[tuple[str, Offer]]] = {}
        for phone, found in offers.items():
            for one in found:
                by_kind.setdefault((role_of(phone), one.kind), []).append((phone, one))
        moment = self.table.night.phase, bool(self.table.draft.winner)
        for (role, kind), alike in by_kind.items():
            tried = moment, role, kind
            is_new = tried not in self.done and self.compared[tried] < BOARDS
            self.compared[tried] += tried not in self.done
            self.done.add(tried)
            # What undoes something is compared after each offer.
            if (is_new or self.is_long) and " undo " not in f" {kind} ":
                yield from alike if len(alike) <= most else self.chance.sample(alike, most)

    def again(self, phone: str, offer: Offer, seen: HtmlPage) -> Offer | None:
        """Return an offer of the page `seen` on the page of now; None where it is not offered any more.

        A request for chips is no fact of a page, for undoing its answer does not ask it again: it is looked up.
        """
        page = self.read(phone)
        if offer.place != "request" and facts(page.html) == facts(seen.html):
            new = {name: hidden_value(page.html, name) for name in ("head", "claim")}
            if key := offer.form.get("key"):  # a sheet's, or of a score game
                new["key"] = re.sub(r"-\d+", f"-{new['head']}", key, count=1)
            return replace(offer, form={**offer.form, **new})
        reader = PageReader(page)
        if offer.sheet and offer.sheet.rpartition("/")[2] not in ("sheet", *self.table.night.seats):
            return None
        found = reader.sheet(offer.sheet, self.sheet(phone, offer.sheet)) if offer.sheet else reader.offers()
        return next((one for one in found if same_tap(one, offer)), None)

    def go_on(self, pages: Mapping[str, HtmlPage], offers: Mapping[str, list[Offer]]) -> None:
        """Take one offer more, of the kind that was taken least to go on."""
        choices = [
            (self.weight(phone, one), self.chance.random(), phone, one)
            for phone, found in offers.items()
            for one in found
            if " undo " not in f" {one.kind} "
        ]
        if not choices:
            self.host_takes_back()
            return
        for _, _, phone, offer in sorted(choices, key=lambda choice: choice[:2]):
            fresh = self.again(phone, offer, pages[phone])
            if fresh is not None:
                self.taken[f"{role_of(phone)} {offer.kind}"] += 1
                self.take(phone, fresh, goes_on=True)
                return

    def weight(self, phone: str, offer: Offer) -> int:
        """Return how late an offer is taken to go on: what a hand needs first, what stands on sheets seldom."""
        taken = self.taken[f"{role_of(phone)} {offer.kind}"]
        is_said = offer.do.startswith("say") and offer.form["seat"] in self.table.draft.counts
        is_rare = (
            is_said or offer.do.startswith(("leave", "not-out", "buy")) or offer.kind.startswith("dock count penalty")
        )
        return taken * 30 + 30 if is_rare else taken * 4 + 4 if offer.sheet else taken

    def host_takes_back(self) -> None:
        undo = undo_of(self.read("host"))
        assert undo, self.read("host").text()
        self.post("host", undo)

    # Taking an offer

    def take(self, phone: str, offer: Offer, *, goes_on: bool) -> None:
        before, head, said = self.read_all(), self.table.head, self.numbers()
        answer = self.post(phone, offer)
        if answer.status_code >= 400:
            reason = refusal_of(answer)
            if offer.do != "abandon" or " short: " not in reason:  # which chips have to be lent first is said only then
                self.find(f"{phone}: {offer.place} {offer.do} “{offer.words}” -> {reason}")
            return
        after = self.read_all()
        self.compare_numbers(phone, offer, said)
        when = f"after {offer.do} on {role_of(phone)}"
        self.compare_screens(when, after)
        if self.table.head != head:
            self.compare_log(when, offer, goes_on=goes_on)
        elif not ('value="not-out"' in after["host"].html and 'value="not-out"' not in before["host"].html):
            return
        self.undo_on_every_phone(phone, before, offer, goes_on=goes_on)
        is_open = self.table.head > head and not isinstance(self.table.entries[-1].event, Undo)
        if is_open and not goes_on:  # while hands are counted no page has an undo
            self.undo_newest()

    def compare_numbers(self, phone: str, offer: Offer, before: Mapping[str, int]) -> None:
        """Compare the chips on a button with those that moved."""
        shown = re.findall(r"\[([^\]]*)\]", offer.words)[-1]
        shown = re.sub(r"(hand|Hand|round|Round|Runde|deal|Deal|Spiel) \d+", "", shown)
        numbers = {int(one) for one in re.findall(r"\d+", shown)}
        if offer.do.startswith("round:"):  # who has won is a tile with the points so far
            numbers.discard(before.get(offer.do.removeprefix("round:").partition("/")[0], 0))
        after, made, total = self.numbers(), self.table.night.last_transfers, Counter[str]()
        changes = {one: chips for one in {*before, *after} if (chips := after.get(one, 0) - before.get(one, 0))}
        for one in made:
            total[f"from {one.source}"] += one.chips
            total[f"to {one.target}"] += one.chips
        moved = {abs(chips) for chips in changes.values()} | {one.chips for one in made} | set(total.values())
        if numbers and changes and not numbers & moved:
            self.find(f"{phone}: “{offer.words}” ({offer.do}) moved {changes}")

    def agree(self, what: str, shown: object, there: object) -> None:
        if shown != there:
            self.find(f"{what}: {shown}, not {there}")

    def compare_screens(self, when: str, pages: Mapping[str, HtmlPage]) -> None:
        """Compare every stack and pot, what the hand has won, who owes what and what is asked, on each screen."""
        night = self.table.night
        if not night.preset.is_pot_game:
            self.compare_points(when, pages)
        elif not night.is_over:
            for screen, page in pages.items():
                self.compare_chips(f"{when}, on {screen}", screen, page)

    def compare_chips(self, where: str, screen: str, page: HtmlPage) -> None:
        night, deal = self.table.night, self.table.night.deal
        won = {seat: deal.won[seat] for seat in deal.seats if seat in night.seats} if deal else {}
        owed = {seat: night.ledger.owed_by(seat) for seat in night.seats}
        pots = {one.get("data-pot"): one for one in page.select("[data-pot][data-n]")}
        there = {pot: night.pot(pot) for pot in pots or night.preset.board}
        self.agree(f"{where}: stacks", numbers_of_seats(page, ".pop-n"), {one: night.stack(one) for one in night.seats})
        self.agree(f"{where}: won", numbers_of_seats(page, ".st small span, .n small span"), won)
        told = {seat: chips for seat, chips in numbers_of_seats(page, ".iou, .owes").items() if chips}
        self.agree(f"{where}: owed", told, {seat: chips for seat, chips in owed.items() if chips})
        self.agree(f"{where}: pots", {pot: int(one.get("data-n")) for pot, one in pots.items()}, there)
        self.agree(f"{where}: count", on_phone(page), by_the_draft(self.table))
        if screen in self.phones:
            drawn = {pot: len(one.select(".pile use")) for pot, one in pots.items()}
            self.agree(f"{where}: piles", drawn, {pot: pile_size(chips) for pot, chips in there.items()})
            asked = snapshot_of(self.table).moment.name
            self.agree(f"{where}: asked", page.values("#now", "data-moment"), [asked])
        if screen in night.seats:
            self.compare_own(where, page, won.get(screen), (owed[screen], night.ledger.notes_in(screen)))

    def compare_points(self, when: str, screens: Mapping[str, HtmlPage]) -> None:
        """Compare everybody's points, what the last deal brought, and what was said at its end, on each screen."""
        night = self.table.night
        deal = night.deals[-1] if night.deals else None
        last = deal.change if deal and deal.hands else {}  # of round cards only the sums stand there
        said = dict(self.table.draft.counts)
        for screen, page in screens.items():
            seats, shown = page.values(".seat[id^=s-]", "data-seat"), page.select(".seat[id^=s-] .st")
            points = {seat: numbers_in(one) for seat, one in zip(seats, shown, strict=True)}
            expected = {seat: [night.points.get(seat, 0), *([last[seat]] if seat in last else [])] for seat in points}
            own = [numbers_in(one)[0] for one in page.select(".own-bar .pop-n, .own-bar .big small") if numbers_in(one)]
            counted = {one.get("data-hand"): one.get("data-said") for one in page.select(".hands [data-said]")}
            where = f"{when}, on {screen}"
            self.agree(f"{where}: points", points, expected)
            self.agree(f"{where}: people", set(points) >= set(night.seats), there=True)
            self.agree(
                f"{where}: own points", own[: len(expected.get(screen, []))], expected.get(screen, []) * bool(own)
            )
            self.agree(f"{where}: hands", counted, {seat: str(said.get(seat, "")) for seat in counted})

    def compare_log(self, when: str, offer: Offer, *, goes_on: bool) -> None:
        """Compare the log after what goes on, and after each kind of offer in each moment, whoever's phone took it.

        It says what a hand has brought; of one that leads the log and was taken back, that nothing moved.
        """
        night = self.table.night
        moment = night.phase, bool(self.table.draft.winner), offer.kind
        if moment in self.compared and not goes_on and not self.is_long:
            return
        self.compared[moment] += 1
        is_pots = night.preset.is_pot_game
        if night.is_over if is_pots else not night.deals:
            return
        won: Mapping[str, int] = (night.deal.won if night.deal else {}) if is_pots else night.deals[-1].change
        log, hand = HtmlPage(self.phones["host"].get(f"/n/{self.code}/log").text), night.hand
        newest = max(self.table.history().hands)
        strips = {hand: log.select(f"#hand-{hand} .sign"), newest: log.select(".now-strip .sign")}
        for at, signs in strips.items():
            logged = {sign.select("bdi")[0].get_text().strip(): numbers_in(sign)[-1] for sign in signs}
            expected = {night.name(seat): more for seat, more in won.items() if more} if at == hand else {}
            self.agree(f"{when}: hand {at} in the log", logged, expected)

    def compare_own(self, where: str, page: HtmlPage, won: int | None, owed: tuple[int, int]) -> None:
        """Compare with the log what an own phone says at its top, the sum of what stands below, and who owes whom."""
        top = [number for one in page.select("#own-stack small span") for number in numbers_in(one)]
        if won is not None:
            self.agree(f"{where}: won at its top", top[:1], [won])
        if page.has(".strip"):
            items = sum(numbers_in(one)[-1] for one in page.select(".strip li:not(.apart):not(.slips)"))
            slips = [sum(numbers_in(one)[0] for one in page.select(f".strip .{kind}")) for kind in ("debts", "credits")]
            self.agree(f"{where}: its strip", (items, *slips), (won or 0, *owed))

    # Undo

    def undo_on_every_phone(self, taker: str, before: Mapping[str, HtmlPage], offer: Offer, *, goes_on: bool) -> None:
        """Undo the newest event and bring it back: on every phone that offers it, or on one where that was done."""
        after = self.read_all()
        phones = [phone for phone, page in after.items() if undo_of(page)]
        if "host" not in phones and " m-count" not in after["host"].html:  # there "Play on" and the sheet take back
            self.find(f"nothing takes back {offer.kind}: {last_words(after['host'])}")
        for phone in [phone for phone in phones if self.compared[role_of(phone), offer.kind] < BOARDS]:
            self.compared[role_of(phone), offer.kind] += 1
            undone = self.undo(phone, before, offer)
            if undone is None:
                return
            redo, actor = undo_of(self.read(phone)), phone
            if undone.do == "not-out" or redo is None or redo.do == "not-out":  # cards are counted again
                redo, actor = self.again(taker, offer, before[taker]), taker
            if redo is None:
                self.find(f"{taker}: {offer.do} is not offered again")
                return
            if not self.step(actor, redo, f"Redo after {offer.do}", after):
                return
        if not goes_on and phones:
            self.undo(phones[self.offers % len(phones)], before, offer)

    def undo(self, phone: str, before: Mapping[str, HtmlPage], offer: Offer) -> Offer | None:
        """Take the undo of a phone and return it; None where this was not about the offer, or was refused."""
        page = self.read(phone)
        undo = undo_of(page)
        if undo is None:
            return None
        self.check_words(phone, page, undo, offer)
        if undo.do == "not-out" and "out" not in offer.do:
            self.post(phone, undo)  # what was announced before is withdrawn; this event stands
            return None
        return undo if self.step(phone, undo, f"Undo after {offer.do}", before) else None

    def step(self, phone: str, offer: Offer, what: str, expected: Mapping[str, HtmlPage]) -> bool:
        """Take what undoes or brings back, and compare every page; return whether it was accepted."""
        self.undos += 1
        answer = self.post(phone, offer)
        if answer.status_code >= 400:
            self.find(f"{phone}: {what} “{offer.words}” is refused: {refusal_of(answer)}")
            return False
        for reader, page in self.read_all().items():
            then, now = facts(expected[reader].html), facts(page.html)
            if then != now:
                self.find(f"{reader}: {what} “{offer.words}”: {first_difference(then, now)}")
        return True

    def check_words(self, phone: str, page: HtmlPage, undo: Offer, offer: Offer) -> None:
        """The words beside Undo name who did the newest event, or say "you" on that person's own phone."""
        words, seat = last_words(page), self.table.draft.winner if undo.do == "not-out" else self.doer()
        if not seat:
            return
        names = [self.table.night.name(seat), *(("you", "You", "du", "Du") if seat == phone else ())]
        if not any(re.search(rf"\b{name}\b", words) for name in names):
            self.find(f"{phone}: {offer.do}: “{words}” does not name {names[0]}")

    def doer(self) -> str:
        """Return whom the newest event is about; of a bid or pass that sells the dummy, who has bought it."""
        event, deal = self.table.entries[-1].event, self.table.night.deal
        named = [getattr(event, name, None) for name in ("winners", "seats", "winner", "buyer", "seat")]
        named += [deal.buyer] if deal and event.kind in ("pass", "bid") else []
        found = [one[0] if isinstance(one, tuple) else one for one in named if one]
        return str(found[-1]) if found else ""
