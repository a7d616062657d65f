// The sheets over the table: the menu, and what can happen to one person. Each is asked from the server when it is
// opened, so it always tells the present state. Taps that open and close one are in table.js. What is typed in one stays,
// whatever happens at the table, until it is sent or the sheet is closed by its own button.
(() => {
  "use strict";
  const live = document.getElementById("live");
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

  let sheetFrom = "", drawnFrom = "", opener = null;
  const openSheet = async (address) => {
    if (!isOpen()) opener = document.activeElement;
    sheetFrom = address = new URL(address, location).pathname;
    overlays.settle();
    const isNew = !isOpen() || drawnFrom !== address;
    if (!await drawSheet()) {
      if (sheetFrom === address && !isOpen()) { sheetFrom = ""; overlays.settle(); }
      return;
    }
    $("#sheets").hidden = false;
    live.inert = true;
    if (isNew) $("#sheet").focus();
  };
  const isOpen = () => !$("#sheets").hidden;
  const sheetText = async (address) => {
    const end = performance.now() + 6000;
    for (let pause = 100; performance.now() < end && sheetFrom === address; pause *= 2) {
      const attempt = new AbortController();
      const late = setTimeout(() => attempt.abort(), 3000);
      try {
        const answer = await fetch(address, { headers: { "HX-Request": "true" }, signal: attempt.signal });
        if (answer.ok) return await answer.text();
      } catch { /* no contact: once more, then the sign says so */ } finally { clearTimeout(late); }
      await new Promise((done) => setTimeout(done, pause));
    }
    if (sheetFrom === address) contact.lost();
    return "";
  };
  // False when nothing was drawn: no contact, or another sheet was asked for in the meantime. A sheet that is drawn
  // again while a finger is on it would swallow the tap; one that is open is changed, so that a field keeps its keyboard.
  const drawSheet = async () => {
    const address = sheetFrom, text = await sheetText(address);
    await contact.untilUp();
    if (!text || sheetFrom !== address) return false;
    const isRedrawn = isOpen() && drawnFrom === address, folds = new Map(isRedrawn ? foldsOf().map((one) => [wordOf(one), one.open]) : []);
    if (isRedrawn) await htmx.swap({ text, target: $("#sheet"), swap: "innerMorph", sourceElement: live });
    else { $("#sheet").innerHTML = text; htmx.process($("#sheet")); }
    drawnFrom = address;
    for (const one of foldsOf()) one.open = folds.get(wordOf(one)) ?? one.open;
    showTyped();
    showLendable();
    return true;
  };
  const foldsOf = () => $$("#sheet details");
  const wordOf = (details) => $("summary", details).textContent.trim();

  // ---- what is typed ----
  const fieldsOf = () => $$("#sheet :is(input:not([type=hidden], [type=checkbox]), select)");
  const firstValue = (field) => field.options ? ([...field.options].find((one) => one.defaultSelected) || field.options[0])?.value : field.defaultValue;
  const keepTyped = () => {
    const values = fieldsOf().filter((field) => field.value !== firstValue(field)).map((field) => [field.id, field.value]);
    overlays.typed.keep(drawnFrom, values.length ? Object.fromEntries(values) : null);
  };
  const showTyped = () => {
    const values = overlays.typed.of(drawnFrom) || {};
    for (const field of fieldsOf()) {
      if (!(field.id in values)) continue;
      if (field.value !== values[field.id]) field.value = values[field.id];
      for (let at = field.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
    }
  };
  // Nobody lends more than they have.
  const showLendable = () => {
    const lender = $("#sheet [data-lender]");
    const has = Number(lender?.selectedOptions[0].dataset.has);
    if (lender) for (const sum of $$("[value^='borrow:']", lender.form)) sum.disabled = Number(sum.value.split(":")[1]) > has;
  };
  $("#sheet").addEventListener("input", showLendable);
  $("#sheet").addEventListener("input", keepTyped);
  $("#sheet").addEventListener("click", (event) => { if (event.target.closest("[data-close]")) overlays.typed.keep(drawnFrom, null); });

  const closeSheet = () => {
    sheetFrom = "";
    if (!isOpen()) { overlays.settle(); return; }
    $("#sheets").hidden = true;
    overlays.settle();
    live.inert = false;
    const back = opener?.isConnected ? opener : document.getElementById(opener?.id);
    (back && back !== document.body ? back : $("#dock"))?.focus({ preventScroll: true });  // else what is hidden has it for a moment
  };

  // What somebody unfolds at the end of a sheet is shown whole: its button would stand below the screen.
  let unfolded = null;
  $("#sheet").addEventListener("click", (event) => { unfolded = event.target.closest("summary")?.parentElement; }, true);
  $("#sheet").addEventListener("toggle", (event) => {
    if (event.target.open && event.target === unfolded) event.target.scrollIntoView({ block: "nearest" });
  }, true);

  // A move made in a sheet closes it, unless it was refused: then the sheet stays and says why. Which sheet that was is
  // noted before the move is sent: when its answer comes, news may have drawn the sheet again, and its form is gone.
  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = event.detail;
    if (ctx.sourceElement.closest("#sheet")) ctx.sheet = sheetFrom;
  });
  document.addEventListener("htmx:after:request", (event) => {
    const ctx = event.detail.ctx;
    if (!ctx.sheet || ctx.sheet !== sheetFrom) return;
    if (ctx.response.status < 400) { overlays.typed.keep(ctx.sheet, null); closeSheet(); }
    else {
      const said = $("#notice, #last", new DOMParser().parseFromString(ctx.text, "text/html"));
      const why = $("[data-why]");
      if (why) { why.textContent = said?.textContent || ""; why.hidden = false; }
    }
  });

  // An open sheet is drawn again if something was recorded.
  document.addEventListener("shown", (event) => { if (sheetFrom && event.detail.isNews) drawSheet(); });
  if (isOpen()) {  // its own address was typed, or loaded again
    sheetFrom = drawnFrom = location.pathname;
    history.replaceState(history.state, "", live.dataset.sheet.replace(/\/sheet$/, ""));
    live.inert = true;
    $("#sheet").focus();
  }

  const wanted = sheets.wanted();
  window.sheets = { open: openSheet, close: closeSheet, isOpen };
  overlays.add("sheet", { name: () => sheetFrom, open: openSheet, close: closeSheet });
  if (wanted) openSheet(wanted);
})();
