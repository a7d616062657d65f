"""What must never happen on the table's page, tried with real fingers in a real browser."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from support.four_phones import FourPhones, at_one_night, four_phones
from support.waiting import hammer, resize, until

from tracker.app.settings import HandChoices, TableClock
from tracker.formats.codec import event_from
from tracker.web.events.sentences import BY_LOT

CONTROLS = "#live .compartment, #live .hub, #live .seat, #live .dock, #live .iconb"
SIZES = ((320, 568), (360, 640), (390, 664), (390, 844), (412, 730), (768, 1024), (844, 390), (1024, 768), (1280, 800))
SMALL_FOR_SCROLLING = (320, 568)


@pytest.fixture(name="kept", scope="module")
def _kept(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FourPhones]:
    with four_phones(browser, tmp_path_factory.mktemp("data")) as phones:
        yield phones


@pytest.fixture(name="motion")
def _motion(kept: FourPhones) -> Iterator[None]:
    """Let the phones of a test move things."""
    kept.motion = True
    yield
    kept.motion = False


@pytest.fixture(name="phones")
def _phones(kept: FourPhones) -> Iterator[FourPhones]:
    kept.open("michigan-rummy", looking=["ruth"])
    yield from at_one_night(kept)


def record(phones: FourPhones, *events: dict[str, Any]) -> None:
    """Somebody else records this, on some other phone."""
    for event in events:
        phones.table.record(event_from(event), id=f"other-{phones.table.head}", by="ruth")


def begin(phones: FourPhones, *looking: str) -> None:
    """Ruth, and whoever else looks, see the first hand begin."""
    phones.look(*looking)
    record(phones, {"kind": "hand", "dealer": "mia"}, {"kind": "no-sale"})
    phones.see("ruth", "Someone is out")


def boxes(page: Page) -> list[Any]:
    found: list[Any] = page.evaluate(
        """selector => [...document.querySelectorAll(selector)].map(one => {
          const box = one.getBoundingClientRect();
          return [one.id || one.className, box.x, box.y, box.width, box.height].join(" ");
        })""",
        CONTROLS,
    )
    return found


@pytest.mark.usefixtures("motion")
def test_details_unfolded_at_the_end_of_a_sheet_are_shown_with_their_button(phones: FourPhones) -> None:
    page = phones.pages["ruth"]
    record(phones, {"kind": "hand", "dealer": "mia"}, {"kind": "no-sale"})
    record(phones, {"kind": "borrow", "seat": "tom", "source": "ben", "chips": 5})
    record(phones, {"kind": "out", "seat": "mia", "cards": {"ruth": 1, "ben": 1, "tom": 1}})
    phones.table.settings.waived = HandChoices(1, {"poker": "nobody"})
    phones.tap("ruth", "#s-tom", "summary:has-text('Leave the table')")
    whole = "() => document.querySelector('#sheet [value=leave]').getBoundingClientRect().bottom <= innerHeight"
    until(page, whole)


def test_a_double_tap_counts_once_with_reduced_motion(phones: FourPhones) -> None:
    begin(phones)
    ben, head = phones.pages["ben"], phones.table.head
    phones.tap("ben", "#p-ace-hearts")
    button = ben.locator(".a-collect [data-mine]")
    button.tap(trial=True)
    box = button.bounding_box()
    assert box
    hammer(ben, box["x"] + 60, box["y"] + 20)
    phones.see("ben", "you took")
    assert phones.table.head == head + 1
    assert phones.table.draft.winner is None, "and nobody is out of cards by it"


def hear(page: Page) -> None:
    """Note on a page what its bubble says from now on."""
    page.evaluate(
        """() => {
          window.said = [];
          const bubble = document.querySelector("#bubble");
          new MutationObserver(() => { if (bubble.textContent) said.push(bubble.textContent); })
            .observe(bubble, { childList: true });
        }"""
    )


def test_what_several_entries_came_to_is_said_no_longer_when_they_are_taken_back(phones: FourPhones) -> None:
    begin(phones, "ben")
    ben = phones.pages["ben"]
    ben.evaluate(
        """() => {
          const later = setTimeout;  // what is said would go by itself after six seconds
          window.setTimeout = (go, wait, ...rest) => (wait === 6000 ? 0 : later(go, wait, ...rest));
        }"""
    )
    record(phones, *({"kind": "collect", "seat": "ben", "pot": pot} for pot in ("ace-hearts", "king-clubs")))
    until(ben, "() => document.querySelector('#bubble').textContent.includes('King of clubs +5')")
    head = phones.table.head
    record(phones, {"kind": "undo", "event": head}, {"kind": "undo", "event": head - 1})
    until(ben, "() => !document.querySelector('#bubble').textContent")
    assert "King of clubs" not in ben.inner_text("#strip")


def test_several_entries_and_the_end_of_a_clock_are_said_once_and_move_nothing(
    phones: FourPhones,
) -> None:
    begin(phones, "ben")
    ben = phones.pages["ben"]
    hear(ben)
    record(phones, *({"kind": "collect", "seat": "ben", "pot": pot} for pot in ("ace-hearts", "king-clubs")))
    phones.see("ben", "King of clubs")
    before = boxes(ben)
    until(ben, "() => said.length")
    [said] = ben.evaluate("said")
    sums = {f"+10 in all: {(taken := 'Ace of hearts +5, King of clubs +5')}", f"+1 in all: antes −9, {taken}"}
    assert said in sums, "the antes, too, if this machine was quick"
    assert boxes(ben) == before
    assert ben.evaluate("() => getComputedStyle(document.querySelector('#bubble')).pointerEvents") == "none"
    record(phones, {"kind": "collect", "seat": "tom", "pot": "ten-hearts"})
    until(ben, "() => !document.querySelector('#bubble').textContent")
    kept = [*ben.locator("#strip li").all_text_contents(), ben.text_content("#own-stack small")]
    for part in ("Ace of hearts +5", "King of clubs +5", "ante −9", "+1 this hand"):
        assert any(part in str(one) for one in kept), f"{part} stands where it stays: {kept}"
    ben.reload()
    hear(ben)
    head, hand = phones.table.head, next(one for one in phones.table.entries if one.event.kind == "hand")
    played = (datetime.now(UTC) - datetime.fromisoformat(hand.at or "")).total_seconds()
    phones.table.settings.clock = TableClock("hand", round(played) + 4)
    until(ben, "() => /^0:0[1-4]/.test(document.querySelector('header p').textContent)")
    until(ben, "() => said.length")
    assert ben.evaluate("said") == ["Time!"], "and nothing of what was there when the page came"
    assert ben.inner_text("header time") == "Time!"
    ben.reload()
    hear(ben)
    phones.table.settings.clock = None
    until(ben, "() => !document.querySelector('#clock')")
    assert ben.evaluate("said") == []
    assert phones.table.head == head, "it does nothing by itself"


def test_no_control_moves_through_select_record_and_undo(phones: FourPhones) -> None:
    begin(phones)
    page = phones.pages["ruth"]
    before = boxes(page)
    phones.tap("ruth", "#p-king-clubs")
    phones.see("ruth", "Tap a player.")
    assert boxes(page) == before
    phones.tap("ruth", "#s-ben")
    phones.see("ruth", "Ben took")
    assert boxes(page) == before
    phones.tap("ruth", ".a-rest .undo")
    phones.see("ruth", "Ben gives back")
    assert boxes(page) == before
    phones.tap("ruth", "#do-out")
    phones.see("ruth", "Who is out of cards?")
    assert boxes(page) == before


@pytest.mark.usefixtures("motion")
def test_an_open_question_stays_when_another_phone_records(phones: FourPhones) -> None:
    begin(phones)
    phones.tap("ruth", "#p-king-clubs")
    record(phones, {"kind": "collect", "seat": "tom", "pot": "ace-hearts"})
    phones.pages["ruth"].wait_for_selector("#p-ace-hearts.taken")
    phones.see("ruth", "Who took")
    assert phones.pages["ruth"].get_attribute("#p-king-clubs", "aria-pressed") == "true"


def test_the_question_goes_when_its_place_was_emptied(phones: FourPhones) -> None:
    begin(phones)
    phones.tap("ruth", "#p-king-clubs")
    record(phones, {"kind": "collect", "seat": "tom", "pot": "king-clubs"})
    phones.see("ruth", "Tom took")
    assert phones.pages["ruth"].get_attribute("body", "data-question") == "rest"


@pytest.mark.usefixtures("motion")
def test_chips_fly_for_the_event_just_made_and_not_for_missed_ones(phones: FourPhones) -> None:
    begin(phones, "tom")
    phones.newest("tom")
    page = phones.pages["tom"]
    page.evaluate(
        """() => {
          window.flown = 0;
          const count = node => { if (node.classList?.contains("flying-chip")) window.flown += 1; };
          const seen = new MutationObserver(all => all.forEach(one => one.addedNodes.forEach(count)));
          seen.observe(document.body, {childList: true});
        }"""
    )
    record(phones, {"kind": "collect", "seat": "ben", "pot": "ace-hearts"})
    phones.see("tom", "Ben took")
    assert page.evaluate("window.flown") > 0
    page.evaluate("() => { document.querySelector('[data-head]').dataset.head = 1; window.flown = 0; }")
    record(phones, {"kind": "collect", "seat": "mia", "pot": "king-clubs"})
    phones.see("tom", "Mia took")
    assert page.evaluate("window.flown") == 0


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


@pytest.mark.usefixtures("motion")
@pytest.mark.parametrize("size", [(390, 844), (320, 568), (1920, 1080)])
def test_a_chip_flies_as_large_as_it_lies(phones: FourPhones, size: tuple[int, int]) -> None:
    begin(phones, "tom")
    page = phones.pages["tom"]
    resize(page, *size)
    page.evaluate(f"() => {{ window.flight = ({FLIGHT})(); }}")
    record(phones, {"kind": "collect", "seat": "ben", "pot": "ace-hearts"})
    chips = page.evaluate("() => window.flight")
    assert chips["piles"]
    assert all(0.5 < chips["flying"] / lying < 1.6 for lying in chips["piles"]), chips


def test_the_table_fits_every_screen(phones: FourPhones) -> None:
    record(phones, {"kind": "sit", "seat": "ana", "name": "Ana"})
    begin(phones)
    page = phones.pages["ruth"]
    for selector, size in product(("", "#p-king-clubs", "#do-out"), SIZES):
        if selector and size == SIZES[0]:
            page.keyboard.press("Escape")  # the question before
            phones.tap("ruth", selector)
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


def test_a_phone_on_its_side_shows_the_whole_board_beside_seats_that_scroll(phones: FourPhones) -> None:
    for name in ("Opa Hans", "Zoe", "Leo", "Ana"):
        record(phones, {"kind": "sit", "seat": name.lower().replace(" ", "-"), "name": name})
    begin(phones, "ben")
    record(phones, {"kind": "borrow", "seat": "mia", "source": "tom", "chips": 5})
    phones.newest("ruth")
    phones.newest("ben")
    scrolled = 0
    for person, size in product(("ruth", "ben"), ((568, 320), (667, 375), (844, 390))):
        page = phones.pages[person]
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


def test_what_one_owes_is_read_whole_on_every_screen_also_where_several_hold_the_slips(phones: FourPhones) -> None:
    begin(phones, "ben")
    for source in ("king-queen-hearts", "seven-eight-nine", "tom"):
        record(phones, {"kind": "borrow", "seat": "ben", "source": source, "chips": 4})
    record(phones, {"kind": "borrow", "seat": "mia", "source": "ben", "chips": 7})
    page = phones.pages["ben"]
    phones.newest("ben")
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


def test_why_a_tap_was_refused_covers_undo_and_ends_when_something_else_has_happened(phones: FourPhones) -> None:
    begin(phones)
    page = phones.pages["ruth"]
    page.evaluate(SPOT)
    page.evaluate(REFUSE)
    until(page, "() => document.querySelector('#notice')")
    assert page.evaluate(IN_FRONT) == "notice"
    phones.table.settings.is_last_hand = True
    phones.see("ruth", "last hand")
    assert page.evaluate(IN_FRONT) == "notice", "a picture of the same moment leaves it"
    page.evaluate(LATER)
    record(phones, {"kind": "collect", "seat": "ben", "pot": "ace-hearts"})
    phones.see("ruth", "Ben took")
    assert not page.query_selector("#notice")
    until(page, f"() => ({IN_FRONT})().startsWith('undo-')")


def test_why_a_tap_was_refused_ends_with_the_next_tap_which_undoes_nothing_under_it(phones: FourPhones) -> None:
    begin(phones)
    page, head = phones.pages["ruth"], phones.table.head
    page.evaluate(REFUSE)
    page.tap("#notice")
    until(page, "() => !document.querySelector('#notice')")
    phones.tap("ruth", "#p-ace-hearts", "#s-ben")
    phones.see("ruth", "Ben took")
    assert phones.table.head == head + 1


@pytest.mark.usefixtures("motion")
def test_the_draw_of_the_first_dealer_runs_on_every_phone_that_comes_to_the_table(phones: FourPhones) -> None:
    phones.table.record(event_from({"kind": "hand", "dealer": "mia"}), id="lot", by=BY_LOT)
    for person in ("ben", "mia"):
        phones.look(person)
        until(phones.pages[person], "() => Object.keys(sessionStorage).some((one) => one.startsWith('drawn '))")
    assert not phones.errors
