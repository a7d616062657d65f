"""A night from hand to hand by link: the same log and hashes, after the host's yes, and nothing else by any text."""

import hashlib
import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from extras._shared.qr_pictures import text_in_qr
from extras.copies.dear_texts import as_link, link_of, unpacked
from hypothesis import given, strategies as st
from support.client_phones import ClientPhone, Site
from support.html_page import HtmlPage
from support.of_extras import needs
from support.sample_nights import SampleNight, ended_night, night_in_third_hand, record, visible_text

from tracker.app.event_rows import new_id
from tracker.app.nights import Nights
from tracker.core import events
from tracker.core.errors import TableError
from tracker.core.events import Amount, Buy
from tracker.extras._night_files.codes import MOST_NIGHT_BYTES, code_text
from tracker.extras._night_files.importing import BroughtLines, BroughtSettings, import_night
from tracker.extras._night_files.json_text import UnreadableError
from tracker.extras._removal import erase_nights
from tracker.extras.copies import arrive
from tracker.extras.copies.line_seals import SealSettings
from tracker.extras.copies.night_transfer import LONGEST_TEXT, to_text, transfer_from
from tracker.storage import Store
from tracker.storage.database import EVERYTHING
from tracker.streaming.hub import StreamHub


@pytest.fixture(name="elsewhere")
def _elsewhere(tmp_path: Path) -> Any:
    with closing(Store(tmp_path / "elsewhere.db")) as store:
        yield Site(Nights(store, StreamHub()))


def heads(site: Site) -> dict[str, tuple[int, bytes]]:
    """Return the number of events and the hash of the last one of every night."""
    return {row.code: site.tables.store.head(row.code) for row in site.tables.nights()}


def say_yes(host: ClientPhone, text: str) -> str:
    """Open a link as its host, and say yes; return where that leads."""
    shown = host.post("/arrive", {"text": f"http://192.168.1.5:8000/arrive#{text}"})
    assert shown.status_code == 200, shown.text
    answer, again = (host.post("/arrive/answer", yes(HtmlPage(shown.text))) for _ in range(2))
    assert answer.status_code == 303, visible_text(answer)
    assert again.location == answer.location
    return answer.location


def test_a_night_goes_on_elsewhere_and_comes_back_with_the_same_log_and_hashes(site: Site, elsewhere: Site) -> None:
    here, there = night_in_third_hand(site), elsewhere.host()
    code, before = here.table.code, heads(site)
    assert say_yes(there, to_text(here.table)) == f"/n/{code}"
    assert heads(elsewhere) == before
    table = elsewhere.tables.get(code)
    assert table.entries == here.table.entries
    record(table, events.Collect("tom", "king-clubs"))
    assert say_yes(here.host, to_text(table)) == f"/n/{code}"
    assert heads(site) == heads(elsewhere)
    assert here.table.night == table.night
    assert say_yes(here.host, to_text(table)) == f"/n/{code}"  # all of it is there already
    assert heads(site) == heads(elsewhere)
    (other,) = {say_yes(here.host, code_text(table)).split("/")[2]} - {code}  # which has no hashes
    assert site.tables.get(other).night == table.night
    head = record(table, events.Collect("mia", "jack-spades"))
    record(here.table, events.Collect("ben", "jack-spades"))
    (other,) = {say_yes(here.host, to_text(table)).split("/")[2]} - {code}  # one that went on in two places
    assert site.tables.get(other).night == table.night
    assert here.table.head == head


def test_a_night_from_another_browser_waits_for_the_hosts_yes(site: Site, elsewhere: Site) -> None:
    text, host, guest = to_text(ended_night(elsewhere).table), site.host(), site.phone()
    assert "says yes" in visible_text(guest.post("/arrive", {"text": text}))
    guest.post("/arrive", {"text": text})  # sent twice, it waits once
    assert heads(site) == {}
    assert "1 night was brought" in visible_text(host.get("/"))
    assert guest.post("/arrive/answer", {"place": "1", "do": "yes"}).status_code == 403
    assert host.post("/arrive/answer", {**waiting_form(host), "do": "no"}).status_code == 303
    assert "brought by link" not in visible_text(host.get("/"))
    guest.post("/arrive", {"text": text})
    assert host.post("/arrive/answer", yes(look(host))).location.endswith("/settle")
    assert heads(site) == heads(elsewhere)


