"""Score sheets: points added up, ends, winners and money, and their pages, also for people who come late or leave."""

import re
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import floor
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest
from extras._shared.score_nights import ROUND_OF, ScoreNight, event, score_sheet, scores, snake
from hypothesis import example, given, strategies as st
from support.client_phones import Site
from support.core_nights import CoreNight, keys_of
from support.html_page import HtmlPage
from support.of_extras import needs
from support.sample_nights import hidden_fields, record, visible_text

from tracker.app.nights import Nights
from tracker.app.open_night import OpenNight
from tracker.core import events, log
from tracker.core.events import Event, Leave, Name, Score, SeatId
from tracker.core.game import game_of
from tracker.core.payment_list import nets, nets_in_cents
from tracker.core.queries.summary import leaders, ranking, summary
from tracker.extras._chart.night_lines import NightLines
from tracker.extras._score.pages import DealEnding, DealSettings
from tracker.extras.points.rules import is_odd_sum
from tracker.formats.codec import amended, entry_from
from tracker.web.settlement.report_view import SettlementReport


def round_(night: CoreNight, *points: int) -> CoreNight:
    return night.record("scores", points=dict(zip(night.night.seats, points, strict=True)))


@pytest.mark.parametrize("points", [{"w": 1, "x": 0, "y": -5}, {"w": 1, "x": -1, "y": -1}])
def test_where_only_the_winner_is_written_down_the_others_get_nothing_else(points: dict[str, int]) -> None:
    night = score_sheet("wxy", **{"points.entry": "winner"})
    assert "gets 1 point, the others 0" in str(night.refusal("scores", points=points))
    entry = entry_from({"kind": "scores", "points": points}, 4)
    _, opened = log.replay_accepted(night.preset, [*night.entries, entry], amended)  # a stored night opens
    assert (opened.failure is None) == (points["x"] == 0)  # the second was never taken


@pytest.mark.parametrize(
    ("points", "is_odd"),
    [((20, 6, 0), False), ((0, 26, 26), False), ((-26, 0, 0), False), ((26, 0, 0), False), ((20, 7, 0), True),
     ((26, 26, 0), False), ((26, 26, 26), True), ((26, 0, -26), True), ((0, 0, 0), True)],
)  # fmt: skip
def test_a_sum_is_odd_unless_one_took_it_all_or_it_is_the_houses(points: tuple[int, ...], *, is_odd: bool) -> None:
    said = dict(zip("wxy", points, strict=True))
    assert is_odd_sum(score_sheet("wxy", **{"points.sum": 26}).night, said) == is_odd
    assert not is_odd_sum(score_sheet("wxy").night, said)


def test_tied_winners_share_the_payments_odd_points_clockwise() -> None:
    night = round_(score_sheet("wxy", **MONEY, **{"points.pay": "winner"}), 12, 12, 5).night
    assert nets_in_cents(night) == {"w": 40, "x": 30, "y": -70}


def test_whoever_completes_the_tenth_phase_wins_and_of_several_the_fewest_points() -> None:
    night = CoreNight("ten-phases", "abc").record("scores", points={"a": 10, "b": 50, "c": 60})
    assert night.preview(events.End(("b",))).completed == {"b"}
    for winners, won, places in (
        ([], ["a"], {"a": 1, "b": 2, "c": 3}),
        (["b"], ["b"], {"b": 1, "a": 2, "c": 3}),
        (["c", "b"], ["b"], {"b": 1, "c": 2, "a": 3}),
    ):
        ended = CoreNight("ten-phases", "abc").record("scores", points={"a": 10, "b": 50, "c": 60})
        ended.record("end", winners=winners)
        assert (ended.winners, {one.seat: one.place for one in ranking(ended.night)}) == (won, places)
        assert nets(ended.night) == {"a": 90, "b": -30, "c": -60}
    late = night.record("sit", seat="d", name="D")
    assert str(late.refusal("end", winners=["d"])) == "D has played nothing, so can’t win"
    assert str(score_sheet("wx").refusal("end", winners=["w"])) == "at this table the points alone decide who has won"


# People come late, leave and come back: who wins, and what is paid, against a second computation


PEOPLE = "abcdef"
CHANCE = st.integers(0, 2**16).map(Random)
MONEY = {"money.chips": 1, "money.cents": 10}


