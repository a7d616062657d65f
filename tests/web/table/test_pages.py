"""The table's page in every state that can be played: complete, well-formed, the same by every way to it."""

from collections import Counter
from html.parser import HTMLParser
from random import Random

import pytest
from flask import g
from support.client_phones import Site
from support.random_nights import every_preset, legal_event, random_night, random_options

from tracker.app.open_night import OpenNight
from tracker.core.preset import Preset
from tracker.web.access.devices import Identity
from tracker.web.base.snapshot import SNAPSHOTS
from tracker.web.table.pages import sheet, shown
from tracker.web.table.tv import fragment as tv_fragment

POT_PRESETS = [preset for preset in every_preset() if preset.game == "pots"]
VOID = {"input", "br", "use", "path", "rect", "circle", "meta", "link", "img"}
MOST_BYTES = 16_000


class Page(HTMLParser):
    """Collects ids and attributes, and what is left open."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: Counter[str] = Counter()
        self.attributes: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes |= {name for name, _ in attrs}
        self.ids.update(value or "" for name, value in attrs if name == "id")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag


def faults(html: str) -> list[str]:
    page = Page(html)
    found = [f"id {one} stands twice" for one, short_or_long in page.ids.items() if short_or_long > 1]
    found += [f"attribute {one}" for one in page.attributes if one == "style" or one.startswith("on")]
    found += [f"<{tag}> is left open" for tag in page.open]
    return found + [word for word in ("<script", "None", "Undefined", "{{", "%(", "&lt;") if word in html]


def seen_by(site: Site, table: OpenNight, identity: Identity) -> list[str]:
    """Everything that this person can see of the night just now."""
    with site.app.test_request_context(f"/n/{table.code}", headers={"HX-Request": "true"}):
        g.identity = identity
        return [
            shown(table, identity),
            tv_fragment(table),
            sheet(table.code),
            sheet(table.code, table.night.seats[0]),
        ]


def shown_to(site: Site, table: OpenNight, identity: Identity) -> str:
    """What changes on this person's page."""
    with site.app.app_context():
        return shown(table, identity)


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        pytest.param(preset, options, marks=pytest.mark.long if (at + options) % 2 else ())
        for at, preset in enumerate(POT_PRESETS)
        for options in (False, True)
    ],
    ids=lambda value: {False: "as-written", True: "other-rules"}[value] if isinstance(value, bool) else value.id,
)
def test_a_night_at_every_board_shows_well_formed_pages_to_everybody(
    site: Site, preset: Preset, *, options: bool
) -> None:
    chance = Random(preset.id)
    table = site.tables.open(preset, random_options(preset, chance) if options else {})
    for event in random_night(table.preset, chance, 4, people=4):
        table.record(event, id=f"e{table.head}", by="host")
    for at in range(24):
        event = legal_event(table.night, chance, may_end=False)
        table.record(event, id=f"e{table.head}", by="host")
        if at % 4 == 0 and table.night.deal and table.night.phase == "play":
            table.set_draft_winner(table.night.deal.seats[0])
        own = table.night.seats[at % len(table.night.seats)]
        roles = Identity("host", None, 1, "", table.code), Identity("watcher", None, 2, "", table.code)
        for identity in (roles[at % 2], Identity("seat", own, 3, "", table.code)):
            for html in seen_by(site, table, identity) if at % 2 else [shown_to(site, table, identity)]:
                assert faults(html) == [], (event, identity)
                assert len(html.encode()) < MOST_BYTES, event


@pytest.mark.parametrize("preset", POT_PRESETS, ids=lambda preset: preset.id)
def test_a_shared_fragment_equals_the_one_rendered_for_each_viewer(site: Site, preset: Preset) -> None:
    chance = Random(preset.id)
    table = site.tables.open(preset)
    for event in random_night(table.preset, chance, 4, people=4):
        table.record(event, id=f"e{table.head}", by="host")
    for _ in range(10):
        event = legal_event(table.night, chance, may_end=False)
        table.record(event, id=f"e{table.head}", by=chance.choice(["host", *table.night.seats]))
        if chance.random() < 0.3 and table.night.deal and table.night.phase == "play":
            table.set_draft_winner(chance.choice(table.night.deal.seats))
        seats = [Identity("seat", seat, 3, "", table.code) for seat in table.night.seats]
        people = [
            Identity("host", None, 1, "", table.code),
            Identity("host", table.night.seats[0], 2, "", table.code),
            *seats,
        ]
        chance.shuffle(people)
        together = [shown_to(site, table, identity) for identity in people]
        for identity, html in zip(people, together, strict=True):
            SNAPSHOTS.clear()
            assert shown_to(site, table, identity) == html, (event, identity)