def test_the_hosts_page_leads_on_to_the_site_to_another_host_or_to_the_file(site: Site, third: SampleNight) -> None:
    text = to_text(third.table)
    assert third.ben.get(f"{third.base}/carry").status_code == 403
    page = HtmlPage(third.host.get(f"{third.base}/carry").text)
    assert page.values("form[data-carry]", "data-carry") == [f"/arrive#{text}"]
    assert not page.has(f'a[href$="{text}"]')
    site.app.config["OPTIONS"]["pages"] = "https://cards.example/"
    assert HtmlPage(third.host.get(f"{third.base}/carry").text).has(f'a[href="https://cards.example/#{text}"]')
    assert f"{third.base}/carry" in third.host.get(f"{third.base}/files").text


def refusal_of(text: str) -> str:
    try:
        transfer_from(text)
    except (UnreadableError, TableError) as refused:
        return str(refused)
    return ""


def test_whatever_was_changed_on_the_way_is_refused_in_a_sentence(site: Site) -> None:
    text = to_text(night_in_third_hand(site).table)
    whole, odd = unpacked(text), (None, 3, "", "x", "../x", "x" * 300)
    night, (first, *lines) = whole["night"], whole["lines"]
    bad = ["", "X1", "X2" + text[2:], text[:-9], text[:60] + "A" + text[61:], "X1" + "A" * LONGEST_TEXT]
    bad += [link_of(" " * (MOST_NIGHT_BYTES + 1)), link_of("[" * 100_000)]
    others: list[Any] = [None, 1, [], {}, {"night": {}, "lines": [], "seal": ""}]
    others += [{**whole, part: one} for part in ("night", "lines", "seal") for one in (None, 3, [1], "x")]
    others += [{**whole, "night": {**night, key: one}} for key in night if key != "name" for one in odd]
    others += [{**whole, "night": {**night, "name": one}} for one in (None, 3, "a\nb", "x" * 300)]
    others += [{**whole, "lines": [{**first, key: one}, *lines]} for key in ("kind", "id", "at", "name") for one in odd]
    bad += map(packed, others)
    said = [refusal_of(one) for one in bad]
    assert all(said), [one[:80] for one, why in zip(bad, said, strict=True) if not why]
    assert all("\n" not in one and len(one) < 400 for one in said)
    host = site.host()
    for one in ("", "hello", text[:-9], "N1AAAAAAAAA", "X1"):
        assert host.post("/arrive", {"text": one, "key": new_id()}).status_code == 422
    assert len(heads(site)) == 1


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_in_a_sentence(raw: bytes) -> None:
    assert refusal_of(link_of(raw))
    assert refusal_of("X1" + urlsafe_b64encode(raw).decode())


def test_a_night_whose_name_was_typed_in_another_form_of_unicode_goes_by_link(site: Site) -> None:
    here = night_in_third_hand(site)
    for name in ("Café", "Cafe\N{COMBINING ACUTE ACCENT}", "The \N{FAMILY} 👨\N{ZERO WIDTH JOINER}👩 table"):
        here.host.post(f"{here.base}/settings", {"title": name})
        site.tables.store.rename(here.table.code, name)  # as earlier versions kept it
        assert transfer_from(to_text(here.table)).copy.row.name


# Lines that come by a link are asked about like those that come by a button: shown, by PIN, marked, taken back.


Form = dict[str, str | list[str]]
BUY = {"kind": "buy", "seat": "ben", "chips": 500}
LEAVE, END = {"kind": "leave", "seat": "ruth"}, {"kind": "end"}
GIVE_UP = {"kind": "abandon"}


def forged(here: SampleNight, *more: Mapping[str, Any]) -> str:
    """Return a link that somebody who only watches makes of what every phone is given, with some more lines."""
    kept = here.watcher.get(f"{here.base}/copy").get_json()
    new = {"at": "2026-11-20T20:15:00Z", "by": "ruth"}
    lines = [{**event, "id": f"{here.table.head + number:032x}", **new} for number, event in enumerate(more)]
    lines = [*map(json.loads, kept["lines"]), *lines]
    return as_link({"night": kept["night"], "lines": lines, "proof": kept.get("proof", "")})


def packed(value: object) -> str:
    return link_of(json.dumps(value, ensure_ascii=False))


