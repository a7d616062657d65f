// The tablet in the middle: what each dock asks. Each is a phone of its own, with a question of its own; every number, name
// and form comes from the server. Which finger is whose: touches.js.
(() => {
  "use strict";
  const live = document.getElementById("live"), over = document.getElementById("over"), sheet = document.getElementById("flat-sheet");
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const write = (one, text) => { if (one.textContent !== text) one.textContent = text; };  // what stays costs no layout
  const buzz = (pattern = 10) => navigator.vibrate?.(pattern);

  // Dark until this device has chosen, so that it does not light the cards.
  const first = document.getElementById("dark-first"), root = document.documentElement;
  if (first) {
    root.dataset.theme = "dark";
    document.getElementById("dark").media = "all";
    first.remove();
  }
  // The table's own sheets show a question by the page; here each dock shows its own.
  document.body.dataset.question = "docks";

  // ---- the docks, and what each is asked ----
  const asks = new Map();  // seat -> { what, pot, put: Map of chips by place }
  const docks = () => $$("[data-dock]", live);
  const dockOf = (seat) => docks().find((dock) => dock.dataset.dock === seat);
  const askOf = (dock) => {
    const { dock: seat } = dock.dataset;
    if (!asks.has(seat)) asks.set(seat, { what: "", pot: "", put: new Map() });
    return asks.get(seat);
  };
  const form = (dock) => $("form.viewer", dock);
  const own = (dock, id) => document.getElementById(`d-${dock.dataset.dock}-${id}`);
  const clear = (dock) => { const ask = askOf(dock); ask.what = ask.pot = ""; ask.put.clear(); };
  const panel = (dock) => {
    const ask = askOf(dock), found = ask.what && $(`.a-${ask.what}`, dock);
    if (!found) ask.what = ask.pot = "";
    return found || $(`.a-${form(dock).dataset.ask}`, dock) || $(".a-rest", dock);
  };
  const place = (pot) => document.getElementById(`p-${pot}`);
  const chips = (dock) => Number($(".own-bar .pop-n", dock)?.textContent ?? Infinity);

  // Sends a move of a dock, as its phone would.
  const send = (dock, what, fields = {}) => {
    const fieldsNow = form(dock).elements;
    for (const [name, value] of Object.entries({ seat: dock.dataset.dock, ...fields })) if (fieldsNow[name]) fieldsNow[name].value = value;
    const go = own(dock, "go");
    go.value = what;
    go.click();
    buzz(18);
  };
  const refuse = (dock) => { buzz([20, 40, 20]); window.refuse(dock); };

  const show = () => {
    for (const dock of docks()) {
      const now = panel(dock);
      for (const one of $$(".ask", dock)) one.classList.toggle("on", one === now);
      showAlso(dock, now);
      fill(dock, now);
      showKeys(dock);
      showCount(dock);
      showHands(dock);
    }
    // Its keys in two rows, as large as the dock has room for.
    for (const pad of $$(".counts .pad", live)) pad.style.setProperty("--columns", Math.ceil($$(".key", pad).length / 2));
    showStakes();
    showTakes();
    for (const free of $$(".free-place", live)) free.classList.toggle("open", free.id === `free-${sitting}`);
  };
  // "Somebody else deals" in the tablet's menu: each dock can say so, until one has.
  let isDealerAsked = false;
  const showAlso = (dock, now) => {
    for (const later of $$(".also [data-later]", dock)) later.hidden = !isDealerAsked;
    const more = $$(".also .btn:not([hidden])", dock).length, isOnly = more > 0 && !$(".row > :not(.off)", now || dock);
    dock.classList.toggle("says-more", more > 0);
    dock.classList.toggle("says-only", isOnly);
    dock.style.setProperty("--more", more);
  };
  const fill = (dock, now) => {
    const ask = askOf(dock), chosen = ask.pot && place(ask.pot);
    const parts = { card: chosen && $(".mini", chosen)?.outerHTML, budget: budgetOf(dock), placer: "" };
    for (const blank of now ? $$("[data-fill]", now) : []) {
      if (blank.dataset.fill === "card") { if (parts.card || blank.firstChild) blank.innerHTML = parts.card || ""; }
      else if (blank.dataset.fill in parts) write(blank, String(parts[blank.dataset.fill]));
    }
  };

  // Nobody can say more chips than they have; then "more" leads back to the first ones.
  const most = (dock, row) => Math.min(chips(dock), Number(row.dataset.most || Infinity));
  const showKeys = (dock) => {
    for (const row of $$("[data-keys]", dock)) {
      for (const key of $$(".key[value]", row)) key.disabled = Number(key.textContent) > most(dock, row);
    }
  };
  const moreKeys = (dock, row) => {
    const keys = $$(".key[value]", row), verb = row.dataset.keys;
    const { first: begin = keys[0].textContent } = row.dataset;
    row.dataset.first = begin;
    const last = Number(keys[keys.length - 1].textContent), next = last < most(dock, row) ? last + 1 : Number(begin);
    keys.forEach((key, at) => { key.textContent = next + at; key.value = `${verb}:${next + at}`; });
    showKeys(dock);
  };

  // ---- own stakes: every tap on a place puts one chip there, for the dock that places ----
  let placing = "";
  const stakesOf = (dock) => (dock && askOf(dock).what === "stakes" ? $(".a-stakes", dock) : null);
  const budgetOf = (dock) => {
    const stakes = $(".a-stakes", dock);
    const found = stakes?.dataset.budgets.trim().split(" ").map((one) => one.split(":")).find(([seat]) => seat === dock.dataset.dock);
    return found ? Number(found[1]) : "";
  };
  const putOf = (dock) => [...askOf(dock).put.values()].reduce((sum, one) => sum + one, 0);
  const putChip = (pot) => {
    const dock = dockOf(placing);
    if (!stakesOf(dock)) return;
    const { put } = askOf(dock);
    if (putOf(dock) < budgetOf(dock)) put.set(pot, (put.get(pot) || 0) + 1);
    else put.delete(pot);
    buzz(8);
    show();
  };
  const spread = (dock) => {
    const { put } = askOf(dock);
    put.clear();
    for (const one of $$(".compartment[data-ask=stakes]")) if (putOf(dock) < budgetOf(dock)) put.set(one.dataset.pot, 1);
    show();
  };
  const showStakes = () => {
    for (const old of $$(".put")) old.remove();
    for (const dock of docks()) {
      const stakes = stakesOf(dock);
      if (!stakes) continue;
      if (dock.dataset.dock === placing) {
        for (const [pot, count] of askOf(dock).put) {
          const slip = document.createElement("span");
          slip.className = "slip put";
          slip.textContent = `+${count}`;
          place(pot).append(slip);
        }
      }
      const done = $("[data-place]", stakes), left = budgetOf(dock) - putOf(dock);
      done.dataset.done ||= done.textContent;
      done.disabled = left !== 0;
      done.textContent = left ? done.dataset.word.replace("#", left) : done.dataset.done;
    }
  };

  // ---- taking: a place is lit for a while, and each dock that may take it has a button ----
  const litMs = 5000, lit = new Map();  // pot -> { n, timer }
  const isAsked = ({ dataset: { ask, by } }) => Boolean(ask || by);  // who has it, or, of one that is taken, whose it was
  const unlight = (pot) => { clearTimeout(lit.get(pot)?.timer); lit.delete(pot); };
  const light = (button) => {
    const { pot, n, ask } = button.dataset;
    if (ask === "stakes") { putChip(pot); return; }
    if (!isAsked(button) || lit.has(pot)) unlight(pot);
    else lit.set(pot, { n, timer: setTimeout(() => { unlight(pot); show(); }, litMs) });
    buzz(8);
    show();
  };
  const isCounted = () => document.getElementById("now")?.dataset.moment === "count";
  const mayTake = (dock, button) => {
    const mine = $(".a-collect [data-mine]", dock), { ask, only } = button.dataset;
    return ask === "collect" && !isCounted() && Boolean(mine) && !("off" in mine.dataset) && (only === undefined || only.split(" ").includes(dock.dataset.dock));
  };
  const mayBet = (dock, button) => button.dataset.ask === "bettor" && Boolean($(".a-bet", dock));
  const mayClaim = (dock, { dataset: { by } }) => Boolean(by) && by !== dock.dataset.dock && Boolean($(".a-whose [data-mine]", dock));
  const take = (dock, button) => {
    if (!mayTake(dock, button)) { refuse(dock); return; }
    unlight(button.dataset.pot);
    send(dock, "collect", { pot: button.dataset.pot, held: button.dataset.n });
    clear(dock);
    show();
  };
  // A tile of its own lies over the dock: the dock's own parts are renewed by the server, and know nothing of it.
  const showTakes = () => {
    for (const [pot, { n }] of lit) if (place(pot)?.dataset.n !== n || !isAsked(place(pot))) unlight(pot);
    for (const button of $$(".board [data-pot]", live)) button.setAttribute("aria-pressed", String(lit.has(button.dataset.pot)));
    const wanted = new Map();
    for (const dock of docks()) {
      const buttons = [...lit.keys()].map(place).filter((one) => mayTake(dock, one) || mayBet(dock, one) || mayClaim(dock, one));
      if (buttons.length) wanted.set(dock.dataset.dock, buttons.slice(-2));
    }
    for (const old of $$(".takes", over)) {
      const names = wanted.get(old.dataset.dock)?.map((one) => `${one.dataset.pot} ${one.dataset.n}`).join();
      if (names === old.dataset.names) wanted.delete(old.dataset.dock); else old.remove();
    }
    for (const [seat, buttons] of wanted) over.append(takesOf(dockOf(seat), buttons));
  };
  const takesOf = (dock, buttons) => {
    const tile = document.createElement("div");
    tile.className = "takes";
    tile.dataset.place = dock.dataset.place;
    if ("alone" in dock.dataset) tile.dataset.alone = "";
    tile.dataset.dock = dock.dataset.dock;
    tile.dataset.names = buttons.map((one) => `${one.dataset.pot} ${one.dataset.n}`).join();
    for (const button of buttons) {
      const one = document.createElement("button"), said = document.createElement("span");
      one.type = "button";
      one.className = "btn act grow just-shown";
      one.dataset.takes = button.dataset.pot;
      const words = mayClaim(dock, button) ? ".a-whose [data-mine]" : mayBet(dock, button) ? "[data-go=bet]" : ".a-collect [data-mine] span";
      const word = $(words, dock)?.cloneNode(true);
      for (const blank of word ? $$("[data-fill]", word) : []) blank.textContent = button.dataset.take || button.dataset.n;
      said.textContent = word?.textContent.trim() || button.dataset.n;
      one.append(...[...$$(".mini", button)].map((card) => card.cloneNode(true)), said);
      tile.append(one);
    }
    return tile;
  };

  // ---- the cards left: a key says a number at once ----
  const typed = new Map();  // seat -> what this dock has said and the server has not answered
  const saidOf = (dock) => typed.get(dock.dataset.dock) ?? form(dock).elements[`cards-${dock.dataset.dock}`]?.value ?? "";
  const showCount = (dock) => {
    const count = $(".count", dock), isAsked = Boolean(count?.dataset.asked);
    dock.classList.toggle("counts", isAsked);
    if (!count) { typed.delete(dock.dataset.dock); return; }
    const fields = [...form(dock).elements].filter((one) => one.name?.startsWith("cards-"));
    const missing = fields.filter((one) => one.value === "").length, pay = own(dock, "pay");
    if (pay) {
      pay.disabled = missing > 0;
      write(pay, missing ? pay.dataset.wait.replace("#", missing) : pay.dataset.word);
    }
    if (!isAsked) return;
    const said = form(dock).elements[`cards-${dock.dataset.dock}`].value;
    if (typed.get(dock.dataset.dock) === said) typed.delete(dock.dataset.dock);
    dock.classList.toggle("has-said", "digits" in count.dataset && saidOf(dock) !== "");
    const row = $(".count-row:not([disabled])", dock);
    write($(".slot", row), saidOf(dock));
    for (const key of $$(".pad [data-key]", count)) key.classList.toggle("said", key.dataset.key !== "" && key.dataset.key === saidOf(dock));
  };
  const sayCards = (dock, key) => {
    const count = $(".count", dock), isDigit = "digits" in count.dataset && key !== "";
    const cards = isDigit ? String(Number(saidOf(dock) + key)) : key;
    if (Number(cards) > Number(count.dataset.most)) { refuse(dock); return; }
    typed.set(dock.dataset.dock, cards);
    send(dock, `say:${cards}`);
    show();
  };

  // ---- the points of a hand: typed card by card or in digits, and said by one button ----
  const mostCards = 40, hands = new Map();  // seat -> { cards } or { digits }, with mode, run, runs
  const handOf = (dock) => {
    const { dock: seat } = dock.dataset;
    if (!hands.has(seat)) hands.set(seat, { cards: [], digits: "", mode: own(dock, "pad-cards") ? "cards" : "points", run: 0, runs: 0 });
    return hands.get(seat);
  };
  const worth = (card, cards) => {
    if (!card.run || !card.highWith) return card.points;
    return cards.some((other) => other.run === card.run && other.rank === card.highWith) ? card.high : card.low;
  };
  const pointsOf = ({ mode, cards, digits }) => (mode === "cards" ? cards.reduce((sum, card) => sum + worth(card, cards), 0) : Number(digits) || 0);
  const isTyped = ({ mode, cards, digits }) => (mode === "cards" ? cards.length > 0 : digits !== "");
  const withSign = (points) => String(points).replace("-", "−");
  const showHands = (dock) => {
    const entry = own(dock, "entry");
    dock.classList.toggle("counts", dock.classList.contains("counts") || Boolean(entry));
    dock.classList.toggle("types", Boolean(entry));
    if (!entry) { hands.delete(dock.dataset.dock); return; }
    const hand = handOf(dock), line = own(dock, "typed"), next = own(dock, "next");
    for (const button of $$("[data-mode]", entry)) button.setAttribute("aria-pressed", String(button.dataset.mode === hand.mode));
    for (const pad of $$(".pad", entry)) pad.hidden = pad.id !== `d-${dock.dataset.dock}-pad-${hand.mode}`;
    $("[data-run]", entry)?.setAttribute("aria-pressed", String(hand.run > 0));
    const row = $(`[data-hand="${CSS.escape(dock.dataset.dock)}"]`, dock), pause = $("[data-pause]", entry);
    if (pause && row) pause.textContent = "pauses" in row.dataset ? pause.dataset.plays : pause.dataset.pause;
    line.textContent = hand.mode === "cards" ? hand.cards.map((card) => card.rank).join(" ") : "";
    if (!next) return;
    for (const other of $$(".row > :not([id$=-next])", dock)) other.hidden = isTyped(hand);
    next.hidden = !isTyped(hand);
    if (isTyped(hand)) next.textContent = next.dataset.say.replace("#", hand.digits === "-" ? "−" : withSign(pointsOf(hand)));
  };
  const type = (dock, key) => {
    const hand = handOf(dock), data = key.dataset;
    if (data.card) {
      if (hand.cards.length >= mostCards) { refuse(dock); return; }
      hand.cards.push({ rank: data.card, points: Number(data.points), low: Number(data.low), high: Number(data.high), highWith: data.highWith, run: hand.run });
    } else if ("sign" in data) hand.digits = hand.digits.startsWith("-") ? hand.digits.slice(1) : `-${hand.digits}`;
    else {
      const digits = data.add ? String(Number(hand.digits || 0) + Number(data.add)) : hand.digits + data.digit;
      if (Math.abs(Number(digits)) > Number(own(dock, "pad-points").dataset.most)) { refuse(dock); return; }
      hand.digits = digits.replace(/^(-?)0+(?=\d)/, "$1");
    }
    buzz();
    show();
  };
  const back = (dock) => {
    const hand = handOf(dock);
    if (hand.mode === "cards") hand.cards.pop(); else hand.digits = hand.digits.slice(0, -1);
    show();
  };
  const sayHand = (dock) => {
    const hand = handOf(dock);
    if (!isTyped(hand)) return;
    send(dock, `say:${pointsOf(hand)}`);
    hands.delete(dock.dataset.dock);
    show();
  };

  // ---- who sits where ----
  let sitting = "";

  // ---- a sheet lies over the middle, turned to whoever has opened it ----
  let sheetFrom = "", sheetTimer = 0;
  const openSheet = async (address, where) => {
    sheetFrom = address;
    try {
      const answer = await fetch(address, { headers: { "HX-Request": "true" }, cache: "no-store" });
      if (!answer.ok || sheetFrom !== address) return;
      sheet.innerHTML = await answer.text();
    } catch { contact.lost(); return; }
    sheet.dataset.place = where;
    sheet.hidden = false;
    sheet.scrollTop = 0;
    htmx.process(sheet);
    sheet.focus();
  };
  const closeSheet = () => { sheetFrom = ""; sheet.hidden = true; sheet.textContent = ""; };
  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => { if (ctx.sourceElement.closest("#flat-sheet")) ctx.fromSheet = true; });
  document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
    if (!ctx.fromSheet) return;
    if (ctx.response.status < 400) { closeSheet(); return; }
    const said = $("[data-notice]", new DOMParser().parseFromString(ctx.text, "text/html")), why = $("[data-why]", sheet);
    if (why) { why.textContent = said?.textContent || ""; why.hidden = false; }
  });

  // ---- clicks: of a mouse or a key, and those that touches.js makes of a touch that began and ended on the same thing ----
  document.addEventListener("click", (event) => {
    const on = (selector) => event.target.closest(selector);
    const tile = on(".takes"), dock = tile ? dockOf(tile.dataset.dock) : on("[data-dock]");
    let found;
    if ((found = on("[data-open], .own-dock a[href*='/sheet']"))) {
      event.preventDefault();
      openSheet(found.getAttribute("href"), (dock || sheet).dataset.place);
    }
    else if ((found = on("#flat-sheet [data-close]"))) { isDealerAsked = found.dataset.go === "dealer"; closeSheet(); show(); }
    else if ((found = on("[data-corner]"))) { if (!event.isTrusted || event.detail === 0) openSheet(live.dataset.menu, CORNERS[found.dataset.corner]); }
    else if ((found = on("[data-sit]"))) { sitting = found.dataset.sit; show(); }
    else if ((found = on("#live .board [data-pot]"))) light(found);
    else if ((found = on("[data-takes]"))) pressTake(dock, place(found.dataset.takes));
    else if ((found = on(".middle button.seat"))) openSheet(`${live.dataset.menu}/${found.dataset.seat}`, "a");
    else if (dock) clickIn(dock, on);
  });
  const CORNERS = { sw: "a", se: "b", ne: "c", nw: "d" };
  const pressTake = (dock, button) => {
    if (mayClaim(dock, button)) { unlight(button.dataset.pot); send(dock, "whose", { pot: button.dataset.pot }); show(); return; }
    if (!mayBet(dock, button)) { take(dock, button); return; }
    unlight(button.dataset.pot);
    Object.assign(askOf(dock), { what: "bet", pot: button.dataset.pot });
    show();
  };
  const clickIn = (dock, on) => {
    let found;
    if ((found = on("[data-go]"))) {
      clear(dock);
      askOf(dock).what = found.dataset.go;
      if (found.dataset.go === "stakes") placing = dock.dataset.dock;
      show();
    }
    else if (on("[data-spread]")) spread(dock);
    else if (on("[data-cancel]")) { clear(dock); show(); }
    else if ((found = on("[data-more]"))) moreKeys(dock, found.parentElement);
    else if ((found = on(".count [data-key]"))) sayCards(dock, found.dataset.key);
    else if ((found = on("[data-mode]"))) { handOf(dock).mode = found.dataset.mode; show(); }
    else if ((found = on("[data-card], [data-digit], [data-add], [data-sign]"))) type(dock, found);
    else if (on("[data-run]")) { const hand = handOf(dock); hand.runs += 1; hand.run = hand.run ? 0 : hand.runs; show(); }
    else if (on("[data-back]")) back(dock);
    else if (on("[data-pause]")) send(dock, "pauses" in $(`[data-hand="${CSS.escape(dock.dataset.dock)}"]`, dock).dataset ? "pause:plays" : "pause:pauses");
    else if (on("[id$=-next]")) sayHand(dock);
  };

  // A form's own buttons: what they need is put in before htmx reads the form.
  document.addEventListener("submit", (event) => {
    const dock = event.target.closest("[data-dock]"), button = event.submitter;
    if (event.target.matches(".free-place")) sitting = "";
    if (!dock || !button || event.target !== form(dock)) return;
    const fields = form(dock).elements, ask = askOf(dock);
    fields.seat.value = dock.dataset.dock;
    isDealerAsked = false;
    if (button.value.startsWith("bet:")) fields.pot.value = ask.pot;
    if ("place" in button.dataset) fields.stakes.value = [...ask.put].map(([pot, count]) => `${pot}:${count}`).join(" ");
    if (!button.value.startsWith("say")) setTimeout(() => { clear(dock); show(); });
  }, true);
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    closeSheet();
    isDealerAsked = false;
    for (const pot of [...lit.keys()]) unlight(pot);
    show();
  });

  // Why a tap counted for nothing stays for 8 seconds in its dock, or until something is tapped there.
  const noticeMs = 8000;
  document.addEventListener("shown", () => {
    for (const notice of $$("[data-notice]:not([data-ends])", live)) {
      notice.dataset.ends = "";
      setTimeout(() => notice.remove(), noticeMs);
    }
  });

  // The number and the card of a place are turned outward, to whoever sits nearest.
  const turnPlaces = () => {
    const board = $("#live .board");
    if (!board) return;
    const size = Number(/\bb(\d+)\b/.exec(board.className)?.[1]);
    for (const number of $$(".n", board)) {
      const isTurned = /^[01689]*[69][01689]*$|^[18]*(18|81)[18]*$/.test(number.textContent);
      number.classList.toggle("foot", isTurned);
      number.closest(".hub")?.classList.toggle("foot", isTurned);
    }
    for (const one of $$(".compartment", board)) {
      const at = Number(/\bw(\d+)\b/.exec(one.className)?.[1]), degrees = (360 * at) / size;
      const side = degrees <= 55 || degrees >= 305 ? "c" : degrees < 125 ? "b" : degrees <= 235 ? "a" : "d";
      if (one.dataset.side !== side) one.dataset.side = side;
    }
  };
  const showNewestDeal = () => { for (const one of $$(".padsheet, .padsheet .scroll", live)) one.scrollTop = one.scrollHeight; };
  document.addEventListener("shown", ({ detail }) => { turnPlaces(); show(); if (detail.isNews) showNewestDeal(); });
  turnPlaces();
  show();

  window.flat = { docks, dockOf, light, take, mayTake, openSheet, CORNERS };
})();
