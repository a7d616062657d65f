// Home, lobby and joining: three small things a form can't do by itself.
(() => {
  "use strict";

  let code;
  const settle = (root) => {
    // A form that would only be one more tap goes by itself: the terminal's link, and coming in after a yes.
    const ready = root.querySelector("form[data-go]");
    if (ready) return ready.querySelector("button").click();
    const lobby = root.querySelector("[data-begun]");
    if (!lobby) return;
    // The lobby was on screen when the first hand began: everybody goes to the table.
    if (lobby.dataset.begun && document.body.classList.contains("gathering")) return location.replace(lobby.dataset.begun);
    // There is a new code, or it leads to another address: the old picture must not stay on any screen.
    if (code !== undefined && code !== lobby.dataset.code) return location.reload();
    code = lobby.dataset.code;
    // Whoever is still to come finds the code folded once three sit; whoever opens it again keeps it open.
    const fold = document.getElementById("fold");
    if (fold && !fold.dataset.done && root.querySelectorAll(".ring4 > li").length > 2) fold.open = fold.dataset.done = "";
  };
  document.addEventListener("htmx:after:swap", () => settle(document));
  settle(document);

  // Adding several people: each is sent with a key of its own, also before the answer about the one before is there.
  // With its answer the field is empty again and keeps the keyboard, unless somebody types the next name by then.
  const add = () => document.querySelector("form[data-add]");
  const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, "0")).join("");
  const sent = new Set();
  let key = add() && add().elements.key.value, answered, left;
  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = event.detail;
    if (ctx.sourceElement !== add()) return;
    const name = ctx.request.body.get("name");
    if (sent.has(name)) return event.preventDefault();  // a double tap
    sent.add(name);
    key = add().elements.key.value = newKey();
  });
  document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
    if (ctx.sourceElement === add()) answered = ctx.request.body.get("name");
  });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (ctx.sourceElement !== add()) return;
    sent.delete(ctx.request.body.get("name"));
    if (sent.size) return;
    if (ctx.response) left?.click();
    left = null;
  });
  // Who leaves the page goes once all are seated: a name that waits for the answer before it would be lost.
  document.addEventListener("click", (event) => {
    const way = event.target.closest("a[href], form:not([hx-post]) button");
    if (!sent.size || !way) return;
    event.preventDefault();
    left = way;
  });
  document.addEventListener("htmx:after:swap", () => {
    if (!add() || add().elements.key.value === key) return;
    key = add().elements.key.value;
    const { name } = add().elements;
    if (name.dataset.clear !== undefined && name.value === answered) name.value = "";
  });
})();
