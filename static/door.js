// Home, lobby and joining: three small things a form can't do by itself.
(() => {
  "use strict";

  let code;
  const settle = (root) => {
    // A form that would only be one more tap goes by itself: the terminal's link, and coming in after a yes.
    const ready = root.querySelector("form[data-go]");
    if (ready) return ready.requestSubmit();
    const lobby = root.querySelector("[data-begun]");
    if (!lobby) return;
    // The lobby was on screen when the first hand began: everybody goes to the table.
    if (lobby.dataset.begun && document.body.classList.contains("gathering")) return location.replace(lobby.dataset.begun);
    // There is a new code, or it leads to another address: the old picture must not stay on any screen.
    if (code !== undefined && code !== lobby.dataset.code) return location.reload();
    code = lobby.dataset.code;
  };
  document.addEventListener("htmx:after:swap", () => settle(document));
  settle(document);

  // Nobody tells this page when the machine has joined another network, where the code on it leads nowhere.
  setInterval(async () => {
    if (code === undefined || document.hidden) return;
    try {
      const answer = await fetch(`${location.pathname}/seats`, { headers: { "HX-Request": "true" } });
      const now = /data-code="([^"]*)"/.exec(await answer.text())?.[1];
      if (answer.ok && now !== undefined && now !== code) location.reload();
    } catch { /* no contact: the next time */ }
  }, 10000);

  // Adding several people: when the form comes back with a new key, its field is empty again and keeps the keyboard.
  const add = () => document.querySelector("form[data-add]");
  let key = add() && add().elements.key.value;
  document.addEventListener("htmx:after:swap", () => {
    if (!add() || add().elements.key.value === key) return;
    key = add().elements.key.value;
    if (add().elements.name.dataset.clear !== undefined) add().elements.name.value = "";
  });
})();
