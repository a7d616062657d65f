"""The frames of a film against the night that they are made of: balances, transfers, sentences, time and size."""

import json
import re
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from extras._shared.score_nights import ScoreNight, rummy
from hypothesis import given, settings, strategies as st
from playwright.sync_api import Browser, Page
from support.at_once import at_once
from support.client_phones import Site
from support.core_nights import kitty
from support.html_page import HtmlPage
from support.layout_faults import enlarge
from support.made_up_nights import next_event
from support.random_nights import end_event, every_preset, legal_event, random_night, random_options
from support.sample_nights import SampleNight, ended_night, play_hand, record, sample_night
from support.served_app import screens_at
from support.waiting import resize, until

from tracker.app.log_history import History
from tracker.app.nights import Nights
from tracker.core import events, log
from tracker.core.apply import apply
from tracker.core.events import Abandon, Event, Hand, Name, Paid, SeatId
from tracker.core.log import Entry
from tracker.core.payment_list import nets, totals
from tracker.core.preset import Preset
from tracker.extras.film import pages
from tracker.extras.film.pages import MOST_BYTES
from tracker.extras.film.player import SECONDS, Film, best_film, film_of
from tracker.storage import Store
from tracker.streaming.hub import StreamHub
from tracker.web.events.sentences import plain_sentence
from tracker.web.wording.texts import signed

CHANCE = st.integers(0, 2**16).map(Random)
PRESETS = st.sampled_from(every_preset())


def history_of(preset: Preset, chance: Random, people: int, length: int) -> History:
    """Return the log of a random night, which has ended where its end is allowed."""
    steps = log.Steps(preset)

    def play(event: Event) -> None:
        steps.append((len(steps) + 1, event, apply(steps.night, event)))

    for event in random_night(preset, chance, length, people):
        play(event)
    for _ in range(60):
        if steps.night.is_over:
            break
        ends = end_event(steps.night, chance) if steps.night.is_between_hands else None
        play(ends or legal_event(steps.night, chance))
    return History([Entry(number, event) for number, event, _ in steps], steps)


def check_transfers(film: Film) -> None:
    """What every frame moved is the difference to the frame before it."""
    for before, after in pairwise(film.frames):
        moved = [0] * len(film.accounts)
        for source, target, chips in after.transfers:
            moved[source] -= chips
            moved[target] += chips
        assert [b - a for a, b in zip(before.balances, after.balances, strict=True)] == moved


@given(PRESETS, CHANCE, st.integers(2, 6))
@settings(max_examples=25)
def test_the_frames_of_any_night_end_in_its_balances_after_a_minute_and_say_what_the_log_says(
    preset: Preset, chance: Random, people: int
) -> None:
    history = history_of(preset.with_options(random_options(preset, chance)), chance, people, 70)
    film, night = film_of(history, "begin"), history.night
    assert (film is None) == (night.hand == 0)
    if film is None:
        return
    assert sum(film.seconds) <= SECONDS + 1
    assert min(film.seconds) > 0
    assert [frame.caption for frame in film.frames] == ["begin", *sentences(history)]
    shown, short = dict(zip(film.accounts, film.frames[-1].balances, strict=True)), film.fitting(2000)
    if preset.game == "pots":
        assert shown == {account: night.ledger.balance(account) for account in film.accounts}
        assert {account for account, chips in night.ledger.balances.items() if chips} <= set(film.accounts)
        assert all(sum(frame.balances) == 0 for frame in film.frames)
        check_transfers(film)
        check_transfers(short)
    else:
        assert shown == totals(night)
        assert all(sorted(frame.ranks) == list(range(len(film.accounts))) for frame in film.frames)
    assert short.frames[-1].balances == film.frames[-1].balances
    if short is not film:
        assert len(short.json.encode()) <= 2000 or len(short.frames) <= 2
        assert len({frame.hand for frame in short.frames}) == len(short.frames), "only the ends of hands"


