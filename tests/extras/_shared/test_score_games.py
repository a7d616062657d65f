"""What is the same in every score game: how a round is counted, paid, taken back and corrected, and who may do it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from extras._shared.score_nights import ROUND_OF, ScoreNight, round_won, rummy
from support.client_phones import ClientPhone, Site
from support.core_nights import CoreNight
from support.event_phases import POT_EVENTS, check_in_phase
from support.html_page import HtmlPage
from support.of_extras import needs_preset, of_extras
from support.sample_nights import record, sample_night

from tracker.app.nights import Nights
from tracker.core import events
from tracker.core.preset import Preset
from tracker.formats.built_in import all_built_in

SNAKE, SHEET, ROUNDS = "michigan-rummy-snake", "score-sheet", "eight-round-rummy"


@dataclass(frozen=True)
class Count:
    """A round that is counted, as Ben's phone or the host's opens it: what each says, and what that comes to."""

    preset: str
    do: str
    hands: dict[str, int]
    points: dict[str, int]
    shown: str = ""
    """What the page says of Mia's hand before it is paid."""
    opener: str = "ben"
    refused: tuple[str, ...] = ()
    """What Mia's phone may not do."""

    @property
    def payer(self) -> str:
        """Who pays, and says that play goes on after all: whoever is out, else the host."""
        return "ben" if self.do == "out:ben" else "ruth"

    def open(self, night: ScoreNight) -> None:
        assert night.tap(self.do, self.opener) == 200

    def play(self, night: ScoreNight) -> None:
        self.open(night)
        night.say(**self.hands)
        assert night.tap("pay") == 200


HANDS = {"ruth": 9, "ben": 4, "mia": 17}
COUNTS = (
    Count(
        SNAKE,
        "out:ben",
        {"ruth": 9, "mia": 17},
        {"ruth": -9, "ben": 26, "mia": -17},
        "pays 17",
        refused=("out:ben", "stock"),
    ),
    Count(SNAKE, "stock", HANDS, {"ruth": -9, "ben": 26, "mia": -17}, "pays 17", "ruth", ("stock",)),
    Count("yaniv", "out:ben", HANDS, {"ruth": 9, "ben": 0, "mia": 17}, "comes to 17", refused=("out:ben",)),
    Count(SHEET, "stock", HANDS, HANDS),
    Count("hearts", "stock", HANDS, HANDS),
)
each_count = pytest.mark.parametrize("count", COUNTS, ids=lambda count: f"{count.preset}-{count.do}")


@pytest.fixture(name="night")
def _night(site: Site, count: Count) -> ScoreNight:
    needs_preset(count.preset)
    return ScoreNight(site, count.preset)


def page(night: ScoreNight, phone: str = "ruth") -> HtmlPage:
    return HtmlPage(night.page(phone))


@each_count
def test_everybody_says_the_own_points_at_once_and_nobody_acts_for_others(night: ScoreNight, count: Count) -> None:
    assert [night.tap(do, "mia") for do in count.refused] == [403] * len(count.refused)
    count.open(night)
    assert [night.tap(do, "mia", seat="ruth") for do in ("say:5", "not-out")] == [403] * 2
    forms = {seat: night.form(seat) for seat in count.hands}
    for seat, points in count.hands.items():
        assert not page(night, count.opener).has("[value=pay]:enabled")
        assert night.tap(f"say:{points}", seat, form=forms[seat], seat=seat) == 200
    assert count.shown in page(night).text("#h-mia")
    assert not any(night.points.values())
    assert night.tap("pay", "mia") == 403
    assert night.tap("pay", count.payer) == 200
    assert night.points == count.points


