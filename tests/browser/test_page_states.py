"""Every page in every state, opened once: its layout, axe-core's rules, what is chosen, what moves, how it prints.

The short run opens each address that is `EACH` after the one before, by turns in a language, a size and a look, and
judges by turns how it is laid out, how it prints, and what axe-core says; with `--long` each is judged in all ways.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page
from support.browser_phones import BrowserPhone
from support.layout_faults import COVERED, MISLAID, enlarge, layout_faults
from support.of_extras import of_extras
from support.page_states import MOMENTS, SCREEN_PAGES, Moment, ServedStates, State
from support.waiting import resize

from tracker.web.wording import texts

pytest.importorskip("axe_playwright_python")

EACH = 8
LANGUAGES = tuple(lang for lang in texts.LANGUAGES if lang != "en-US")
SCREENS = {"phone": (390, 844), "laptop": (1280, 800), "TV": (1920, 1080), "tablet": (768, 1024)}
SMALL_SCREENS = {"smallest": (320, 568), "small": (360, 740), "large": (412, 915), "zoomed": (320, 256)}


@dataclass(frozen=True)
class Look:
    """Light or dark, text size in per cent, and screen."""

    scheme: str
    percent: int
    screen: str

    def __str__(self) -> str:
        return f"{self.screen}, {self.scheme}, {self.percent} %"


LOOKS = tuple(Look(*one) for one in product(("light", "dark"), (100, 200), ("phone", "laptop", "TV")))
PAIRS = {
    "en": (Look("light", 100, "phone"), Look("dark", 200, "laptop"), Look("light", 200, "TV")),
    "de": (Look("dark", 200, "phone"), Look("light", 100, "laptop"), Look("dark", 100, "TV")),
    "fr": (Look("light", 200, "phone"), Look("dark", 100, "laptop"), Look("light", 100, "TV")),
    "es": (Look("dark", 100, "phone"), Look("light", 200, "laptop"), Look("dark", 200, "TV")),
}
"""Every pair of language, theme, text size and screen at least once."""
SIZES = (
    *(Look("light", 200, "smallest"), Look("light", 100, "tablet"), Look("dark", 200, "phone")),
    *(Look("light", 100, "smallest"), Look("light", 130, "phone"), Look("light", 100, "small")),
    *(Look("dark", 100, "large"), Look("light", 100, "laptop")),
)
"""In which looks the layout is measured; a page for a TV only on the larger screens."""

AXE_OPTIONS = {
    "resultTypes": ["violations"],
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "rules": {
        "label-content-name-mismatch": {"enabled": True},
        "target-size": {
            "enabled": False
        },  # takes what a dock covers for small; layout_faults measures each in full view
    },
}
RUN_AXE = """async ([within, options]) => (await axe.run(within || document, options)).violations.flatMap((one) => {
  const isDrawn = ({ target: [selector] }) => one.id === "label-content-name-mismatch" && selector.startsWith("#p-");
  const where = one.nodes.filter((node) => !isDrawn(node)).slice(0, 3)
    .map((node) => `${node.target.join(" ")} | ${node.html.slice(0, 90)}`);
  return where.length ? [`${one.id}: ${where.join("; ")}`] : [];
})"""
"""A place of the board draws its card, "10♥", and its name says it in words: WCAG 2.5.3 excepts symbols."""

MOMENTARY = {
    "no taps yet": """() => {
      const out = document.getElementById("do-out");
      out?.style.setProperty("animation", "none");
      out?.getAnimations();  // it is over on a busy machine: it begins anew
      out?.style.removeProperty("animation");
      for (const one of out?.getAnimations() ?? []) {
        one.currentTime = 200;
        one.pause();
      }
      if (out && getComputedStyle(out).pointerEvents !== "none") throw new Error("the way out takes taps");
    }""",
    "no stream yet": "() => document.getElementById('live').classList.add('htmx-request')",
    "a tap on its way": """async () => {
      document.getAnimations().forEach((one) => { try { one.finish(); } catch { /* it never ends */ } });
      (document.getElementById("move") ?? document.getElementById("live")).classList.add("htmx-request");
      await new Promise((done) => { setTimeout(done, 5000); requestAnimationFrame(done); });
      document.getAnimations().forEach((one) => { try { one.finish(); } catch { /* it never ends */ } });
    }""",
    "no contact": "() => document.body.classList.add('lost')",
}
"""What a page shows for a moment only, each held by a script for as long as axe-core looks; one after the other."""
MOMENTARY_AT = {
    State("play", "ben", ""): "en",
    **{State("snake", "host", ""): "de" for name in MOMENTS if name == "snake"},
    **{State("play", "watcher", path): "en" for path in of_extras("watched")},
}
"""Where these are looked at, and in which language."""


WHERE = "() => document.activeElement.closest('#sheet, #live')?.id || document.activeElement.tagName"
FOCUSED = """() => [...document.querySelectorAll("#sheet :is(a[href], button, input, select, summary)")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true })).length"""
"""How many stops of the Tab key a sheet has at most."""
UNMARKED = """() => {
  const look = (one) => {
    const style = getComputedStyle(one);
    return [style.outlineStyle, style.borderTopWidth, style.borderTopStyle, style.textDecorationLine].join();
  };
  const chosen = "[aria-current], [aria-selected=true], .seg > [aria-pressed=true], .count-row.now, .hand.now";
  return [...document.querySelectorAll(chosen)].filter((one) => one.getClientRects().length).filter((one) => {
    const others = [...one.parentElement.children].filter((other) => other !== one && other.tagName === one.tagName);
    return others.length && !others.some((other) => look(other) !== look(one));
  }).map((one) => one.outerHTML.slice(0, 90));
}"""
MOVING = """() => {
  const seconds = (list) => Math.max(...list.split(",").map((one) => parseFloat(one) || 0));
  const guards = ["tap-pause", "hide"];  // these only keep taps away
  return [...document.querySelectorAll("*")].filter((one) => {
    const style = getComputedStyle(one);
    const isAnimated = style.animationName !== "none" && !guards.some((name) => style.animationName.includes(name));
    return seconds(style.transitionDuration) > .001 || isAnimated && seconds(style.animationDuration) > .001;
  }).map((one) => one.outerHTML.slice(0, 90));
}"""
SCROLLED = """() => [...document.querySelectorAll("body *")]
  .filter((one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowX))
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .filter((one) => one.getClientRects().length && !one.querySelector("table") && !one.matches("pre, .codetext"))
  .map((one) => `scrolls sideways: ${one.className || one.tagName}`)"""
"""What is no table and no code, and yet has to be scrolled to both sides."""
UNSEEN = """() => [...document.querySelectorAll(".seat .sub")]
  .filter((one) => one.textContent.trim() && one.getClientRects().length && one.clientWidth < 2)
  .map((one) => `unseen: ${one.textContent.trim()}`)"""
"""The state of a person that only a screen reader is told, as on a low screen."""
SAME_NAMES = """() => {
  const names = new Map(), fields = new Map();
  const typed = "input:not([type=hidden], [type=radio], [type=checkbox])";
  for (const one of document.querySelectorAll(`button, a[href], summary, select, ${typed}`)) {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.closest("[inert], [aria-hidden=true]")) continue;
    const groups = ["fieldset", "[role=group]", ":is(section, form)[aria-labelledby]"].map((kind) => one.closest(kind));
    const sayers = [one, ...groups].filter(Boolean);
    const ids = ["labelledby", "describedby"].flatMap((how) => sayers.map((one) => one.getAttribute(`aria-${how}`)));
    const others = ids.flatMap((id) => (id || "").split(" ")).map((id) => document.getElementById(id));
    const legends = groups.map((group) => group?.querySelector(":scope > legend"));
    const texts = [...(one.labels || []), one, ...legends, ...others.filter((other) => other !== one)];
    const said = [...sayers.map((sayer) => sayer.ariaLabel), ...texts.map((other) => other?.innerText.trim())];
    const name = said.filter(Boolean).join(" ");
    const known = one.matches("input, select") ? fields : names;
    const form = [...(one.form?.querySelectorAll("[type=hidden]") || [])].map((field) => field.name + field.value);
    if (!known.has(name)) known.set(name, new Set());
    known.get(name).add(one.href || [one.name, one.value, one.form?.action, ...form].join());
  }
  return [...names, ...fields].filter(([name, whats]) => !name || whats.size > 1).map(([name]) => name);
}"""
"""The names that several controls of a page have which do different things, with those of their groups; and no name."""
ALIKE = {"Mia Who was here before", "Ben Who was here before"}
"""Two people of one name, whom only their chips tell apart."""
UNDER_DOCK = """() => {
  const dock = document.getElementById("dock"), edge = dock?.getBoundingClientRect();
  if (!dock || scrollY) return scrollY ? ["scrolled"] : [];
  const isShown = (one) => one.getClientRects().length && one.checkVisibility({ visibilityProperty: true });
  const all = (selector) => [...document.querySelectorAll(selector)].filter(isShown);
  const ask = document.body.dataset.question || document.getElementById("move").dataset.ask || "rest";
  const asksPerson = !["rest", "price", "bet", "answer", "bids", "joker"].includes(ask) && ask !== "stakes";
  const most = all(".announced").length ? 1 : 2;
  const people = asksPerson ? all(`button.seat:not([data-no~="${ask}"])`).slice(0, most) : [];
  const counted = all(".count-row.now, .hand.now, .pad .key");
  const isAbove = ({ top, bottom }) => bottom <= edge.top + 1 && top >= 0;
  const hidden = [...people, ...counted].filter((one) => !isAbove(one.getBoundingClientRect()));
  const found = hidden.map((one) => `under the dock: ${one.innerText.trim()}`);
  const inDock = all("#dock :is(button, a)").filter((one) => one.getBoundingClientRect().bottom > innerHeight + 1);
  if (dock.scrollHeight > dock.clientHeight + 1) found.push("the dock scrolls");
  return [...found, ...inDock.map((one) => `below the screen: ${one.innerText.trim()}`)];
}"""
"""What is asked now and lies under the dock or below the screen before a swipe: two people who can be the answer (one
below what the house announces), whose number is typed and its keys, and every control of the dock."""
SHOWN = """() => {
  const colours = (one) => {
    const { color, backgroundColor, fill, stroke, borderTopColor } = getComputedStyle(one);
    return [one.tagName, color, backgroundColor, fill, stroke, borderTopColor].join(" ");
  };
  return [...document.querySelectorAll("body, body *")].filter((one) => one.checkVisibility()).map(colours);
}"""
PALE = """() => {
  const parse = (text) => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return [r, g, b, a]; };
  const part = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const over = ([r, g, b, a], below) => [r, g, b].map((one, at) => one * a + below[at] * (1 - a));
  const ground = (one) => {
    if (!one) return [255, 255, 255];
    const { backgroundColor, printColorAdjust } = getComputedStyle(one), below = ground(one.parentElement);
    return printColorAdjust === "exact" ? over(parse(backgroundColor), below) : below;  // else no ground is printed
  };
  const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const one = texts.currentNode.parentElement, text = texts.currentNode.data.trim();
    if (!text || one.closest(".vh, svg, noscript, script, style, :is(.tok, .board, .thumb, .rtable):has(svg)")) {
      continue;
    }
    const isVisible = one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    if (!one.getClientRects().length || !isVisible) continue;
    const below = ground(one), ink = over(parse(getComputedStyle(one).color), below);
    const [dark, bright] = [light(below), light(ink)].sort((one, other) => one - other);
    if ((bright + 0.05) / (dark + 0.05) < 4.5) found.push([text.slice(0, 30), one.className, ink, below]);
  }
  return found;
}"""
"""Texts of too little contrast with the ground that their own elements paint; what stands on a drawing aside."""
LANDMARKS = """() => {
  const count = (selector) => document.querySelectorAll(selector).length;
  const dock = count("#dock") ? ".dock:not(section[aria-labelledby=asked])" : "main .dock, .dock:not(footer)";
  const found = ["head title", "main", "h1"].filter((one) => count(one) !== 1);
  if (count(`${dock}, .bar:not(header)`) || !count("#dock") && count("main .bar")) found.push("bar or dock");
  return found.map((one) => `not one: ${one}`);
}"""
"""Each page has a title, a main part, a heading of it, and landmarks beside it: its bar and its dock; a table's dock is
a region, named by what is asked."""


SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def axe_violations(page: Page, within: str = "", rule: str = "") -> list[str]:
    """Return each rule, or whether this one, is broken by a page or the part that the selector `within` names."""
    if page.evaluate("() => !window.axe"):  # most pages are judged without it
        page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    options = {**AXE_OPTIONS, "runOnly": [rule], "rules": {}} if rule else AXE_OPTIONS
    found: list[str] = page.evaluate(RUN_AXE, [within, options])
    return found


def set_look(page: Page, look: Look) -> None:
    """Show a page in this scheme, text size and screen, and in its own colours."""
    page.emulate_media(
        color_scheme="dark" if look.scheme == "dark" else "light", reduced_motion="reduce", forced_colors="none"
    )
    enlarge(page, look.percent)
    resize(page, *(SCREENS | SMALL_SCREENS)[look.screen])


def judge(page: Page, state: State, sizes: Sequence[Look], looks: Sequence[Look]) -> Iterator[str]:
    """Yield what is wrong with a state that is open, in these sizes and looks."""
    for look in looks:
        set_look(page, look)
        yield from (f"{look}: {rule}" for rule in axe_violations(page, state.part))
        yield from (f"{look}: it moves: {one}" for one in page.evaluate(MOVING))
    page.emulate_media(forced_colors="active", reduced_motion="reduce")
    yield from (f"with forced colours: not marked: {one}" for one in page.evaluate(UNMARKED))
    for size in sizes:  # last: it ends all animations
        if state.path not in SCREEN_PAGES or size.screen in ("tablet", "laptop"):
            set_look(page, size)
            yield from (f"{size}: {fault}" for fault in layout_faults(page))


def judge_words(page: Page, language: str) -> Iterator[str]:
    """Yield landmarks that are not one each, and names that several controls have."""
    yield from page.evaluate(LANDMARKS)
    if language == "en":
        yield from (f"alike: {one}" for one in {*page.evaluate(SAME_NAMES)} - ALIKE if "More about" not in one)


def judge_size(page: Page, state: State) -> Iterator[str]:
    """Yield what is cut, covered or out of sight at 400 per cent, and on the smallest phone with large text.

    Big screens are read from afar, at their own size.
    """
    if state.path in SCREEN_PAGES:
        return
    set_look(page, Look("light", 100, "zoomed"))  # as a laptop of 1280×1024 at 400 per cent
    yield from (f"zoomed: {fault}" for look in (MISLAID, COVERED, SCROLLED, UNSEEN) for fault in page.evaluate(look))
    if page.locator("#dock").count() and state.person in ("host", "ben") and not state.path:
        set_look(page, Look("light", 200, "smallest"))
        yield from page.evaluate(COVERED if state.sheet else UNDER_DOCK)


def judge_print(page: Page, state: State) -> Iterator[str]:
    """Yield what a dark phone prints in other colours than a light one, and texts of too little contrast on paper.

    But pages for a big screen, and the rehearsal, whose guests play on meanwhile.
    """
    if state.path in SCREEN_PAGES or state.part or state.moment == "rehearsal":
        return
    resize(page, 800, 1100)
    printed = []
    for scheme in SCHEMES:
        page.emulate_media(media="print", color_scheme=scheme, forced_colors="none")
        printed.append({*page.evaluate(SHOWN)})
    yield from (f"pale in print: {one}" for one in page.evaluate(PALE))
    yield from (f"printed otherwise on a dark phone: {one}" for one in printed[0] ^ printed[1])
    page.emulate_media(media="screen")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_state_is_laid_out_well_accessible_and_still_and_makes_no_browser_complain(
    browser: Browser,
    served: ServedStates,
    language: str,
    short_or_long: Callable[[int, int], int],
    figure: Callable[[str], None],
) -> None:
    context = browser.new_context(has_touch=True, locale="en-GB", reduced_motion="reduce")
    phone, wrong, count = BrowserPhone(context, "each page"), list[str](), 0
    phone.excuse("status of 40[34]")
    is_long, pairs = bool(short_or_long(0, 1)), PAIRS[language]
    first, each = (0, 1) if is_long else (EACH * LANGUAGES.index(language), EACH * len(LANGUAGES))
    for turn, address in enumerate([*served.all_states()][first::each]):
        served.log_in(context, address.moment, address.person, language)
        for at, state in enumerate(served.opened(phone.page, address), turn):
            found = [*judge_words(phone.page, language)]
            if is_long or at % 3 == 1:
                found += judge_size(phone.page, state)
            if is_long or at % 3 == 2:
                found += judge_print(phone.page, state)
            if is_long:
                found += judge(phone.page, state, SIZES, LOOKS)
            elif at % 3 == 0:
                found += judge(phone.page, state, SIZES[at % len(SIZES) :][:1], pairs[at % len(pairs) :][:1])
            wrong += [f"{state}, {one}" for one in found]
            count += 1
    context.close()
    figure(f"pages: {language}, {count} states judged, {len(wrong)} faults")
    assert wrong == []
    assert phone.complaints() == []


AT_TABLE = ("dummy", "auction", "play", "count", "poker", "between", "stakes", "held", "bets", "points")
COUNTS = ("excuse", "excuse asked")
"""The count of Pope Joan: its keys, and in their place who held the pope, when every number is known."""
_DEAL = ("hand", {"dealer": "opa-hans"})
_SOLD = (_DEAL, ("sale", {"buyer": "hanna", "price": 7}))
FIVE = {
    "five before the sale": Moment("michigan-rummy", 5, (_DEAL,)),
    "five after the sale": Moment("michigan-rummy", 5, _SOLD),
    "five count": Moment("michigan-rummy", 5, _SOLD, "ben"),
    **{f"five {name}": replace(MOMENTS[name], people=5, out="hanna") for name in ("snake count",) if name in MOMENTS},
}
"""A dealer and a buyer whose names make the header long."""
KEYS_UNDER_DOCK = """() => {
  const top = document.getElementById("dock").getBoundingClientRect().top;
  return [...document.querySelectorAll(".pad .key")].filter((key) => key.checkVisibility())
    .filter((key) => key.getBoundingClientRect().bottom > top).length;
}"""
BOARD_TOP = "() => document.querySelector('.board').getBoundingClientRect().top"
_LEFT = {"ruth": 11, "ben": 3, "hanna": 0, "opa-hans": 11}
LONG_QUESTION = Moment("michigan-rummy", 5, (_DEAL, ("no-sale", {}), ("out", {"seat": "wil", "cards": _LEFT})))
"""Who wins the poker pool is asked after a hand that somebody with a long name has won."""
CUT_SENTENCES = """() => [...document.querySelectorAll(".dock .last p")].filter((one) => one.checkVisibility())
  .filter((one) => one.scrollHeight > one.clientHeight + 5).map((one) => one.innerText)"""  # a card reaches 4 beyond
BEYOND = "() => document.documentElement.scrollHeight - innerHeight"


def test_eight_people_fit_on_the_smallest_phone_without_scrolling(
    browser: Browser, served: ServedStates, short_or_long: Callable[[int, int], int]
) -> None:
    """The table, the count's keys and the dock; the short run looks at most tables once, as somebody by turns."""
    assert all(MOMENTS[name].people == 8 for name in AT_TABLE)
    for name, moment_of_five in FIVE.items():
        served._open(name, moment_of_five)
    context = browser.new_context(
        viewport={"width": 320, "height": 568}, is_mobile=True, has_touch=True, reduced_motion="reduce"
    )
    page, beyond, covered, tops = context.new_page(), {}, {}, set()
    every = [*product((*AT_TABLE, *COUNTS, *FIVE), LANGUAGES, ("host", "ben", "watcher"))]
    looked_at = [*every[:: short_or_long(23, 1)], *product([*FIVE][:2], LANGUAGES, ("host",))]
    for moment, language, person in looked_at:
        served.log_in(context, moment, person, language)
        served.show(page, State(moment, person, ""))
        covered[moment, language, person] = page.evaluate(KEYS_UNDER_DOCK)
        if moment != "five snake count":  # a fault can be scrolled to
            beyond[moment, language, person] = page.evaluate(BEYOND)
        if "sale" in moment and person == "host":
            tops.add(page.evaluate(BOARD_TOP))
    context.close()
    assert {one: pixels for one, pixels in beyond.items() if pixels > 0} == {}
    assert {one: keys for one, keys in covered.items() if keys} == {}
    assert len(tops) == 1  # the sale moves nothing


