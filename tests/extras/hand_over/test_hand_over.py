"""Going on with another phone, and giving the table away."""

import re
from pathlib import Path

import pytest
from extras.hand_over.states import link_for
from support.at_once import SENDERS, sites_at, statuses, strangers
from support.client_phones import HERE, ClientPhone, Clock, Site
from support.html_page import HtmlPage
from support.polling import wait_until
from support.sample_nights import SampleNight, play_hand, record

from tracker.app.nights import Nights
from tracker.core.events import End
from tracker.extras._phones import RoleSettings, TableOffer
from tracker.storage import DataPlace, ExpiringRows, NotSaved
from tracker.web.access.devices import hash_token

# Going on with another phone


def link_on(phone: ClientPhone, code: str) -> str:
    """Return the link that a phone shows when its owner wants to go on with another one."""
    link = HtmlPage(phone.post(f"/n/{code}/move").text).value("svg.qr", "data-link")
    found = re.fullmatch(r"http://[0-9.:]+(/m/[\w-]+)", link)
    assert found, link
    return found[1]


def test_the_table_moves_with_its_hosts_phone(site: Site, host: ClientPhone, code: str) -> None:
    link, new = link_on(host, code), site.phone()
    assert new.get(link).status_code == 200
    assert new.post("/m", {"token": link[3:]}).status_code == 303
    assert new.get(f"/n/{code}/settings").status_code == 200
    assert host.get(f"/n/{code}/settings").status_code == 403
    assert new.get("/new").status_code == 403  # new nights stay with the browser that opened the link
    ben = site.join(code, "Ben")
    assert new.post("/m", {"token": link_on(ben, code)[3:]}).status_code == 303
    assert new.get(f"/n/{code}/settings").status_code == 200, "the host stays the host"
    assert ben.get(f"/n/{code}").status_code == 403


@pytest.mark.every_place
def test_a_seat_moves_to_one_of_many_phones_at_once(place: Path | DataPlace) -> None:
    with sites_at(place) as sites:
        site = sites[0]
        code = site.open_night(site.host())
        site.join(code, "Ben")
        (ben,) = site.access.devices.at_seat(code, "ben")
        token = link_for(site, code, ben.id)[3:]
        assert statuses(strangers(sites), "/m", lambda _: {"token": token}) == {303: 1, 410: SENDERS - 1}
        # a process is told what another one did
        wait_until(lambda: len(site.access.devices.at_seat(code, "ben")) == 1)


# Giving the table away


def test_the_table_changes_hands_when_taken_and_always_has_a_host(site: Site, host: ClientPhone, code: str) -> None:
    ben, mia = site.join(code, "Ben"), site.join(code, "Mia")
    for seat in ("mia", ""):
        host.post(f"/n/{code}/hand-over", {"seat": seat})
    assert mia.post(f"/n/{code}/take-table").status_code == 403, "it was taken back"
    host.post(f"/n/{code}/hand-over", {"seat": "mia"})
    assert ["Take it" in phone.get(f"/n/{code}/lobby").text for phone in (ben, mia)] == [False, True]
    assert host.get(f"/n/{code}/settings").status_code == 200
    assert [phone.post(f"/n/{code}/take-table").status_code for phone in (ben, mia, ben)] == [403, 303, 403]
    assert [phone.get(f"/n/{code}/settings").status_code for phone in (host, mia)] == [403, 200]
    assert host.get(f"/n/{code}/lobby").status_code == 200


@pytest.mark.parametrize("is_restarted", [False, True])
def test_whichever_answer_gets_lost_both_phones_stay_in_and_old_tokens_end_once_the_new_ones_are_used(
    site: Site, host: ClientPhone, code: str, *, is_restarted: bool
) -> None:
    mia = site.join(code, "Mia")
    (name, hosts_old), (_, seats_old) = [*host.cookies.items()][-1], *mia.cookies.items()
    host.post(f"/n/{code}/hand-over", {"seat": "mia"})
    for _tap in range(2):
        mia.client.set_cookie(name, seats_old, domain=HERE)  # the browser gave the first answer up for the second
        assert mia.post(f"/n/{code}/take-table").status_code == 303
    mia.client.set_cookie(name, seats_old, domain=HERE)
    now = Site(site.tables) if is_restarted else site
    host.client.application = mia.client.application = now.app
    devices, tokens = now.access.devices, now.app.extensions["new_tokens"]
    for _answer in range(3):
        host.client.set_cookie(name, hosts_old, domain=HERE)
        assert tokens.known(code, hosts_old)
        assert host.get(f"/n/{code}/lobby").status_code == 200
    for phone, old, status in ((host, hosts_old, 403), (mia, seats_old, 200)):
        assert phone.get(f"/n/{code}/lobby").status_code == 200
        assert phone.get(f"/n/{code}/settings").status_code == status
        assert phone.cookies[name] != old
        assert tokens.known(code, old) is None
        assert site.tables.store.devices.by_token(hash_token(old)) is None
    assert len(devices.at_seat(code, "ruth")) == 1
    mia.client.set_cookie(name, seats_old, domain=HERE)
    assert mia.get(f"/n/{code}").status_code == 403


