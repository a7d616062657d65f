"""How many streams there may be, and what ends one: a newer one of its tab or device, a role, the end of the server."""

from collections.abc import Generator

import pytest
from support.stream_phones import Night, Phone, picture

from tracker.streaming.hub import StreamHub, TooManyStreams
from tracker.streaming.room import RETRY_SECONDS


def test_the_newest_stream_of_a_tab_ends_the_older_one(live: StreamHub) -> None:
    night = Night()
    old = Phone(live.stream("K7Q", "board", night.render, device="1", tab="a"))
    other_tab = Phone(live.stream("K7Q", "board", night.render, device="1", tab="b"))
    old.next_picture()
    other_tab.next_picture()
    new = Phone(live.stream("K7Q", "board", night.render, device="1", tab="a"))
    assert old.ends_with() == "event: closed\ndata: replaced\n\n"
    new.next_picture()
    night.head = 1
    live.publish("K7Q", 1)
    assert new.next_picture() == other_tab.next_picture() == picture(1)


def test_a_device_that_opens_more_streams_than_a_browser_can_loses_its_oldest(live: StreamHub) -> None:
    night = Night()
    phones = []
    for tab in "abcd":
        phones.append(Phone(live.stream("K7Q", "board", night.render, device="1", tab=tab)))
        phones[-1].next_picture()
    assert phones[0].ends_with() == "event: closed\ndata: replaced\n\n"
    assert live.count() == 3


def test_a_stream_takes_room_from_its_beginning_until_it_is_closed_or_ended(live: StreamHub) -> None:
    def stream(device: str) -> Generator[bytes, None, None]:
        return live.stream("K7Q", "board", Night().render, device=device)

    never_begun = [stream(str(number)) for number in range(50)]
    assert live.count() == 0
    streams = never_begun[:20]
    for one in streams:
        next(one)
    with pytest.raises(TooManyStreams) as refusal:
        stream("x")
    assert refusal.value.retry_after > 0
    streams[0].close()
    streams.append(stream("x"))
    next(streams[-1])
    live.end_device("7")
    assert live.count() == 19, "before its client notices"
    streams.append(stream("y"))
    next(streams[-1])
    for one in streams:
        one.close()


def test_a_revoked_device_is_sent_nothing_more(live: StreamHub) -> None:
    night = Night()
    thief = Phone(live.stream("K7Q", "board", night.render, device="1", tab="a"))
    friend = Phone(live.stream("K7Q", "board", night.render, device="2"))
    thief.next_picture()
    friend.next_picture()
    live.end_device("1")
    night.head = 1
    live.publish("K7Q", 1)
    assert thief.ends_with() == "event: closed\ndata: revoked\n\n"
    assert friend.next_picture() == picture(1)


def test_a_device_in_a_new_role_is_free_to_come_back(live: StreamHub) -> None:
    night = Night()
    phone = Phone(live.stream("K7Q", "board", night.render, device="1"))
    assert phone.next_picture() == picture(0)
    live.end_device("1", again=True)
    last = phone.ends_with()
    assert last is None or "closed" not in last


def test_all_streams_end_when_the_server_stops_and_later_ones_at_once(live: StreamHub) -> None:
    phones = [Phone(live.stream("K7Q", "board", Night().render, device=str(number))) for number in range(8)]
    for phone in phones:
        phone.next_picture()
    live.stop()
    for phone in phones:
        phone.ends_with()
    assert list(live.stream("K7Q", "board", Night().render, device="9")) == []


def test_a_newcomer_of_another_table_is_given_the_place_of_a_crowds_newest_watcher() -> None:
    live, night = StreamHub(limit=4, kept_for_players=1), Night()
    crowd = []
    for device in "123":
        crowd.append(Phone(live.stream("K7Q", "board", night.render, device=device, is_player=False)))
        assert crowd[-1].next_picture() == picture(0)
    other = Phone(live.stream("M2X", "board", Night().render, device="9", is_player=False))
    assert other.next_picture() == picture(0)
    assert crowd[2].ends_with() == "event: closed\ndata: full\n\n"
    night.head = 1
    live.publish("K7Q", 1)
    assert [phone.next_picture() for phone in crowd[:2]] == [picture(1)] * 2
    assert live.count() == 3
    live.stop()


def test_a_page_without_room_for_its_stream_is_shown_what_others_see_and_told_to_ask_later(live: StreamHub) -> None:
    night, other = Night(), Night()
    night.head = 7
    phone = Phone(live.stream("K7Q", "board", night.render, device="1"))
    phone.next_picture()
    told = live.only_now("K7Q", "board", other.render).decode()
    assert told == f"event: full\ndata: {RETRY_SECONDS}\n\n{picture(7)}event: closed\ndata: full\n\n"
    assert other.renders == 0
    assert picture(0) in live.only_now("M2X", "board", other.render).decode()
    assert live.count() == 1
