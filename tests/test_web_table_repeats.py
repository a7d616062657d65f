"""A form that is sent again because its answer got lost: the same page comes back, and nothing counts twice."""

from __future__ import annotations

from typing import Any

from phones import House
from scoring import ScoreNight
from test_web_table_moves import Evening, said


class Repeating(Evening):
    """Everything is sent three times, and answered the same."""

    def send(self, do: str, who: str = "", **more: Any) -> None:
        phone = self.phones[who] if who else self.host
        page, head = self.page(phone), self.table.head
        first = self.tap(do, phone, old=page, **more)
        assert first.status_code == 200, (do, said(first))
        after = self.table.head
        for _ in range(2):
            again = self.tap(do, phone, old=page, **more)
            assert (again.status_code, again.text) == (200, first.text), (do, said(again))
        assert self.table.head == after <= head + 1


def test_every_move_of_a_hand_may_be_sent_again(house: House) -> None:
    night = Repeating(house)
    night.send("ante:mia", seat="mia")
    night.send("bid:4", seat="tom", turn="tom")
    night.send("pass:ruth", turn="ruth")
    night.send("pass:ben", turn="ben")
    night.send("collect", "ben", pot="king-clubs", seat="ben", held="5")
    night.send("penalty:wrong-lead", "tom", seat="tom")
    night.send("buy:20", seat="ruth")
    night.send("borrow:5", seat="ruth", source="ben")
    night.send("undo:" + str(night.table.head))
    night.send("out:ben", "ben", seat="ben")
    night.send("say:3", "tom", seat="tom")
    night.send("not-out", "ben")
    night.send("out:ben", "ben", seat="ben")
    for seat in ("ruth", "mia"):
        night.send("say:2", seat=seat)
    night.send("say:3", "tom", seat="tom")
    night.send("pay:ben", "ben")
    night.send("poker:mia", seat="mia")
    night.send("plan:out", seat="tom")
    night.send("ante:tom")


def test_every_tap_of_a_score_game_may_be_sent_again(house: House) -> None:
    night = ScoreNight(house, "michigan-rummy-snake", ("Ben", "Mia"))

    def send(do: str, who: str = "ruth", **more: str) -> None:
        form, head = night.form(who), night.table.head
        answers = {night.tap(do, who, form, **more) for _ in range(3)}
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
