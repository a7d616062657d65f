"""A player who wants the host's seat, at the running command: what a second browser and the player's own yes get."""

import re
from collections.abc import Iterator

import pytest
from support.remote_phone import RemoteNight, open_night
from support.server_process import Command

from tracker.web.access.devices import MOST_PER_SEAT, MOST_WAITING_PER_ADDRESS


@pytest.fixture(name="night", scope="module")
def _night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RemoteNight]:
    command = Command(tmp_path_factory.mktemp("data"))
    yield open_night(command.port, command.host_link)
    command.kill()


def requests_on(page: str) -> list[str]:
    """Return the join requests that a page asks about."""
    return re.findall(r'id="join-request-(\d+)"', page)


def test_no_player_takes_the_hosts_seat_or_ends_the_hosts_phone(night: RemoteNight) -> None:
    ben = night.join("127.0.0.20", name="Ben")
    night.host.post(f"{night.base}/dealer", {"seat": "ruth"})
    seconds = [night.join("127.0.0.21", seat="ruth") for _ in range(MOST_PER_SEAT + 1)]
    asked = requests_on(night.host.get(night.base).text)
    assert len(asked) == MOST_WAITING_PER_ADDRESS == len(seconds)
    assert requests_on(ben.get(night.base).text) == []
    for number in asked:
        assert ben.post(f"{night.base}/knocks/{number}/in").status == 403
        assert ben.post(f"{night.base}/knocks/{number}/away").status == 403
    for phone in seconds:
        phone.post(f"{night.base}/enter")
        assert phone.get(night.base).status == 403
    for number in asked:  # even when the host says yes to all of them, the host's own phone stays
        assert night.host.post(f"{night.base}/knocks/{number}/in").status == 303
    for phone in seconds:
        phone.post(f"{night.base}/enter")
    assert [phone.get(night.base).status for phone in seconds] == [403, 200, 200, 200]
    (host_device,) = re.findall(r'"/n/\w+/devices/(\d+)/away"', night.host.get(f"{night.base}/phones").text)[:1]
    assert seconds[-1].post(f"{night.base}/devices/{host_device}/away").status in (303, 403)
    assert night.host.get(f"{night.base}/settings").status == 200