def hearts(*rounds_played: dict[str, int], **rules: Any) -> CoreNight:
    """Return a night of Hearts, a point worth 0.10, with these rounds."""
    night = CoreNight("hearts", "abc", options=MONEY | keys_of(rules))
    for points in rounds_played:
        night.record("scores", points=points)
    return night


# The second computation


@dataclass
class Sheet:
    """A score sheet kept by hand."""

    wins: str
    pay: str
    late: str
    here: list[str] = field(default_factory=list)
    began: dict[str, int] = field(default_factory=dict)
    played: list[dict[str, int]] = field(default_factory=list)
    paused: list[set[str]] = field(default_factory=list)
    waiting: set[str] = field(default_factory=set)
    left_at: dict[str, int] = field(default_factory=dict)
    """How many rounds there had been when somebody stopped playing, and has not played again."""

    def sum(self, seat: str) -> int:
        if not self.has_played(seat):
            return 0 if self.is_in_time(seat) else self.begins()
        worse = max if self.wins == "low" else min
        return worse(self.own(seat), self.begins()) if self.is_back(seat) else self.own(seat)

    def own(self, seat: str) -> int:
        return self.began[seat] + sum(points.get(seat, 0) for points in self.played)

    def is_in_time(self, seat: str) -> bool:
        """Return whether somebody was there in the first round: paused in it, if not played."""
        return bool(self.played) and seat in (*self.played[0], *self.paused[0])

    def is_back(self, seat: str) -> bool:
        """Return whether somebody at the table has stopped for some rounds, and has not played since."""
        is_here = seat in self.here and self.has_played(seat)
        return is_here and self.left_at.get(seat, len(self.played)) < len(self.played)

    def has_played(self, seat: str) -> bool:
        return any(seat in points for points in self.played)

    def sit(self, seat: str) -> None:
        self.here.append(seat)
        if self.played:
            self.waiting.add(seat)
            self.left_at.setdefault(seat, len(self.played))

    def leave(self, seat: str) -> None:
        self.here.remove(seat)
        self.left_at.setdefault(seat, len(self.played))

    def begins(self) -> int:
        sums = [self.own(other) for other in self.here if self.has_played(other) and not self.is_back(other)]
        if sums and self.late == "average":
            return floor(Fraction(sum(sums), len(sums)) + Fraction(1, 2))
        if sums and self.late == "worst":
            return max(sums) if self.wins == "low" else min(0, *sums)
        return 0

    def round(self, points: dict[str, int], paused: set[str]) -> None:
        began = {seat: self.sum(seat) for seat in points if not self.has_played(seat)}
        began |= {seat: self.began[seat] + self.sum(seat) - self.own(seat) for seat in points if self.is_back(seat)}
        self.began |= began
        for seat in points:
            self.left_at.pop(seat, None)
        for seat, rounds_before in self.left_at.items():
            if seat in paused and rounds_before == len(self.played):
                self.left_at[seat] += 1  # a pause is no stop
        self.played.append(points)
        self.paused.append(paused)
        self.waiting.clear()

    def better(self, seat: str, other: str) -> int:
        """Return by how many points one is better than another in the rounds that both have played."""
        both = [points for points in self.played if seat in points and other in points]
        ahead = sum(points[seat] for points in both) - sum(points[other] for points in both)
        return -ahead if self.wins == "low" else ahead

    def winners(self) -> set[str]:
        sums = {seat: self.sum(seat) for seat in self.here if self.has_played(seat)}
        best = (min if self.wins == "low" else max)(sums.values(), default=0)
        return {seat for seat in sums if sums[seat] == best}

    def nets(self) -> dict[str, Fraction]:
        """Return what everybody gets or pays, before odd points are given to whole people."""
        found = dict.fromkeys(PEOPLE, Fraction(0))
        won = self.winners()
        for one, other in combinations(PEOPLE, 2):
            points = Fraction(self.better(one, other))
            if self.pay == "winner" and (one in won) == (other in won):
                continue
            if self.pay == "winner":
                points = (max(points, Fraction(0)) if one in won else min(points, Fraction(0))) / len(won)
            found[one] += points
            found[other] -= points
        return found