def send(site: Site, text: str) -> None:
    assert site.phone().post("/arrive", {"text": text}).status_code == 200


def waiting_form(host: ClientPhone) -> Form:
    """Return what the form of the first night that waits sends."""
    return {**HtmlPage(host.get("/arrive").text).form('form[action="/arrive/answer"]')}


def look(host: ClientPhone) -> HtmlPage:
    """Look at the first night that waits."""
    shown = host.post("/arrive", waiting_form(host))
    assert shown.status_code == 200, visible_text(shown)
    return HtmlPage(shown.text)


def yes(page: HtmlPage, **more: str) -> Form:
    return {**page.form('form[action="/arrive/answer"]'), "do": "yes", **more}


def test_the_host_sees_each_new_line_who_it_names_the_chips_and_the_end(site: Site, third: SampleNight) -> None:
    send(site, forged(third, *[BUY] * 9, GIVE_UP, LEAVE, END))
    assert third.table.name in visible_text(third.host.get("/arrive"))
    page = look(third.host)
    said = page.text("#news")
    assert "12 entries are new" in said
    assert "Ben buys 500" in said
    assert "Ruth, " in said
    assert "They end the night." in said
    assert page.has("#news .diff")
    assert (len(page.select("#news > ol > li")), len(page.select("#news details li"))) == (10, 2), "more are folded"
    assert "Mia" not in page.texts("#news .entry")[0]
    head = third.table.head
    assert third.host.post("/arrive/answer", yes(page)).status_code == 303
    assert third.table.head == head + 12


def test_lines_that_end_the_night_need_its_pin_which_can_not_be_guessed_there(site: Site, third: SampleNight) -> None:
    needs("pin")
    third.host.post(f"{third.base}/pin", {"pin": "4711"})
    send(site, forged(third, BUY))
    assert not look(third.host).has("input[name=pin]")
    assert third.host.post("/arrive/answer", yes(look(third.host))).status_code == 303
    send(site, forged(third, BUY, GIVE_UP, LEAVE, END))
    page, head = look(third.host), third.table.head
    assert page.has("input[name=pin]")
    for pin in ({}, {"pin": ""}):
        assert third.host.post("/arrive/answer", yes(page, **pin)).status_code == 422
    statuses = [third.host.post("/arrive/answer", yes(look(third.host), pin=f"000{n}")).status_code for n in range(7)]
    assert statuses == [422] * 5 + [429] * 2
    assert third.table.head == head
    site.access.lock.limits.forget(third.table.code)  # type: ignore[attr-defined]
    assert third.host.post("/arrive/answer", yes(look(third.host), pin="4711")).status_code == 303
    assert third.table.night.is_over


def test_a_yes_brings_in_only_what_was_shown(site: Site, third: SampleNight) -> None:
    honest, other = forged(third, BUY), forged(third, {**BUY, "chips": 777})
    send(site, honest)
    page, listed, head = look(third.host), waiting_form(third.host), third.table.head
    assert third.host.post("/arrive/answer", {**listed, "do": "no"}).status_code == 303
    send(site, other)
    assert third.host.post("/arrive/answer", yes(page)).status_code == 409
    assert third.host.post("/arrive/answer", {**listed, "do": "no", "key": new_id()}).status_code == 409
    assert third.host.post("/arrive", listed).status_code == 409
    assert third.table.head == head
    for missing in ("mark", "seal"):
        form = yes(look(third.host))
        assert third.host.post("/arrive/answer", {**form, missing: ""}).status_code == 409
        del form[missing]
        assert third.host.post("/arrive/answer", form).status_code == 409
    assert third.table.head == head


@pytest.mark.parametrize("is_late", [False, True], ids=["before", "while the yes is on its way"])
def test_a_yes_is_asked_again_when_the_night_here_went_on(
    site: Site, third: SampleNight, monkeypatch: pytest.MonkeyPatch, is_late: bool
) -> None:
    page, head = HtmlPage(third.host.post("/arrive", {"text": forged(third, BUY)}).text), third.table.head

    def late(*_: object) -> str:
        record(third.table, Buy("tom", Amount(3)))
        return ""

    if is_late:
        monkeypatch.setattr(arrive, "lock_fault", late)
    else:
        late()
    answer = third.host.post("/arrive/answer", yes(page))
    assert answer.status_code == 409
    assert "look again" in visible_text(answer)
    assert heads(site).keys() == {third.table.code}
    assert third.table.head == head + 1


