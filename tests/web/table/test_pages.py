"""The table's page in every state that can be played: complete, well-formed, the same by every way to it."""

from random import Random

import pytest
from flask import g
from support.client_phones import Site
from support.random_nights import every_preset, legal_event, random_night, random_options
from support.well_formed import faults

from tracker.app.open_night import OpenNight
from tracker.core.preset import Preset
from tracker.web.access.devices import Identity
from tracker.web.table.pages import sheet, shown

POT_PRESETS = [preset for preset in every_preset() if preset.game == "pots"]
MOST_BYTES = 16_000


def seen_by(site: Site, table: OpenNight, identity: Identity) -> list[str]:
    """Everything that this person can see of the night just now."""
    with site.app.test_request_context(f"/n/{table.code}", headers={"HX-Request": "true"}):
        g.identity = identity
        return [
            str(shown(table, identity)),
            sheet(table.code),
            sheet(table.code, table.night.seats[0]),
        ]


def shown_to(site: Site, table: OpenNight, identity: Identity) -> str:
    """What changes on this person's page."""
    with site.app.app_context():
        return str(shown(table, identity))


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