def test_no_sentence_of_the_dock_is_cut_on_any_phone(
    browser: Browser, served: ServedStates, short_or_long: Callable[[int, int], int]
) -> None:
    """What happened last, alone and beneath a question; the short run looks at fewer tables."""
    served._open("long question", LONG_QUESTION)
    context = browser.new_context(is_mobile=True, has_touch=True, reduced_motion="reduce")
    page, cut = context.new_page(), list[str]()
    for moment, language in product(("long question", "dummy", *AT_TABLE)[: short_or_long(2, 12)], LANGUAGES):
        served.log_in(context, moment, "host", language)
        served.show(page, State(moment, "host", ""))
        for width, height in ((320, 568), (360, 740), (390, 844), (412, 915)):
            resize(page, width, height)
            cut += [f"{moment}, {language}, {width}: {one}" for one in page.evaluate(CUT_SENTENCES)]
    context.close()
    assert cut == []


def test_the_contrast_holds_in_what_a_page_shows_for_a_moment_only(
    browser: Browser, served: ServedStates, short_or_long: Callable[[int, int], int]
) -> None:
    """While a button takes no taps yet, a tap is on its way, the stream isn't there yet, or there is no contact.

    The short run looks at each of these in light or in dark, by turns from page to page.
    """
    context = browser.new_context(has_touch=True, locale="en-GB")
    page, broken, schemes = context.new_page(), [], ("light", "dark")
    for turn, (state, language) in enumerate(MOMENTARY_AT.items()):
        served.log_in(context, state.moment, state.person, language)
        served.show(page, state)
        for at, (name, show) in enumerate(MOMENTARY.items(), turn):
            page.evaluate(show)
            for scheme in schemes[
                short_or_long(at % 2, 0) :: short_or_long(2, 1)
            ]:  # what is larger needs less contrast, so each at its usual size
                look = Look(scheme, 100, "TV" if state.path in SCREEN_PAGES else "phone")
                set_look(page, look)
                found = axe_violations(page, "#live", "color-contrast")
                broken += [f"{state}, {look}, {name}: {rule}" for rule in found]
    context.close()
    assert broken == []


