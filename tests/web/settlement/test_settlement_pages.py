import re
from contextlib import suppress
from random import Random

import pytest
from support.client_phones import Site
from support.of_extras import of_extras
from support.random_nights import every_preset, random_night, random_options
from support.sample_nights import SampleNight, play_hand, record, visible_text

from tracker.app.event_rows import replay_log
from tracker.app.log_history import History
from tracker.core import events
from tracker.core.errors import TableError
from tracker.core.events import Amount, Name, SeatId
from tracker.core.log import Entry
from tracker.core.preset import Preset
from tracker.web.settlement.report_view import SettlementReport
from tracker.web.wording.texts import signed


def test_the_report_explains_the_sum_of_a_seat_that_bought_twice_and_left_in_between(here: SampleNight) -> None:
    play_hand(here.table, "ruth", "ben", "tom")
    equal = visible_text(here.host.get(f"{here.base}/settle"))
    assert "bought" not in equal.partition("Why")[0]
    gave_back = here.table.night.stack("mia")
    record(here.table, events.Leave(SeatId("mia")), events.Sit(SeatId("mia"), Name("Mia")), events.End())
    night, page = here.table.night, visible_text(here.host.get(f"{here.base}/settle"))
    stack = night.preset.stack
    assert f"Mia {night.worth('mia')} bought {2 * stack} {signed(night.net('mia'))}" in page
    assert f"Ben {night.worth('ben')} bought {stack} {signed(night.net('ben'))}" in page
    on_the_table = sum(night.stack(seat) for seat in night.seats)
    assert f"{on_the_table} of {on_the_table} chips. Nothing missing. {gave_back} more went with people" in page


def test_the_sum_of_a_borrower_names_what_was_had_to_begin_with_bought_and_corrected(here: SampleNight) -> None:
    ben, mia = SeatId("ben"), SeatId("mia")
    record(here.table, events.Borrow(ben, mia, Amount(11)), events.Buy(ben, Amount(20)))
    record(here.table, events.Repay(ben, mia, Amount(4)), events.Move(ben, mia, Amount(3)), events.End())
    said = visible_text(here.host.get(f"{here.base}/settle"))
    stack = here.table.night.preset.stack
    assert f"Ben start {stack} bought 20 set right by hand −3 = −3" in said
    assert f"Mia start {stack} set right by hand +3 = +3" in said


def test_the_result_can_be_copied_and_sent(ended: SampleNight) -> None:
    page = ended.ben.get(f"{ended.base}/settle").text
    assert 'data-copy="#result"' in page
    assert "1. Mia: " in page
    assert all(f'href="{scheme}' in page for scheme in ("sms:?&amp;body=", "mailto:?subject=", "whatsapp://send?text="))


def test_no_page_has_a_style_attribute_or_a_script_in_it(ended: SampleNight) -> None:
    for path in ("/log", "/settle", "/files", "/log/1", *of_extras("night")):
        page = ended.host.get(f"{ended.base}{path}", HX_Request="true" if path == "/log/1" else "false").text
        assert not re.search(r"<[^>]* (style|on[a-z]+)=|<script(?![^>]* src=)", page), path


@pytest.mark.parametrize("preset", every_preset(), ids=lambda preset: preset.id)
def test_the_reasons_of_every_sum_add_up_to_it(site: Site, preset: Preset) -> None:
    chance = Random(preset.id)
    for _ in range(2):
        rules = preset.with_options(random_options(preset, chance))
        made = random_night(rules, chance, 70)
        entries = [Entry(at, event) for at, event in enumerate(made, start=1)]
        report = SettlementReport(History(entries, replay_log("", rules, entries)))
        with site.app.test_request_context("/"):
            for rank in report.ranks:
                assert "other" not in dict(rank.why)
                assert preset.game == "rounds" or sum(chips for _, chips in rank.why) == rank.net


@pytest.mark.parametrize("preset", every_preset(), ids=lambda preset: preset.id)
def test_every_page_of_a_random_night_can_be_read(site: Site, preset: Preset) -> None:
    chance = Random(preset.id)
    table = site.tables.open(preset, {}, "Random")
    site.access.invites.renew(table.code)
    watcher = site.request_join(table.code, watch="1")
    record(table, *random_night(preset, chance, 40))
    for number in chance.sample(range(1, table.head + 1), 5):
        with suppress(TableError):
            record(table, events.Undo(number))
    more = (*of_extras("night"), *of_extras("files_of_night"))
    for path in ("/log", "/log/1", "/settle", "/files", "/result.txt", "/night.json", *more):
        answer = watcher.get(f"/n/{table.code}{path}", HX_Request="true" if path == "/log/1" else "")
        assert answer.status_code == 200 or (path == "/log/1" and not table.night.hand)
        assert "None" not in answer.text
