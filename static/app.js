// Every page: small helpers that need no server. Nothing here holds game state.
(() => {
  "use strict";
  const year = 31536000;

  // The device's own theme and hand: kept in a cookie, so that the server writes the page right at once.
  const remember = (name, value) => { document.cookie = `${name}=${value}; path=/; max-age=${year}; SameSite=Lax`; };
  const setTheme = (choice) => {
    remember("theme", choice);
    const dark = document.getElementById("dark");
    if (dark) dark.media = { dark: "all", light: "not all" }[choice] || "(prefers-color-scheme: dark)";
    if (choice) document.documentElement.dataset.theme = choice;
    else delete document.documentElement.dataset.theme;
  };
  const isDark = () => document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;

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

  // A device that has lost its seat or its night learns it from the page itself.
  document.addEventListener("htmx:response:error", (event) => {
    const status = event.detail.ctx.response.status;
    if (status === 401 || status === 403 || status === 404) location.reload();
  });

  // A screen that shows the board should stay awake. Only a secure page (this machine, or TLS) is allowed to ask.
  const keepAwake = async () => {
    if (!document.body.classList.contains("awake") || !("wakeLock" in navigator) || document.hidden) return;
    try { await navigator.wakeLock.request("screen"); } catch { /* refused on low battery: the page wakes up right anyway */ }
  };
  document.addEventListener("visibilitychange", keepAwake);
  keepAwake();
})();
