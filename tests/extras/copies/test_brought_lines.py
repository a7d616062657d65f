"""Lines that come by a link are asked about like those that come by a button: shown, by PIN, marked, taken back."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import pytest
from extras._shared.dear_texts import link_of, unpacked
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.of_extras import needs
from support.sample_nights import SampleNight, night_in_third_hand, record, visible_text

from tracker.app.event_rows import new_id
from tracker.core import events
from tracker.core.events import Amount, Buy
from tracker.extras._night_files.importing import BroughtLines, BroughtSettings, import_night
from tracker.extras._removal import erase_nights
from tracker.extras.copies import arrive
from tracker.extras.copies.line_seals import SealSettings, chain_hash
from tracker.extras.copies.night_transfer import to_text
from tracker.storage.database import EVERYTHING

Form = dict[str, str | list[str]]
BUY = {"kind": "buy", "seat": "ben", "chips": 500}
LEAVE, END = {"kind": "leave", "seat": "ruth"}, {"kind": "end"}
GIVE_UP = {"kind": "abandon"}


@pytest.fixture(name="here")
def _here(site: Site) -> SampleNight:
    return night_in_third_hand(site)


def forged(here: SampleNight, *more: Mapping[str, Any], by: str = "ruth") -> str:
    """Return a link that somebody who only watches makes of what every phone is given, with some more lines."""
    kept = here.watcher.get(f"{here.base}/copy").get_json()
    lines = [json.loads(line) for line in kept["lines"]]
    seal = kept["seal"]
    for number, event in enumerate(more):
        line = {**event, "id": f"{number:032x}", "at": "2026-11-20T20:15:00Z", "by": by}
        lines.append(line)
        seal = chain_hash(seal, json.dumps(line, ensure_ascii=False))
    return packed({"night": kept["night"], "lines": lines, "seal": seal, "proof": kept.get("proof", "")})


def packed(value: object) -> str:
    return link_of(json.dumps(value, ensure_ascii=False))


def send(site: Site, text: str) -> None:
    assert site.phone().post("/arrive", {"text": text}).status_code == 200


def waiting_form(host: ClientPhone, which: int = 0) -> Form:
    forms = HtmlPage(host.get("/arrive").text).select('form[action="/arrive/answer"]')
    return {tag.get("name"): tag.get("value") for tag in forms[which].select("input")}


def look(host: ClientPhone, which: int = 0) -> HtmlPage:
    shown = host.post("/arrive", waiting_form(host, which))
    assert shown.status_code == 200, visible_text(shown)
    return HtmlPage(shown.text)


def yes(page: HtmlPage, **more: str) -> Form:
    return {**page.form('form[action="/arrive/answer"]'), "do": "yes", **more}


def test_the_host_sees_each_new_line_who_it_names_the_chips_and_the_end(site: Site, here: SampleNight) -> None:
    send(site, forged(here, BUY, GIVE_UP, LEAVE, END))
    waits = visible_text(here.host.get("/arrive"))
    assert here.table.name in waits
    page = look(here.host)
    said = page.text("#news")
    assert "4 entries are new" in said
    assert "Ben buys 500" in said
    assert "Ruth, " in said
    assert "They end the night." in said
    assert page.has("#news .diff")
    assert "Mia" not in page.texts("#news .entry")[0]
    head = here.table.head
    assert here.host.post("/arrive/answer", yes(page)).status_code == 303
    assert here.table.head == head + 4


def test_more_than_ten_lines_are_folded(site: Site, here: SampleNight) -> None:
    send(site, forged(here, *[BUY] * 14))
    page = look(here.host)
    assert len(page.select("#news > ol > li")) == 10
    assert len(page.select("#news details li")) == 4


def test_lines_that_end_the_night_need_its_pin(site: Site, here: SampleNight) -> None:
    needs("pin")
    here.host.post(f"{here.base}/pin", {"pin": "4711"})
    send(site, forged(here, BUY, GIVE_UP, LEAVE, END))
    page, head = look(here.host), here.table.head
    assert page.has("input[name=pin]")
    for pin in ({}, {"pin": "1234"}, {"pin": ""}):
        answer = here.host.post("/arrive/answer", yes(page, **pin))
        assert answer.status_code == 422, visible_text(answer)
        assert here.table.head == head
    assert here.host.post("/arrive/answer", yes(look(here.host), pin="4711")).status_code == 303
    assert here.table.night.is_over


def test_the_pin_can_not_be_guessed_there(site: Site, here: SampleNight) -> None:
    needs("pin")
    here.host.post(f"{here.base}/pin", {"pin": "4711"})
    send(site, forged(here, GIVE_UP, END))
    statuses = [here.host.post("/arrive/answer", yes(look(here.host), pin=f"000{n}")).status_code for n in range(7)]
    assert statuses == [422] * 5 + [429] * 2
    assert not here.table.night.is_over


def test_a_pin_that_is_set_is_asked_for_no_other_lines(site: Site, here: SampleNight) -> None:
    needs("pin")
    here.host.post(f"{here.base}/pin", {"pin": "4711"})
    send(site, forged(here, BUY))
    page = look(here.host)
    assert not page.has("input[name=pin]")
    assert here.host.post("/arrive/answer", yes(page)).status_code == 303


def test_a_yes_brings_in_only_what_was_shown(site: Site, here: SampleNight) -> None:
    honest, other = forged(here, BUY), forged(here, {**BUY, "chips": 777})
    send(site, honest)
    page, listed, head = look(here.host), waiting_form(here.host), here.table.head
    assert here.host.post("/arrive/answer", {**listed, "do": "no"}).status_code == 303
    send(site, other)
    assert here.host.post("/arrive/answer", yes(page)).status_code == 409
    assert here.host.post("/arrive/answer", {**listed, "do": "no", "key": new_id()}).status_code == 409
    assert here.host.post("/arrive", listed).status_code == 409
    assert here.table.head == head
    for missing in ("mark", "seal"):
        form = yes(look(here.host))
        assert here.host.post("/arrive/answer", {**form, missing: ""}).status_code == 409
        del form[missing]
        assert here.host.post("/arrive/answer", form).status_code == 409
    assert here.table.head == head


def test_a_yes_is_asked_again_when_the_night_here_went_on(site: Site, here: SampleNight) -> None:
    text = forged(here, BUY)
    shown = here.host.post("/arrive", {"text": text})
    record(here.table, Buy("tom", Amount(3)))
    answer = here.host.post("/arrive/answer", yes(HtmlPage(shown.text)))
    assert answer.status_code == 409
    assert "look again" in visible_text(answer)
    codes = {row.code for row in site.tables.nights()}
    assert codes == {here.table.code}


def test_an_entry_recorded_while_the_yes_is_on_its_way_makes_it_ask_again(
    here: SampleNight, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, head = HtmlPage(here.host.post("/arrive", {"text": forged(here, BUY)}).text), here.table.head

    def late(night: object, most: object) -> str:  # noqa: ARG001
        record(here.table, Buy("tom", Amount(3)))
        return ""

    monkeypatch.setattr(arrive, "lock_fault", late)
    answer = here.host.post("/arrive/answer", yes(page))
    assert answer.status_code == 409
    assert "look again" in visible_text(answer)
    assert here.table.head == head + 1


def test_lines_that_came_are_marked_and_taken_back_as_one(site: Site, here: SampleNight) -> None:
    before, head = here.table.night, here.table.head
    undo = {"kind": "undo", "event": head + 1}
    send(site, forged(here, BUY, undo, {**BUY, "seat": "tom"}, GIVE_UP, LEAVE, END))
    here.host.post("/arrive/answer", yes(look(here.host)))
    log = here.host.get(f"{here.base}/log")
    assert f"Entries {head + 1} to {head + 6} came by link, with the yes of" in visible_text(log)
    assert HtmlPage(log.text).has(".recorded-by .tag")
    form = HtmlPage(log.text).form('form[action$="/undo-brought"]')
    sent: Form = {**form, "first": str(head + 1)}
    assert here.ben.post(f"{here.base}/undo-brought", sent).status_code == 403
    assert here.host.post(f"{here.base}/undo-brought", sent).status_code == 303
    recorded = here.table.head
    assert here.host.post(f"{here.base}/undo-brought", sent).status_code == 303
    assert here.table.head == recorded
    assert here.table.night == before
    assert not HtmlPage(here.host.get(f"{here.base}/log").text).has('form[action$="/undo-brought"] button')
    site.tables.reload([here.table.code])
    assert here.table.night == before


def test_lines_that_others_rest_upon_are_not_taken_back_by_halves(site: Site, here: SampleNight) -> None:
    head = here.table.head
    send(site, forged(here, {"kind": "sit", "seat": "eve", "name": "Eve"}, {**BUY, "seat": "eve"}))
    here.host.post("/arrive/answer", yes(look(here.host)))
    record(here.table, Buy("eve", Amount(3)))
    form = HtmlPage(here.host.get(f"{here.base}/log").text).form('form[action$="/undo-brought"]')
    answer = here.host.post(f"{here.base}/undo-brought", {**form, "first": str(head + 1)})
    assert answer.status_code == 422
    assert here.table.head == head + 3
    assert here.host.post(f"{here.base}/undo-brought", {**form, "first": "999"}).status_code == 404


def test_what_was_recorded_here_before_it_was_lost_comes_back_unmarked(site: Site, here: SampleNight) -> None:
    here.host.post(f"{here.base}/pin", {"pin": "4711"})
    record(here.table, events.Abandon(), events.End())
    whole, head = to_text(here.table), here.table.head
    lose(site, here.table.code, head - 2)
    page = HtmlPage(here.host.post("/arrive", {"text": whole}).text)
    assert "They were recorded here before." in page.text("#news")
    assert not page.has("input[name=pin]")
    assert here.host.post("/arrive/answer", yes(page)).status_code == 303
    assert here.table.head == head
    assert here.table.settings.declared_by(BroughtSettings).brought.all() == {}


def test_a_proof_covers_no_line_more_than_it_was_made_for(here: SampleNight) -> None:
    whole = unpacked(forged(here, BUY))
    count = len(whole["lines"])
    proofs = ["", None, 7, f"{count}:{'0' * 64}", whole["proof"].replace(f"{count - 1}:", f"{count}:"), "1" * 99]
    proofs += [f"{count}:{hashlib.sha256(whole['seal'].encode()).hexdigest()}", f"0:{'0' * 64}", whole["proof"]]
    for proof in proofs:
        page = HtmlPage(here.host.post("/arrive", {"text": packed({**whole, "proof": proof})}).text)
        assert "nothing proves it" in page.text("#news"), proof


def test_a_proof_covers_no_other_board(site: Site, here: SampleNight) -> None:
    whole = unpacked(to_text(here.table))
    erase_nights(site.tables.store, {here.table.code: here.table.head})
    site.tables.forget(here.table.code)
    other = {**whole, "night": {**whole["night"], "options": '{"money.cents": 5}'}}
    for value, said in ((whole, "They were recorded here before."), (other, "nothing proves it")):
        page = HtmlPage(site.host().post("/arrive", {"text": packed(value)}).text)
        assert said in page.text("#news" if page.has("#news") else "")


def test_another_servers_proof_proves_nothing_here(site: Site, here: SampleNight) -> None:
    record(here.table, Buy("tom", Amount(3)))
    whole, head = to_text(here.table), here.table.head
    lose(site, here.table.code, head - 1)
    SealSettings(site.tables.store).log_key = "f" * 64
    page = HtmlPage(here.host.post("/arrive", {"text": whole}).text)
    assert "nothing proves it" in page.text("#news")


def test_links_of_earlier_versions_without_a_proof_still_come_in(here: SampleNight) -> None:
    whole = unpacked(forged(here, BUY))
    del whole["proof"]
    page = HtmlPage(here.host.post("/arrive", {"text": packed(whole)}).text)
    assert here.host.post("/arrive/answer", yes(page)).status_code == 303


def test_a_night_from_a_file_says_so_in_its_log(site: Site, here: SampleNight) -> None:
    table = import_night(site.tables, here.table.export())
    (lines,) = table.settings.declared_by(BroughtSettings).brought.all().values()
    assert (lines.how, lines.last) == ("file", table.head)


def lose(site: Site, code: str, head: int) -> None:
    """Have a night lose its newest events, as a data file does that an older copy was put in the place of."""
    with site.tables.store.connection.write(EVERYTHING, erases=["event"]) as db:
        db.execute("DELETE FROM event WHERE code = ? AND number > ?", [code, head])
    site.tables.reload([code])


def test_lines_that_came_are_kept_and_read_as_earlier_versions_stored_them(here: SampleNight) -> None:
    settings = here.table.settings.declared_by(BroughtSettings)
    lines = BroughtLines(14, "2026-11-22T20:00:00Z", "link", "Ruth at home")
    settings.brought.put("12", lines)
    stored = '{"last":14,"at":"2026-11-22T20:00:00Z","how":"link","by":"Ruth at home"}'
    assert settings.texts()["brought.12"] == stored
    settings.write("brought.12", "14 2026-11-22T20:00:00Z link Ruth at home")
    assert settings.brought.all() == {"12": lines}
