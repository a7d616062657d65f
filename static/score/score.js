// The score games. The pad that counts a hand at the end of a deal, card by card or in points: what a card counts comes
// from the server, and nothing leaves the phone until "Next" says the sum. The rest of the page is table.js.
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const form = () => $("#move");
  const asking = (question) => document.dispatchEvent(new CustomEvent("asking", { detail: { count: question } }));
  const tell = (sentence) => document.dispatchEvent(new CustomEvent("tell", { detail: sentence }));
  const buzz = () => { if (navigator.vibrate) navigator.vibrate(10); };

  const mostCards = 40;
  let row = "", mode = "cards", run = 0, runs = 0;
  const hands = new Map();  // seat -> { cards: [{ rank, points, low, high, highWith, run }] } or { digits: "32" }, not said yet

  const rows = () => $$(".hand:not([disabled])");
  const asked = () => rows().filter((one) => !("out" in one.dataset));
  const open = (one) => one.dataset.said === "" && !("pauses" in one.dataset) && !hands.has(one.dataset.hand);
  const chosen = () => rows().find((one) => one.dataset.hand === row);
  const typing = () => hands.get(row);

  // What a card counts alone, in a row, and in a row that holds another rank too (an ace above the king), the server says.
  const worth = (card, cards) => {
    if (!card.run || !card.highWith) return card.points;
    return cards.some((other) => other.run === card.run && other.rank === card.highWith) ? card.high : card.low;
  };
  const sum = (hand) => hand.cards
    ? hand.cards.reduce((total, card) => total + worth(card, hand.cards), 0)
    : Number(hand.digits) || 0;

  const shown = (hand) => (hand.digits === "-" ? "−" : String(sum(hand)).replace("-", "−"));

  // What is not said yet outlives the page, and what somebody else has said of the same hand takes its place, with a word.
  const claim = () => `${location.pathname} ${form().elements.hand.value} ${form().elements.claim?.value || ""}`;
  let counted = "";
  const begin = () => {
    hands.clear();
    counted = claim();
    for (const [seat, hand] of Object.entries(overlays.typed.of(`hands ${counted}`) || {})) { hands.set(seat, hand); row = seat; }
  };
  const keep = () => {
    const unsaid = [...hands].filter(([, hand]) => !hand.sent);
    overlays.typed.keep(`hands ${counted}`, unsaid.length ? Object.fromEntries(unsaid) : null);
  };
  const tellOthers = () => {
    const counts = $$(".hand:not([data-out])").filter((one) => !$(".slot.rest", one)).map(({ dataset: { hand, name, said } }) => ({ seat: hand, name, said }));
    const typing = Object.fromEntries([...hands].filter(([, hand]) => !hand.sent).map(([seat, hand]) => [seat, String(hand.cards ? sum(hand) : hand.digits)]));
    for (const seat of othersCount.look(counted, counts.filter(({ seat }) => !hands.get(seat)?.sent), typing)) hands.delete(seat);
  };

  const show = () => {
    const section = $(".hands");
    if (!section) { hands.clear(); counted = row = ""; run = 0; asking(""); return; }
    if (claim() !== counted) begin();
    for (const one of $$(".hand")) if (one.dataset.said !== "" && hands.get(one.dataset.hand)?.sent) hands.delete(one.dataset.hand);
    tellOthers();
    keep();
    if (!chosen()) row = (asked().find(open) || asked()[0])?.dataset.hand || "";
    for (const one of $$(".hand")) {
      const hand = hands.get(one.dataset.hand);
      one.classList.toggle("now", one.dataset.hand === row && !one.disabled);
      one.setAttribute("aria-current", String(one.classList.contains("now")));
      if ("out" in one.dataset) continue;
      const number = hand ? shown(hand) : one.dataset.said.replace("-", "−");
      $(".slot", one).textContent = number;
      $(".slot", one).classList.toggle("long", number.length > 4);
    }
    showEntry();
    showNext();
    asking(questionNow());
    close();
  };
  // Whose points or cards are typed next.
  const questionNow = () => {
    const now = chosen(), line = $("#typed");
    if (!line || !now || !open(now) || "out" in now.dataset) return "";
    const hint = mode === "cards" ? line.dataset.hint : line.dataset.hintPoints;
    return asked().length > 1 ? `${now.dataset.name}: ${hint}` : hint;
  };
  // The button of the last number writes the round down as well, once the server has answered the number.
  let closing = null;
  const close = () => {
    const pay = $("#pay-deal");
    if (!closing || !pay || pay.disabled || document.getElementById(`h-${closing.seat}`)?.dataset.said !== closing.points) return;
    closing = null;
    if (pay.matches(".act")) pay.click();
  };

  // A tap or a key may come between a new count and the event that tells of it.
  const beginNewCount = () => { if ($(".hands") && claim() !== counted) show(); };

  const showEntry = () => {
    const entry = $("#entry");
    if (!entry) return;
    const now = chosen();
    const isOut = !now || "out" in now.dataset;
    if (!$("#pad-cards")) mode = "points";
    entry.classList.toggle("off", isOut);
    entry.inert = isOut;
    for (const button of $$("[data-mode]", entry)) button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
    for (const pad of $$(".pad", entry)) {
      pad.hidden = pad.id !== `pad-${mode}`;
      if (now) pad.setAttribute("aria-label", now.dataset.name);
    }
    $(".key[data-run]", entry)?.setAttribute("aria-pressed", String(run > 0));
    const pause = $(".key[data-pause]", entry);
    if (pause) pause.textContent = now && "pauses" in now.dataset ? pause.dataset.plays : pause.dataset.pause;
    const line = $("#typed"), hand = typing();
    line.textContent = "";
    if (hand?.cards?.length) line.append(...drawn(hand.cards), sign(`= ${sum(hand)}`));
    else line.append(mode === "cards" ? line.dataset.hint : line.dataset.hintPoints);
  };
  const drawn = (cards) => {
    const parts = [];
    for (const card of cards) {
      const little = document.createElement("span");
      little.className = "mini";
      little.textContent = card.rank;
      const last = parts[parts.length - 1];
      if (card.run && last?.dataset.run === String(card.run)) last.append(little);
      else if (card.run) {
        const group = document.createElement("span");
        group.className = "run";
        group.dataset.run = card.run;
        group.append(little);
        parts.push(group);
      } else parts.push(little);
    }
    return parts;
  };
  const sign = (text) => {
    const total = document.createElement("b");
    total.className = "num";
    total.textContent = text;
    return total;
  };

  // One wide button: what was typed is said first, then everything is paid.
  const showNext = () => {
    const next = $("#next");
    if (!next) return;
    const hand = typing(), now = chosen();
    const isTyped = hand && !hand.sent && now;
    for (const other of $$("#pay-deal, #wait")) other.hidden = Boolean(isTyped);
    next.hidden = !isTyped;
    if (!isTyped) return;
    const after = asked().find((one) => one !== now && open(one));
    const isMine = now.dataset.hand === next.dataset.mine && asked().length === 1;
    const word = isMine ? next.dataset.say.replace("#", shown(hand))
      : after ? next.dataset.next.replace("#", after.dataset.name) : next.dataset.done.replace("#", shown(hand));
    if (next.textContent !== word) next.textContent = word;
  };

  const say = (closes = false) => {
    const hand = typing();
    if (!hand || hand.sent) return;
    hand.sent = true;
    const seat = row, points = sum(hand);
    othersCount.own(seat, String(points));
    if (chosen()) tell(`${chosen().dataset.name}: ${shown(hand)}`);
    const after = asked().find((one) => one.dataset.hand !== seat && open(one));
    form().elements.seat.value = seat;
    const go = document.getElementById("go");
    go.value = `say:${points}`;
    go.click();
    closing = !after && closes ? { seat, points: String(points) } : null;
    row = after ? after.dataset.hand : seat;
    run = 0;
    buzz();
    show();
  };

  const add = (key, isTap) => {
    const now = chosen();
    if (!now || "out" in now.dataset) return;
    let hand = typing();
    if (!hand || hand.sent || !hand[mode === "cards" ? "cards" : "digits"]) hand = mode === "cards" ? { cards: [] } : { digits: "" };
    if (key.dataset.card) {
      if (hand.cards.length >= mostCards) { othersCount.refuse(now, mostCards); return; }
      const { card, points, low, high, highWith } = key.dataset;
      hand.cards.push({ rank: card, points: Number(points), low: Number(low), high: Number(high), highWith, run });
    } else if ("sign" in key.dataset) hand.digits = hand.digits.startsWith("-") ? hand.digits.slice(1) : `-${hand.digits}`;
    else {
      const digits = key.dataset.add ? String(Number(hand.digits || 0) + Number(key.dataset.add)) : hand.digits + key.dataset.digit;
      const most = Number($("#pad-points").dataset.most);
      if (Math.abs(Number(digits)) > most) { othersCount.refuse(now, most); return; }
      hand.digits = digits.replace(/^(-?)0+(?=\d)/, "$1");
    }
    hands.set(row, hand);
    buzz();
    show();
    // Where the points of a round have a known sum, a number that can't grow is said; the last one is in sight. Of keys,
    // Enter ends each number.
    const whole = Number($("#pad-points")?.dataset.whole), other = asked().some((one) => one !== now && open(one));
    if (isTap && whole && other && key.dataset.digit && (hand.digits === "0" || Math.abs(Number(hand.digits)) * 10 > whole)) say();
  };
  const tookAll = () => {
    if (!chosen()) return;
    hands.clear();
    form().elements.seat.value = row;
    const go = document.getElementById("go");
    go.value = "all";
    go.click();
    buzz();
    show();
  };
  const back = () => {
    const hand = typing();
    if (!hand || hand.sent) { hands.set(row, mode === "cards" ? { cards: [] } : { digits: "" }); show(); return; }
    if (hand.cards) hand.cards.pop(); else hand.digits = hand.digits.slice(0, -1);
    if (!(hand.cards || hand.digits).length) hands.delete(row);
    show();
  };

  // Whoever is chosen pauses in this round, or plays it after all; what was typed of them is forgotten.
  const pause = () => {
    const now = chosen();
    if (!now) return;
    hands.delete(row);
    form().elements.seat.value = row;
    const go = document.getElementById("go");
    go.value = "pauses" in now.dataset ? "pause:plays" : "pause:pauses";
    const after = asked().find((one) => one !== now && open(one));
    go.click();
    if (after && go.value === "pause:pauses") row = after.dataset.hand;
    buzz();
    show();
  };

  document.addEventListener("click", (event) => {
    const on = (selector) => event.target.closest(selector);
    let found;
    beginNewCount();
    if ((found = on(".hand"))) { if (!found.disabled && row !== found.dataset.hand) { say(); row = found.dataset.hand; run = 0; show(); } }
    else if ((found = on("[data-mode]"))) { mode = found.dataset.mode; run = 0; show(); }
    else if ((found = on("[data-card], [data-digit], [data-add], [data-sign]"))) add(found, event.detail > 0);
    else if (on(".key[data-run]")) { runs += 1; run = run ? 0 : runs; buzz(); show(); }
    else if (on("[data-back]")) back();
    else if (on("[data-pause]")) pause();
    else if (on("#next")) say("closes" in $("#next").dataset);
    else if (on("[data-all]")) tookAll();
  });
  // On a keyboard a number is typed into its row, and Enter in it says the number; the keys of the pad: keys.js.
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (!$(".hands #pad-points") || event.ctrlKey || event.altKey || event.metaKey || target.closest("input, select, textarea")) return;
    if (document.body.classList.contains("keys-off") && !target.closest(".hands")) return;
    beginNewCount();
    if (/^[-\d]$/.test(key)) chosen()?.focus({ preventScroll: true });
    if (key !== "Enter" || !target.closest(".hand.now") || !typing() || typing().sent) return;
    event.preventDefault();
    say();
    chosen()?.focus({ preventScroll: true });
  });
  document.addEventListener("submit", (event) => {
    if (event.target === form() && event.submitter && "fault" in event.submitter.dataset) form().elements.seat.value = row;
  }, true);
  document.addEventListener("htmx:after:swap", show);
  show();
})();
