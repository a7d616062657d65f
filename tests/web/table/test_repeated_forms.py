"""A form that is sent again because its answer got lost: the same page comes back, and nothing counts twice."""

from typing import Any

from support.client_phones import Site
from support.score_nights import ScoreNight
from support.table_nights import TableNight, dock_text


class Repeating(TableNight):
    """Everything is sent three times, and answered the same."""

    def check_repeated(self, do: str, person: str = "", **more: Any) -> None:
        phone = self.phones[person] if person else self.host
        page, head = self.page(phone), self.table.head
        first = self.tap(do, phone, old=page, **more)
        assert first.status_code == 200, (do, dock_text(first))
        after = self.table.head
        for _ in range(2):
            again = self.tap(do, phone, old=page, **more)
            assert (again.status_code, again.text) == (200, first.text), (do, dock_text(again))
        assert self.table.head == after <= head + 1


def test_every_move_of_a_hand_may_be_sent_again(site: Site) -> None:
    night = Repeating(site)
    night.check_repeated("ante:mia", seat="mia")
    night.check_repeated("bid:4", seat="tom", turn="tom")
    night.check_repeated("pass:ruth", turn="ruth")
    night.check_repeated("pass:ben", turn="ben")
    night.check_repeated("collect", "ben", pot="king-clubs", seat="ben", held="5")
    night.check_repeated("penalty:wrong-lead", "tom", seat="tom")
    night.check_repeated("buy:20", seat="ruth")
    night.check_repeated("borrow:5", seat="ruth", source="ben")
    night.check_repeated("undo:" + str(night.table.head))
    night.check_repeated("out:ben", "ben", seat="ben")
    night.check_repeated("say:3", "tom", seat="tom")
    night.check_repeated("not-out", "ben")
    night.check_repeated("out:ben", "ben", seat="ben")
    for seat in ("ruth", "mia"):
        night.check_repeated("say:2", seat=seat)
    night.check_repeated("say:3", "tom", seat="tom")
    night.check_repeated("pay:ben", "ben")
    night.check_repeated("poker:mia", seat="mia")
    night.check_repeated("plan:out", seat="tom")
    night.check_repeated("ante:tom")


def test_every_tap_of_a_score_game_may_be_sent_again(site: Site) -> None:
    night = ScoreNight(site, "michigan-rummy-snake", ("Ben", "Mia"))

    def send(do: str, person: str = "ruth", **more: str) -> None:
        form, head = night.form(person), night.table.head
        answers = {night.tap(do, person, form, **more) for _ in range(3)}
        assert answers == {200}, do
        assert night.table.head <= head + 1

    send("penalty:false-rummy", "ben", seat="ben")
    send(f"undo:{night.table.head}", "ben")
    for _ in range(2):
        send("out", "ben", seat="ben")
        send("say:9", "mia", seat="mia")
        send("not-out", "ben")
    send("out", "ben", seat="ben")
    for seat in ("ruth", "mia"):
        send("say:7", seat=seat)
    send("pay", "ben")
    send(f"undo:{night.table.head}")
    assert night.points == {"ruth": 0, "ben": 0, "mia": 0}
