// Every page: small helpers, the sign that tells whether there is contact, and sending until there is an answer.
(() => {
  "use strict";
  const year = 31536000, isSecure = location.protocol === "https:" ? "; Secure" : "";

  // The device's own theme and hand: kept in a cookie, so that the server writes the page right at once.
  const remember = window.remember = (name, value) => { document.cookie = `${name}=${value}; path=/; max-age=${year}; SameSite=Lax${isSecure}`; };
  const setTheme = (choice) => {
    remember("theme", choice);
    const dark = document.getElementById("dark");
    if (dark) dark.media = { dark: "all", light: "not all" }[choice] || "(prefers-color-scheme: dark)";
    for (const color of document.querySelectorAll("meta[name=theme-color]")) {
      const { shade } = color.dataset;
      color.media = choice ? (choice === shade ? "all" : "not all") : `(prefers-color-scheme: ${shade})`;
    }
    if (choice) document.documentElement.dataset.theme = choice;
    else delete document.documentElement.dataset.theme;
  };
  const isDark = () => document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;

  // Safari 15.0 to 15.3 does not say which button sends a form: it is the one that was clicked just before.
  let clicked = null;
  addEventListener("click", ({ target }) => { clicked = target.closest?.("button, input"); }, true);
  addEventListener("submit", (event) => {
    const submitter = event.submitter || (clicked?.form === event.target ? clicked : null);
    Object.defineProperty(event, "submitter", { value: submitter });
    clicked = null;
  }, true);

  document.addEventListener("click", (event) => {
    const on = (selector) => event.target.closest(selector);
    let found;
    if ((found = on("[data-theme-choice]"))) setTheme(found.dataset.themeChoice || (isDark() ? "light" : "dark"));
    if (on("[data-swap-hand]")) {
      const left = document.documentElement.classList.toggle("lefty");
      remember("hand", left ? "left" : "right");
    }
    if ((found = on("[data-step]"))) {
      const input = found.closest("[data-stepper]").querySelector("input");
      const next = Number(input.value || 0) + Number(found.dataset.step);
      input.value = Math.min(Number(input.max || next), Math.max(Number(input.min || 0), next));
      input.dispatchEvent(new Event("change", { bubbles: true }));
    }
    if (on("[data-print]")) print();
    if ((found = on("[data-copy]"))) copy(document.querySelector(found.dataset.copy), found);
  });

  // Plain http has no clipboard API: select the text and use the old command; else it stays selected to copy by hand.
  const copy = (source, button) => {
    if (!source) return;
    const range = document.createRange();
    range.selectNodeContents(source);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    if (document.execCommand("copy") && button.dataset.done) button.textContent = button.dataset.done;
  };

  // What counts for nothing is seen to: a digit that a field has no room for would make another number without a word.
  const refuse = window.refuse = (one) => {
    navigator.vibrate?.([20, 40, 20]);
    one.classList.remove("refused");
    one.getBoundingClientRect();  // so that the animation begins anew
    one.classList.add("refused");
    setTimeout(() => one.classList.remove("refused"), 600);
  };
  document.addEventListener("beforeinput", ({ target, data }) => {
    if (!data || target.inputMode !== "numeric" || !(target.maxLength > 0)) return;
    const { value, selectionStart, selectionEnd, maxLength } = target;
    if (value.length - (selectionEnd - selectionStart) + data.length > maxLength) refuse(target);
  });

  // A device that has lost its seat or its night learns it from the page itself.
  document.addEventListener("htmx:response:error", (event) => {
    const status = event.detail.ctx.response.status;
    if (status === 401 || status === 403 || status === 404) location.reload();
  });

  // ---- focus: when what had it is gone or hidden after a change, it goes to the same thing, to one of the same name beside
  // it, to what the page asks next, or to the first one there; never to something without a name ----
  const CONTROLS = "button, a[href], summary, select, textarea, input:not([type=hidden])";
  let focused = null, around = [], name = "";
  const takesFocus = (one) => one?.isConnected && !one.disabled && one.getClientRects().length > 0 && getComputedStyle(one).visibility === "visible";
  const nameOf = (one) => one.getAttribute("aria-label") || one.textContent.trim();
  document.addEventListener("focusin", ({ target }) => {
    focused = target;
    name = nameOf(target);
    around = [];
    for (let at = target; at && at !== document.body; at = at.parentElement) if (at.id) around.push(at.id);
  });
  const keepFocus = () => {
    const now = document.activeElement;
    if (!focused || takesFocus(focused) || (now && now !== document.body && now !== focused)) return;
    const places = around.map((id) => document.getElementById(id)).filter(takesFocus);
    const beside = places.flatMap((one) => [one, ...one.querySelectorAll(CONTROLS)]).filter((one) => one.matches(CONTROLS) && takesFocus(one));
    const same = places[0]?.id === focused.id ? places[0] : beside.find((one) => nameOf(one) === name);
    const found = same || window.nextFocus?.() || beside[0] || document.querySelector("h1");
    if (found?.matches("h1")) found.tabIndex = -1;
    found?.focus({ preventScroll: true });
  };
  document.addEventListener("animationend", () => setTimeout(keepFocus));  // an own entry's Undo goes by itself
  document.addEventListener("click", () => setTimeout(keepFocus));
  document.addEventListener("htmx:after:swap", () => setTimeout(keepFocus));

  // ---- a form that asks again at each change: what was changed before htmx listened is asked once it does ----
  const isChanged = (field) => field.type === "checkbox" || field.type === "radio" ? field.checked !== field.defaultChecked
    : field.options ? [...field.options].some((one) => one.defaultSelected && !one.selected)
    : field.value !== field.defaultValue;
  document.addEventListener("htmx:after:init", ({ target }) => {
    if (target.matches("form[hx-trigger*=change]") && [...target.elements].some(isChanged)) target.dispatchEvent(new Event("change"));
  });

  // ---- contact: the sign at the top says when there is none ----
  const net = document.getElementById("net");
  const goneMs = 20000;  // a table that is away for so long may have another address
  let isLost = false, inFlight = 0, backTimer = 0;
  const sign = (word, kind) => {
    clearTimeout(backTimer);
    net.className = `net ${kind}`;
    net.classList.toggle("beside-bar", Boolean(document.querySelector(".own-bar, .lobby")));
    if (net.textContent !== net.dataset[word]) net.textContent = net.dataset[word];  // else it is read out again
    net.hidden = false;
  };
  const unsign = () => { if (contact.isFull) sign("full", "slow full"); else net.hidden = true; };
  const contact = window.contact = {
    heardAt: Date.now(),
    isFull: false,
    untilUp: () => Promise.resolve(),  // a page that must not change under a finger says when none is down
    heard() {
      contact.heardAt = Date.now();
      document.body.classList.remove("lost");
      const wasLost = isLost;
      isLost = false;
      if (inFlight) { if (wasLost) sign("slow", "slow"); return; }
      if (!wasLost) { if (net.classList.contains("slow")) unsign(); return; }
      sign("back", "good");
      backTimer = setTimeout(unsign, 4000);
    },
    lost() {
      isLost = true;
      document.body.classList.add("lost");
      sign(inFlight ? "sending" : Date.now() - contact.heardAt > goneMs ? "gone" : "lost", "");
    },
    full(isFull) {  // the server has no stream for this page, which asks again and again instead
      if (isFull === contact.isFull) return;
      contact.isFull = isFull;
      if (!isLost && !inFlight) unsign();
    },
    elsewhere() {
      document.body.classList.add("lost");
      sign("elsewhere", "slow");
    },
  };

  // ---- sending: a move is sent until the server has it; its key makes sure that it counts once ----
  // What has no answer yet outlives the page: a phone that is reloaded, or whose browser ends, sends it when it is back.
  const unsentMoves = () => { try { return JSON.parse(localStorage.getItem("unsent")) || []; } catch { return []; } };
  const storeUnsent = (moves) => {
    try { if (moves.length) localStorage.setItem("unsent", JSON.stringify(moves)); else localStorage.removeItem("unsent"); }
    catch { /* no room, or not allowed: the page itself still knows it */ }
  };
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const slowMs = 600, patienceMs = 8000;
  const send = async (url, options) => {
    const move = [url, String(options.body)], isMove = url.endsWith("/record");
    const slow = setTimeout(() => { if (!isLost) sign("slow", "slow"); }, slowMs);
    inFlight += 1;
    if (isMove) storeUnsent([...unsentMoves(), move]);
    try { return await untilAnswered(url, options); } finally {
      clearTimeout(slow);
      inFlight -= 1;
      if (isMove) storeUnsent(unsentMoves().filter((one) => String(one) !== String(move)));
      contact.heard();
    }
  };
  const untilAnswered = async (url, options) => {
    let failures = 0;
    for (let pause = 300; ; pause = Math.min(pause * 2, 4000)) {
      const attempt = new AbortController();
      const late = setTimeout(() => attempt.abort(), patienceMs);
      try {
        const answer = await fetch(url, { ...options, signal: attempt.signal });
        const { status, headers } = answer, text = await answer.text();  // all of it: it may break off in the middle
        if (status !== 429 && (status < 500 || status === 503 || ++failures > 4)) {
          await contact.untilUp();
          return new Response(text || null, { status, headers });
        }
      } catch { /* no contact: the same move again */ } finally { clearTimeout(late); }
      contact.lost();
      await wait(pause);
    }
  };
  document.addEventListener("htmx:config:request", (event) => {
    const ctx = event.detail.ctx;
    // Typing in the board editor sends a preview each time; all other forms may be sent twice and count once.
    if (ctx.request.method === "POST" && !ctx.sourceElement.closest("#editor")) ctx.fetch = send;
  });
  const sendUnsent = async () => {
    const headers = { "HX-Request": "true", "Content-Type": "application/x-www-form-urlencoded" };
    for (const [url, body] of unsentMoves()) {
      const answer = await send(url, { method: "POST", headers, body });
      const detail = { url, status: answer.status, text: await answer.text() };
      document.dispatchEvent(new CustomEvent("sent", { detail }));
    }
  };
  sendUnsent();

  // A screen that shows the board should stay awake. Only a secure page (this machine, or TLS) is allowed to ask; others say
  // that the display has to be set so by hand.
  document.body.classList.toggle("may-sleep", !("wakeLock" in navigator));
  const keepAwake = async () => {
    if (!document.body.classList.contains("awake") || !("wakeLock" in navigator) || document.hidden) return;
    try { await navigator.wakeLock.request("screen"); } catch { /* refused on low battery: the page wakes up right anyway */ }
  };
  document.addEventListener("visibilitychange", keepAwake);
  keepAwake();
})();