def play(chance: Random) -> tuple[CoreNight, Sheet]:
    """Play a random night at which people come, leave and come back."""
    sheet = Sheet(
        chance.choice(("low", "high")), chance.choice(("each", "winner")), chance.choice(("worst", "average", "zero"))
    )
    rules = {"points.wins": sheet.wins, "points.pay": sheet.pay, "points.late": sheet.late, **MONEY}
    night = CoreNight("score-sheet", "", options=rules)
    coming = chance.sample(PEOPLE, chance.randint(2, 4))
    for _ in range(chance.randint(1, 12)):
        for seat in coming:
            night.record("sit", seat=seat, name=seat.upper())
            sheet.sit(seat)
        must = [seat for seat in sheet.here if seat not in sheet.waiting]
        there = [seat for seat in sorted(sheet.here) if seat in must or chance.random() < 0.5]
        paused = {seat for seat in there if chance.random() < 0.15}
        players = [seat for seat in there if seat not in paused]
        if len(players) > 1:
            points = {seat: chance.randint(-20, 30) for seat in players}
            night.record("scores", points=points, **({"sits_out": sorted(paused)} if paused else {}))
            sheet.round(points, paused)
        for seat in sorted(sheet.here):
            if chance.random() < 0.15:
                night.record("leave", seat=seat)
                sheet.leave(seat)
        coming = [seat for seat in PEOPLE if seat not in sheet.here and chance.random() < 0.25]
    return night, sheet


@given(CHANCE)
@example(Random(22793))  # somebody comes back, pauses, and leaves and comes back again
def test_a_score_sheet_is_settled_and_won_as_a_second_computation_has_it(chance: Random) -> None:
    night, sheet = play(chance)
    found, expected = nets(night.night), sheet.nets()
    if not sheet.here:
        return  # nobody is left: what then holds is a test of its own
    assert sum(found.values()) == 0
    assert set(leaders(night.night)) == sheet.winners()
    assert {seat: night.scores[seat] for seat in sheet.here} == {seat: sheet.sum(seat) for seat in sheet.here}
    for seat, net in found.items():
        assert abs(net - expected[seat]) < 1
        if sheet.pay == "each" or len(sheet.winners()) == 1:
            assert net == expected[seat]
        if not sheet.has_played(seat):
            assert (net, nets_in_cents(night.night)[seat]) == (0, 0)
            assert seat not in leaders(night.night)


# Worked by hand


def test_everybody_at_the_table_has_points_or_pauses_and_two_play() -> None:
    with_all, part, pause = {"a": 1, "b": 2, "c": 3}, "plays no part in this round", "so does not pause"
    for points, sits_out, said in (
        ({}, "", "how many points for A, B, C?"),
        ({"a": 1, "b": 2}, "", "how many points for C?"),
        ({**with_all, "d": 4}, "", f"d {part}"),
        ({"a": 1, "b": 2}, "d", f"d has points or is not at the table, {pause}"),
        (with_all, "c", f"C has points or is not at the table, {pause}"),
        ({"a": 1}, "bc", "a round needs at least two people"),
    ):
        assert str(hearts().refusal("scores", points=points, sits_out=[*sits_out])) == said


def test_of_a_table_that_everybody_has_left_those_who_played_are_settled() -> None:
    night = hearts({"a": 10, "b": 12, "c": 4}, points__pay="winner").record("sit", seat="d", name="D")
    for seat in "abcd":
        night.record("leave", seat=seat)
    assert (night.winners, nets(night.night)) == (["c"], {"a": -6, "b": -8, "c": 14, "d": 0})


# The snake


def test_in_the_snake_each_deal_is_settled_among_those_who_played_it() -> None:
    night = snake("wxy").record("rummy", seat="w", hands={"x": 10, "y": 20})
    night.record("leave", seat="w").record("sit", seat="z", name="Z")
    night.record("rummy", seat="y", hands={"x": 5}).record("rummy", seat="z", hands={"x": 1, "y": 1}).record("end")
    assert night.scores == {"w": 30, "x": -16, "y": -16, "z": 2}
    assert night.winners == ["z"]
    assert sum(one["chips"] for one in summary(night.night)["payments"] if one["creditor"] == "w") == 30


# On their pages: who comes late, leaves or pauses, the end, and whose deal it is in the next night


SNAKE, ROUNDS, HEARTS = "michigan-rummy-snake", "eight-round-rummy", "hearts"


