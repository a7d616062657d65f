// On a keyboard whatever is tapped has a key: the pad's digits, "u" takes back, "g" is the main button, "m" the menu;
// people, places and everything else have letters. "?" shows each key where it is. Enter only presses what has the focus.
(() => {
  "use strict";
  const LETTERS = [..."abcdefhijklnopqrstvwxyzABCDEFGHIJKLNOPQRSTVWXYZ"];
  const TAPPED = "button, a[href], summary, select, input:not([type=hidden])";
  const SIGNS = { Backspace: "⌫" };
  const $ = (selector) => document.querySelector(selector);
  const isOver = () => $("#sheets") && !$("#sheets").hidden;

  const ownKey = (one) => {
    const { key, digit, card } = one.dataset;
    if (one.matches(".dock .undo")) return "u";
    if (one.matches(".dock .btn.act")) return "g";
    if (one.matches("a[href$='/sheet']")) return "m";
    if ("sign" in one.dataset) return "-";
    if (key === "" || "back" in one.dataset) return "Backspace";
    if (/^\d\d$/.test(key)) return "";  // it is typed
    const said = (key || digit || card || (one.matches(".key") ? one.textContent : "")).trim().toLowerCase();
    return said === "10" ? "0" : /^[\da-z]$/.test(said) ? said : "";
  };
  // Safari before 17.4 has no checkVisibility(), and hides what is folded away by `display`, so that it has no boxes.
  const isVisible = (one) => one.checkVisibility?.({ visibilityProperty: true }) ?? getComputedStyle(one).visibility === "visible";
  // People come first, then places, so that theirs stay the same in every question.
  const rank = (one) => (one.matches(".seat") ? 0 : "pot" in one.dataset ? 1 : 2);
  const keys = () => {
    const found = [...(isOver() ? $("#sheet") : $("#live")).querySelectorAll(TAPPED)]
      .filter((one) => !one.disabled && one.getClientRects().length && isVisible(one));
    const map = new Map(), rest = [];
    for (const one of found.sort((a, b) => rank(a) - rank(b))) {
      const key = ownKey(one);
      if (key && !map.has(key)) map.set(key, one); else rest.push(one);
    }
    const free = LETTERS.filter((letter) => !map.has(letter));
    rest.slice(0, free.length).forEach((one, at) => map.set(free[at], one));
    return map;
  };

  let hints = null;
  const show = () => {
    if (!hints) return;
    hints.textContent = "";
    hints.append(...[...keys()].map(([key, one]) => {
      const { left, top } = (one.querySelector(".place-label") || one).getBoundingClientRect(), hint = document.createElement("kbd");
      hint.textContent = SIGNS[key] || key;
      hint.style.left = `${Math.max(0, left)}px`;
      hint.style.top = `${Math.max(0, top)}px`;
      return hint;
    }));
  };
  const toggle = () => {
    if (hints) { hints.remove(); hints = null; overlays.settle(); return; }
    hints = document.createElement("div");
    hints.id = "key-hints";
    hints.setAttribute("aria-hidden", "true");
    document.body.append(hints);
    show();
    overlays.settle();
  };
  overlays.add("keys", { name: () => (hints ? "shown" : ""), open: toggle, close: toggle });
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    if (event.key === "?" || (event.key === "Escape" && hints)) { toggle(); return; }
    const one = keys().get(event.key);
    if (!one || getComputedStyle(one).pointerEvents === "none") return;
    event.preventDefault();
    if (one.matches("input, select")) one.focus(); else one.click();
  });
  document.addEventListener("click", (event) => { if (event.target.closest("[data-keys-help]")) toggle(); });
  for (const change of ["shown", "click", "htmx:after:swap"]) document.addEventListener(change, () => setTimeout(show));
  for (const change of ["resize", "scroll"]) addEventListener(change, show, { passive: true });
})();