def test_an_offer_ends_with_its_person(site: Site, host: ClientPhone, code: str) -> None:
    site.join(code, "Cara")
    host.post(f"/n/{code}/hand-over", {"seat": "cara"})
    host.post(f"/n/{code}/seat/cara/remove")
    stranger = site.join(code, "Cara")
    assert stranger.post(f"/n/{code}/take-table").status_code == 403


def test_the_table_is_offered_to_nobody_without_a_phone(third: SampleNight) -> None:
    answer = third.host.post(f"{third.base}/hand-over", {"seat": "tom"})
    assert answer.status_code == 422
    assert "Tom has no phone here" in answer.text
    other = third.site.request_join(third.table.code, seat="tom")
    (row,) = third.site.access.devices.join_requests(third.table.code)
    third.host.post(f"{third.base}/knocks/{row.id}/in")
    assert other.post(f"{third.base}/enter").status_code == 303
    assert other.post(f"{third.base}/take-table").status_code == 403


def test_an_offer_that_an_earlier_version_has_stored_is_read(tables: Nights) -> None:
    settings = tables.open("michigan-rummy").settings.declared_by(RoleSettings)
    settings.write("table-offered-to", "ben:99:3:7,8")
    offer = TableOffer("ben", 99, 3, (7, 8))
    assert settings.table_offer == offer
    settings.table_offer = offer._replace(until=100)
    assert settings.texts()["table-offered-to"] == '{"seat":"ben","until":100,"sit":3,"devices":[7,8]}'
    settings.old_tokens.put("7", b"\xab\x12")
    assert settings.texts()["old-token.7"] == "ab12"


def test_a_code_that_could_not_be_used_for_the_disk_works_when_it_is_sent_again_within_ten_minutes(
    site: Site, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    moving, other = {"token": link_on(site.join(code, "Mia"), code)[3:]}, site.phone()

    def add(*_: object, **__: object) -> None:
        raise NotSaved("full", certain=True)

    with monkeypatch.context() as patch:
        patch.setattr(site.tables.store.devices, "add", add)
        assert other.post("/m", {**moving}).status_code == 503
    assert other.post("/m", {**moving}).status_code == 303
    assert site.phone().post("/m", {**moving}).status_code == 410
    clock = Clock()
    site.access.rows = ExpiringRows(clock=clock)
    link = link_on(site.join(code, "Ben"), code)
    clock.seconds += 601
    assert site.phone().get(link).status_code == 410


def test_the_host_of_a_table_that_was_handed_over_plays_again_with_everybody(site: Site, here: SampleNight) -> None:
    play_hand(here.table, "ruth", "ben", "mia")
    base = here.base
    here.host.post(f"{base}/hand-over", {"seat": "ben"})
    assert here.ben.post(f"{base}/take-table").status_code == 303
    assert here.ben.post(f"{base}/again", {"key": "too early"}).status_code == 409
    record(here.table, End())
    assert here.watcher.post(f"{base}/again", {"key": "1"}).status_code == 403
    form = HtmlPage(here.ben.get(f"{base}/settle").text).form("form[action$='/again']")
    code = here.ben.post(f"{base}/again", {"key": form["key"]}).location.split("/")[2]
    assert here.host.get(base).location == f"/n/{code}/lobby"
    devices = {(one.role, one.seat) for one in site.access.devices.devices_of(code)}
    assert devices == {("host", "ben"), ("seat", "ruth"), ("watcher", None)}
    assert here.ben.get("/").status_code == 200  # and it may open no other night
    assert here.ben.get("/new").status_code == 403
    assert f"/n/{code}" in here.host.get("/").text