def sentences(history: History) -> list[str]:
    """Return what the log says from the first hand on; a hand that was given up is one step."""
    told, begun = list[str](), 0
    for number, event, night in history.steps:
        if night.hand and not isinstance(event, Paid):
            begun = len(told) if isinstance(event, Hand) else begun
            if isinstance(event, Abandon):
                del told[begun:]
            told.append(plain_sentence(event, history.before(number), night))
    return told


def test_a_hand_that_was_given_up_is_one_step_without_a_number_and_only_its_antes_move() -> None:
    night = kitty("pqr").hand("p").out("q", p=1, r=2)
    night.record("hand", dealer="q").record("no-sale").collect("p", "king-hearts").record("abandon")
    night.record("hand", dealer="q").record("no-sale").out("r", p=1, q=1).record("end")
    film = film_of(History(night.entries, night.steps), "")
    assert film
    check_transfers(film)
    given_up = [frame for frame in film.frames if frame.caption.startswith("The hand is given up")]
    assert [(frame.hand, sum(chips for _, _, chips in frame.transfers)) for frame in given_up] == [(0, 24)]
    assert sorted({frame.hand for frame in film.frames}) == [0, 1, 3]
    assert [frame.hand for frame in film.fitting(200).frames] == [0, 3]  # however few bytes there are


# The film of a night on its pages: who may see it, what its file holds, and what it leaves out.


NAME = 'Zoë </script><b title="&">\u2028'


def frames_in(text: str) -> dict[str, Any]:
    found = HtmlPage(text).root.select_one('night-film script[type="application/json"]')
    assert found
    data = json.loads(found.get_text())
    assert isinstance(data, dict)
    return data


