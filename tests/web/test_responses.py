"""What streams are sent when somebody taps: each phone its own page, in its own language, whoever draws it."""

import threading
from collections.abc import Iterator

import pytest
from support.client_phones import ClientPhone, Site
from support.html_page import with_parts
from support.sample_nights import Form, SampleNight
from werkzeug.test import TestResponse

from tracker.core import events
from tracker.streaming.hub import HAND_OVER, StreamHandle


class Screen:
    """A phone that watches the table: keeps every picture it was sent."""

    def __init__(self, phone: ClientPhone, code: str, lang: str = "en") -> None:
        self.phone, self.code, self.lang = phone, code, lang
        self.pictures: list[str] = []
        self.came = threading.Event()
        self.is_free = True
        handles: list[StreamHandle] = []
        answer = phone.client.get(
            f"/n/{code}/stream?tab=1",
            headers={"Host": phone.host, "Accept-Language": lang},
            environ_overrides={"REMOTE_ADDR": phone.address, HAND_OVER: handles.append},
        )
        assert answer.status_code == 200
        self.push(answer.data)
        self.handle = handles[0]
        self.handle.attach(self)

    def push(self, data: bytes) -> None:
        lines = data.decode().splitlines()
        sent = "\n".join(line.removeprefix("data: ") for line in lines if line.startswith("data: "))
        self.pictures.append(with_parts(self.pictures[-1] if self.pictures else "", sent))
        self.came.set()

    def end(self, data: bytes) -> None:
        self.push(data)

    def live(self) -> str:
        """What the page shows when it asks by itself."""
        return self.phone.get(f"/n/{self.code}/live", Accept_Language=self.lang).text


def take(phone: ClientPhone, code: str, pot: str, seat: str, head: int) -> TestResponse:
    """Have a phone record that somebody has taken a place."""
    form: Form = {"do": "collect", "pot": pot, "seat": seat, "key": pot, "head": str(head)}
    return phone.post(f"/n/{code}/record", form, HX_Request="true", Accept_Language="en")


@pytest.fixture(name="devices")
def _devices(site: Site) -> Iterator[tuple[ClientPhone, Screen, Screen]]:
    night = SampleNight(site, people=("Ben", "Cleo")).record(events.Hand(events.SeatId("ruth")), events.NoSale())
    screens = Screen(night.ben, night.code), Screen(night.phones["cleo"], night.code, "de")
    yield night.host, *screens
    for screen in screens:
        screen.handle.leave()


def test_a_tap_sends_everybody_the_page_that_they_would_ask_for(devices: tuple[ClientPhone, Screen, Screen]) -> None:
    host, ben, cleo = devices
    assert take(host, ben.code, "ace-hearts", "cleo", 5).status_code == 200
    assert [len(ben.pictures), len(cleo.pictures)] == [2, 2]
    assert ben.pictures[-1] == ben.live()
    assert cleo.pictures[-1] == cleo.live()
    assert "<bdi>Cleo</bdi> took" in ben.pictures[-1]
    assert "du hast" in cleo.pictures[-1]


def test_a_phone_whose_stream_has_shown_its_tap_gets_no_page_and_one_without_a_stream_gets_the_same(
    devices: tuple[ClientPhone, Screen, Screen],
) -> None:
    _, ben, cleo = devices
    answer = take(ben.phone, ben.code, "ace-hearts", "ben", 5)
    assert (answer.status_code, answer.text) == (204, "")
    assert f'data-at="{answer.headers["X-At"]}"' in ben.pictures[-1]
    assert ben.pictures[-1] == ben.live()
    assert cleo.pictures[-1] == cleo.live()
    ben.is_free = False
    answer = take(ben.phone, ben.code, "king-clubs", "ben", 6)
    assert (answer.status_code, answer.text) == (200, ben.live())


def test_a_refusal_goes_only_to_the_phone_that_tapped(devices: tuple[ClientPhone, Screen, Screen]) -> None:
    _, ben, cleo = devices
    answer = take(ben.phone, ben.code, "no-such-pot", "ben", 5)
    assert answer.status_code == 422
    assert answer.text.count("data-notice") == 1
    assert "data-notice" not in ben.live()
    assert len(ben.pictures) == len(cleo.pictures) == 1


def test_a_change_without_a_tap_is_rendered_in_a_background_thread(
    site: Site, devices: tuple[ClientPhone, Screen, Screen]
) -> None:
    _, ben, cleo = devices
    site.request_join(ben.code, name="Dora")  # somebody knocks: everybody at the table is asked
    for screen in (ben, cleo):
        while "Dora" not in screen.pictures[-1]:
            screen.came.clear()
            assert "Dora" in screen.pictures[-1] or screen.came.wait(60)
        assert screen.pictures[-1] == screen.live()
    assert "wants to sit down" in ben.pictures[-1]
    assert "wants to sit down" not in cleo.pictures[-1]


def test_a_screen_that_can_take_nothing_now_is_sent_the_newest_when_it_can(
    devices: tuple[ClientPhone, Screen, Screen],
) -> None:
    host, ben, cleo = devices
    ben.is_free = False
    for head, pot in enumerate(("ace-hearts", "ten-hearts"), 5):
        assert take(host, ben.code, pot, "cleo", head).status_code == 200
    assert [len(ben.pictures), len(cleo.pictures)] == [1, 3]
    ben.came.clear()
    ben.is_free = True
    ben.handle.catch_up()
    assert ben.came.wait(60)
    assert len(ben.pictures) == 2
    assert ben.pictures[-1] == ben.live()