def test_lines_that_came_are_marked_and_taken_back_as_one(site: Site, third: SampleNight) -> None:
    before, head = third.table.night, third.table.head
    undo = {"kind": "undo", "event": head + 1}
    send(site, forged(third, BUY, undo, {**BUY, "seat": "tom"}, GIVE_UP, LEAVE, END))
    third.host.post("/arrive/answer", yes(look(third.host)))
    log = third.host.get(f"{third.base}/log")
    assert f"Entries {head + 1} to {head + 6} came by link, with the yes of" in visible_text(log)
    assert HtmlPage(log.text).has(".recorded-by .tag")
    form = HtmlPage(log.text).form('form[action$="/undo-brought"]')
    sent: Form = {**form, "first": str(head + 1)}
    assert third.ben.post(f"{third.base}/undo-brought", sent).status_code == 403
    assert third.host.post(f"{third.base}/undo-brought", sent).status_code == 303
    recorded = third.table.head
    assert third.host.post(f"{third.base}/undo-brought", sent).status_code == 303
    assert third.table.head == recorded
    assert third.table.night == before
    assert not HtmlPage(third.host.get(f"{third.base}/log").text).has('form[action$="/undo-brought"] button')
    site.tables.reload([third.table.code])
    assert third.table.night == before


def test_lines_that_others_rest_upon_are_not_taken_back_by_halves(site: Site, third: SampleNight) -> None:
    head = third.table.head
    send(site, forged(third, {"kind": "sit", "seat": "eve", "name": "Eve"}, {**BUY, "seat": "eve"}))
    third.host.post("/arrive/answer", yes(look(third.host)))
    record(third.table, Buy("eve", Amount(3)))
    form = HtmlPage(third.host.get(f"{third.base}/log").text).form('form[action$="/undo-brought"]')
    answer = third.host.post(f"{third.base}/undo-brought", {**form, "first": str(head + 1)})
    assert answer.status_code == 422
    assert third.table.head == head + 3
    assert third.host.post(f"{third.base}/undo-brought", {**form, "first": "999"}).status_code == 404


def test_what_was_recorded_here_before_it_was_lost_comes_back_unmarked_but_not_by_another_servers_proof(
    site: Site, third: SampleNight
) -> None:
    third.host.post(f"{third.base}/pin", {"pin": "4711"})
    record(third.table, events.Abandon(), events.End())
    whole, head, seals = to_text(third.table), third.table.head, SealSettings(site.tables.store)
    lose(site, third.table.code, head - 2)
    key, seals.log_key = seals.log_key, "f" * 64
    assert "nothing proves it" in HtmlPage(third.host.post("/arrive", {"text": whole}).text).text("#news")
    seals.log_key = key
    page = HtmlPage(third.host.post("/arrive", {"text": whole}).text)
    assert "They were recorded here before." in page.text("#news")
    assert not page.has("input[name=pin]")
    assert third.host.post("/arrive/answer", yes(page)).status_code == 303
    assert third.table.head == head
    assert third.table.settings.declared_by(BroughtSettings).brought.all() == {}


def test_a_proof_covers_no_line_more_than_it_was_made_for_and_earlier_versions_had_none(
    third: SampleNight,
) -> None:
    whole = unpacked(forged(third, BUY))
    count = len(whole["lines"])
    proofs = ["", None, 7, f"{count}:{'0' * 64}", whole["proof"].replace(f"{count - 1}:", f"{count}:"), "1" * 99]
    proofs += [f"{count}:{hashlib.sha256(whole['seal'].encode()).hexdigest()}", f"0:{'0' * 64}", whole["proof"]]
    for proof in proofs:
        page = HtmlPage(third.host.post("/arrive", {"text": packed({**whole, "proof": proof})}).text)
        assert "nothing proves it" in page.text("#news"), proof
    del whole["proof"]
    page = HtmlPage(third.host.post("/arrive", {"text": packed(whole)}).text)
    assert third.host.post("/arrive/answer", yes(page)).status_code == 303


