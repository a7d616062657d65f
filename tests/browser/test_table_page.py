"""What must never happen on the table's page while people play, tried with real fingers in a real browser."""

from collections.abc import Iterator
from itertools import product

import pytest
from support.browser_phones import HEAR, BrowserNight, BrowserPhone, at_table
from support.served_app import AWAY, SiteServer
from support.waiting import hammer, lose_contact, resize, until

from tracker.app.settings import HandChoices
from tracker.core.events import Hand
from tracker.web.events.sentences import BY_LOT

SIZES = ((320, 568), (360, 640), (390, 664), (390, 844), (412, 730), (768, 1024), (844, 390), (1024, 768), (1280, 800))
SMALL_FOR_SCROLLING = (320, 568)
BOXES = """() => [...document.querySelectorAll(
  "#live .board, #live [data-pot], #live .seat, #live .dock, #live .iconb, #live .strip"
)].filter((one) => one.offsetParent).map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [one.id || one.className, x, y, width, height].join(" ");
})"""
"""Where all stands that people tap or look at."""

_kept = at_table("kept")


@pytest.fixture(name="night")
def _night(kept: BrowserNight) -> Iterator[BrowserNight]:
    """Give phones for a new night; afterwards none has made a sound or asked in a box of the browser's own."""
    yield kept
    for phone in kept.phones.values():
        phone.context.set_offline(False)  # the next test is not to fail with this one
    assert [phone.heard() for phone in kept.phones.values()] == [[]] * len(kept.phones)


def begin(night: BrowserNight, *guests: str, is_moving: bool = False) -> list[BrowserPhone]:
    """Have Ruth and these guests see the first hand of a new night begin; return their phones."""
    others = [name for name in ("Ben", "Mia", "Tom") if name not in guests]
    night.play("Ruth", *guests, others=others)
    phones = [night.phones[name.lower()] for name in ("Ruth", *guests)]
    for phone in phones:
        resize(phone.page, 390, 844)
        phone.page.emulate_media(reduced_motion="no-preference" if is_moving else "reduce")
    night.record("no-sale")
    night.everybody_sees()
    return phones


def test_details_unfolded_at_the_end_of_a_sheet_are_shown_with_their_button(night: BrowserNight) -> None:
    begin(night, is_moving=True)
    night.record("borrow", seat="tom", source="ben", chips=5)
    night.record("out", seat="mia", cards={"ruth": 1, "ben": 1, "tom": 1})
    night.table.settings.waived = HandChoices(1, {"poker": "nobody"})
    night.tap("ruth", "#s-tom", "summary:has-text('Leave the table')")
    whole = "() => document.querySelector('#sheet [value=leave]').getBoundingClientRect().bottom <= innerHeight"
    until(night.host.page, whole)


def take_spot(phone: BrowserPhone) -> tuple[float, float]:
    """Return where the button of who takes a place is, once it takes taps."""
    take = phone.page.locator(".a-collect [data-mine] >> visible=true")
    take.tap(trial=True)
    box = take.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


PAUSED = """document.getElementById("do-out").getAnimations().map((one) => {
  one.pause();
  return one.effect.getTiming().duration;
})"""
"""Holds the moment in which the button takes no taps, and returns how many milliseconds it lasts."""


def test_a_double_tap_counts_once_and_a_second_tap_where_i_take_was_announces_nobody_to_be_out(
    night: BrowserNight,
) -> None:
    _, ben = begin(night, "Ben")
    head = night.head()
    ben.tap("#p-ace-hearts")
    hammer(ben.page, *take_spot(ben))
    ben.see_word("you took")
    assert (night.table.head, night.table.draft.winner) == (head + 1, None)
    ben.tap("#p-king-clubs")
    spot = take_spot(ben)
    ben.record(".a-collect [data-mine]")
    ben.see("#do-out")
    for _ in range(2):
        assert ben.page.evaluate(PAUSED) == [2000]
        ben.page.touchscreen.tap(*spot)
    assert night.state()["prompt"]["name"] == "play"
    ben.page.evaluate("document.getElementById('do-out').getAnimations().forEach((one) => one.finish())")
    ben.tap("#do-out")
    ben.see(".count")
    assert night.state()["prompt"]["name"] == "count"
    ben.tap("#do-not-out")
    ben.see("#do-out")


SIX_SECONDS = """() => {
  const later = setTimeout;
  window.setTimeout = (go, wait, ...rest) => (wait === 6000 ? ((window.due = go), 0) : later(go, wait, ...rest));
}"""
"""What a page would do after six seconds it does when `due` is called."""