@pytest.fixture(name="page", scope="module")
def _page(browser: Browser, served: ServedStates) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB", reduced_motion="reduce")
    context.set_default_timeout(60_000)
    served.log_in(context, "play", "host", "en")
    yield context.new_page()
    context.close()


def test_a_sheet_keeps_tab_inside_and_gives_the_focus_back(
    served: ServedStates, page: Page, short_or_long: Callable[[int, int], int]
) -> None:
    """On tables of every kind, the menu; after it is closed by Escape the same thing has the focus."""
    tables = [State(moment, "host", "") for moment in [*MOMENTS][1 :: short_or_long(5, 1)]]
    for state in tables:
        served.log_in(page.context, state.moment, state.person, "en")
        served.show(page, state)
        if page.url.endswith("/lobby"):
            continue
        opener = "a[href$='/sheet']"
        page.focus(f"{opener} >> visible=true")
        page.keyboard.press("Enter")
        page.wait_for_selector("#sheet .sheet-top >> visible=true")
        for _ in range(page.evaluate(FOCUSED) + 2):
            page.keyboard.press("Tab")
            assert page.evaluate(WHERE) != "live", state
        page.keyboard.press("Escape")
        page.wait_for_selector("#sheets", state="hidden")
        assert page.evaluate(f'() => document.activeElement.matches("{opener}")'), state


