// What lies open over the table (a count, a question of the dock, a sheet) is an entry of the browser's
// history each: the back key closes the topmost and stays at the table. What is typed in them is kept until it is sent.
(() => {
  "use strict";
  const body = document.body;
  const $$ = (selector) => [...document.querySelectorAll(selector)];

  // ---- history ----
  // There are as many entries above the table's own as things have been open at once. None is taken away when something is
  // closed by a tap: going back takes a moment, in which the next tap may be a link. It is used for the next thing, and the
  // back key passes by it. Each names what is open, so that forward, and a page that is loaded again, open the same.
  const layers = { count: null, question: null, sheet: null };  // the lowest first
  const inPage = () => Object.keys(layers).filter((kind) => layers[kind]?.name()).map((kind) => `${kind} ${layers[kind].name()}`);
  const layerOf = (one) => layers[one.split(" ")[0]];
  let depth = history.state?.depth || 0, isReady = false;
  const settle = () => {
    if (!isReady) return;
    const shown = inPage();
    if (depth && shown.join() !== history.state.over.join()) history.replaceState({ over: shown.slice(0, depth), depth }, "");
    while (depth < shown.length) add(shown);
  };
  const add = (shown) => {
    history.pushState({ over: shown.slice(0, depth += 1), depth }, "");
    isFirm = navigator.userActivation?.isActive ?? performance.now() - touchedAt < 1000;
  };
  // WebKit passes by an entry that no tap has made, as where a count comes through the stream: the next tap makes one more.
  let isFirm = true, touchedAt = -1000;
  for (const touch of ["pointerup", "keydown"]) {
    addEventListener(touch, () => { touchedAt = performance.now(); if (depth && !isFirm) add(inPage()); }, true);
  }
  const openAgain = () => {
    const shown = inPage();
    for (const one of history.state?.over || []) if (!shown.includes(one)) layerOf(one).open?.(one.slice(one.indexOf(" ") + 1));
  };
  addEventListener("popstate", () => {
    const before = depth, shown = inPage();
    depth = history.state?.depth || 0;
    if (depth > before) openAgain();
    else if (shown.length) layerOf(shown[shown.length - 1]).close();
    else history.go(-1 - depth);
    settle();
  });
  addEventListener("pageshow", ({ persisted }) => { if (persisted) { depth = history.state?.depth || 0; settle(); } });
  addEventListener("DOMContentLoaded", () => { openAgain(); isReady = true; settle(); });

  // ---- the count is everybody's: closed on this phone, it goes on, and the dock leads back to it ----
  let isAway = false;
  const showCount = () => {
    const isOn = Boolean(document.querySelector(".count, .hands"));
    isAway &&= isOn;
    body.classList.toggle("count-away", isAway);
    for (const name of ["t-count", "m-count"]) {
      for (const one of $$(isAway ? `.${name}` : `.${name}-away`)) {
        one.classList.toggle(name, !isAway);
        one.classList.toggle(`${name}-away`, isAway);
      }
    }
    return isOn;
  };
  const setAway = (isNow) => { isAway = isNow; showCount(); settle(); };
  layers.count = { name: () => (showCount() && !isAway ? "open" : ""), open: () => setAway(false), close: () => setAway(true) };
  document.addEventListener("click", (event) => { if (event.target.closest("[data-to-count]")) setAway(false); });
  document.addEventListener("shown", () => { showCount(); settle(); });

  // ---- what is typed outlives the page, too: this tab keeps it ----
  const memory = new Map();
  const typed = {
    of(key) {
      if (memory.has(key)) return memory.get(key);
      try { return JSON.parse(sessionStorage.getItem(`typed ${key}`)); } catch { return null; }
    },
    keep(key, value) {
      memory.set(key, value);
      try { sessionStorage.setItem(`typed ${key}`, JSON.stringify(value)); } catch { /* not allowed: the page itself knows it */ }
    },
  };
  window.overlays = { add: (kind, layer) => { layers[kind] = layer; }, settle, typed };

  // Until sheets.js has come, a sheet is only asked for.
  let wanted = "";
  const want = (address) => { wanted = address && new URL(address, location).pathname; settle(); };
  window.sheets = { open: want, close: () => want(""), isOpen: () => !document.getElementById("sheets").hidden, wanted: () => wanted };
  layers.sheet = { name: () => wanted, open: want, close: () => want("") };
})();