def test_a_proof_covers_no_other_board(site: Site, third: SampleNight) -> None:
    whole = unpacked(to_text(third.table))
    erase_nights(site.tables.store, {third.table.code: third.table.head})
    site.tables.forget(third.table.code)
    other = {**whole, "night": {**whole["night"], "options": '{"money.cents": 5}'}}
    for value, said in ((whole, "They were recorded here before."), (other, "nothing proves it")):
        page = HtmlPage(site.host().post("/arrive", {"text": packed(value)}).text)
        assert said in page.text("#news" if page.has("#news") else "")


def lose(site: Site, code: str, head: int) -> None:
    """Have a night lose its newest events, as a data file does that an older copy was put in the place of."""
    with site.tables.store.connection.write(EVERYTHING, erases=["event"]) as db:
        db.execute("DELETE FROM event WHERE code = ? AND number > ?", [code, head])
    site.tables.reload([code])


def test_lines_that_came_are_kept_and_read_as_earlier_versions_stored_them(site: Site, third: SampleNight) -> None:
    imported = import_night(site.tables, third.table.export())
    (of_file,) = imported.settings.declared_by(BroughtSettings).brought.all().values()
    assert (of_file.how, of_file.last) == ("file", third.table.head)
    settings = third.table.settings.declared_by(BroughtSettings)
    lines = BroughtLines(14, "2026-11-22T20:00:00Z", "link", "Ruth at home")
    settings.brought.put("12", lines)
    stored = '{"last":14,"at":"2026-11-22T20:00:00Z","how":"link","by":"Ruth at home"}'
    assert settings.texts()["brought.12"] == stored
    settings.write("brought.12", "14 2026-11-22T20:00:00Z link Ruth at home")
    assert settings.brought.all() == {"12": lines}


# The whole night as one code at its end: on every phone, and brought in on another machine.


PAGES = "https://cards.example/"


@pytest.mark.parametrize("pages", ["", PAGES])
def test_every_phone_shows_the_night_as_one_code(site: Site, pages: str) -> None:
    site.app.config["OPTIONS"]["pages"] = pages
    here = ended_night(site)
    link = pages + "#" if pages else ""
    for phone in (here.host, here.ben, here.watcher):
        assert text_in_qr(phone.get(f"{here.base}/settle").text) == link + code_text(here.table)
    assert visible_text(here.ben.get(f"{here.base}/settle")).count("The night in one code") == 1
    running = night_in_third_hand(site)
    assert "The night in one code" not in visible_text(running.host.get(f"{running.base}/settle"))


def test_the_text_of_a_code_brings_the_night_in_on_another_machine(site: Site) -> None:
    needs("imports")  # it says what else a file may be
    here, host = ended_night(site, {"money.cents": 5}), site.host()
    code, key = HtmlPage(here.ben.get(f"{here.base}/settle").text).text("#code"), new_id()
    answer = host.post("/import", {"code": f"{PAGES}#{code}", "key": key})
    assert answer.status_code == 303
    assert answer.location.endswith("/settle")
    assert host.post("/import", {"code": code, "key": key}).location == answer.location
    brought = site.tables.get(answer.location.split("/")[2])
    assert brought.night == here.table.night
    assert brought.name == here.table.name
    pages = [visible_text(host.get(f"{base}/settle")) for base in (here.base, f"/n/{brought.code}")]
    assert pages[0].partition("The night in one code")[0] == pages[1].partition("The night in one code")[0]
    wrong = (("", "paste a code"), ("hello", "like a text"), (code[:-5], "damaged"), ("N9" + code[2:], "newer"))
    for text, why in wrong:
        refused = host.post("/import", {"code": text, "key": "b"})
        assert refused.status_code == 422
        assert why in visible_text(refused)


def test_a_night_that_is_too_long_for_one_code_says_so_and_gives_the_file(site: Site) -> None:
    here, chance = ended_night(site), Random(1)
    record(here.table, events.Undo(here.table.head))
    record(here.table, *(events.Amend(1, {"name": f"{chance.getrandbits(160):x}"}) for _ in range(100)))
    assert "too long" not in visible_text(here.ben.get(f"{here.base}/settle"))
    record(here.table, events.End())
    page = HtmlPage(here.ben.get(f"{here.base}/settle").text)
    assert "too long for one code" in page.text(".night-code")
    assert f"{here.base}/night.json" in page.values(".night-code a", "href")
    assert not page.values(".night-code .qr", "viewBox")
    assert code_text(here.table)[:2] == "N1"
