// The keyboard. Arrows walk the places of the board, the people and the keys of a pad, each of which is one stop for Tab;
// letters do fixed things (the menu lists them, templates/shared/_sheet_parts.html), unless this device has them off;
// digits type a number, which Enter ends. Enter only presses what has the focus.
(() => {
  "use strict";
  const body = document.body, live = document.getElementById("live");
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const tell = (sentence) => { if (sentence) document.dispatchEvent(new CustomEvent("tell", { detail: sentence })); };
  const isShown = (one) => one && !one.disabled && one.getClientRects().length > 0 && getComputedStyle(one).visibility === "visible";
  const shown = (selector, root) => $$(selector, root).find(isShown);

  // ---- arrows ----
  const WALKS = "[role=grid], #people, #live .pad, .dock .keys, #live .count-rows";
  const stops = new Map();  // walk -> what Tab comes to in it
  const nameOf = (one) => one.id || one.className;
  const keyOf = (one) => one.id || one.textContent;
  const itemsOf = (walk) => $$("button, a[href]", walk).filter((one) => !one.closest("[aria-hidden=true]") && isShown(one));
  const rove = () => {
    for (const walk of $$(WALKS)) {
      const items = itemsOf(walk), kept = stops.get(nameOf(walk));
      const stop = items.find((one) => one === document.activeElement) || items.find((one) => one.matches(".now"))
        || items.find((one) => keyOf(one) === kept) || items[0];
      for (const one of items) one.tabIndex = one === stop ? 0 : -1;
    }
  };
  document.addEventListener("focusin", ({ target }) => {
    const walk = target.closest(WALKS);
    if (!walk) return;
    stops.set(nameOf(walk), keyOf(target));
    rove();
  });
  const walkOn = ({ key, target }) => {
    const walk = target.closest(WALKS), items = walk ? itemsOf(walk) : [], at = items.indexOf(target.closest("button, a"));
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[key];
    if (to === undefined || at < 0) return false;
    items[Math.min(Math.max(to, 0), items.length - 1)].focus();
    return true;
  };
  const enter = (selector) => {
    const walk = $(selector), items = walk ? itemsOf(walk) : [];
    (items.find((one) => one.tabIndex === 0) || items[0])?.focus();
  };

  // ---- what is asked takes the focus where this phone has asked it; closed, it gives it back ----
  const panel = () => $(`.dock .a-${body.dataset.question}`);
  const main = () => shown(".dock .btn.act");
  const firstOfQuestion = () => {
    if ($("#people[aria-labelledby=asked]")) return itemsOf($("#people"))[0];
    if (panel()?.matches(".a-stakes")) return itemsOf($("[role=grid]"))[0];
    return panel() && (shown(".row .btn.act", panel()) || shown(".row button:not([data-cancel])", panel()) || shown("button", panel()));
  };
  const nextFocus = window.nextFocus = () => shown(".count-row.now, .hand.now") || firstOfQuestion() || main() || shown(".dock .row :is(button, a)");
  let asked = body.dataset.question, opener = null, isClick = false, isAnswered = false;
  let number = "";  // what is typed of a number of chips
  addEventListener("click", ({ target }) => {
    if (target.id === "go") return;  // the form is sent by it
    isClick = true;
    isAnswered = Boolean(target.closest("#people[aria-labelledby=asked], .dock .ask:not(.a-rest)"));  // what comes next, the server says
    setTimeout(() => { isClick = false; });
  }, true);
  addEventListener("keydown", () => { isAnswered = false; }, true);
  document.addEventListener("asking", () => {
    const before = asked, base = $("#move")?.dataset.ask;
    asked = body.dataset.question;
    if (before !== asked) number = "";
    if (before !== asked && (isClick || isAnswered)) {  // somebody else's tap takes nobody's focus
      if (before === base) opener = document.activeElement;
      isAnswered = isClick;
      const back = opener?.isConnected ? opener : document.getElementById(opener?.id);
      setTimeout(() => { rove(); (asked === base && isShown(back) ? back : nextFocus())?.focus({ preventScroll: true }); });
    }
    setTimeout(rove);
  });

  // ---- numbers: of chips, in the dock; the pads for cards and points have scripts of their own ----
  const row = () => shown(".dock [data-keys]");
  const showNumber = (digits) => {
    const most = numbers.most(row());
    if (Number(digits) > most) { othersCount.refuse(row(), most); return; }
    number = digits && String(Number(digits));
    const key = numbers.show(row(), Number(number));
    if (key) key.focus({ preventScroll: true }); else tell(number);
  };
  document.addEventListener("shown", () => { if (number && row()) numbers.show(row(), Number(number)); });
  const typeDigit = (digit) => {
    if (row()) showNumber(number + digit);
    else shown(`.pad [data-digit="${digit}"], .pad [data-card="${digit === "0" ? 10 : digit}"]`)?.click();
  };
  const eraseDigit = () => { if (row()) showNumber(number.slice(0, -1)); else shown(".pad [data-back]")?.click(); };

  // ---- fixed keys ----
  let last = "", isRepeated = false;
  document.addEventListener("told", ({ detail }) => { if (!isRepeated) last = detail; });
  const repeat = (sentence) => { isRepeated = true; tell(sentence); isRepeated = false; };
  const press = (one) => { if (one && getComputedStyle(one).pointerEvents !== "none") one.click(); };
  const chips = () => $("#own-stack .pop-n") || $(`#s-${$("#move")?.dataset.me || "-"} .pop-n`);
  const help = async () => {
    await sheets.open(live.dataset.sheet);
    const list = document.getElementById("keys-list");
    for (let at = list; at; at = at.parentElement.closest("details")) at.open = true;
    list?.focus();
  };
  const FIXED = {
    g: () => { const one = main(); one?.focus({ preventScroll: true }); press(one); },
    u: () => {
      const one = shown(".dock .undo:not([data-cancel])");
      if (one?.querySelector("[href$=redo]")) one.focus(); else press(one);  // u after u counts nothing again: Enter does
    },
    p: () => enter("[role=grid]"),
    s: () => enter("#people"),
    w: () => { repeat($("#asked").textContent); nextFocus()?.focus(); },
    l: () => repeat(last || $("#last")?.textContent),
    c: () => { if (chips()) repeat($("#happened").dataset.have.replace("#", chips().textContent)); },
    r: () => shown(".asks :is(button, a)")?.focus(),
    m: () => press(shown("a[href$='/sheet']", live)),
    "?": help,
    "-": () => shown(".pad [data-sign]")?.click(),
    Backspace: eraseDigit,
  };
  for (const card of "ajqk") FIXED[card] = () => shown(`.pad [data-card=${card.toUpperCase()}]`)?.click();
  for (const digit of "0123456789") FIXED[digit] = () => typeDigit(digit);

  const showOff = () => body.classList.toggle("keys-off", /(^|; )keys=off/.test(document.cookie));
  showOff();
  document.addEventListener("change", ({ target }) => {
    if (!target.matches("[data-keys-switch]")) return;
    remember("keys", target.checked ? "on" : "off");
    showOff();
  });
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (key === "Enter" && event.repeat) event.preventDefault();  // a key that is held presses once
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || target.closest("input, select, textarea")) return;
    if (walkOn(event)) { event.preventDefault(); return; }
    const act = FIXED[key], isNumber = /^\d$|^Backspace$/.test(key);
    if (!act || (sheets.isOpen() && key !== "?")) return;
    if (body.classList.contains("keys-off") && !(isNumber && target.closest(".pad, .keys, .hands"))) return;
    event.preventDefault();
    act();
  });
  addEventListener("resize", () => setTimeout(rove));
  document.addEventListener("shown", () => setTimeout(rove));
  rove();
})();