def test_news_waits_while_a_finger_is_down_and_not_for_ever_where_its_end_got_lost(night: BrowserNight) -> None:
    _, ben, mia = begin(night, "Ben", "Mia")
    ben.meet("htmx:sse:before:message")
    head = ben.head
    with ben.finger_on("#p-king-clubs"):
        mia.collect("ten-hearts")
        ben.met()
        assert ben.head == head
    night.check_chips()
    ben.page.evaluate(SIX_SECONDS)
    ben.meet("htmx:sse:before:message")
    ben.page.dispatch_event("#p-king-clubs", "pointerdown")
    mia.collect("king-clubs")
    ben.met()
    ben.page.evaluate("() => due()")
    ben.see("#last:has-text('Mia took')")
    night.check_chips()


def test_several_entries_are_said_once_move_nothing_and_are_said_no_longer_when_they_are_taken_back(
    night: BrowserNight,
) -> None:
    ben = begin(night, "Ben")[1].page
    ben.evaluate(HEAR)
    ben.evaluate(SIX_SECONDS)
    for pot in ("ace-hearts", "king-clubs"):
        night.record("collect", seat="ben", pot=pot)
    night.phones["ben"].see_word("King of clubs")
    before = ben.evaluate(BOXES)
    until(ben, "() => said.length")
    [said] = ben.evaluate("said")
    sums = {f"+10 in all: {(taken := 'Ace of hearts +5, King of clubs +5')}", f"+1 in all: antes −9, {taken}"}
    assert said in sums, "the antes, too, if this machine was quick"
    assert ben.evaluate(BOXES) == before
    assert ben.evaluate("() => getComputedStyle(document.querySelector('#bubble')).pointerEvents") == "none"
    night.record("collect", seat="tom", pot="ten-hearts")
    night.phones["ben"].see_word("Tom took")
    ben.evaluate("() => due()")
    until(ben, "() => !document.querySelector('#bubble').textContent")
    kept = [*ben.locator("#strip li").all_text_contents(), ben.text_content("#own-stack small")]
    for part in ("Ace of hearts +5", "King of clubs +5", "ante −9", "+1 this hand"):
        assert any(part in str(one) for one in kept), f"{part} stands where it stays: {kept}"
    for pot in ("jack-spades", "queen-hearts"):
        night.record("collect", seat="ben", pot=pot)
    until(ben, "() => document.querySelector('#bubble').textContent.includes('Queen of hearts +5')")
    head = night.table.head
    for undone in (head, head - 1):
        night.record("undo", event=undone)
    until(ben, "() => !document.querySelector('#bubble').textContent")
    assert "Queen of hearts" not in ben.inner_text("#strip")


def test_nothing_moves_while_others_record_and_through_select_record_and_undo(night: BrowserNight) -> None:
    host, ben, mia = begin(night, "Ben", "Mia", is_moving=True)
    before = [phone.page.evaluate(BOXES) for phone in (host, ben)]
    for phone in (host, ben):
        phone.tap("#p-king-clubs")
        phone.see(".a-collect [data-mine]")
    mia.collect("ten-hearts")
    night.record("penalty", seat="mia", offence="wrong-lead")
    night.everybody_sees()
    assert [phone.page.evaluate(BOXES) for phone in (host, ben)] == before
    for phone in (host, ben):
        phone.tap("#p-king-clubs")  # the same place again: not now
        phone.see("#do-out")
    assert [phone.page.evaluate(BOXES) for phone in (host, ben)] == before
    for what, then in (
        ("#p-king-clubs", "Tap a player."),
        ("#s-ben", "Ben took"),
        (".a-rest .undo", "Ben gives back"),
        ("#do-out", "Who is out of cards?"),
    ):
        night.tap("ruth", what)
        host.see_word(then)
        assert host.page.evaluate(BOXES) == before[0], then
    assert isinstance(night.server, SiteServer)
    night.server.site.request_join(night.code, name="Jo")
    ben.see_word("Jo wants to sit down")
    assert ben.page.evaluate(BOXES)[0] == before[1][0]


def test_the_board_stays_and_a_question_goes_when_the_last_money_card_is_taken(night: BrowserNight) -> None:
    host, ben = begin(night, "Ben")
    ben.see_word("Played a money card?")
    before = ben.page.evaluate(BOXES)[0]
    host.tap("#p-king-clubs")
    for pot in [one for one, chips in night.state()["pots"].items() if chips and one not in ("poker", "jackpot")]:
        night.record("collect", seat="tom", pot=pot)
    night.everybody_sees()
    assert not ben.page.is_visible("text=Played a money card?")
    assert ben.page.evaluate(BOXES)[0] == before
    assert host.page.get_attribute("body", "data-question") == "rest"


