"""What a night's page tells a screen reader, as static/shared/live.js works it out, in recorded nights played again."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage, Tag
from support.paths import night_files
from support.transcripts import recorded

from tracker.app.open_night import OpenNight
from tracker.core.errors import TableError
from tracker.core.events import Amend, Event, Undo

UNSAID = "[aria-hidden=true], [hidden]"
DONE, HAVE, MISSED = "Done", "You have {}.", "{} things have happened. The log has them."


@dataclass(frozen=True)
class Spoken:
    """What a page can tell: its newest entry, the reader's chips, and its lines by key and text."""

    head: int
    chips: str
    lines: dict[tuple[str, str], Tag]


def spoken(html: str) -> Spoken:
    """Return what a page can tell."""
    page = HtmlPage(html)
    heads = page.values("[data-head]", "data-head")
    found = page.root.select_one("#own-stack .pop-n")
    if not found and (me := "".join(page.values("#move[data-me]", "data-me"))):
        found = page.root.select_one(f"#s-{me} .pop-n")
    lines = {}
    for one in page.select("[data-tell]"):
        key, text = one.get("data-tell"), said(one)
        lines[key, "" if key.isdigit() else text] = one  # an entry is told once, whatever its line says later
    return Spoken(int(heads[0]) if heads else 0, found.get_text().strip() if found else "", lines)


def said(one: Tag) -> str:
    """Return the words of a line as they are told."""
    if one.get("data-says"):
        return one.get("data-says")
    inner = re.sub(r"^<[^>]*>", "", str(one))
    for before, after in (("</b>", "</b> "), ("</span>", "</span> "), ("<small", ", <small")):
        inner = inner.replace(before, after)
    parsed = LexborHTMLParser(f"<body>{inner}")
    for drawn in parsed.css(UNSAID):
        drawn.decompose()
    text = parsed.body.text() if parsed.body else ""
    return re.sub(r" (?=[.,;:!?])", "", " ".join(text.split()))


def told(before: str, after: str) -> list[str]:
    """Return the lines that a page adds to its log when it changes from one state to another."""
    last, now = spoken(before), spoken(after)
    missed = now.head - last.head
    found = [MISSED.format(missed)] if last.head and missed > 1 else []
    for (key, text), one in now.lines.items():
        if (key, text) in last.lines:
            continue
        have = key == str(now.head) and now.chips and now.chips != last.chips
        parts = [DONE if one.has_attr("data-own") else "", said(one), HAVE.format(now.chips) if have else ""]
        found.append(" ".join(sentence(part) for part in parts if part))
    return found


def sentence(text: str) -> str:
    return text[0].upper() + text[1:] + ("" if re.search(r"[.!?…]$", text) else ".")


def first_of_each_kind() -> dict[Path, list[int]]:
    """Return the places of events in recorded nights: the first of each kind in each kind of game."""
    seen, found = set(), dict[Path, list[int]]()
    for file in [*night_files("released"), *night_files()]:
        preset, entries = recorded(file)
        is_refused = "refused" in json.loads(file.read_text("utf-8")).get("expect", {})
        for at, entry in enumerate(entries):
            kind = preset.game, entry.event.kind
            if at > 3 and kind not in seen and not is_refused:  # four people sit down
                seen.add(kind)
                found.setdefault(file, []).append(at)
    return found


PLACES = first_of_each_kind()
GAMES = {recorded(file)[0].game: file for file in reversed(PLACES)}
"""A recorded night of each kind of game."""


