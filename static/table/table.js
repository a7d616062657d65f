// The table's page: tap a place of the board, then a person. Its only state is the question that is being asked; every
// number, name and form comes from the server and is shown as it came. The pad for cards left: cards-left.js.
(() => {
  "use strict";
  const body = document.body;
  const live = document.getElementById("live");
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const form = () => $("#move");
  const vibrate = (pattern) => { if (navigator.vibrate) navigator.vibrate(pattern); };

  // ---- what is being asked ----
  const ask = { what: "", pot: "", seat: "", tie: new Set(), put: new Map() };

  const clearQuestion = () => { ask.what = ask.pot = ask.seat = ""; ask.tie.clear(); };
  const chosenPlace = () => (ask.pot ? document.getElementById(`p-${ask.pot}`) : null);
  const question = () => ask.what || form().dataset.ask || "rest";

  // Puts the question on the page again after every change: a morph only knows what the server knows.
  const show = () => {
    if (!form()) return;
    const chosen = chosenPlace();
    if (ask.pot && (!chosen || !(chosen.dataset.ask || chosen.dataset.by) || chosen.dataset.n !== ask.n)) clearQuestion();
    if (!questionPanel()) clearQuestion();
    if (!$(".a-stakes")) ask.put.clear();
    body.dataset.question = question();
    for (const button of $$(".board [aria-pressed]")) button.removeAttribute("aria-pressed");
    chosenPlace()?.setAttribute("aria-pressed", "true");
    for (const seat of $$(".seat")) {
      if (questionPanel()?.dataset.many !== undefined) seat.setAttribute("aria-pressed", String(ask.tie.has(seat.dataset.seat)));
      else seat.removeAttribute("aria-pressed");
    }
    fillPanel();
    showAnswers();
    showStakes();
    showKeys();
    overlays.settle();
    document.dispatchEvent(new CustomEvent("asking", { detail: { question: askedNow() } }));
  };
  const askedNow = () => {
    const line = questionPanel() && $(".last p:not(#last)", questionPanel())?.cloneNode(true);
    for (const drawn of line ? $$("[aria-hidden=true], [data-seen], small", line) : []) drawn.remove();
    const isOwn = line && $("[data-fill=name]", line), card = line && $("[data-fill=card]", line);
    if (card && !isOwn) card.append($("[data-fill=n]", line) ? "," : card === line.firstElementChild ? ":" : "");
    const text = line?.textContent.replace(/\s+/g, " ").trim() || "";
    return isOwn ? $("#asked").dataset.yours.replace("@", text).replace("#", chosenPlace().dataset.n) : text;
  };
  const questionPanel = () => $(`.dock .a-${question()}`);
  // The list of people is narrowed to those who can be the answer, and named by the question.
  const asksPeople = () => questionPanel() && !["rest", "price", "bet", "answer", "bids", "stakes"].includes(question());
  const isAnswer = (seat) => !(seat.dataset.no || "").split(" ").includes(question()) && mayWin(seat.dataset.seat);
  const showAnswers = () => {
    $("#people")?.setAttribute("aria-labelledby", asksPeople() ? "asked" : "of-people");
    for (const one of $$("#people > li")) {
      const seat = $(".seat", one), isOut = asksPeople() && !(seat?.matches("button") && isAnswer(seat)) && !one.contains(document.activeElement);
      if (isOut) one.setAttribute("aria-hidden", "true"); else one.removeAttribute("aria-hidden");
      if (isOut && seat) seat.tabIndex = -1;
    }
  };
  const nameOf = (place) => place.getAttribute("aria-label").replace(/: [^:]*$/, "");
  const fillPanel = () => {
    const now = questionPanel();
    if (!now) return;
    const chosen = chosenPlace();
    const seat = ask.seat && document.getElementById(`s-${ask.seat}`);
    const placer = stakes() && document.getElementById(`s-${stakes().seat}`);
    const shared = Number($("[data-tie]", now)?.dataset.n || chosen?.dataset.worth || chosen?.dataset.n);
    const parts = {
      card: chosen && $(".mini", chosen)?.outerHTML,
      name: chosen && nameOf(chosen),
      n: chosen?.dataset.take || chosen?.dataset.n,
      chips: "",
      seat: seat && $(".nm", seat).textContent,
      taker: chosen?.dataset.by && $(`#s-${chosen.dataset.by} .nm`)?.textContent,
      placer: placer && $(".nm", placer).textContent,
      budget: stakes()?.budget,
      part: ask.tie.size > 1 ? Math.floor(shared / ask.tie.size) : "…",
      rest: ask.tie.size > 1 ? shared % ask.tie.size : 0,
    };
    for (const blank of $$("[data-fill]", now)) {
      const part = parts[blank.dataset.fill];
      if (blank.dataset.fill === "card") showCard(blank, part, $("[data-fill=name]", now) ? "" : parts.name);
      else if (blank.dataset.fill === "chips") blank.textContent = chosen?.dataset.take ? "" : parts.n === "1" ? blank.dataset.one : blank.dataset.many;
      else blank.textContent = part || "";
    }
    for (const button of $$("[data-pots]", now)) button.hidden = !button.dataset.pots.split(" ").includes(ask.pot);
    const share = $("[data-tie]", now);
    if (share) share.disabled = ask.tie.size < 2;
    for (const rest of $$("[data-rest]", now)) rest.hidden = !parts.rest;
    const mine = $("[data-mine]", now);
    if (mine && question() === "whose") mine.hidden = chosen.dataset.by === form().dataset.me;
    if (mine && !mine.hasAttribute("data-off")) mine.disabled = !mayWin(form().dataset.me);
  };

  const showCard = (blank, card, name) => {
    blank.innerHTML = card || "";
    blank.firstChild?.setAttribute("aria-hidden", "true");
    if (!card || !name) return;
    const hidden = document.createElement("span");
    hidden.className = "vh";
    hidden.textContent = name;
    blank.append(hidden);
  };

  // ---- taps ----
  // A seat that was an answer a moment ago, or has just become one by somebody else's tap, takes none for a moment.
  const changedMs = 350;
  let pausedUntil = 0;
  let pauseTimer = 0;
  const pauseTaps = () => {
    pausedUntil = performance.now() + changedMs;
    body.classList.add("taps-paused");
    clearTimeout(pauseTimer);
    pauseTimer = setTimeout(() => body.classList.remove("taps-paused"), changedMs);
  };
  const areTapsPaused = () => performance.now() < pausedUntil;
  // The dock takes no tap for a moment after one: the second half of a double tap would mean what stands there by then.
  let dockTimer = 0;
  const pauseDock = () => {
    body.classList.add("dock-paused");
    clearTimeout(dockTimer);
    dockTimer = setTimeout(() => body.classList.remove("dock-paused"), changedMs);
  };
  const send = (what, fields) => {
    const now = form();
    for (const [name, value] of Object.entries(fields)) now.elements[name].value = value;
    const go = document.getElementById("go");
    go.value = what;
    go.click();
    vibrate(18);
    pauseTaps();
  };
  // Own stakes: every tap on a place puts one chip there, until the budget is used up.
  const stakes = () => {
    const now = $(".a-stakes");
    if (!now || question() !== "stakes") return null;
    const budgets = new Map(now.dataset.budgets.trim().split(" ").map((one) => one.split(":")));
    const seat = budgets.has(ask.seat) ? ask.seat : now.dataset.placer;
    const put = [...ask.put.values()].reduce((sum, chips) => sum + chips, 0);
    return { seat, budget: Number(budgets.get(seat)), put };
  };
  const putChipOn = (pot) => {
    const now = stakes();
    const chips = ask.put.get(pot) || 0;
    if (now.put < now.budget) ask.put.set(pot, chips + 1);
    else ask.put.delete(pot);
    vibrate(8);
    show();
  };
  const showPut = (place, chips) => {
    const before = place.getAttribute("aria-label"), name = before.replace(/ \+\d+$/, "") + (chips ? ` +${chips}` : "");
    if (name !== before) place.setAttribute("aria-label", name);
  };
  const showStakes = () => {
    const now = stakes();
    for (const old of $$(".put")) old.remove();
    for (const place of $$(".board [data-pot]")) showPut(place, now && ask.put.get(place.dataset.pot));
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
  const doubleTapMs = 500;  // the second half of a double tap does not put the place back
  let chosenAt = 0;
  const tapPlace = (button) => {
    sheets.close();  // one that was asked for and has not come yet is not wanted any more
    const { by } = button.dataset, isOther = by && (by !== form().dataset.me || $(".a-whose .muted"));  // else there is nothing to ask
    const asked = button.dataset.ask || (isOther && "whose");
    const what = asked === "bettor" && !$(".a-bettor") ? "bet" : asked;  // on one's own phone only one can bet
    if (what === "stakes") { if (stakes()) putChipOn(button.dataset.pot); return; }
    if (ask.pot === button.dataset.pot && performance.now() - chosenAt < doubleTapMs) return;
    if (!what || ask.pot === button.dataset.pot || !$(`.a-${what}`)) {
      clearQuestion();
      if (!what && $(".taker", button)) showSentence(button.getAttribute("aria-label"));
    } else {
      clearQuestion();
      ask.what = what;
      ask.pot = button.dataset.pot;
      ask.n = button.dataset.n;
      chosenAt = performance.now();
      vibrate(8);
    }
    show();
  };
  const showSentence = (sentence) => document.dispatchEvent(new CustomEvent("say", { detail: sentence }));
  // A side place is won only by somebody who has bet on it.
  const mayWin = (id) => chosenPlace()?.dataset.only === undefined || !["collect", "share"].includes(question()) || chosenPlace().dataset.only.split(" ").includes(id);
  const tapSeat = (seat) => {
    const id = seat.dataset.seat;
    const what = question();
    if (!questionPanel() || ["rest", "price", "bet", "answer", "bids", "joker"].includes(what)) { sheets.open(`${live.dataset.sheet}/${id}`); return; }
    if (!isAnswer(seat)) { vibrate([20, 40, 20]); showRefusal(seat, what); return; }
    if ("many" in questionPanel().dataset) { if (!ask.tie.delete(id)) ask.tie.add(id); show(); return; }
    if (what === "stakes") { clearQuestion(); ask.put.clear(); ask.what = "stakes"; ask.seat = id; show(); return; }
    const then = ` ${questionPanel().dataset.calls}`.includes(` ${id}:`) ? "answer" : questionPanel().dataset.then;  // the answer to this question leads to another one
    if (then) { ask.what = then; ask.seat = id; form().elements.seat.value = id; show(); return; }
    const pot = chosenPlace();
    if (what === "collect") send("collect", { seat: id, pot: ask.pot, held: pot.dataset.n });
    else if (what === "match") send(`match:${$("[name=question]").value}`, { seat: id });
    else if (what === "whose") send("whose", { seat: id, pot: ask.pot });
    else if (what === "dealer") send(`deal:${id}`, { seat: id });
    else send(what, { seat: id, winners: "" });
    clearQuestion();
    show();
  };
  const spreadStakes = () => {
    ask.put.clear();
    for (const button of $$(".compartment[data-ask=stakes]")) if (stakes().put < stakes().budget) ask.put.set(button.dataset.pot, 1);
    show();
  };
  const showRefusal = (seat, what) => {
    const sub = $(".sub", seat)?.textContent.trim();
    showSentence(`${$(".nm", seat).textContent}: ${sub || "–"}`);
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) seat.animate?.([{ transform: "none" }, { transform: "translateX(3px)" }, { transform: "none" }], { duration: 120 });
  };

  document.addEventListener("click", (event) => {
    const on = (selector) => event.target.closest(selector);
    let found;
    if ((found = on("#live .board [data-pot], #live button.seat"))) {
      if (areTapsPaused()) return;
      if (found.dataset.pot) tapPlace(found);
      else tapSeat(found);
    }
    else if ((found = on("[data-go]"))) { const { seat, pot } = ask; clearQuestion(); ask.seat = found.dataset.seat || seat; ask.pot = pot; ask.what = found.dataset.go; show(); pauseDock(); }
    else if (on("[data-spread]")) spreadStakes();
    else if (on("[data-cancel]")) { clearQuestion(); ask.put.clear(); show(); pauseDock(); }
    else if ((found = on("[data-more]"))) moreKeys(found);
    else if ((found = on("#live a[href$='/sheet']"))) { event.preventDefault(); sheets.open(found.href); }
    else if ((found = on("[data-open]"))) { event.preventDefault(); sheets.open(found.href); }
    else if (on("[data-turn]")) body.classList.toggle("turned");
    if (on("[data-close]")) sheets.close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const isSheet = sheets.isOpen();
    sheets.close();  // or one that was asked for and has not come yet
    if (!isSheet) closeQuestion();
  });

  // A form's own buttons: what they need is put in before htmx reads the form.
  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (event.target !== form() || !button) return;
    if (button.closest("#dock")) pauseDock();
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
      now.held.value = chosenPlace()?.dataset.n || "";
      vibrate(18);
    }
    else if (ask.seat) now.seat.value = ask.seat;
    if ("place" in button.dataset) {
      now.seat.value = stakes().seat;
      now.stakes.value = [...ask.put].map(([pot, chips]) => `${pot}:${chips}`).join(" ");
    }
    if (button.value.startsWith("bet:") || button.value === "share" || button.value === "turn-up") now.pot.value = ask.pot;
    if ("tie" in button.dataset) now.winners.value = [...ask.tie].join(" ");
    if (/^(sale|bet):/.test(button.value) && !ask.seat) now.seat.value = form().dataset.me;
    if (!button.value.startsWith("say")) setTimeout(() => { clearQuestion(); ask.put.clear(); show(); });
  }, true);

  const moreKeys = (button) => {
    const row = button.parentElement, last = Number($$(".key[value]", row).pop().textContent);
    showNumbers(row, last < mostChips(row) ? last + 1 : 0);
  };
  // Shows the keys from a number on, or from the first one; returns the key of that number.
  const showNumbers = (row, from) => {
    const keys = $$(".key[value]", row), { keys: verb, first = row.dataset.first = keys[0].textContent } = row.dataset;
    const next = Math.max(from, Number(first));
    keys.forEach((key, at) => { key.textContent = next + at; key.value = `${verb}:${next + at}`; });
    showKeys();
    return next === from ? keys[0] : null;
  };
  // Nobody can say more chips than they have, or than the house lets them bet; then "more" leads back to the first ones.
  const mostChips = (row) => {
    const { payer = ask.seat || form().dataset.me, most } = row.dataset;
    return Math.min(Number($(`#s-${payer} .pop-n`)?.textContent ?? Infinity), Number(most || Infinity));
  };
  const showKeys = () => {
    for (const row of $$("[data-keys]")) {
      const has = mostChips(row);
      for (const key of $$(".key[value]", row)) {
        key.disabled = Number(key.textContent) > has;
        const seat = $(`#s-${ask.seat} .nm`)?.textContent || "";
        if (row.dataset.label) key.setAttribute("aria-label", row.dataset.label.replace("@", seat).replace("#", key.textContent));
      }
    }
    const call = $(".a-answer [value=call]"), has = Number($(`#s-${ask.seat} .pop-n`)?.textContent ?? Infinity);
    if (!call) return;
    call.disabled = parseInt(` ${$(".a-bettor").dataset.calls}`.split(` ${ask.seat}:`)[1], 10) > has;
    $(".a-answer [data-short]").hidden = !call.disabled;
  };

  // Why a tap counted for nothing stays for 8 s, or until the next tap, or until something else has happened: but 3 s at
  // least, for a picture from the stream, which knows nothing of it, often comes in the same moment.
  let notice = null, noticeAt = 0, noticeTimer = 0;
  const removeNotice = () => { notice = null; clearTimeout(noticeTimer); $("#notice")?.remove(); };
  const keepNotice = () => {
    const now = $("#notice");
    if (now && now !== notice) {
      removeNotice();
      $("#dock").prepend(notice = now);
      noticeAt = performance.now();
      noticeTimer = setTimeout(removeNotice, 8000);
    } else if (notice) {
      const isPast = $("[data-head]", live).dataset.head !== notice.dataset.notice && performance.now() - noticeAt > 3000;
      if (isPast) removeNotice(); else $("#dock")?.prepend(notice);
    }
  };
  addEventListener("pointerdown", (event) => { if (!event.target.closest?.("#notice")) removeNotice(); }, { capture: true, passive: true });
  addEventListener("click", (event) => { if (event.target.closest?.("#notice")) removeNotice(); });

  const closeQuestion = () => { clearQuestion(); show(); };
  window.numbers = { most: mostChips, show: showNumbers };
  overlays.add("question", { name: () => ask.what, close: closeQuestion });

  // After every change: the question again.
  document.addEventListener("shown", (event) => {
    if (!form()) return;
    keepNotice();
    const asked = body.dataset.question;
    show();
    if (asked !== body.dataset.question) pauseTaps();
  });

  show();
})();