FLOWN = """() => {
  window.flown = 0;
  const count = (node) => { if (node.classList?.contains("flying-chip")) flown += 1; };
  new MutationObserver((all) => all.forEach((one) => one.addedNodes.forEach(count)))
    .observe(document.body, { childList: true });
}"""
FLIGHT = """() => new Promise((done) => {
  const look = (chip) => {
    const side = chip.getBoundingClientRect().width;
    const drawn = document.querySelector(chip.querySelector("use").href.baseVal);
    const face = 2 * document.querySelector("#k0 circle[fill]").r.baseVal.value;
    const piles = [...document.querySelectorAll("#live .pile")].map((pile) => {
      const zoom = pile.querySelector("g[transform]")?.transform.baseVal[0].matrix.a || 1;
      return (pile.getBoundingClientRect().width * face * zoom) / pile.viewBox.baseVal.width;
    });
    done({ flying: (side * face) / drawn.viewBox.baseVal.width, piles });
  };
  const isChip = (one) => one.matches?.(".flying-chip");
  const watch = (all) => all.flatMap((one) => [...one.addedNodes]).filter(isChip).forEach(look);
  new MutationObserver(watch).observe(document.body, { childList: true });
})"""


def test_a_chip_flies_for_the_event_just_made_as_large_as_it_lies_and_not_for_missed_ones(night: BrowserNight) -> None:
    page = begin(night, "Tom", is_moving=True)[1].page
    for pot, size in {"ace-hearts": (390, 844), "king-clubs": (320, 568), "ten-hearts": (1920, 1080)}.items():
        resize(page, *size)
        page.evaluate(f"() => {{ window.flight = ({FLIGHT})(); }}")
        night.record("collect", seat="ben", pot=pot)
        chips = page.evaluate("() => window.flight")
        assert chips["piles"]
        assert all(0.5 < chips["flying"] / lying < 1.6 for lying in chips["piles"]), (size, chips)
    page.evaluate(FLOWN)
    page.evaluate("() => { document.querySelector('[data-head]').dataset.head = 1; }")
    night.record("collect", seat="mia", pot="jack-spades")
    night.phones["tom"].see_word("Mia took")
    assert page.evaluate("window.flown") == 0


def test_the_table_fits_every_screen(night: BrowserNight) -> None:
    page = begin(night)[0].page
    night.record("sit", seat="ana", name="Ana")
    night.everybody_sees()
    for selector, size in product(("", "#p-king-clubs", "#do-out"), SIZES):
        if selector and size == SIZES[0]:
            page.keyboard.press("Escape")  # the question before
            night.tap("ruth", selector)
        resize(page, *size)
        wide, high = page.evaluate(
            "() => { const all = document.documentElement;"
            " return [all.scrollWidth - innerWidth, all.scrollHeight - innerHeight]; }"
        )
        assert wide <= 0, (size, selector)
        assert high <= 0 or size == SMALL_FOR_SCROLLING, (size, selector)
        small = page.evaluate(
            """() => [...document.querySelectorAll("#live .seat, #live .dock button, #live .dock a, #live .iconb")]
              .filter(one => one.offsetParent)
              .map(one => [one.id || one.className, one.offsetWidth, one.offsetHeight])
              .filter(([, width, height]) => width < 44 || height < 44)"""
        )
        assert small == [], (size, selector)


def test_a_phone_on_its_side_shows_the_whole_board_beside_seats_that_scroll(night: BrowserNight) -> None:
    begin(night, "Ben")
    for name in ("Opa Hans", "Zoe", "Leo", "Ana"):
        night.record("sit", seat=name.lower().replace(" ", "-"), name=name)
    night.record("borrow", seat="mia", source="tom", chips=5)
    night.everybody_sees()
    scrolled = 0
    for person, size in product(("ruth", "ben"), ((568, 320), (667, 375), (844, 390))):
        page = night.phones[person].page
        resize(page, *size)
        for place in (0, 9999):
            top, beyond, at = page.evaluate(
                """place => {
                  scrollTo(0, place);
                  const box = document.querySelector("#live .board").getBoundingClientRect();
                  return [box.top, box.bottom - innerHeight, scrollY];
                }""",
                place,
            )
            scrolled += at > 0
            assert top >= 0 >= beyond, (person, size, place)
    assert scrolled


