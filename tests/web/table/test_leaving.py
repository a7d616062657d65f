"""Somebody goes home before the end: recorded on their own phone or the host's, and taken back like anything else."""

from support.client_phones import Site
from support.html_page import HtmlPage
from support.score_nights import ScoreNight
from support.table_nights import TableNight


def test_a_person_leaves_by_the_own_phone_and_may_take_it_back(site: Site) -> None:
    night = TableNight(site)
    ben = night.phones["ben"]
    assert "My chips" in night.sheet("", ben).texts("a.section[href$='/sheet/ben']")
    assert night.sheet("ben", ben).has("[value=leave]")
    assert night.tap("leave", ben, seat="ben").status_code == 200
    assert night.table.night.seats == ("ruth", "mia", "tom")
    undo = HtmlPage(night.page(ben)).values("[name=do][value^=undo]", "value")
    assert night.tap(undo[0], ben).status_code == 200
    assert "ben" in night.table.night.seats


def test_nobody_but_the_host_lets_somebody_else_leave_also_where_everyone_records(site: Site) -> None:
    night = TableNight(site)
    night.table.settings.is_open_to_all = True
    ben, mia = night.phones["ben"], night.phones["mia"]
    assert not night.sheet("ben", mia).has("[value=leave]")
    assert night.tap("leave", mia, seat="ben").status_code == 403
    assert night.tap("leave", ben, seat="ben").status_code == 200


def test_who_plays_the_hand_is_not_offered_to_leave_before_its_end(site: Site) -> None:
    night = TableNight(site).begin()
    ben = night.phones["ben"]
    assert not night.sheet("ben", ben).has("[value=leave]")
    assert "Leave the table" not in night.sheet("", ben).texts(".rows a")
    assert night.tap("leave", ben, seat="ben").status_code == 422


def test_the_host_is_told_how_a_leaver_gives_chips_away(site: Site) -> None:
    night = TableNight(site)
    hint = "To give them away, use “Pay by hand” first."
    assert hint in night.sheet("ben").text()
    assert night.sheet("ben").has("details [name=do][value=move]")
    assert hint not in night.sheet("ben", night.phones["ben"]).text()


def test_after_the_end_a_sheet_offers_no_chips(site: Site) -> None:
    night = TableNight(site)
    assert night.sheet("ben").has("[value^=buy]")
    assert night.tap("end").status_code == 200
    assert not night.sheet("ben").has("[value^=buy], [value^=borrow], [value=move], [value=leave]")


def test_in_a_score_game_a_person_leaves_by_the_own_phone(site: Site) -> None:
    night = ScoreNight(site, "eight-round-rummy")
    assert night.tap("leave:mia", "ben") == 403
    assert night.tap("leave:ben", "ben") == 200
    assert night.night.seats == ("ruth", "mia")


def test_the_sheet_of_somebody_else_offers_nothing_on_a_phone_that_may_not_record_it(site: Site) -> None:
    night = TableNight(site).begin()
    ben = night.phones["ben"]
    assert not night.sheet("mia", ben).has("[name=do]")
    assert night.sheet("mia").has("[name=do]")
    night.table.settings.is_open_to_all = True
    assert night.sheet("mia", ben).has("[name=do]")