@each_count
def test_it_is_paid_once_and_never_with_a_hand_missing_or_changed_unseen(night: ScoreNight, count: Count) -> None:
    count.open(night)
    assert night.tap("pay") == 422
    assert count.do != "out:ben" or night.tap("out", seat="mia") == 409, "the first one out is counted"
    for wrong in ("1000001", "x", "1.5", *(() if count.do == "stock" and count.preset != SNAKE else ("1000", "-3"))):
        assert night.tap(f"say:{wrong}", seat="mia") == 422, wrong
    night.say(**dict.fromkeys(count.hands, 1))
    seen = night.form()
    night.say(**count.hands)
    assert night.tap("pay", form=seen) == 409
    head, form = night.table.head, night.form()
    for _double_tap in range(2):
        assert night.tap("pay", form=form) == 200
        assert (night.table.head, night.points) == (head + 1, count.points)


@each_count
def test_a_round_can_be_corrected_and_taken_back_shows_its_hands_again_also_after_a_restart_and_may_go_on(
    night: ScoreNight, count: Count
) -> None:
    count.play(night)
    change = HtmlPage(night.host.get(f"/n/{night.code}/change/{night.table.head}").text)
    assert change.has("[name$='-mia'][value='17']")
    assert night.tap(f"undo:{night.table.head}") == 200
    assert not any(night.points.values())
    said = {seat: page(night).value(f"#h-{seat}", "data-said") for seat in count.hands}
    assert said == {seat: str(points) for seat, points in count.hands.items()}
    version = night.table.version
    assert night.tap("say:9", seat="ruth") == 200
    assert night.table.version > version
    assert Nights(night.site.tables.store, night.site.tables.live).get(night.code).draft.counts == count.hands
    assert night.tap("pay") == 200
    assert night.points == count.points
    night.tap(f"undo:{night.table.head}")
    assert night.tap("not-out") == 200
    assert not page(night).has(".hands")
    count.open(night)
    assert [page(night).value(f"#h-{seat}", "data-said") for seat in count.hands] == [""] * len(count.hands)


@each_count
@pytest.mark.parametrize("is_taken_back", [False, True])
def test_every_page_of_a_count_that_opens_names_the_claim_its_forms_belong_to(
    night: ScoreNight, monkeypatch: pytest.MonkeyPatch, count: Count, is_taken_back: bool
) -> None:
    """What is typed into it at once is kept."""
    if is_taken_back:
        count.open(night)
        assert night.tap("say:7", seat="ruth") == night.tap("not-out") == 200
    published: list[str] = []
    monkeypatch.setattr(night.table._live, "publish_and_send", lambda *_: published.append(night.page()))
    count.open(night)
    counts = [HtmlPage(page) for page in published if HtmlPage(page).root.select(".hands")]
    assert counts
    assert len({page.values("#move [name=claim]", "value")[0] for page in counts}) == 1


@each_count
def test_a_newcomer_waits_for_the_next_round_or_says_points_in_this_one(night: ScoreNight, count: Count) -> None:
    count.play(night)
    assert night.host.post(f"/n/{night.code}/seats", {"name": "Lea"}).status_code in (200, 303)
    count.open(night)
    assert "from the next" in page(night).text("#h-lea")
    assert night.tap("not-out", count.payer) == 200
    count.play(night)
    assert (night.night.hand, "lea" in night.night.deals[-1].change) == (2, False)
    assert night.host.post(f"/n/{night.code}/seats", {"name": "Pia"}).status_code in (200, 303)
    count.open(night)
    assert "to come" in page(night).text("#h-lea")
    night.say(**dict.fromkeys((*count.hands, "lea", "pia"), 8))
    assert night.tap("pay") == 200
    assert set(night.night.deals[-1].change) == {"ruth", "ben", "mia", "lea", "pia"}