def test_what_one_owes_is_read_whole_on_every_screen_also_where_several_hold_the_slips(night: BrowserNight) -> None:
    page = begin(night, "Ben")[1].page
    for source in ("king-queen-hearts", "seven-eight-nine", "tom"):
        night.record("borrow", seat="ben", source=source, chips=4)
    night.record("borrow", seat="mia", source="ben", chips=7)
    night.everybody_sees()
    for width, height in ((195, 422), (320, 568), (390, 844)):
        resize(page, width, height)
        box = page.locator("#strip .debts").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width, (width, box)
        assert page.inner_text("#strip .debts").startswith("you owe 12")
        assert page.inner_text("#strip .credits").startswith("you are owed 7")


REFUSE = """() => {
  const go = document.getElementById("go");
  go.value = "no-such-thing";
  go.form.requestSubmit(go);
}"""
IN_FRONT = "() => document.elementFromPoint(...spot(document.querySelector('.a-rest .undo'))).closest('[id]').id"
LATER = "() => { const now = performance.now.bind(performance); performance.now = () => now() + 4000; }"
SPOT = """() => {
  window.spot = (one) => {
    const box = one.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
}"""


def test_why_a_tap_was_refused_covers_undo_until_something_else_has_happened_or_the_next_tap(
    night: BrowserNight,
) -> None:
    page = begin(night)[0].page
    night.host.excuse("status of 422")
    page.evaluate(SPOT)
    page.evaluate(REFUSE)
    until(page, "() => document.querySelector('#notice')")
    assert page.evaluate(IN_FRONT) == "notice"
    night.table.settings.is_last_hand = True
    night.host.see_word("last hand")
    assert page.evaluate(IN_FRONT) == "notice", "a picture of the same moment leaves it"
    page.evaluate(LATER)
    night.record("collect", seat="ben", pot="ace-hearts")
    night.host.see_word("Ben took")
    assert not page.query_selector("#notice")
    until(page, f"() => ({IN_FRONT})().startsWith('undo-')")
    head = night.head()
    page.evaluate(REFUSE)
    page.tap("#notice")
    until(page, "() => !document.querySelector('#notice')")
    night.tap("ruth", "#p-king-clubs", "#s-mia")
    night.host.see_word("Mia took")
    assert night.table.head == head + 1


def test_the_draw_of_the_first_dealer_runs_on_every_phone_that_comes_to_the_table(night: BrowserNight) -> None:
    night.play("Ruth", "Ben", "Mia", is_begun=False)
    for phone in night.phones.values():
        phone.page.emulate_media(reduced_motion="no-preference")
    night.table.record(Hand("mia"), id="lot", by=BY_LOT)  # whoever is in the lobby goes to the table by itself
    for phone in night.phones.values():
        until(phone.page, "() => Object.keys(sessionStorage).some((one) => one.startsWith('drawn '))")


DIMS = """() => new MutationObserver((_changes, watching) => {
  const pile = document.querySelector("#p-ace-hearts .pile");
  window.isDimmed = Boolean(pile) && getComputedStyle(pile).opacity < 0.7;
  if (window.isDimmed) watching.disconnect();
}).observe(document.body, { attributeFilter: ["class"] })"""
UNDER_SIGN = """() => {
  const sign = document.getElementById("net").getBoundingClientRect();
  const played = [...document.querySelectorAll("#live :is(button, [data-seat], [data-pot], #own-stack)")];
  return played.filter((one) => {
    const spot = one.getBoundingClientRect();
    const isBeside = spot.left >= sign.right || spot.right <= sign.left;
    return !isBeside && spot.top < sign.bottom - 1 && spot.bottom > sign.top + 1;
  }).map((one) => one.id || one.textContent);
}"""


def test_a_phone_without_contact_dims_its_chips_covers_nothing_played_with_and_then_shows_the_whole_truth(
    night: BrowserNight,
) -> None:
    *cut_off, mia = begin(night, "Ben", "Mia")
    for phone in cut_off:
        phone.excuse(AWAY)
        phone.page.evaluate(DIMS)
        lose_contact(phone.page)
        phone.see("#net:has-text('Looking for the table')")
        until(phone.page, "() => window.isDimmed")
        assert phone.page.evaluate(UNDER_SIGN) == [], phone.name
    mia.collect("ten-hearts")
    for phone in cut_off:
        phone.context.set_offline(False)
        phone.see("#net.good")
    night.check_chips()
    pile = "getComputedStyle(document.querySelector('#p-ace-hearts .pile')).opacity"
    assert [phone.page.evaluate(pile) for phone in cut_off] == ["1", "1"]
