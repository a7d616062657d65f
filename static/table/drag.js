// A place dragged onto a person, or a person onto a place, is the same as tapping the place and then the person.
(() => {
  "use strict";
  const live = document.getElementById("live");
  const thresholdPx = 12;
  let start = null, ghost = null;

  const placeAt = (one) => one?.closest?.("#live .board [data-ask=collect], #live .board [data-ask=out]");
  const seatAt = (one) => one?.closest?.("#live button.seat");
  const mayDrag = () => Boolean(document.querySelector("#move.open")) && !["share", "tie"].includes(document.body.dataset.question);
  // The place and the person of what is dragged and what lies under it; null where that is no pair.
  const pairAt = (x, y) => {
    const under = document.elementFromPoint(x, y);
    const place = placeAt(start.from) || placeAt(under), seat = seatAt(start.from) || seatAt(under);
    return place && seat ? { place, seat } : null;
  };
  const begin = () => {
    ghost = document.createElement("div");
    ghost.id = "dragged";
    ghost.setAttribute("aria-hidden", "true");
    const what = start.from.querySelector(placeAt(start.from) ? ".pile" : ".tok");
    if (what) ghost.append(what.cloneNode(true));
    document.body.append(ghost);
    navigator.vibrate?.(8);
  };
  const mark = (one) => {
    for (const old of document.querySelectorAll(".takes-drag")) if (old !== one) old.classList.remove("takes-drag");
    one?.classList.add("takes-drag");
  };
  const end = () => { ghost?.remove(); start = ghost = null; mark(null); };

  live.addEventListener("pointerdown", (event) => {
    const from = placeAt(event.target) || seatAt(event.target);
    if (from && event.isPrimary && mayDrag()) start = { from, x: event.clientX, y: event.clientY };
  });
  document.addEventListener("pointermove", (event) => {
    if (!start || !event.isPrimary) return;
    const { clientX: x, clientY: y } = event;
    if (!ghost && Math.hypot(x - start.x, y - start.y) < thresholdPx) return;
    if (!ghost) begin();
    ghost.style.transform = `translate(${x}px, ${y}px)`;
    const pair = pairAt(x, y);
    mark(pair && (placeAt(start.from) ? pair.seat : pair.place));
  });
  document.addEventListener("pointerup", (event) => {
    const pair = ghost && pairAt(event.clientX, event.clientY);
    end();
    if (!pair) return;
    if (pair.place.getAttribute("aria-pressed") !== "true") pair.place.click();
    pair.seat.click();
  });
  document.addEventListener("pointercancel", end);

  // Where the whole table is on the screen nothing scrolls, and a finger on it drags.
  const fit = () => document.body.classList.toggle("fits", document.documentElement.scrollHeight <= innerHeight + 1);
  document.addEventListener("shown", fit);
  addEventListener("resize", fit);
  fit();
})();
