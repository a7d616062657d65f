// The pad for cards left: what a key types stands here until the server has answered it. The newest word of any phone
// counts; nothing else of the count is known only to one phone.
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const form = () => $("#move");
  const typed = new Map();  // seat -> { cards, posts }: what this phone has typed, and how many of its posts are unanswered
  let chosenSeat = "", shownSeat = "", claim = "";
  // A screen reader says what was typed, and for whom the next key counts. It stays out of what the server renders anew.
  const status = document.createElement("p");
  status.className = "vh";
  status.setAttribute("role", "status");
  document.body.append(status);

  const ownRows = () => $$(".count-row:not([disabled])");
  const shownCards = (row) => $(".slot", row).textContent;
  const nameOf = (row) => $(".nm", row).textContent;
  const isPoints = () => "digits" in $(".count").dataset;

  // The row for which a key counts: one's own; the one that was tapped; or the next that is empty, first of those who have
  // no phone to type on.
  const rowFor = (chosen) => {
    const rows = ownRows(), empty = rows.filter((row) => shownCards(row) === "");
    if ($(".count").dataset.asked) return rows[0];
    return rows.find((row) => row.dataset.row === chosen) || empty.find((row) => "first" in row.dataset) || empty[0];
  };

  // Shows what was typed in every row, returns how many rows are empty and how many the server has not answered.
  const fillRows = () => {
    let empty = 0, unsaid = 0;
    for (const row of $$(".count-row")) {
      const own = typed.get(row.dataset.row);
      const cards = own ? own.cards : form().elements[`cards-${row.dataset.row}`].value;
      $(".slot", row).textContent = cards;
      if (cards === "") empty += 1;
      if (own) unsaid += 1;
      if (own || cards === "") $(".pays", row).textContent = "";  // the server's answer says what it costs
    }
    return { empty, unsaid };
  };
  // A key that would do nothing looks so, and keeps the focus.
  const showKeys = (row) => {
    for (const key of $$(".pad [data-key]")) {
      const what = key.dataset.key, cards = row ? shownCards(row) : "";
      const isIdle = !row || (what === "" && cards === "") || (what === "next" && rowFor("") === row)
        || (isPoints() && /\d/.test(what) && cards.length > 2);
      key.setAttribute("aria-disabled", String(Boolean(isIdle)));
    }
  };
  const show = () => {
    const count = $(".count"), shownClaim = count ? form().elements.claim.value : "";
    if (shownClaim !== claim) { typed.clear(); chosenSeat = shownSeat = ""; }
    claim = shownClaim;
    if (!count) { status.textContent = ""; return; }
    const { empty, unsaid } = fillRows();
    const current = rowFor(chosenSeat);
    shownSeat = current?.dataset.row || "";
    for (const row of $$(".count-row")) {
      row.classList.toggle("now", row === current);
      row.setAttribute("aria-current", String(row === current));
      if (row === current && shownCards(row) === "") $(".pays", row).textContent = count.dataset.ask;
    }
    showKeys(current);
    if (current) $(".pad")?.setAttribute("aria-label", nameOf(current));  // whom a digit counts for
    const pay = $("#pay");
    if (!pay) return;
    pay.disabled = empty > 0;
    pay.textContent = empty ? pay.dataset.wait.replace("#", empty) : unsaid ? pay.dataset.pay : pay.dataset.word;
  };
  const say = (sentence) => {
    const { next, done, asked } = $(".count").dataset, row = rowFor(chosenSeat);
    const then = asked ? "" : row ? next.replace("#", nameOf(row)) : done;
    status.textContent = [sentence, then].filter(Boolean).join(". ");
  };
  const send = (seat, what) => {
    form().elements.seat.value = seat;
    const go = document.getElementById("go");
    go.value = what;
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
    const before = shownSeat;
    show();
    if (!$(".pad") || !before || shownSeat === before) return;
    pauseKeys();
    say("");
  };

  const type = (key) => {
    const row = rowFor(chosenSeat), what = key.dataset.key;
    if (!row || arePaused() || key.getAttribute("aria-disabled") === "true") { navigator.vibrate?.([20, 40, 20]); return; }
    navigator.vibrate?.(10);
    if (what === "next") { chosenSeat = ""; show(); say(""); return; }
    // Cards are one tap and the next person; points are typed digit by digit.
    const seat = row.dataset.row;
    const cards = isPoints() && what !== "" ? String(Number(shownCards(row) + what)) : what;
    typed.set(seat, { cards, posts: (typed.get(seat)?.posts || 0) + 1 });
    chosenSeat = isPoints() ? seat : "";
    show();
    say(`${nameOf(row)}: ${cards || "–"}`);
    send(seat, `say:${cards}`);
  };

  document.addEventListener("click", (event) => {
    const row = event.target.closest(".count-row[data-row]"), key = event.target.closest(".count [data-key]");
    if (row) { chosenSeat = row.dataset.row; show(); say(""); }
    else if (key) type(key);
  });
  document.addEventListener("keydown", (event) => {
    if (!/^(\d|Backspace)$/.test(event.key) || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea, dialog")) return;
    const key = $(`.count [data-key="${event.key === "Backspace" ? "" : event.key}"]`);
    if (key) { event.preventDefault(); type(key); }
  });
  document.addEventListener("htmx:after:request", (event) => {
    const said = event.detail.ctx.request.body;
    if (!said?.get?.("do")?.startsWith("say:")) return;
    const own = typed.get(said.get("seat"));
    if (own && (own.posts -= 1) < 1) typed.delete(said.get("seat"));
    setTimeout(showNews);
  });
  document.addEventListener("submit", (event) => {
    if (event.target !== form() || event.submitter?.id !== "pay") return;
    for (const [seat, { cards }] of typed) form().elements[`cards-${seat}`].value = cards;
  }, true);
  document.addEventListener("shown", showNews);
  show();
})();
