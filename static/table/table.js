// The table's page: tap a place of the board, then a person. Its only state is the question that is being asked; every
// number, name and form comes from the server and is shown as it came. The pad for cards left: cards-left.js.
(() => {
  "use strict";
  const body = document.body;
  const live = document.getElementById("live");
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const form = () => $("#move");
  const buzz = (pattern) => { if (navigator.vibrate) navigator.vibrate(pattern); };

  // ---- what is being asked ----
  const ask = { what: "", pot: "", seat: "", tie: new Set(), put: new Map() };

  const calm = () => { ask.what = ask.pot = ask.seat = ""; ask.tie.clear(); ask.put.clear(); };
  const place = () => (ask.pot ? document.getElementById(`p-${ask.pot}`) : null);
  const asking = () => ask.what || form().dataset.ask || "rest";

  // Puts the question on the page again after every change: a morph only knows what the server knows.
  const show = () => {
    if (!form()) return;
    const chosen = place();
    if (ask.pot && (!chosen || !chosen.dataset.ask || chosen.dataset.n !== ask.n)) calm();
    if (!panel()) calm();
    body.dataset.ask = asking();
    for (const well of $$(".board [aria-pressed]")) well.setAttribute("aria-pressed", String(well.dataset.pot === ask.pot));
    for (const seat of $$(".seat")) {
      if (panel()?.dataset.many !== undefined) seat.setAttribute("aria-pressed", String(ask.tie.has(seat.dataset.seat)));
      else seat.removeAttribute("aria-pressed");
    }
    fill();
    showStakes();
    showKeys();
  };
  const panel = () => $(`.dock .a-${asking()}`);
  const fill = () => {
    const now = panel();
    if (!now) return;
    const chosen = place();
    const seat = ask.seat && document.getElementById(`s-${ask.seat}`);
    const placer = stakes() && document.getElementById(`s-${stakes().seat}`);
    const parts = {
      card: chosen && $(".mini", chosen)?.outerHTML,
      name: chosen && $(".vh", chosen)?.textContent.replace(/: $/, ""),
      n: chosen?.dataset.take || chosen?.dataset.n,
      chips: "",
      seat: seat && $(".nm", seat).textContent,
      placer: placer && $(".nm", placer).textContent,
      budget: stakes()?.budget,
      part: ask.tie.size > 1 ? Math.floor(Number($("[data-tie]", now)?.dataset.n || chosen?.dataset.n) / ask.tie.size) : "…",
    };
    for (const hole of $$("[data-fill]", now)) {
      const part = parts[hole.dataset.fill];
      if (hole.dataset.fill === "card") hole.innerHTML = part || "";
      else if (hole.dataset.fill === "chips") hole.textContent = chosen?.dataset.take ? "" : parts.n === "1" ? hole.dataset.one : hole.dataset.many;
      else hole.textContent = part || "";
    }
    const share = $("[data-tie]", now);
    if (share) share.disabled = ask.tie.size < 2;
    const mine = $("[data-mine]", now);
    if (mine && !mine.hasAttribute("data-off")) mine.disabled = !mayWin(form().dataset.me);
  };

  // ---- taps ----
  // A seat that was an answer a moment ago, or has just become one by somebody else's tap, takes none for a moment.
  const changedMs = 350;
  let quietUntil = 0;
  let quietTimer = 0;
  const quiet = () => {
    quietUntil = performance.now() + changedMs;
    body.classList.add("quiet");
    clearTimeout(quietTimer);
    quietTimer = setTimeout(() => body.classList.remove("quiet"), changedMs);
  };
  const isQuiet = () => performance.now() < quietUntil;
  // The dock takes no tap for a moment after one: the second half of a double tap would mean what stands there by then.
  let holdTimer = 0;
  const hold = () => {
    body.classList.add("hold");
    clearTimeout(holdTimer);
    holdTimer = setTimeout(() => body.classList.remove("hold"), changedMs);
  };
  const send = (what, fields) => {
    const now = form();
    for (const [name, value] of Object.entries(fields)) now.elements[name].value = value;
    const go = document.getElementById("go");
    go.value = what;
    now.requestSubmit(go);
    buzz(18);
    quiet();
  };
  // Own stakes: every tap on a place puts one chip there, until the budget is used up.
  const stakes = () => {
    const now = $(".a-stakes");
    if (!now || asking() !== "stakes") return null;
    const budgets = new Map(now.dataset.budgets.trim().split(" ").map((one) => one.split(":")));
    const seat = budgets.has(ask.seat) ? ask.seat : now.dataset.placer;
    const put = [...ask.put.values()].reduce((sum, chips) => sum + chips, 0);
    return { seat, budget: Number(budgets.get(seat)), put };
  };
  const putOn = (pot) => {
    const now = stakes();
    const chips = ask.put.get(pot) || 0;
    if (now.put < now.budget) ask.put.set(pot, chips + 1);
    else ask.put.delete(pot);
    buzz(8);
    show();
  };
  const showStakes = () => {
    const now = stakes();
    for (const old of $$(".put")) old.remove();
    if (!now) return;
    for (const [pot, chips] of ask.put) {
      const put = document.createElement("span");
      put.className = "slip put";
      put.textContent = `+${chips}`;
      document.getElementById(`p-${pot}`).append(put);
    }
    const done = $("[data-place]");
    done.disabled = now.put !== now.budget;
    done.dataset.done ||= done.textContent;
    done.textContent = now.put === now.budget ? done.dataset.done : done.dataset.word.replace("#", now.budget - now.put);
  };
  const tapPlace = (well) => {
    sheets.close();  // one that was asked for and has not come yet is not wanted any more
    const asked = well.dataset.ask;
    const what = asked === "bettor" && !$(".a-bettor") ? "bet" : asked;  // on one's own phone only one can bet
    if (what === "stakes") { if (stakes()) putOn(well.dataset.pot); return; }
    if (!what || ask.pot === well.dataset.pot || !$(`.a-${what}`)) {
      calm();
      const told = $(".vh:last-child", well)?.textContent;
      if (!what && told) tell(`${$(".vh", well).textContent}${well.dataset.n}${told}`);
    } else {
      calm();
      ask.what = what;
      ask.pot = well.dataset.pot;
      ask.n = well.dataset.n;
      buzz(8);
    }
    show();
  };
  const tell = (sentence) => { const last = $(".a-rest #last"); if (last) last.textContent = sentence; };
  // A side place is won only by somebody who has bet on it.
  const mayWin = (id) => place()?.dataset.only === undefined || !["collect", "share"].includes(asking()) || place().dataset.only.split(" ").includes(id);
  const tapSeat = (seat) => {
    const id = seat.dataset.seat;
    const what = asking();
    if (!panel() || ["rest", "price", "bet", "answer", "bids"].includes(what)) { sheets.open(`${live.dataset.sheet}/${id}`); return; }
    if (what === "joker") { ask.seat = id; show(); return; }
    if ((seat.dataset.no || "").split(" ").includes(what) || !mayWin(id)) { buzz([20, 40, 20]); refuse(seat, what); return; }
    if ("many" in panel().dataset) { if (!ask.tie.delete(id)) ask.tie.add(id); show(); return; }
    if (what === "stakes") { calm(); ask.what = "stakes"; ask.seat = id; show(); return; }
    const then = (panel().dataset.calls || "").split(" ").includes(id) ? "answer" : panel().dataset.then;  // the answer to this question leads to another one
    if (then) { ask.what = then; ask.seat = id; form().elements.seat.value = id; show(); return; }
    const pot = place();
    if (what === "collect") send("collect", { seat: id, pot: ask.pot, held: pot.dataset.n });
    else if (what === "match") send(`match:${$("[name=question]").value}`, { seat: id });
    else if (what === "dealer") send(`deal:${id}`, { seat: id });
    else send(what, { seat: id, winners: "" });
    calm();
    show();
  };
  const spread = () => {
    ask.put.clear();
    for (const well of $$(".well[data-ask=stakes]")) if (stakes().put < stakes().budget) ask.put.set(well.dataset.pot, 1);
    show();
  };
  const refuse = (seat, what) => {
    const line = $("p", panel());
    const sub = $(".sub", seat)?.textContent.trim();
    if (line) line.textContent = `${$(".nm", seat).textContent}: ${sub || "–"}`;
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) seat.animate?.([{ transform: "none" }, { transform: "translateX(3px)" }, { transform: "none" }], { duration: 120 });
  };

  document.addEventListener("click", (event) => {
    const on = (selector) => event.target.closest(selector);
    let found;
    if ((found = on("#live .board [data-pot], #live button.seat"))) {
      if (isQuiet()) return;
      if (found.dataset.pot) tapPlace(found);
      else tapSeat(found);
    }
    else if ((found = on("[data-go]"))) { const { seat, pot } = ask; calm(); ask.seat = seat; ask.pot = pot; ask.what = found.dataset.go; show(); hold(); }
    else if (on("[data-spread]")) spread();
    else if (on("[data-cancel]")) { calm(); show(); hold(); }
    else if ((found = on("[data-more]"))) moreKeys(found);
    else if ((found = on("#live a[href$='/sheet']"))) { event.preventDefault(); sheets.open(found.href); }
    else if ((found = on("[data-open]"))) { event.preventDefault(); sheets.open(found.href); }
    else if (on("[data-turn]")) body.classList.toggle("turned");
    if (on("[data-close]")) sheets.close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    if (sheets.isOpen()) sheets.close();
    else { calm(); show(); }
  });

  // A form's own buttons: what they need is put in before htmx reads the form.
  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (event.target !== form() || !button) return;
    if (button.closest("#dock")) hold();
    const now = form().elements;
    // A turned-up card that ends the hand asks for everybody's cards first.
    if (button.dataset.ends?.split(" ").includes(ask.pot)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      sheets.open(live.dataset.sheet);
      return;
    }
    if ("mine" in button.dataset) {
      now.seat.value = form().dataset.me;
      now.pot.value = ask.pot;
      now.held.value = place()?.dataset.n || "";
      buzz(18);
    }
    else if (ask.seat) now.seat.value = ask.seat;
    if ("place" in button.dataset) {
      now.seat.value = stakes().seat;
      now.stakes.value = [...ask.put].map(([pot, chips]) => `${pot}:${chips}`).join(" ");
    }
    if (button.value.startsWith("bet:") || button.value === "share" || button.value === "turn-up") now.pot.value = ask.pot;
    if ("tie" in button.dataset) now.winners.value = [...ask.tie].join(" ");
    if (/^(sale|bet):/.test(button.value) && !ask.seat) now.seat.value = form().dataset.me;
    if (!button.value.startsWith("say")) setTimeout(() => { calm(); show(); });
  }, true);

  const moreKeys = (button) => {
    const keys = $$(".key[value]", button.parentElement);
    const verb = button.parentElement.dataset.keys;
    const next = Number(keys[keys.length - 1].textContent) + 1;
    keys.forEach((key, at) => { key.textContent = next + at; key.value = `${verb}:${next + at}`; });
    showKeys();
  };
  // Nobody can say more chips than they have, or than the house lets them bet.
  const showKeys = () => {
    for (const row of $$("[data-keys]")) {
      const { payer = ask.seat || form().dataset.me, most } = row.dataset;
      const has = Math.min(Number($(`#s-${payer} .pop-n`)?.textContent ?? Infinity), Number(most || Infinity));
      for (const key of $$(".key[value]", row)) key.disabled = Number(key.textContent) > has;
    }
  };

  // Why a tap counted for nothing stays for 8 s, or until the next tap, or until something else has happened: but 3 s at
  // least, for a picture from the stream, which knows nothing of it, often comes in the same moment.
  let told = null, toldAt = 0, toldEnd = 0;
  const dropTold = () => { told = null; clearTimeout(toldEnd); $("#told")?.remove(); };
  const keepTold = () => {
    const now = $("#told");
    if (now && now !== told) {
      dropTold();
      $("#dock").prepend(told = now);
      toldAt = performance.now();
      toldEnd = setTimeout(dropTold, 8000);
    } else if (told) {
      const isPast = $("[data-head]", live).dataset.head !== told.dataset.told && performance.now() - toldAt > 3000;
      if (isPast) dropTold(); else $("#dock")?.prepend(told);
    }
  };
  addEventListener("pointerdown", (event) => { if (!event.target.closest?.("#told")) dropTold(); }, { capture: true, passive: true });
  addEventListener("click", (event) => { if (event.target.closest?.("#told")) dropTold(); });

  // After every change: the question again.
  document.addEventListener("shown", (event) => {
    if (!form()) return;
    keepTold();
    const asked = body.dataset.ask;
    show();
    if (asked !== body.dataset.ask) quiet();
  });

  show();
})();
