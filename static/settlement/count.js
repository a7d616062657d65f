// Counting and settling on several phones at once: what the others typed appears by itself, but never while somebody
// types or presses here. Also adds up chips by colour. Without this file the pages work, and a reload shows the rest.
(() => {
  "use strict";
  const everyMs = 3000;
  let isPressed = false;
  document.addEventListener("pointerdown", () => { isPressed = true; }, true);
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => { isPressed = false; }, true);

  for (const one of document.querySelectorAll("[data-no-script]")) one.remove();

  const isBusy = (box) => isPressed || document.hidden || box.querySelector("details.other[open], input:focus, .htmx-request");

  // What has changed is told, as live.js does at the table: each thing once, one's own with a short answer.
  const log = document.getElementById("happened");
  const linesOf = (box) => [...box.querySelectorAll("[data-says]")].map((one) => one.dataset.says);
  const told = new Map();
  let isOwn = true;  // whether what changes now was done here
  const tellNews = (box) => {
    const before = told.get(box), now = linesOf(box);
    told.set(box, now);
    for (const says of now.filter((one) => !before.includes(one))) {
      const line = document.createElement("p");
      line.textContent = isOwn ? `${log.dataset.done}. ${says}` : says;
      log.append(line);
    }
  };

  const refresh = async (box) => {
    if (isBusy(box)) return;
    try {
      const answer = await fetch(`${box.dataset.fresh}?seen=${encodeURIComponent(box.dataset.mark)}`, { headers: { "HX-Request": "true" } });
      if (answer.status === 403) location.reload();  // this phone goes along to the next night, or was sent away
      if (answer.status !== 200 || isBusy(box)) return;
      const text = await answer.text();
      box.dataset.mark = answer.headers.get("X-Mark");
      isOwn = false;
      await htmx.swap({ text, target: box, swap: "innerMorph", sourceElement: box });  // what has the focus keeps it
    } catch { /* the server is away: the next round tries again */ } finally { isOwn = true; }
  };
  const boxes = [...document.querySelectorAll("[data-fresh]")];
  for (const box of boxes) told.set(box, linesOf(box));
  document.addEventListener("htmx:after:swap", () => { for (const box of boxes) tellNews(box); });
  if (boxes.length) setInterval(() => boxes.forEach(refresh), everyMs);
  document.addEventListener("visibilitychange", () => boxes.forEach(refresh));

  // The phone's own way to send something: with the night's file where it takes one.
  for (const button of document.querySelectorAll("[data-send]")) {
    button.hidden = !navigator.share;
    button.addEventListener("click", async () => {
      const text = document.querySelector(button.dataset.send).textContent;
      const files = await fetch(button.dataset.file).then((answer) => answer.blob())
        .then((night) => [new File([night], "night.json", { type: night.type })]).catch(() => []);
      await navigator.share(navigator.canShare?.({ text, files }) ? { text, files } : { text }).catch(() => { /* not sent */ });
    });
  }

  document.addEventListener("input", (event) => {
    const form = event.target.closest("[data-worth]")?.closest("form");
    if (!form) return;
    const piles = [...form.querySelectorAll("[data-worth]")];
    const sum = piles.reduce((all, pile) => all + Number(pile.dataset.worth) * (Number(pile.value) || 0), 0);
    form.elements.counted.value = piles.some((pile) => pile.value) ? sum : "";
  });
})();
