"""At the running command: twelve phones of one address play an evening, and none of them ever meets a limit."""

import re
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from support.at_once import at_once
from support.remote_phone import RemoteNight, RemotePhone, open_night
from support.server_process import Command

from tracker.server.server import PER_SENDER

NAMES = ("ada", "ben", "cleo", "dora", "emil", "fritz", "greta", "hugo")
FAMILY = 12
"""Those without a name watch."""
ADDRESS = "127.0.3.9"
PAGES = ("", "/live", "/log", "/rules", "/settle", "/share", "/sounds")
FILES = ("/static/shared/site.css", "/static/shared/app.js", "/static/shared/favicon.svg", "/help")


def typed_code(night: RemoteNight) -> str:
    found = re.search(r"[2-9A-HJKMNP-TV-Z]{3}-[2-9A-HJKMNP-TV-Z]{3}", night.host.get(f"{night.base}/share").text)
    assert found
    return found[0]


def test_twelve_phones_of_one_address_meet_no_limit_in_an_evening(
    tmp_path: Path, short_or_long: Callable[[int, int], int], figure: Callable[[str], None]
) -> None:
    hands, command, asked = short_or_long(6, 20), Command(tmp_path), Counter[int]()
    with ExitStack() as stack:
        stack.callback(command.kill)
        night = open_night(command.port, command.host_link)
        page = night.host.get(f"{night.base}/share").text
        token = re.search(r"/j/(\w+)", page)
        assert token
        phones = [RemotePhone(command.port, ADDRESS) for _ in range(FAMILY)]

        def ask(phone: RemotePhone, path: str, form: dict[str, str] | None = None) -> int:
            answer = phone.get(path) if form is None else phone.post(path, form)
            asked[answer.status] += 1
            return answer.status

        # All at the same moment, as when somebody says "now": each mistypes the code once, then types or scans it.
        assert (
            at_once([partial(ask, one, "/join", {"typed": "AAA-AAA", "name": "x"}) for one in phones]) == [422] * FAMILY
        )
        code, joined = typed_code(night), list[int]()
        for number, phone in enumerate(phones):
            way = {"typed": code} if number % 2 else {"token": token[1]}
            whom = {"name": NAMES[number]} if number < len(NAMES) else {"watch": "1"}
            joined.append(ask(phone, "/join", {**way, **whom}))
        assert joined == [303] * FAMILY, "seated, or the table is asked"
        lobby = night.host.get(f"{night.base}/lobby").text
        for device in {*re.findall(r"/knocks/(\d+)/in", lobby)}:
            assert ask(night.host, f"{night.base}/knocks/{device}/in", {}) == 303
        at_once([partial(ask, phone, f"{night.base}/enter", {}) for phone in phones])
        assert at_once([partial(ask, phone, f"{night.base}/lobby") for phone in phones]) == [200] * FAMILY
        assert ask(night.host, f"{night.base}/dealer", {"seat": "ruth"}) == 303

        def evening(number: int, phone: RemotePhone) -> None:
            for hand in range(hands):
                for path in PAGES:
                    ask(phone, f"{night.base}{path}")
                for path in FILES:
                    ask(phone, path)
                if number < len(NAMES):
                    name = {"name": f"{NAMES[number]} {hand}", "key": f"{number:016}{hand:016}"}
                    ask(phone, f"{night.base}/seat/{NAMES[number]}/name", name)

        at_once([partial(evening, number, phone) for number, phone in enumerate(phones)])
        refused = {status: count for status, count in asked.items() if status not in (200, 204, 303, 304, 422)}
        assert refused == {}
        assert asked[422] == FAMILY, "the codes that were mistyped"
        # A browser opens six connections.
        assert 6 * FAMILY <= PER_SENDER
        answers = [phone.open(stack, "/help") for phone in phones for _ in range(6)]
        assert {answer.status for answer in answers} == {200}
        figure(f"{FAMILY} phones of one address: {asked.total()} requests, none refused by a limit")
