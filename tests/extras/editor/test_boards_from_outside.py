"""Boards inside an address, changed at random or made to cost much: answered, and with little memory."""

import tracemalloc
from collections.abc import Callable
from random import Random

import pytest
from extras._shared.changed_texts import as_code, mutated
from extras.editor.preset_codes import dear_board
from support.client_phones import ClientPhone, Site

from tracker.app.event_rows import new_id
from tracker.extras.editor.codes import preset_words
from tracker.formats.built_in import built_in, built_in_ids
from tracker.formats.codec import preset_to
from tracker.web.access.rate_limits import PostRateLimit

MOST_BYTES = 25_000_000


@pytest.fixture(name="host")
def _host(site: Site) -> ClientPhone:
    site.access.pace = PostRateLimit(burst=1_000_000)
    return site.host()


def test_any_board_in_an_address_is_answered(
    host: ClientPhone, site: Site, short_or_long: Callable[[int, int], int]
) -> None:
    chance, stranger = Random(1), site.phone()
    for number in range(short_or_long(150, 5000)):
        board = preset_to(built_in(chance.choice(built_in_ids())))
        code = as_code("1", mutated(board, chance), preset_words())
        answer = stranger.get(f"/b/{code}")
        assert answer.status_code in (200, 404), (number, code)
        assert host.post("/boards/import", {"code": code, "key": new_id()}).status_code in (303, 404, 422), (
            number,
            code,
        )
    assert host.get("/boards").status_code == 200


def test_a_board_of_a_stranger_takes_little_memory(site: Site) -> None:
    stranger = site.phone()
    stranger.get("/boards/import")
    tracemalloc.start()
    try:
        assert stranger.get(f"/b/{dear_board()}").status_code == 404
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES
    finally:
        tracemalloc.stop()