def test_of_films_asked_for_at_once_two_are_made_at_a_time(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of a long night takes some ten megabytes."""
    here, making, most = ended_night(site), set[int](), [0]

    def counted(*args: Any) -> Film | None:
        making.add(threading.get_ident())
        most[0] = max(most[0], len(making))
        time.sleep(0.05)  # for the others to begin, too
        made = best_film(*args)
        making.remove(threading.get_ident())
        return made

    monkeypatch.setattr(pages, "best_film", counted)
    phones = {"film": here.host, "film/player": here.ben, "film.html": here.watcher}
    steps = [partial(phone.get, f"{here.base}/{path}") for path, phone in phones.items()]
    assert {answer.status_code for answer in at_once(steps)} == {200}
    assert most == [2]


def test_a_night_has_a_film_and_everything_to_keep_when_it_is_over_and_had_a_hand(site: Site) -> None:
    for here in (sample_night(site), ended_night(site)):
        if not here.table.night.is_over:
            assert here.host.get(f"{here.base}/film").location == f"{here.base}/settle"
            assert here.host.get(f"{here.base}/film.html").status_code == 404
            record(here.table, events.End())
        has_film = here.table.night.hand > 0
        page = HtmlPage(here.host.get(f"{here.base}/settle").text)
        assert here.host.get(f"{here.base}/film").status_code == (200 if has_film else 404)
        assert page.values("#film a:first-of-type", "href")[:1] == [f"{here.base}/film"] * has_film
        assert (
            {f"{here.base}/{one}" for one in ("film.html", "log", "files")} <= {*page.values("a", "href")}
        ) == has_film


def test_the_file_escapes_names_needs_nothing_else_and_its_policy_allows_no_more(site: Site, here: SampleNight) -> None:
    site.tables.store.rename(here.table.code, NAME)
    record(here.table, events.Sit(SeatId("zoe"), Name(NAME[:20])))
    play_hand(here.table, "ruth", "zoe", "mia")
    record(here.table, events.End())
    answer = here.host.get(f"{here.base}/film.html")
    text = answer.text
    assert not HtmlPage(text).select("b[title]")
    assert len(HtmlPage(text).select("script")) == 2
    assert any("Zoë </script>" in frame[2] for frame in frames_in(text)["frames"])
    assert answer.headers["Content-Disposition"].startswith("attachment;")
    assert not re.findall(r'(?:src|href|action)="(?!#)[^"]*"', text)
    assert "url(../" not in text
    assert "style=" not in re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
    policy = HtmlPage(text).value('meta[http-equiv="Content-Security-Policy"]', "content")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        found = re.search(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert found
        digest = b64encode(sha256(found[1].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_a_long_night_of_eight_fits_in_300_kb_in_the_language_of_most_letters(here: SampleNight) -> None:
    for seat in ("eva", "fritz", "gus", "ida"):
        record(here.table, events.Sit(SeatId(seat), Name(seat.capitalize() * 3)))
    while event := next_event(here.table.night, "a seed", is_last=here.table.night.hand >= 40):
        record(here.table, event)
    answer = here.host.get(f"{here.base}/film.html", Accept_Language="de")
    assert len(answer.data) <= MOST_BYTES
    frames = frames_in(answer.text)["frames"]
    assert {frame[1] for frame in frames} == set(range(41))
    assert len(frames) > 200


def test_the_film_of_a_score_game_is_a_race_to_its_totals(site: Site) -> None:
    night = ScoreNight(site, "michigan-rummy-snake")
    record(night.table, *[rummy("ben", {"ruth": 10, "mia": 10})] * 3, events.End())
    text = night.host.get(f"/n/{night.code}/film.html").text
    data = frames_in(text)
    assert dict(zip(data["accounts"], data["frames"][-1][3], strict=True)) == night.points
    assert not HtmlPage(text).select(".board")
    assert len(HtmlPage(text).select(".film-runner")) == len(night.points)


# The film of a night as one file, opened with the network off: it plays to the end and shows the nets.


FILM = "document.querySelector('night-film')"
OVERFLOWING = """() => [...document.querySelectorAll(".film-seat .n, .film-nets b, .film-bar button, .film-words b")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true })).filter((one) => {
    const box = one.getBoundingClientRect(), around = one.parentElement.getBoundingClientRect();
    return box.left < around.left - 1 || box.right > around.right + 1 || box.right > innerWidth + 1;
  }).map((one) => one.outerHTML)"""

CHIPS = """(moments) => moments.map((at) => {
  const film = document.querySelector("night-film"), wide = (one) => one.getBoundingClientRect().width;
  film.seek(film.seconds * at);
  const face = 2 * document.querySelector("#k0 circle[fill]").r.baseVal.value;
  const lying = [...film.querySelectorAll(".pile")].filter((one) => one.querySelector("use").href.baseVal.length > 1);
  const inPile = (pile) => {
    const drawn = document.querySelector(pile.querySelector("use").href.baseVal);
    const zoom = drawn.querySelector("g[transform]")?.transform.baseVal[0].matrix.a || 1;
    return (wide(pile) * face * zoom) / drawn.viewBox.baseVal.width;
  };
  const flying = [...film.querySelectorAll(".film-chips [visibility=visible]")].map((one) => {
    const turned = one.getAttribute("transform");
    one.setAttribute("transform", turned.replace(/rotate.*/, ""));  // the box around a chip that is turned is wider
    const width = wide(one);
    one.setAttribute("transform", turned);
    return width;
  });
  return { flying, lying: lying.map(inPile), board: wide(film.querySelector(".board")) };
})"""
"""How wide chips are at moments of the film, as drawn on this screen: those in flight, and one of each pile."""


@pytest.fixture(name="night", scope="module")
def _night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SampleNight]:
    store, live = Store(tmp_path_factory.mktemp("data") / "nights.db"), StreamHub()
    yield ended_night(Site(Nights(store, live)))
    live.stop()
    store.close()


@pytest.fixture(name="page")
def _page(browser: Browser, night: SampleNight, tmp_path: Path) -> Iterator[Page]:
    """The film's page, opened from its file; whatever it fetches or complains about fails the test."""
    file = tmp_path / "film.html"
    file.write_bytes(night.host.get(f"{night.base}/film.html").data)
    context = browser.new_context(viewport={"width": 390, "height": 844}, offline=True)
    page = context.new_page()
    fetched: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.on("console", lambda said: wrong.append(said.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(file.as_uri())
    yield page
    context.close()
    assert wrong == []
    assert [url for url in fetched if not url.startswith(("file:", "data:"))] == []


def shown_balances(page: Page) -> dict[str, int]:
    found = page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('[data-account]')].map((one) =>"
        " [one.dataset.account, Number(one.querySelector('.n').textContent)]))"
    )
    assert isinstance(found, dict)
    return found


def test_it_plays_to_the_end_and_shows_the_nets(page: Page, night: SampleNight) -> None:
    assert not page.locator(".film-end").is_visible()
    page.click(".film-start")
    until(page, f"() => {FILM}.now > 0.2")
    assert page.locator("night-film[data-playing]").count() == 1
    page.evaluate(f"{FILM}.seek({FILM}.seconds - 0.4)")
    page.wait_for_selector("night-film[data-ended]:not([data-playing])")
    page.wait_for_selector(".film-end >> visible=true")
    for seat, net in nets(night.table.night).items():
        assert page.inner_text(f".film-nets li[data-seat={seat}] b.num") == signed(net)
    assert shown_balances(page) == {
        account: night.table.night.ledger.balance(account)
        for account in (*night.table.night.all_seats, *night.table.night.preset.board)
    }


def test_steps_show_each_event_with_its_sentence_and_go_back(page: Page, night: SampleNight) -> None:
    page.focus(".film-slider")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.inner_text(".film-hand") == "Hand 1"
    caption = page.inner_text(".film-caption")
    page.keyboard.press("ArrowRight")
    assert page.inner_text(".film-caption") != caption
    page.click(".film-back")
    assert page.inner_text(".film-caption") == caption
    shown = page.evaluate(f"{FILM}.frames[{FILM}.frameAt({FILM}.now)].balances")
    accounts = [*night.table.night.all_seats, *(pot.id for pot in night.table.night.preset.pots)]
    balances = dict(zip(accounts, shown, strict=False))
    assert {account: balances[account] for account in shown_balances(page)} == shown_balances(page)


def test_chips_fly_unless_less_motion_is_asked_for(page: Page) -> None:
    flying = "() => document.querySelectorAll('.film-chips [visibility=visible]').length"
    in_flight = f"{FILM}.seek({FILM}.frames.find((one) => one.transfers.length > 1).start + 0.3)"
    page.evaluate(in_flight)
    assert page.evaluate(flying) > 3
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(in_flight)
    assert page.evaluate(flying) == 0


def check_chips_in_flight(page: Page) -> None:
    """A chip in flight is as large as one that lies there, at every moment of the film."""
    seen = 0
    for moment, chips in enumerate(page.evaluate(CHIPS, [at / 60 for at in range(1, 60)]), start=1):
        for width in chips["flying"]:
            seen += 1
            assert width < chips["board"] / 6, moment
            assert all(0.5 < width / lying < 1.6 for lying in chips["lying"]), (moment, chips)
    assert seen > 25


def test_a_chip_in_flight_is_as_large_as_one_that_lies_there(page: Page) -> None:
    for size in ((390, 844), (320, 568), (1024, 768), (1920, 1080)):
        resize(page, *size)
        check_chips_in_flight(page)


def test_so_it_is_in_the_page_of_the_film(browser: Browser, night: SampleNight) -> None:
    with screens_at(browser, night.site.app, night.site.tables.live) as screens:
        page = screens.open(night.host, f"{night.base}/film")
        page.emulate_media(reduced_motion="no-preference")
        check_chips_in_flight(page)


def test_nothing_leaves_its_place_on_any_screen_or_with_large_text(page: Page) -> None:
    sizes = [(320, 568, 100), (390, 844, 100), (844, 390, 100), (1280, 800, 100), (320, 568, 200), (390, 844, 200)]
    for width, height, percent in sizes:
        enlarge(page, percent)
        resize(page, width, height)
        for at in ("0", "0.5", "1"):
            page.evaluate(f"{FILM}.seek({FILM}.seconds * {at})")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (width, percent, at)
            assert page.evaluate(OVERFLOWING) == [], (width, percent, at)
