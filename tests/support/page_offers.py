"""Everything that can be tapped on a night's page, with the form that the tap sends, as table.js and score.js fill it.

The scripts only choose which question shows and put the answers into the form; what is chosen here by hand is marked
with the name of the function there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from support.html_page import HtmlPage, Tag, sent, text_of

SHEET_ASKS = ("rest", "price", "bet", "answer", "bids", "joker")
"""Questions at which a tap on a person opens that person's sheet."""
CARDS = ("0", "2", "7")
"""Cards or points left that are typed on the pad."""


@dataclass(frozen=True)
class Offer:
    """One tap or short series of taps on a page that ends with a form being sent."""

    words: str
    """What the button says, after the question that it answers."""
    form: Mapping[str, str]
    place: str = "table"
    """Where it stands: a question of the dock, or a sheet."""
    sheet: str = ""
    """The address of the sheet, after the night's."""

    @property
    def do(self) -> str:
        return self.form["do"]

    @property
    def kind(self) -> str:
        """What it does without the names and numbers: offers of one kind are alike."""
        verb, _colon, argument = self.do.partition(":")
        detail = argument if verb in ("penalty", "last", "plan", "due", "one-turn") and not argument.isdigit() else ""
        return f"{self.place} {verb} {detail}".strip()


@dataclass(frozen=True)
class PhoneQuestions:
    """What table.js keeps: the question that shows, and what was tapped for it."""

    what: str
    pot: str = ""
    seat: str = ""
    was: tuple[str, ...] = ()


