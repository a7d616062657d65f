// The sheets over the table: the menu, and what can happen to one person. Each is asked from the server when it is
// opened, so it always tells the present state. Taps that open and close one are in table.js.
(() => {
  "use strict";
  const live = document.getElementById("live");
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

  let sheetFrom = "", opener = null;
  const openSheet = async (address) => {
    if (!isOpen()) opener = document.activeElement;
    sheetFrom = address;
    if (!await drawSheet()) return;
    $("#sheets").hidden = false;
    live.inert = true;
    $("#sheet").focus();
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
  // again while a finger is on it would swallow the tap.
  const drawSheet = async () => {
    const address = sheetFrom, text = await sheetText(address);
    await contact.untilUp();
    if (!text || sheetFrom !== address) return false;
    const open = $$("#sheet details").findIndex((one) => one.open);
    const reached = $$("#sheet :is(a, button, input, summary)");
    const focused = reached.indexOf(document.activeElement);
    $("#sheet").innerHTML = text;
    if (open >= 0 && $$("#sheet details")[open]) $$("#sheet details")[open].open = true;
    htmx.process($("#sheet"));
    if (focused >= 0) ($$("#sheet :is(a, button, input, summary)")[focused] || $("#sheet")).focus({ preventScroll: true });
    return true;
  };
  const closeSheet = () => {
    sheetFrom = "";
    if (location.pathname.includes("/sheet")) history.replaceState(null, "", live.dataset.sheet.replace(/\/sheet$/, ""));
    if (!isOpen()) return;
    $("#sheets").hidden = true;
    live.inert = false;
    const back = opener?.isConnected ? opener : document.getElementById(opener?.id);
    (back || $("#dock"))?.focus({ preventScroll: true });
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
    if (ctx.response.status < 400) closeSheet();
    else {
      const said = $("#notice, #last", new DOMParser().parseFromString(ctx.text, "text/html"));
      const why = $("[data-why]");
      if (why) { why.textContent = said?.textContent || ""; why.hidden = false; }
    }
  });

  // An open sheet is drawn again if something was recorded.
  document.addEventListener("shown", (event) => { if (sheetFrom && event.detail.isNews) drawSheet(); });
  if (isOpen()) {
    sheetFrom = location.pathname;
    live.inert = true;
    $("#sheet").focus();
  }

  window.sheets = { open: openSheet, close: closeSheet, isOpen };
})();