def test_chart_tables_and_settlement_say_what_each_began_with_had_played_and_could_win(site: Site) -> None:
    """Ruth leaves after a round of Hearts, Lea joins before the next, and Pia has played none."""
    night = ScoreNight(site, HEARTS, rules=MONEY)
    record(night.table, scores({"ruth": Score(5), "ben": Score(9), "mia": Score(12)}))
    record(night.table, events.Leave("ruth"), events.Sit(SeatId("lea"), Name("Lea")))
    record(night.table, scores({"ben": Score(3), "mia": Score(13), "lea": Score(10)}))
    record(night.table, events.Sit(SeatId("pia"), Name("Pia")))
    with site.app.test_request_context("/"):
        night_lines = NightLines(SettlementReport(night.table.history()))
        drawn = str(night_lines.picture)
    lines = {one.face.seat: one for one in night_lines.series}
    assert {seat: one.values[one.first :] for seat, one in lines.items() if one.is_drawn} == {
        "ruth": (0, 5, 5),
        "ben": (0, 9, 12),
        "mia": (0, 12, 25),
        "lea": (12, 22),  # the worst sum when she came
    }
    shown = HtmlPage(night.page())
    heights = [re.split(r"[ ,L]", path.lstrip("M"))[1] for path in shown.values(".tray .c-line", "d")]
    assert len(heights) == 4
    assert len(set(heights)) == 2  # Lea’s line begins at what she began with, not at 0
    assert drawn.count('class="c-line"') == drawn.count('class="c-lead"') == 4
    assert "Pia sits down with 25 points" in shown.text(inline=("bdi",))
    assert shown.texts(".padsheet tbody tr")[0].split() == ["to", "begin", "with", "12", "25"]
    record(night.table, events.End())
    address = f"/n/{night.table.code}"
    page = HtmlPage(night.host.get(f"{address}/settle").text)
    assert page.texts(".rank tbody .place") == ["1", "2", "3", "4", "–"]
    assert page.texts(".rank tbody th .nm bdi") == ["Ben", "Lea", "Mia", "Ruth", "Pia"]
    assert page.texts(".rank tbody th small") == ["has left", "has played nothing"]
    assert "Ben wins the night" in page.text()
    assert "to begin with +12" in page.text().replace("\n", " ")
    assert "Pia pays" not in page.text()
    needs("exports")
    report = page.texts("#result")[0]
    assert "– Pia (has played nothing): 25 points" in report
    assert "4. Ruth (has left): 5 points = 1.10" in report
    needs("hand_by_hand")
    log = HtmlPage(night.host.get(f"{address}/log").text)  # and points to begin with are won in no round
    for strip, people in (("#hand-1", {"Ruth", "Ben", "Mia"}), (".now-strip", {"Ben", "Mia", "Lea"})):
        assert {name.get_text().strip() for name in log.select(f"{strip} .sign bdi")} == people
    rows = [[cell.get_text() for cell in row.select("td, th")] for row in page.select(".numbers-table tbody tr")]
    assert [row[-2][:3] for row in rows if row[0].isdigit()] == ["", "+22"]


@pytest.mark.parametrize(
    ("preset", "rules", "said"),
    [
        (ROUNDS, {}, "Ben keeps the round cards, and can’t win the game any more."),
        (SNAKE, {}, "Ben pays or gets what the deals so far have brought, and can’t win the night any more."),
        (HEARTS, {}, "Ben keeps the points, and can’t win the night any more."),
        (HEARTS, {"money.cents": 5}, "Ben settles the rounds so far with those who played them"),
        (
            HEARTS,
            {"money.cents": 5, "points.pay": "winner"},
            "Ben pays the winner for the rounds that both have played",
        ),
    ],
)
def test_before_somebody_leaves_the_sheet_says_it(site: Site, preset: str, rules: dict[str, Any], said: str) -> None:
    night = ScoreNight(site, preset, rules=rules)
    nothing = "Ben has played nothing yet: there is nothing to pay or to get."
    for phone in ("ruth", "ben"):
        assert nothing in HtmlPage(night.sheet("/ben", phone)).text()
    night.record(event(**ROUND_OF[preset](["ben", "ruth", "mia"])))
    for phone in ("ruth", "ben"):
        sheet = HtmlPage(night.sheet("/ben", phone)).text()
        assert said in sheet
        assert nothing not in sheet
    assert night.tap("leave:ben", "ben") == 200
    assert "can’t win any more" in HtmlPage(night.page()).text(inline=("bdi",))