@dataclass
class PageReader:
    """The offers of one phone's page, and of the sheets that open over it."""

    page: HtmlPage

    @cached_property
    def _panels(self) -> dict[str, Tag]:
        asks = {panel: panel.get("class").split() for panel in self.page.select(".dock .ask")}
        return {name.removeprefix("a-"): panel for panel, names in asks.items() for name in names if name != "ask"}

    @cached_property
    def _stacks(self) -> dict[str, int]:
        found = ((tag, tag.select_one(".pop-n")) for tag in self.page.select(".seat[data-seat]"))
        return {tag.get("data-seat"): int(text_of(stack)) for tag, stack in found if stack}

    @cached_property
    def _people_no(self) -> dict[str, list[str]]:
        """The people who can be tapped, each with the questions that they are no answer to."""
        seats = self.page.select("button.seat[data-seat]")
        return {seat.get("data-seat"): seat.get("data-no").split() for seat in seats}

    @cached_property
    def _places(self) -> dict[str, Tag]:
        return {tag.get("data-pot"): tag for tag in self.page.select("[data-pot]")}

    @cached_property
    def _calls(self) -> dict[str, int]:
        """What each person lacks to the highest bet on the poker hand, in chips."""
        panel = self._panels.get("bettor")
        pairs = (pair.split(":") for pair in panel.get("data-calls").split()) if panel else ()
        return {seat: int(chips) for seat, chips in pairs}

    @cached_property
    def _me(self) -> str:
        return self.page.value("#move", "data-me")

    @cached_property
    def _fields(self) -> dict[str, str]:
        return {tag.get("name"): value for tag, value in sent(self.page.one("#move"))}

    @property
    def start(self) -> PhoneQuestions:
        """The question that the page asks before anything is tapped."""
        return PhoneQuestions(self.page.value("#move", "data-ask"))

    def offers(self) -> list[Offer]:
        """Return every offer of the page without its sheets, each once."""
        if not self.page.has("#move[data-ask]"):
            return []
        found = list(self._panel(self.start))
        for place in self.page.select(".board button[data-ask]"):
            found += self._place(place)
        found += self._count()
        found += self._requests()
        return list({tuple(sorted(one.form.items())): one for one in reversed(found)}.values())[::-1]

    def _requests(self) -> Iterator[Offer]:
        """Yield the answers to who needs chips from others."""
        for form in self.page.select("#requests form"):
            fields, button = {tag.get("name"): value for tag, value in sent(form)}, form.select_one("button")
            asked = form.find_parent(".asked")
            if isinstance(button, Tag) and isinstance(asked, Tag):
                words = f"{text_of(asked)} [{text_of(button)}]"
                yield Offer(words, {**fields, "do": button.get("value")}, place="request")

    # The dock

    def _panel(self, asked: PhoneQuestions) -> Iterator[Offer]:
        panel = self._panels.get(asked.what)
        if panel is None or asked.what in asked.was:
            return
        asked = replace(asked, was=(*asked.was, asked.what))
        for button in panel.select("button[name=do]"):
            if not button.has_attr("disabled") or button.has_attr("data-tie") or button.has_attr("data-place"):
                yield from self._button(panel, button, asked)
        for button in panel.select("button[data-go]"):
            if self._fits_place(button, asked):
                seat = button.get("data-seat") or asked.seat
                yield from self._panel(replace(asked, what=button.get("data-go"), seat=seat))
        yield from self._people(panel, asked)

    def _fits_place(self, button: Tag, asked: PhoneQuestions) -> bool:
        """Return whether a button is shown for the place that was tapped (fillPanel)."""
        return not button.has_attr("data-pots") or asked.pot in button.get("data-pots").split()

    def _button(self, panel: Tag, button: Tag, asked: PhoneQuestions) -> Iterator[Offer]:
        """Yield what a button of a question sends; nothing where the scripts make it tappable later or not at all."""
        do, winners = button.get("value"), self._answers(asked)[:2]
        if not self._fits_place(button, asked):
            return
        is_later = do == "" or (do.startswith("pay:") and not self._is_counted())
        opens_menu = asked.pot in button.get("data-ends").split()  # which asks for everybody's cards
        is_not_mine = button.has_attr("data-mine") and not self._may_win(self._me, asked.pot)
        is_nobodys = button.has_attr("data-tie") and len(winners) < 2
        if is_later or opens_menu or is_not_mine or is_nobodys or self._is_too_much(button, asked):
            return
        form = {**self._fields, "do": do, **self._answered(button, asked)}
        if button.has_attr("data-tie"):
            form["winners"] = " ".join(winners)
        if button.has_attr("data-place"):
            form |= self._stakes(asked)
        seats = [row.get("data-hand") for row in self._rows()] if button.has_attr("data-fault") else [form["seat"]]
        for seat in seats:
            yield self._offer(panel, button, {**form, "seat": seat}, asked)

    def _answered(self, button: Tag, asked: PhoneQuestions) -> dict[str, str]:
        """Return the place and the person that a button sends beside itself (submit)."""
        verb = button.get("value").partition(":")[0]
        pot = {"pot": asked.pot} if verb in ("bet", "share", "turn-up") or button.has_attr("data-mine") else {}
        if button.has_attr("data-mine"):
            return {**pot, "seat": self._me, "held": self._held(asked.pot)}
        if asked.seat:
            return {**pot, "seat": asked.seat}
        return {**pot, "seat": self._me} if verb in ("sale", "bet") else pot

    def _is_too_much(self, button: Tag, asked: PhoneQuestions) -> bool:
        """Return whether a button says more chips than whoever pays has, or may bet (showKeys)."""
        if button.get("value") == "call" and asked.seat:
            return self._calls[asked.seat] > self._stacks[asked.seat]
        row = button.find_parent("[data-keys]")
        if not isinstance(row, Tag) or "key" not in button.get("class").split():
            return False
        payer = row.get("data-payer") or asked.seat or self._me
        return int(text_of(button)) > min(self._stacks.get(payer, 10**9), int(row.get("data-most") or 10**9))

    def _offer(self, panel: Tag, button: Tag, form: dict[str, str], asked: PhoneQuestions) -> Offer:
        question = panel.select_one(".last > p")
        words = f"{text_of(question) if question else ''} [{self._fill(text_of(button), button, asked)}]"
        undo = " undo" if "undo" in button.get("class").split() else ""
        return Offer(words, form, place=f"dock {asked.what}{undo}")

    def _fill(self, words: str, button: Tag, asked: PhoneQuestions) -> str:
        """Return a button's words with the chips that table.js puts in (fill): what lies there, or a part of it."""
        if button.has_attr("data-tie"):
            held = button.get("data-n") or self._places[asked.pot].get("data-worth") or self._held(asked.pot)
            return str(int(held) // 2)
        return words if not asked.pot else f"{words} {self._held(asked.pot)}"

    def _held(self, pot: str) -> str:
        return self._places[pot].get("data-n") if pot in self._places else ""

    def _may_win(self, seat: str, pot: str) -> bool:
        """Return whether somebody can take a place: one that only who has bet on it wins names them."""
        place = self._places.get(pot)
        return place is None or not place.has_attr("data-only") or seat in place.get("data-only").split()

    # Taps on the board and on people (tapPlace, tapSeat)

    def _place(self, place: Tag) -> Iterator[Offer]:
        what = place.get("data-ask")
        if what == "bettor" and "bettor" not in self._panels:
            what = "bet"
        if what != "stakes" and what in self._panels:
            yield from self._panel(PhoneQuestions(what, pot=place.get("data-pot")))

    def _answers(self, asked: PhoneQuestions) -> list[str]:
        """Return the people who can be tapped as an answer."""
        return [
            seat
            for seat, no in self._people_no.items()
            if asked.what not in no and (asked.what not in ("collect", "share") or self._may_win(seat, asked.pot))
        ]

    def _people(self, panel: Tag, asked: PhoneQuestions) -> Iterator[Offer]:
        what = asked.what
        if what in SHEET_ASKS or panel.has_attr("data-many"):
            return
        question = panel.select_one(".last > p")
        for seat in self._answers(asked):
            if what == "stakes":
                if not asked.seat:
                    yield from self._panel(PhoneQuestions("stakes", seat=seat))
                continue
            if panel.has_attr("data-then"):
                then = "answer" if seat in self._calls else panel.get("data-then")
                yield from self._panel(replace(asked, what=then, seat=seat))
                continue
            form = {**self._fields, "seat": seat, "winners": ""}
            if what == "collect":
                form |= {"do": "collect", "pot": asked.pot, "held": self._held(asked.pot)}
            elif what == "match":
                form["do"] = f"match:{self.page.value('[name=question]')}"
            elif what == "dealer":
                form["do"] = f"deal:{seat}"
            else:
                form["do"] = what
            words = f"{text_of(question) if question else ''} {seat} [{self._held(asked.pot)}]"
            yield Offer(words, form, place=f"dock {what} person")

    def _stakes(self, asked: PhoneQuestions) -> dict[str, str]:
        """Put the chips of a budget on the places one by one, as taps on them do (spread, putOn)."""
        panel = self._panels["stakes"]
        budgets = dict(pair.split(":") for pair in panel.get("data-budgets").split())
        seat = asked.seat if asked.seat in budgets else panel.get("data-placer")
        places = self.page.values(".board button[data-ask=stakes]", "data-pot")
        put = dict.fromkeys(places, 0)
        for chip in range(int(budgets[seat])):
            put[places[chip % len(places)]] += 1
        stakes = " ".join(f"{pot}:{chips}" for pot, chips in put.items() if chips)
        return {"seat": seat, "stakes": stakes}

    # Cards left (typeCards, say)

    def _rows(self) -> list[Tag]:
        return [row for row in self.page.select(".count-row, .hand") if not row.has_attr("disabled")]

    def _is_counted(self) -> bool:
        return all(value for name, value in self._fields.items() if name.startswith("cards-"))

    def _count(self) -> Iterator[Offer]:
        for section in self.page.select("section.count, section.hands"):
            for button in section.select("button[name=do]:not([disabled])"):
                yield from self._button(section, button, PhoneQuestions("count"))
        keys = self.page.values(".pad [data-key]", "data-key") or self.page.values(".pad [data-digit]", "data-digit")
        for row in self._rows() if keys else ():
            if row.has_attr("data-out"):
                continue
            seat = row.get("data-row") or row.get("data-hand")
            for cards in CARDS:
                if cards in keys:
                    form = {**self._fields, "seat": seat, "do": f"say:{cards}"}
                    yield Offer(f"cards left of {seat} [{cards}]", form, place="count")

    # Sheets

    def sheet_addresses(self) -> list[str]:
        """Return where the sheets are that can be opened from this page."""
        start = self.start
        seen = {"/sheet"} if self.page.has("a[href$='/sheet']") else set()
        if start.what in SHEET_ASKS:
            seen |= {f"/sheet/{seat}" for seat in self.page.values("button.seat[data-seat]", "data-seat")}
        links = self.page.values("a[href]", "href")
        return sorted(seen | {f"/sheet/{link.rpartition('/')[2]}" for link in links if "/sheet/" in link})

    def sheet(self, address: str, sheet: HtmlPage) -> Iterator[Offer]:
        """Yield the offers of a sheet."""
        for form in sheet.select("form"):
            fields = {tag.get("name"): value for tag, value in sent(form)}
            picks = form.select_one("select")
            choices = sheet_choices(picks) if picks else [{}]
            for button in form.select("button[name=do]:not([disabled])"):
                for choice in choices:
                    if exceeds(picks, choice, button):
                        continue
                    chips = {"chips": "1"} if fields.get("chips") == "" else {}
                    sending = {**fields, **choice, **chips, "do": button.get("value")}
                    near = button.find_parent("details") or button.find_parent(".note")
                    about = text_of(near) if isinstance(near, Tag) and near.name != "details" else ""
                    yield Offer(f"{about} [{text_of(button)}]", sending, "sheet", address)
        for button in sheet.select("button[data-go]"):
            yield from self._panel(PhoneQuestions(button.get("data-go")))


def exceeds(select: Tag | None, choice: dict[str, str], button: Tag) -> bool:
    """Return whether a button names more chips than the chosen lender has: sheets.js takes it away then."""
    options = select.select("option[data-has]") if select else []
    has = next((int(one.get("data-has")) for one in options if one.get("value") in choice.values()), None)
    asked = button.get("value").partition(":")[2]
    return has is not None and asked.isdigit() and int(asked) > has


def sheet_choices(select: Tag) -> list[dict[str, str]]:
    """Return what the first, second and last option of a choice send; nothing where it has no option."""
    name, options = select.get("name"), [option.get("value") for option in select.select("option")]
    return [{name: value} for value in dict.fromkeys([*options[:2], *options[-1:]])]
