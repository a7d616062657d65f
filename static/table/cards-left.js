// The pad for cards left: what a key types stands here until the server's answer shows it, and all of it is sent with "Pay".
(() => {
  "use strict";
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const form = () => $("#move");
  const typed = new Map();  // seat -> cards that this phone has typed and the server has not shown yet
  let chosenSeat = "";

  const say = (seat, what) => {
    form().elements.seat.value = seat;
    const go = document.getElementById("go");
    go.value = what;
    form().requestSubmit(go);
  };
  const ownRows = () => $$(".count-row:not([disabled])");
  const shownCards = (row) => $(".slot", row).textContent;

  // Shows what was typed in every row, returns how many rows are empty and how many the server does not know yet.
  const fillRows = () => {
    let empty = 0, unsaid = 0;
    for (const row of $$(".count-row")) {
      const seat = row.dataset.row;
      const input = form().elements[`cards-${seat}`];
      if (typed.has(seat) && input.value === typed.get(seat)) typed.delete(seat);
      const cards = typed.has(seat) ? typed.get(seat) : input.value;
      $(".slot", row).textContent = cards;
      if (cards === "") empty += 1;
      if (typed.has(seat)) unsaid += 1;
      if (typed.has(seat) || cards === "") $(".pays", row).textContent = "";  // the server's answer says what it costs
    }
    return { empty, unsaid };
  };
  const show = () => {
    if (!$(".count")) { typed.clear(); chosenSeat = ""; return; }
    const { empty, unsaid } = fillRows();
    const own = ownRows();
    const current = own.find((row) => row.dataset.row === chosenSeat) || own.find((row) => shownCards(row) === "");
    for (const row of $$(".count-row")) {
      row.classList.toggle("now", row === current);
      if (row === current && shownCards(row) === "") $(".pays", row).textContent = $(".pays", row).dataset.ask;
    }
    const pay = $("#pay");
    if (!pay) return;
    pay.disabled = empty > 0;
    pay.textContent = empty ? pay.dataset.wait.replace("#", empty) : unsaid ? pay.dataset.pay : pay.dataset.word;
  };
  const type = (key) => {
    const row = $(".count-row.now") || ownRows().find((one) => one.dataset.row === chosenSeat);
    if (!row) return;
    const seat = row.dataset.row;
    if (navigator.vibrate) navigator.vibrate(10);
    if (key === "next") { chosenSeat = ""; show(); return; }
    // Cards are one tap and the next person; points are typed digit by digit.
    const isPoints = "digits" in $(".count").dataset;
    const value = isPoints && key !== "" ? String(Number(shownCards(row) + key)).slice(0, 3) : key;
    typed.set(seat, value);
    chosenSeat = isPoints ? seat : "";
    show();
    say(seat, `say:${value}`);
  };

  document.addEventListener("click", (event) => {
    const row = event.target.closest(".count-row"), key = event.target.closest("[data-key]");
    if (row) { chosenSeat = row.dataset.row; show(); }
    else if (key) type(key.dataset.key);
  });
  document.addEventListener("change", (event) => { if (event.target.name === "excused") say("", `excuse:${event.target.value}`); });
  document.addEventListener("submit", (event) => {
    if (event.target !== form() || event.submitter?.id !== "pay") return;
    for (const [seat, cards] of typed) form().elements[`cards-${seat}`].value = cards;
  }, true);
  document.addEventListener("shown", show);
  show();
})();