OF_SCORE_GAMES: dict[str, dict[str, Any]] = {
    **{kind: POT_EVENTS[kind][0] for kind in ("sit", "end", "paid", "count")},
    "leave": {"seat": "a"},
    "order": {"seats": ["b", "a"]},
}
"""The events that every score game has, besides its own."""
OWN: dict[str, dict[str, dict[str, Any]]] = {
    SNAKE: {"stock-out": {"hands": {"a": 3, "b": 5}}, "penalty": {"seat": "a", "offence": "false-rummy"}},
    ROUNDS: {"reverse": {}},
}
"""The events that a game alone has, besides that of a round."""
each_game = pytest.mark.parametrize("preset", [SNAKE, SHEET, ROUNDS, "yaniv"])


@each_game
def test_its_events_happen_until_the_end_and_in_no_game_of_pots(preset: str) -> None:
    needs_preset(preset)
    round_ = ROUND_OF[preset]("ab")
    fields_of_round = {name: value for name, value in round_.items() if name != "kind"}
    events_here = {**OF_SCORE_GAMES, **OWN.get(preset, {}), round_["kind"]: fields_of_round}
    for phase, kind in product(("lobby", "play", "ended"), {*events_here, *POT_EVENTS}):
        night = CoreNight(preset, "ab")
        if phase != "lobby":
            night.record(**(round_ if phase == "play" else {"kind": "end"}))
        assert night.night.phase == phase
        if kind in events_here:
            check_in_phase(night, kind, events_here[kind], {"ended"} if kind == "paid" else {"lobby", "play"})
        else:
            assert night.refusal(kind, **POT_EVENTS[kind][0]).code == "not-allowed", kind
    for kind in events_here.keys() - POT_EVENTS.keys():
        assert CoreNight("michigan-rummy", "ab").refusal(kind, **events_here[kind]).code == "not-allowed", kind
    assert CoreNight(preset, "ab").winners == [], "before the first round nobody leads"


@pytest.mark.parametrize("preset", ROUND_OF)
def test_two_to_six_people_play_a_round_and_one_alone_none(preset: str) -> None:
    needs_preset(preset)
    assert "at least two people" in str(CoreNight(preset, "a").refusal(**ROUND_OF[preset]("a")))
    for people in ("ab", "abcdef"):
        assert CoreNight(preset, people).record(**ROUND_OF[preset](people)).night.hand == 1, people


@each_game
def test_one_person_alone_is_asked_for_more_people_and_who_watches_taps_nothing(site: Site, preset: str) -> None:
    needs_preset(preset)
    night = ScoreNight(site, preset, people=())
    assert preset == ROUNDS or page(night).text(".a-rest .act") == "Add players"
    assert not page(night).has("[value=stock]")
    night.phones["eve"] = site.request_join(night.code, watch="1")
    site.join(night.code, "Ben")
    for do in ("stock", "out:ben", "round:ben"):
        assert night.tap(do, "eve", form=night.form()) == 403
    assert not page(night, "eve").has("#move button:not([hidden])")
    form = {**night.form(), "do": "nonsense"}
    refused = night.phones["ruth"].post(f"/n/{night.code}/record", dict(form), HX_Request="true")
    assert refused.status_code == 422
    assert [bool(reason) for reason in HtmlPage(refused.text).texts("[data-notice]")] == [True]
    assert not page(night).has("[data-notice]")


# At the pages that all games share: lobby, menu, house rules, first page and settlement


SCORE_GAMES = [preset for preset in all_built_in() if not preset.is_pot_game]
if not SCORE_GAMES:
    pytest.skip("there is no score game", allow_module_level=True)
CHANGES = {
    ROUNDS: ("tie", "round_8", "Equal points at the end: whoever won round 8"),
    SNAKE: ("fault.points", "30", "A fault costs: 30"),
}


def begun(phone: ClientPhone, code: str) -> str:
    """Return where a phone in the lobby is led to."""
    return HtmlPage(phone.get(f"/n/{code}/lobby/seats").text).value("[data-begun]", "data-begun")


