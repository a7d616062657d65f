"""What a phone loads before the table stands: so many bytes as they cross the network, in an English page."""

import re
from contextlib import closing

import pytest
from support.client_phones import ClientPhone, Site, add_people

MOST_BYTES = 80_000
LATER_BYTES = 15_000
FONT = re.compile(r"url\(\.\.(/vendor/[^)]*)\)")
ENGLISH = re.compile(r"/(besley|atkinson|atkinson-bold)\.woff2")


@pytest.fixture(name="phone")
def _phone(site: Site) -> tuple[ClientPhone, str]:
    host = site.host()
    code = site.open_night(host)
    add_people(host, code, "Ben", "Mia", "Tom")
    phone = site.join(code, "Eva")
    site.start_first_hand(host, code, "ruth")
    return phone, f"/n/{code}"


def size(phone: ClientPhone, address: str) -> int:
    with closing(phone.get(address, Accept_Encoding="gzip")) as answer:
        return len(answer.data)


def text(phone: ClientPhone, address: str) -> str:
    with closing(phone.get(address)) as answer:
        return answer.text


def test_a_phone_loads_80_kilobytes_before_the_table_stands(phone: tuple[ClientPhone, str]) -> None:
    ben, address = phone
    page = text(ben, address)
    parts = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page))
    fonts = {f"/static{one}" for part in parts if ".css" in part for one in FONT.findall(text(ben, part))}
    loaded = {one: size(ben, one) for one in (address, *parts, *filter(ENGLISH.search, fonts))}
    assert sum("woff2" in one for one in loaded) == 3
    assert sum(loaded.values()) <= MOST_BYTES, sorted(loaded.items(), key=lambda part: -part[1])


def test_what_comes_once_it_stands_is_small_and_there_in_its_order(phone: tuple[ClientPhone, str]) -> None:
    ben, address = phone
    later = re.findall(r'data-later="([^"]*)"', text(ben, address))[0].split()
    assert sum(size(ben, one) for one in later) <= LATER_BYTES
    names = [name for one in later for name in re.findall(r"/table/([\w-]+)\.js", one)]
    assert names == ["others-count", "cards-left", "drag", "sheets", "keys"]
