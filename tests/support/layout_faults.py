"""What is wrong with how a page is laid out: words cut, outside, one over the other; controls that something covers."""

from weakref import WeakKeyDictionary

from playwright.sync_api import CDPSession, Page

MISLAID = r"""() => {
  const hidden = ".vh, .vh *, svg, svg *, .sprite, [hidden], [hidden] *, .board *, option, script, style, noscript";
  const found = new Set(), boxes = [];
  const isHiddenByClip = (one) => one
    && (getComputedStyle(one).clipPath === "inset(50%)" || isHiddenByClip(one.parentElement));
  const isScroller = (one) => getComputedStyle(one).overflowX === "auto";
  const scrolls = (one) => one && (isScroller(one) || scrolls(one.parentElement));
  const isScrolledAway = (one, box) => {
    const scroller = one && one.closest("pre, .scroll, .codetext"), edge = scroller?.getBoundingClientRect();
    return scroller && (box.top > edge.bottom - 2 || box.bottom < edge.top + 2);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, element = text.parentElement;
    if (!text.data.trim() || element.closest(hidden)) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (isHiddenByClip(element)) continue;
    const range = document.createRange();
    const label = text.data.trim().slice(0, 24);
    range.selectNodeContents(text);
    const size = parseFloat(getComputedStyle(element).fontSize);
    const lines = [...range.getClientRects()].filter((box) => box.width > 1);
    const short = lines.filter((box) => box.width < 1.1 * size);
    if (/\p{L}{4}/u.test(label) && short.length > 2 && !element.closest("pre")) found.add(`in letters: ${label}`);
    for (const box of lines) {
      if ((box.left < -1 || box.right > innerWidth + 1) && !scrolls(element)) found.add(`outside: ${label}`);
      let isClipped = false;
      for (let around = element; around && around !== document.body; around = around.parentElement) {
        const style = getComputedStyle(around), edge = around.getBoundingClientRect();
        if (isScroller(around)) break;  // what lies beyond can be scrolled to
        const isBeyond = box.right > edge.right + 1.5 || box.left < edge.left - 1.5;
        // three letters of a name are left
        const isShortened = style.textOverflow === "ellipsis" && element.closest(".nm, h1") && edge.width > 3 * size;
        if (style.overflowX === "hidden" && isBeyond && !isShortened) found.add(`cut: ${label}`);
        isClipped ||= style.overflowX === "hidden" || style.position === "absolute";
        if (style.borderRightStyle !== "none" && isBeyond && !isClipped) found.add(`over the edge: ${label}`);
        const middle = (box.top + box.bottom) / 2;
        const isBelow = middle > edge.bottom || middle < edge.top;
        if (style.overflowY === "hidden" && isBelow) found.add(`cut below: ${label}`);
      }
      // the letters without the free room above and below them
      if (isScrolledAway(element, box)) continue;
      const { left, top, bottom, height } = box;
      const clips = (one) => one && getComputedStyle(one).overflowX === "hidden";
      const clip = [element, element.parentElement].find(clips);
      const right = clip ? Math.min(box.right, clip.getBoundingClientRect().right) : box.right;
      boxes.push({ left, right, top: top + .24 * height, bottom: bottom - .24 * height, element, label });
    }
  }
  const stays = (element) => ["fixed", "sticky"].includes(getComputedStyle(element).position);
  const isFixed = (element) => element && (stays(element) || isFixed(element.parentElement));
  const within = (element, name) => !!element.closest(name);
  const layer = (element) => [
    isFixed(element), ...[".sheets", ".asks", ".sheet-top", "#hint"].map((name) => within(element, name))
  ].join();
  boxes.forEach((one, index) => boxes.slice(index + 1).forEach((other) => {
    if (one.element === other.element || layer(one.element) !== layer(other.element)) return;
    const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (width > 3 && height > 2) found.add(`${one.label} over ${other.label}`);
  }));
  if (document.documentElement.scrollWidth > innerWidth + 1) found.add("the page scrolls sideways");
  return [...found];
}"""
COVERED = r"""() => {
  document.getAnimations().forEach((one) => { try { one.finish(); } catch { /* it never ends */ } });
  const found = [];
  const sheet = document.querySelector("#sheets:not([hidden])");
  const controls = "a[href], button:not([disabled]):not(.backdrop), input:not([type=hidden]), select, summary";
  const isShown = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && one.getClientRects().length && !one.closest(".vh, [inert]");
  const isReachedAt = (one, block) => {
    one.scrollIntoView({ block, inline: "center", behavior: "instant" });
    const box = one.getClientRects()[0];  // a link within a sentence may be on two lines, with a gap in the middle
    const under = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const isOver = under && (under.closest(".asks, #hint") || one.matches("input") && under.closest("label"));
    return under && (one.contains(under) || isOver);
  };
  for (const one of [...(sheet || document).querySelectorAll(controls)].filter(isShown)) {
    const label = (one.getAttribute("aria-label") || one.textContent || one.name || "").trim().slice(0, 30);
    const pictures = [...one.querySelectorAll("svg, img")].filter((each) => each.getBoundingClientRect().width > 4);
    if (one.matches("a, button") && !one.innerText.trim() && !pictures.length) found.push(`empty: ${label}`);
    if (!["center", "start", "end"].some((block) => isReachedAt(one, block))) found.push(`covered: ${label}`);
    const box = one.getBoundingClientRect();
    if (!one.matches("[type=radio]") && Math.min(box.width, box.height) < 24) found.push(`small: ${label}`);
  }
  scrollTo(0, 0);
  return found;
}"""


BROKEN_WORDS = r"""() => {
  const found = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const lines = (text, from, to) => {
    range.setStart(text, from);
    range.setEnd(text, to);
    return new Set([...range.getClientRects()].filter((box) => box.width > 1).map((box) => Math.round(box.top))).size;
  };
  const pen = document.createElement("canvas").getContext("2d");
  while (texts.nextNode()) {
    const text = texts.currentNode, element = text.parentElement;
    if (!/\p{L}{4}|\d\d/u.test(text.data) || element.closest("pre, script, style, svg, .vh, .codetext")) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const style = getComputedStyle(element);
    pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    for (const word of text.data.matchAll(/\p{L}{4,}|\d+/gu)) {
      if (lines(text, word.index, word.index + word[0].length) < 2) continue;
      if (pen.measureText(word[0]).width < .8 * innerWidth) found.add(`in pieces: ${word[0]}`);
    }
  }
  return [...found];
}"""
"""Words and numbers that go on in the next line although the page is wide enough for them."""


def layout_faults(page: Page) -> list[str]:
    """Return what is cut, outside, in pieces, one over the other, covered or too small to hit, each with its words."""
    found: list[str] = [*page.evaluate(MISLAID), *page.evaluate(BROKEN_WORDS), *page.evaluate(COVERED)]
    return found


_sessions: WeakKeyDictionary[Page, CDPSession] = WeakKeyDictionary()
"""What sets the text size of each page: it holds only while its session is open."""


def enlarge(page: Page, percent: int) -> None:
    """Set the browser's own text size, as its settings do."""
    session = _sessions.get(page)
    if session is None:
        session = _sessions[page] = page.context.new_cdp_session(page)
        session.send("Page.enable")
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 16 * percent // 100, "fixed": 13 * percent // 100}})