def test_ten_phases_begin_without_places_and_ask_at_the_end_who_completed_the_last_task(site: Site) -> None:
    night = ScoreNight(site, "ten-phases")
    before = HtmlPage(night.host.get(f"/n/{night.code}/settle").text)
    assert before.texts(".rank tbody .place") == ["–", "–", "–"]
    assert "has played nothing" not in before.text()
    points = {seat: events.Score(points) for seat, points in (("ruth", 0), ("ben", 50), ("mia", 60))}
    night.table.record(scores(points), id="round", by="host")
    address = f"/n/{night.code}/settle"
    page = night.host.get(address)
    assert "Who completed the last task?" in visible_text(page)
    answer = night.host.post(address, {**hidden_fields(page, address), "winners": ["ben"]})
    assert answer.status_code == 303
    shown = visible_text(night.host.get(address))
    assert "Ben wins the night" in shown
    assert "Ben has completed the last task" in visible_text(night.host.get(f"/n/{night.code}/log"))
    assert HtmlPage(night.host.get(address).text).texts(".rank tbody th .nm bdi") == ["Ben", "Ruth", "Mia"]


# Somebody sits a round of a score sheet out: by a key of the pad, on the own phone, or as the dealer who pauses.


SHEET = "score-sheet"
SKAT = {"points.dealer": "on", "points.pause": "dealer"}


def row(night: ScoreNight, seat: str) -> str:
    return HtmlPage(night.page()).text(f"#h-{seat}")


def test_one_key_has_somebody_pause_who_is_asked_for_nothing_until_it_is_taken_back_or_corrected(site: Site) -> None:
    night = ScoreNight(site, SHEET)
    assert night.tap("stock") == 200
    assert HtmlPage(night.page()).texts(".key[data-pause]") == ["Pauses"]
    night.say(ruth=1, ben=2, mia=3)
    shown = night.form()
    assert night.tap("pause:pauses", "mia", seat="ben") == 403, "a phone says it of its own seat"
    assert "pauses" not in row(night, "ben")
    assert night.tap("pause:pauses", "mia", seat="mia") == 200
    assert "You pause this round" in HtmlPage(night.page("mia")).text("#wait")
    assert "pauses" in row(night, "mia")
    assert night.tap("pay", form=shown) == 409, "the form did not show the pause"
    night.tap("say:7", seat="ruth")
    assert night.tap("pay") == 200
    [deal] = night.night.deals
    assert (dict(deal.change), deal.sits_out, deal.winners) == ({"ruth": 7, "ben": 2}, ("mia",), ("ruth",))
    assert nets(night.night) == {"ruth": 5, "ben": -5, "mia": 0}
    page = HtmlPage(night.page())
    assert "Mia pauses" in page.text("#last", inline=("bdi", "b"))
    assert [cell.split()[0] for cell in page.texts(".padsheet tbody td")] == ["7", "2", "–"]

    assert night.tap(f"undo:{night.table.head}") == 200
    assert "pauses" in row(night, "mia")
    night.tap("say:9", seat="ben")
    assert night.tap("pay") == 200
    assert (night.points, night.night.deals[-1].sits_out) == ({"ruth": 7, "ben": 9, "mia": 0}, ("mia",))

    address = f"/n/{night.code}/change/{night.table.head}"
    assert "Who pauses?" in HtmlPage(night.host.get(address).text).text()
    typed = {"points-ruth": "2", "points-ben": "", "points-mia": "3", "sits_out": "ben", "sits_out-asked": "1"}
    asked = night.host.get(f"{address}?{urlencode(typed)}")
    assert night.host.post(address, {**hidden_fields(asked, address), **typed}).status_code == 303
    assert (night.points, night.night.deals[-1].sits_out) == ({"ruth": 2, "ben": 0, "mia": 3}, ("ben",))


def test_the_dealer_is_proposed_to_pause_and_one_tap_has_somebody_else_do_so(site: Site) -> None:
    night = ScoreNight(site, SHEET, rules=SKAT)
    assert "Ruth deals and pauses" in HtmlPage(night.page()).text()
    night.tap("stock")
    assert "pauses" in row(night, "ruth")
    night.tap("pause:plays", seat="ruth")
    night.tap("pause:pauses", seat="ben")
    night.say(ruth=5, mia=-5)
    assert night.tap("pay") == 200
    assert night.night.deals[-1].sits_out == ("ben",)
    night.tap("stock")
    assert "pauses" in row(night, "ben")  # who deals the second round