class Evening:
    """A recorded night that is played again before the phones of its host, of a guest and of a watcher."""

    def __init__(self, site: Site, file: Path) -> None:
        preset, entries = recorded(file)
        self.events = [entry.event for entry in entries]
        self.table: OpenNight = site.tables.open(preset)
        self.numbers: list[int] = []
        """Where each of its events stands now that there are corrections between them."""
        self.host, self.guest = (str(vars(event)["seat"]) for event in self.events[:2])
        for event in self.events[:2]:
            self.play(event)
        self.phones = site.phones_of(self.table, self.host, self.guest)
        self.paths: dict[str, str] = {}
        """Which page each shows, where it is not the table's."""
        for event in self.events[2:4]:
            self.play(event)

    def play(self, event: Event, by: str = "") -> None:
        """Record the next of its events."""
        if isinstance(event, Undo | Amend):
            event = replace(event, event=self.numbers[int(event.event) - 1])
        self.record(event, by or self.host)
        self.numbers.append(self.table.head)

    def record(self, event: Event, by: str) -> None:
        self.table.record(event, id=f"event-{self.table.head + 1}", by=by)

    def pages(self) -> dict[str, str]:
        return {role: self.page(phone, self.paths.get(role, "live")) for role, phone in self.phones.items()}

    def page(self, phone: ClientPhone, path: str) -> str:
        answer = phone.get(f"/n/{self.table.code}/{path}")
        assert answer.status_code == 200
        return answer.text


def steps(evening: Evening, at: int) -> Iterator[tuple[str, str, Event]]:
    """Yield (what it is, who records it, the event) of one event: recorded, undone, there again, corrected."""
    event = evening.events[at]
    yield ("recorded", evening.guest, event)
    number = evening.table.head
    if isinstance(event, Undo | Amend):
        return
    yield ("undone", evening.host, Undo(number))
    yield ("again", evening.host, Undo(number + 1))
    changes = {name: value for name, value in vars(event).items() if isinstance(value, int) and value is not True}
    for name, value in list(changes.items())[:1]:
        yield ("corrected", evening.host, Amend(number, {name: value + 1}))
    if evening.table.head == number + 3:
        evening.record(Undo(number + 3), evening.host)


def faults_of(role: str, what: str, by: str, lines: list[str], page: str) -> list[str]:
    """Return what is wrong with what one phone has told of one event."""
    found = []
    is_own = role == by
    if not lines:
        return ["nothing is told"]
    if len(set(lines)) < len(lines):
        found.append("a line is told twice")
    if sum(bool(re.match(rf"{DONE}\.|Undone|Counts again", line)) for line in lines) != is_own:
        found.append("an own entry is not answered as one" if is_own else "another's is told as the own")
    entries = [text for key, text in spoken(page).lines if key == str(spoken(page).head)]
    if len(entries) != 1:
        found.append(f"{len(entries)} lines for one entry")
    if what == "undone" and not re.search("Undone|still", " ".join(lines)):
        found.append("it is not told that something was undone")
    if what == "corrected" and not re.search("[Cc]hanged", " ".join(lines)):
        found.append("it is not told that something was changed")
    if what != "recorded" and not is_own and not any(re.match(r"[\w ]+ corrects\.", line) for line in lines):
        found.append("it is not told who has corrected")
    if re.search(r"<|None|%\(|\s{2}|\.\.|\s[.,:]", " ".join(lines)):
        found.append("the words have faults")
    return found


def faults_in(evening: Evening, places: Sequence[int]) -> list[str]:
    """Return what is wrong with what the pages tell of the events at these places, as they are played."""
    faults, heard = [], []
    for at, event in enumerate(evening.events[4:], 4):
        if at not in places:
            evening.play(event)
            continue
        for what, by, change in steps(evening, at):
            before = evening.pages()
            try:
                (evening.play if change is event else evening.record)(change, by)
            except TableError:
                continue  # what comes later no longer fits, or nothing of it can be otherwise
            for role, page in evening.pages().items():
                lines = told(before[role], page)
                about = f"{event.kind} {what}, {role}: {lines}"
                heard.append(about)
                faults += [f"{one}: {about}" for one in faults_of(role, what, by, lines, page)]
    print("\n".join(heard))  # noqa: T201  shown where something is wrong
    assert heard
    return faults