@pytest.mark.parametrize("preset", SCORE_GAMES, ids=lambda preset: preset.id)
def test_all_phones_go_to_the_table_when_everyone_is_here_and_their_menus_open(site: Site, preset: Preset) -> None:
    host = site.host()
    code = site.open_night(host, preset=preset.id)
    host.post(f"/n/{code}/dealer", {})
    assert "Everyone is here" in host.get(f"/n/{code}/lobby").text, "one person alone begins none"
    ben = site.join(code, "Ben")
    assert begun(ben, code) == ""
    version = site.tables.get(code).version
    assert f'action="/n/{code}/dealer"' in host.get(f"/n/{code}/lobby").text
    assert host.post(f"/n/{code}/dealer", {}).location == f"/n/{code}"
    assert site.tables.get(code).version > version, "which sends it to every phone"
    assert begun(ben, code) == f"/n/{code}"
    assert "To the table" in ben.get(f"/n/{code}/lobby").text
    assert f'href="/n/{code}"' in host.get("/").text
    late = site.request_join(code, name="Jo")
    assert site.role(late.cookies, code) == "knock", "somebody at the table is asked, as after the first hand"
    for phone in (host, ben):
        menu = HtmlPage(phone.get(f"/n/{code}/sheet", HX_Request="true").text)
        links = menu.values(f'[href^="/n/{code}/"]', "href")
        assert {f"/n/{code}/{page}" for page in ("rules", "lobby", "files", *of_extras("menu"))} <= {*links}
        assert [link for link in links if link.isascii() and phone.get(link).status_code != 200] == []
        assert menu.has("form[action='/language'] [aria-pressed=true]")
        assert "This is the last hand" not in menu.text()


def test_a_sheet_that_is_loaded_again_is_open_and_no_lobby_without_chips_tells_their_worth(site: Site) -> None:
    night = ScoreNight(site, ROUNDS)
    for path in ("sheet", "sheet/ben"):
        whole = night.host.get(f"/n/{night.code}/{path}").text
        assert '<div class="sheets" id="sheets">' in whole
        assert night.host.get(f"/n/{night.code}/{path}", HX_Request="true").text.strip()[:80] in whole
    assert HtmlPage(night.phones["ben"].get(f"/n/{night.code}/lobby").text).texts("#chip-values, #money") == []


@pytest.mark.parametrize("game", CHANGES)
def test_a_changed_rule_holds_at_once_and_is_shown_on_every_screen(site: Site, game: str) -> None:
    night, (rule, value, told) = ScoreNight(site, game), CHANGES[game]
    assert night.host.post(f"/n/{night.code}/rules", {rule: value, "key": "k" * 22}).status_code == 303
    assert str(night.night.preset[rule]) == value
    for phone in night.phones.values():
        assert told in phone.get(f"/n/{night.code}").text
    for page in of_extras("watched"):
        assert told in night.host.get(f"/n/{night.code}{page}").text


@pytest.mark.parametrize(("game", "winners"), [(ROUNDS, ["Ben"]), (SNAKE, ["Ben", "Tom"])])
def test_the_first_page_and_the_settlement_name_the_same_winners(site: Site, game: str, winners: Sequence[str]) -> None:
    found = sample_night(site, game)
    if game == ROUNDS:
        record(found.table, *[round_won("ben")] * 7, round_won("mia", jokers=1))
    else:
        record(found.table, rummy("tom", {"ruth": 2, "ben": 4, "mia": 2}))
        record(found.table, rummy("ben", {"ruth": 2, "mia": 2, "tom": 4}), events.End())
    first, settlement = (HtmlPage(found.host.get(page).text) for page in ("/", f"{found.base}/settle"))
    names, is_shared = " and ".join(winners), len(winners) > 1
    assert first.text(f'a[href="{found.base}/settle"] .nm') == ("A tie" if is_shared else f"{names} won")
    podium = " ".join(settlement.texts(".podium h2"))
    assert podium == (f"{names} share the night" if is_shared else f"{names} wins the night")