def test_where_only_the_winner_is_written_down_the_persons_sheet_says_who_pauses(site: Site) -> None:
    night = ScoreNight(site, SHEET, rules={"points.entry": "winner", **SKAT})
    assert "Plays this round" in night.sheet("/ruth")
    assert "Pauses in this round" in night.sheet("/mia")
    night.tap("pause:plays", seat="ruth")
    night.tap("pause:pauses", seat="mia")
    assert night.tap("round:ben", "ben") == 200
    assert (dict(night.night.deals[-1].change), night.night.deals[-1].sits_out) == ({"ruth": 0, "ben": 1}, ("mia",))
    assert night.tap("round:ben", "ben") == 200  # the dealer has won it, so did not pause
    assert "ben" in night.night.deals[-1].change


@pytest.mark.parametrize("stored", ['{"head":12,"how":"stock"}', "12:stock"])
def test_how_a_deal_ends_is_kept_by_its_type_and_read_as_earlier_versions_wrote_it(tables: Nights, stored: str) -> None:
    settings = DealSettings(tables.store, tables.open("score-sheet").code)
    settings.write("deal-ends", stored)
    assert settings.deal_ending == DealEnding(12, "stock")
    settings.deal_ending = DealEnding(13, "stock")
    assert settings.texts()["deal-ends"] == '{"head":13,"how":"stock"}'
    settings.write("deal-ends", "{")
    assert settings.deal_ending == DealEnding()


# “Again!” goes on with whose deal it is, as a proposal that one tap changes, and offers who left


def again(site: Site, *last: Event, dealer: str = "on") -> tuple[ScoreNight, OpenNight, str]:
    """End a score sheet of Ruth, Ben and Mia at which the third deal is Mia's, after some events.

    Returns it, the next night that it begins, and what the lobby of that says of the first deal.
    """
    night = ScoreNight(site, SHEET, rules={"points.dealer": dealer})
    everybody = scores(dict.fromkeys(night.night.seats, Score(1)))
    record(night.table, everybody, everybody, *last, events.End())
    page = night.host.get(f"/nights/{night.code}")
    answer = night.host.post(f"/nights/{night.code}/again", hidden_fields(page, f"/nights/{night.code}/again"))
    lobby = HtmlPage(night.host.get(answer.location).text)
    return night, site.tables.get(answer.location.split("/")[2]), " ".join(lobby.texts("#first-dealer"))


def dealer_of(table: OpenNight) -> str | None:
    return game_of(table.night).dealer(table.night)


def test_the_next_night_begins_with_the_deal_of_whoever_was_next_or_tapped_else_as_before(site: Site) -> None:
    night, table, said = again(site)
    assert site.names(table.code) == ["Mia", "Ruth", "Ben"]  # clockwise as before
    assert dealer_of(table) == "mia"
    assert said.startswith("Mia deals first.")
    form = hidden_fields(night.host.get(f"/n/{table.code}/dealer"), f"/n/{table.code}/dealer")
    assert night.host.post(f"/n/{table.code}/dealer", {**form, "seat": "ben"}).status_code == 303
    assert (dealer_of(table), site.names(table.code)) == ("ben", ["Ben", "Mia", "Ruth"])
    night, table, _ = again(site)
    assert night.host.post(f"/n/{table.code}/dealer", {}).status_code == 303
    assert "Mia deals" in HtmlPage(night.host.get(f"/n/{table.code}").text).text()
    night, table, said = again(site, dealer="off")
    assert site.names(table.code) == ["Ruth", "Ben", "Mia"]
    assert said == ""
    assert night.host.get(f"/n/{table.code}/dealer").location == f"/n/{table.code}"


def test_who_left_before_the_end_is_offered_with_one_tap_and_the_own_deal_goes_to_the_next_one(site: Site) -> None:
    night, table, _ = again(site, Leave(SeatId("mia")))
    lobby, button = f"/n/{table.code}/lobby", 'button[name=name][value="Mia"]'
    assert (dealer_of(table), site.names(table.code)) == ("ruth", ["Ruth", "Ben"])
    assert "left early last time" in HtmlPage(night.host.get(lobby).text).text(button)
    night.host.post(f"/n/{table.code}/seats", {"name": "Mia"})
    assert site.names(table.code) == ["Ruth", "Ben", "Mia"]
    assert not HtmlPage(night.host.get(lobby).text).has(button)
