"""What each phone records for itself: its own moves, those of others, and what it takes back."""

from typing import Any

from support.client_phones import Site
from support.table_nights import TableNight, dock_text

from tracker.formats.codec import event_from
from tracker.web.access.consent import may_record
from tracker.web.access.devices import Identity


def test_a_phone_records_and_takes_back_only_its_own(night: TableNight) -> None:
    night.begin()
    mine, other = night.phones["tom"], night.phones["ben"]
    assert night.tap("collect", mine, seat="ben", pot="ten-hearts", held="5").status_code == 403
    taken = night.tap("collect", mine, seat="tom", pot="ten-hearts", held="5")
    assert dock_text(taken) == "10 Ten of hearts: you took 5"
    assert ">Undo</button>" in night.page(mine).replace("\n", "")
    assert "Undo" not in night.page(other)
    assert night.tap("undo:7", other).status_code == 403
    assert night.tap("undo:7", mine).status_code == 200
    assert night.stacks["tom"] == 91


def test_an_open_table_lets_every_phone_record_but_not_undo_for_others(night: TableNight) -> None:
    night.begin()
    night.table.settings.is_open_to_all = True
    ben = night.phones["ben"]
    assert night.tap("collect", ben, seat="tom", pot="ten-hearts", held="5").status_code == 200
    assert "Someone is out" in night.page(ben)
    assert night.tap("undo:7", night.phones["mia"]).status_code == 403


def test_watchers_have_nothing_to_tap(night: TableNight) -> None:
    watcher = night.site.request_join(night.code, watch="1")
    night.begin()
    page = night.page(watcher)
    assert "<button" not in page.replace('<button name="do" value="" hidden id="go">', "")
    assert watcher.post(f"/n/{night.code}/record", {"do": "exchange"}).status_code == 403


def test_an_own_phone_speaks_for_its_own_seat_without_naming_it(site: Site) -> None:
    night = TableNight(site, preset="michigan-kitty")
    night.begin()
    assert night.tap("out", night.phones["ben"]).status_code == 200
    assert night.table.draft.winner == "ben"


def test_the_sole_winner_of_the_pool_records_it_on_the_own_phone(night: TableNight) -> None:
    night.begin()
    seats = night.table.night.seats
    night.tap("out", night.phones["ben"])
    night.count(**{seat: 2 for seat in seats if seat != "ben"}).tap("pay:ben")
    assert "I win the pool" in night.page(night.phones["mia"])
    pool = night.pots["poker"]
    before = night.stacks["mia"]
    assert night.tap("poker", night.phones["mia"]).status_code == 200
    assert night.stacks["mia"] == before + pool > before
    night.tap(f"undo:{night.table.head}")
    for winners in ("tom", "mia tom"):
        assert night.tap("poker", night.phones["mia"], seat="tom", winners=winners).status_code == 403


def test_a_seats_own_moves_are_offered_on_its_phone_only(night: TableNight) -> None:
    mia, tom = (Identity("seat", seat, 1, "", night.code) for seat in ("mia", "tom"))
    own: dict[str, dict[str, Any]] = {
        "place": {"pots": {}},
        "bet": {"chips": 1},
        "fine": {},
        "due": {"due": "x"},
        "left": {"pot": "x"},
        "sweep": {},
    }
    for kind, more in own.items():
        event = event_from({"kind": kind, "seat": "mia", **more})
        night.table.settings.is_open_to_all = False
        assert may_record(night.table, mia, event), kind
        assert not may_record(night.table, tom, event), kind
        night.table.settings.is_open_to_all = True
        assert may_record(night.table, tom, event), kind


def test_the_first_bid_is_made_on_the_bidders_own_phone_and_on_no_other_players(night: TableNight) -> None:
    night.tap("ante:mia", seat="mia")
    first = night.table.night.current_deal().seats[0]
    assert first == "tom"
    assert "a-bids" in night.page(night.phones["tom"])
    assert "a-bids" not in night.page(night.phones["ben"])
    assert night.tap("bid:2", night.phones["ben"], turn="tom").status_code == 403
    assert night.tap("bid:2", night.phones["tom"], turn="tom").status_code == 200
    assert night.table.night.current_deal().auction.bidder == "tom"


def test_a_barred_player_reads_so_at_the_top_of_the_own_phone_for_the_rest_of_the_hand(night: TableNight) -> None:
    night.begin()
    tom = night.phones["tom"]
    assert 'class="tag bad">barred' not in night.page(tom)
    night.record(event_from({"kind": "penalty", "seat": "tom", "offence": "wrong-lead"}))
    night.tap("collect", pot="ace-hearts", seat="ben")
    top = night.page(tom).partition("</header>")[0]
    assert 'class="tag bad">barred' in top