def test_a_screen_reader_hears_at_the_keys_of_every_count_for_whom_they_count(served: ServedStates, page: Page) -> None:
    counts = {"count", "points", "snake count", "score sheet count"} & MOMENTS.keys()
    for moment, person in product(counts, ("host", "ben")):
        served.log_in(page.context, moment, person, "en")
        served.show(page, State(moment, person, ""))
        row = page.locator(":is(.count-row, .hand).now[aria-current=true]")
        name = row.locator(".nm").first.inner_text().strip()
        keys = page.get_by_role("group", name=name, exact=True)
        assert 'button "2"' in keys.aria_snapshot(), f"{moment}, {person}: {name}"


OVER_OWN = """() => {
  document.dispatchEvent(new CustomEvent("say", { detail: "+24 in all: Ace of hearts +12, Jack of spades +12" }));
  const bubble = document.getElementById("bubble").getBoundingClientRect();
  const own = ".strip li, .own-bar, .count-row, .hand, .pad .key, #dock :is(button, a)";
  return [...document.querySelectorAll(own)].filter((one) => one.getClientRects().length).filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left < bubble.right && right > bubble.left && top < bubble.bottom - 2 && bottom > bubble.top + 2;
  }).map((one) => one.innerText.trim());
}"""


def test_what_is_said_for_a_moment_lies_over_no_row_of_the_own_phone_and_over_nothing_to_tap(
    browser: Browser, served: ServedStates
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
    page, covered = context.new_page(), list[str]()
    for moment in {"play", "between", "count", "points", "score sheet count"} & MOMENTS.keys():
        served.log_in(context, moment, "ben", "en")
        served.show(page, State(moment, "ben", ""))
        for width, height in ((390, 844), (320, 568)):
            resize(page, width, height)
            covered += [f"{moment}, {width}: {row}" for row in page.evaluate(OVER_OWN)]
    context.close()
    assert covered == []


def test_a_phone_that_is_always_dark_prints_as_a_light_one_on_white_paper(served: ServedStates, page: Page) -> None:
    for path in ("", "/settle", "/log", "/rules", *of_extras("ended")):
        served.log_in(page.context, "ended", "host", "en")
        page.context.add_cookies([{"name": "theme", "value": "dark", "url": served.url}])
        state = State("ended", "host", path)
        served.show(page, state)
        assert [*judge_print(page, state)] == [], path
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        page.emulate_media(media="screen")


def test_a_file_that_was_kept_is_printed_dark_as_light(served: ServedStates, page: Page, tmp_path: Path) -> None:
    for address in of_extras("kept_files"):
        (tmp_path / "kept.html").write_bytes(served.host.get(address.format_map(served.codes)).data)
        page.goto((tmp_path / "kept.html").as_uri())
        assert [*judge_print(page, State("ended", "host", address))] == []
