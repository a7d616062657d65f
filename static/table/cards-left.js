// The pad for cards left: what a key types stands here until the server has answered it. A tap on the pad is a number;
// on a keyboard a number is typed, and Enter says it. The newest word of any phone counts: who had said another is told.
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const form = () => $("#move");
  // seat -> { cards, posts, at }: what this phone has typed, how many of its posts are unanswered, the moment that has it
  const typed = new Map();
  const order = [];  // the seats in the order in which this phone has said their numbers: Backspace leads back
  let chosenSeat = "", shownSeat = "", claim = "";
  let digits = "";  // of a number for the chosen seat that a keyboard has not ended by Enter yet
  const tell = (sentence) => document.dispatchEvent(new CustomEvent("tell", { detail: sentence }));

  const ownRows = () => $$(".count-row:not([disabled])");
  const shownCards = (row) => $(".slot", row).textContent;
  const saidCards = (seat) => typed.get(seat)?.cards ?? form().elements[`cards-${seat}`].value;
  const nameOf = (row) => $(".nm", row).textContent;
  const isPoints = () => "digits" in $(".count").dataset;
  const mostCards = () => Number($(".count").dataset.most);

  // The row for which a key counts: one's own; the one that was tapped; or the next that is empty, first of those who have
  // no phone to type on.
  const rowFor = (chosen) => {
    const rows = ownRows(), empty = rows.filter((row) => saidCards(row.dataset.row) === "");
    if ($(".count").dataset.asked) return rows[0];
    return rows.find((row) => row.dataset.row === chosen) || empty.find((row) => "first" in row.dataset) || empty[0];
  };

  // Shows what was typed in every row, returns how many rows are empty and how many the server has not answered.
  const fillRows = () => {
    let empty = 0, unsaid = 0;
    for (const row of $$(".count-row")) {
      const seat = row.dataset.row, own = typed.get(seat), said = saidCards(seat);
      const cards = digits && seat === chosenSeat ? digits : said;
      $(".slot", row).textContent = cards;
      $(".slot", row).classList.toggle("long", cards.length > 4);
      if (said === "") empty += 1;
      if (own) unsaid += 1;
      const pays = $(".pays", row);
      if (own || cards === "") {  // the server's answer says what it costs; it may come before the request has ended
        if (pays.textContent) pays.dataset.told = pays.textContent;
        pays.textContent = "";
      } else if (!pays.textContent && pays.dataset.told) pays.textContent = pays.dataset.told;
    }
    return { empty, unsaid };
  };
  const waiting = () => {
    const names = $$(".count-row").filter((row) => saidCards(row.dataset.row) === "").map(nameOf);
    return document.getElementById("asked").dataset.waits.replace("#", names.join(", "));
  };
  // A key that would do nothing looks so, and keeps the focus.
  const showKeys = (row) => {
    for (const key of $$(".pad [data-key]")) {
      const what = key.dataset.key;
      const isIdle = !row || (what === "" && shownCards(row) === "") || (what === "next" && rowFor("") === row);
      key.setAttribute("aria-disabled", String(Boolean(isIdle)));
    }
  };
  const show = () => {
    const count = $(".count"), shownClaim = count ? form().elements.claim.value : "";
    if (shownClaim !== claim) {
      begin(shownClaim);
      if (count) scrollTo(0, 0);  // who is asked stands at the top
    }
    if (!count) { asking(""); return; }
    const { empty, unsaid } = fillRows();
    const current = rowFor(chosenSeat);
    shownSeat = current?.dataset.row || "";
    for (const row of $$(".count-row")) {
      row.classList.toggle("now", row === current);
      row.setAttribute("aria-current", String(row === current));
      if (row === current && (digits || shownCards(row) === "")) $(".pays", row).textContent = digits ? "⏎ Enter" : count.dataset.ask;
    }
    showKeys(current);
    if (current) $(".pad")?.setAttribute("aria-label", nameOf(current));  // whom a digit counts for
    const pay = $("#pay");
    if (pay) showPay(pay, empty, unsaid);
    if (current && shownCards(current) === "") asking(count.dataset.asked ? $(".h2", count).textContent.trim() : `${nameOf(current)}: ${count.dataset.ask}`);
    else if (empty || !unsaid) asking(empty ? waiting() : `${count.dataset.done} ${pay?.textContent || ""}`.trim());
  };
  // The button that pays says, when it is pressed too early, who has not counted yet.
  const isEarly = (pay) => pay.getAttribute("aria-disabled") === "true";
  const showPay = (pay, empty, unsaid) => {
    pay.setAttribute("aria-disabled", String(empty > 0));
    pay.textContent = empty ? pay.dataset.wait.replace("#", empty) : unsaid ? pay.dataset.pay : pay.dataset.word;
  };
  // Who has typed the last number with a finger need not tap Pay as well: after a moment it is paid, and any key stops that.
  const payMs = 2100;
  let payTimer = 0;
  const dontPay = () => { clearTimeout(payTimer); document.body.classList.remove("pays-soon"); };
  const paySoon = () => {
    const pay = $("#pay"), asksMore = $(".count .excused, .count .cover");
    if (!pay || isEarly(pay) || asksMore || isPoints() || $(".count").dataset.asked) return;
    const now = claim;
    document.body.classList.add("pays-soon");
    payTimer = setTimeout(() => {
      document.body.classList.remove("pays-soon");
      const isSame = $("#pay") && !isEarly($("#pay")) && claim === now && !$(".count .cover") && !sheets.isOpen();
      if (isSame && !document.hidden) $("#pay").click();
    }, payMs);
  };
  for (const any of ["pointerdown", "keydown"]) document.addEventListener(any, dontPay, true);
  const begin = (newClaim) => {
    typed.clear();
    order.length = 0;
    claim = newClaim;
    const kept = claim && overlays.typed.of(typedKey());
    chosenSeat = kept?.seat || "";
    digits = kept?.digits || "";
    shownSeat = "";
  };
  const typedKey = () => `cards ${location.pathname} ${form().elements.hand.value} ${claim}`;
  const keepDigits = (now) => {
    digits = now;
    overlays.typed.keep(typedKey(), digits ? { seat: chosenSeat, digits } : null);
  };
  const asking = (question) => document.dispatchEvent(new CustomEvent("asking", { detail: { count: question } }));
  const setCards = (row, cards, stays) => {
    const seat = row.dataset.row, isTold = digits !== "";  // while it was typed
    keepDigits("");
    if (Number(cards) > mostCards()) { othersCount.refuse(row, mostCards()); show(); return; }
    typed.set(seat, { cards, posts: (typed.get(seat)?.posts || 0) + 1 });
    othersCount.own(seat, cards);
    if (cards !== "") order.push(seat);
    chosenSeat = stays ? seat : "";
    show();
    if (!isTold) tell(`${nameOf(row)}: ${cards || "–"}`);
    form().elements.seat.value = seat;
    const go = document.getElementById("go");
    go.value = `say:${cards}`;
    go.click();
  };

  // A row that moved by somebody else's tap takes no key for a moment: the finger was on its way to another person.
  const changedMs = 500;
  let pauseTimer = 0;
  const pauseKeys = () => {
    document.body.classList.add("keys-paused");
    clearTimeout(pauseTimer);
    pauseTimer = setTimeout(() => document.body.classList.remove("keys-paused"), changedMs);
  };
  const arePaused = () => document.body.classList.contains("keys-paused");
  const showNews = () => {
    const before = shownSeat, wasClaim = claim;
    // An answer may come before the page shows what it has changed: until then the row would be empty again.
    for (const [seat, { posts, at }] of typed) if (posts < 1 && !(at && contact.isBehind(at))) typed.delete(seat);
    show();
    if ($(".count")) tellOthers();
    if (!$(".pad") || !before || wasClaim !== claim || shownSeat === before) return;
    pauseKeys();
  };
  // What somebody else has said of a hand takes the place of what was being typed for it.
  const tellOthers = () => {
    const rows = $$(".count-row").map((row) => ({ seat: row.dataset.row, name: nameOf(row), said: form().elements[`cards-${row.dataset.row}`].value }));
    const told = othersCount.look(claim, rows.filter(({ seat }) => !typed.has(seat)), digits ? { [chosenSeat]: digits } : {});
    if (!digits || !told.includes(chosenSeat)) return;
    keepDigits("");
    chosenSeat = "";
    show();
  };

  const refuse = () => navigator.vibrate?.([20, 40, 20]);
  const tapKey = (key) => {
    const row = rowFor(chosenSeat), what = key.dataset.key;
    if (!row || arePaused() || key.getAttribute("aria-disabled") === "true") { refuse(); return; }
    navigator.vibrate?.(10);
    if (what === "next") { if (digits) setCards(row, digits); else { chosenSeat = ""; show(); } return; }
    // Cards are one tap and the next person; points are typed digit by digit.
    const isDigit = isPoints() && what !== "";
    setCards(row, isDigit ? String(Number(shownCards(row) + what)) : what, isPoints());
  };
  const typeDigit = (digit) => {
    const row = rowFor(chosenSeat);
    if (!row || arePaused()) { refuse(); return; }
    const now = String(Number(digits + digit));
    if (Number(now) > mostCards()) { othersCount.refuse(row, mostCards()); return; }
    chosenSeat = row.dataset.row;
    keepDigits(now);
    show();
    row.focus({ preventScroll: true });
    tell(`${nameOf(row)}: ${digits}`);
  };
  const sayDigits = () => {
    setCards(rowFor(chosenSeat), digits);
    (rowFor("") || $("#pay"))?.focus({ preventScroll: true });
  };
  // One digit back; or the number of the present row; or back to the row before.
  const goBack = () => {
    const row = rowFor(chosenSeat);
    if (digits) { keepDigits(digits.slice(0, -1)); show(); tell(`${nameOf(row)}: ${digits || "–"}`); return; }
    if (row && saidCards(row.dataset.row) !== "") { setCards(row, "", true); return; }
    const last = ownRows().find((one) => one.dataset.row === order[order.length - 1]);
    order.pop();
    if (!last) { refuse(); return; }
    chosenSeat = last.dataset.row;
    show();
    last.focus({ preventScroll: true });
    tell(`${nameOf(last)}: ${shownCards(last) || "–"}`);
  };

  document.addEventListener("click", (event) => {
    const row = event.target.closest(".count-row[data-row]"), key = event.target.closest(".count [data-key]");
    const pay = event.target.closest("#pay");
    if (pay && isEarly(pay)) {
      event.preventDefault();
      refuse();
      document.dispatchEvent(new CustomEvent("say", { detail: waiting() }));
    }
    if (row) { if (digits && row.dataset.row !== chosenSeat) sayDigits(); chosenSeat = row.dataset.row; show(); }
    else if (key) { tapKey(key); if (event.pointerType) paySoon(); }
  });
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (!$(".count .pad") || document.body.classList.contains("count-away") || sheets.isOpen()) return;
    if (event.ctrlKey || event.altKey || event.metaKey || target.closest("input, select, textarea")) return;
    if (document.body.classList.contains("keys-off") && !target.closest(".count")) return;
    if (/^\d$/.test(key)) typeDigit(key);
    else if (key === "Backspace") goBack();
    else if (key === "Enter" && digits && target.closest(".count-row.now")) sayDigits();
    else return;
    event.preventDefault();
  });
  document.addEventListener("htmx:after:request", (event) => {
    const { request, response } = event.detail.ctx, said = request.body;
    if (!said?.get?.("do")?.startsWith("say:")) return;
    const own = typed.get(said.get("seat"));
    if (own) Object.assign(own, { posts: own.posts - 1, at: response?.headers.get("X-At") });
    setTimeout(showNews);
  });
  document.addEventListener("submit", (event) => {
    if (event.target !== form() || event.submitter?.id !== "pay") return;
    for (const [seat, { cards }] of typed) form().elements[`cards-${seat}`].value = cards;
  }, true);
  document.addEventListener("shown", showNews);
  showNews();
})();
