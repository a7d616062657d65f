// The tablet in the middle: several people touch it at once. Each finger is on its own: an entry needs its touch to begin
// and to end on the same thing, and a place that is pulled into a dock is taken there. A browser makes no clicks of two
// fingers that are down at once, so the clicks are made here.
(() => {
  "use strict";
  const live = document.getElementById("live"), over = document.getElementById("over"), sheet = document.getElementById("flat-sheet");
  const still = 12, holdMs = 1000;
  const fingers = new Map();  // pointerId -> { control, meaning, box, around, place, x, y, ghost, isFar, hold }
  const CONTROLS = "button, a[href]";

  const controlAt = (element) => {
    const found = element?.closest?.(CONTROLS);
    return found && !found.disabled && getComputedStyle(found).pointerEvents !== "none" ? found : null;
  };
  // What a control means: one that a change has given another meaning under the finger is not the one that was pressed.
  const meaningOf = (control) => [control.id, control.value, control.href, JSON.stringify(control.dataset)].join(" ");
  const isWithin = ({ left, top, right, bottom }, x, y) => x >= left && x <= right && y >= top && y <= bottom;
  const pressedAgain = ({ control, meaning, around }) => {
    const found = control.isConnected ? [control] : [...document.querySelectorAll(around ? `#${CSS.escape(around)} :is(${CONTROLS})` : CONTROLS)];
    return found.find((one) => !one.disabled && one.getClientRects().length && meaningOf(one) === meaning);
  };
  const dockAt = (x, y) => {
    const found = document.elementFromPoint(x, y)?.closest("[data-dock]");
    return found ? flat.dockOf(found.dataset.dock) : null;
  };
  const mark = (dock) => { for (const one of flat.docks()) one.classList.toggle("aimed", one === dock); };

  const down = (event) => {
    const { target, pointerId, pointerType, clientX: x, clientY: y } = event;
    if (target.closest("#flat-sheet")) return;
    const control = controlAt(target), corner = target.closest("[data-corner]");
    const place = target.closest("#live .board [data-pot][data-ask=collect]");
    const finger = { control, place, x, y, ghost: null, isFar: false, isMouse: pointerType === "mouse" };
    if (control) {
      finger.meaning = meaningOf(control);
      finger.box = control.getBoundingClientRect();
      finger.around = control.closest("[data-dock][id]")?.id;
    }
    if (target.hasPointerCapture?.(pointerId)) target.releasePointerCapture(pointerId);
    if (corner) {
      corner.classList.add("held");
      finger.corner = corner;
      finger.hold = setTimeout(() => {
        finger.isFar = true;
        flat.openSheet(live.dataset.menu, flat.CORNERS[corner.dataset.corner]);
      }, holdMs);
    }
    fingers.set(pointerId, finger);
  };
  const move = ({ pointerId, clientX: x, clientY: y }) => {
    const finger = fingers.get(pointerId);
    if (!finger) return;
    if (Math.hypot(x - finger.x, y - finger.y) > still) finger.isFar = true;
    if (!finger.place || !finger.isFar) return;
    finger.ghost ||= ghostOf(finger.place);
    finger.ghost.style.transform = `translate(${x}px, ${y}px)`;
    const dock = dockAt(x, y);
    mark(dock && flat.mayTake(dock, finger.place) ? dock : null);
  };
  const ghostOf = (place) => {
    const ghost = document.createElement("b");
    ghost.className = "pulled num";
    ghost.textContent = place.dataset.n;
    over.append(ghost);
    return ghost;
  };
  const end = (pointerId) => {
    const finger = fingers.get(pointerId);
    fingers.delete(pointerId);
    if (!finger) return null;
    clearTimeout(finger.hold);
    finger.corner?.classList.remove("held");
    if (finger.ghost) { finger.ghost.remove(); mark(null); }
    return finger;
  };
  const up = ({ pointerId, clientX: x, clientY: y }) => {
    const finger = end(pointerId);
    if (!finger) return;
    if (finger.place && finger.isFar) {
      const dock = dockAt(x, y);
      const place = document.getElementById(finger.place.id);  // it may have been renewed under the finger
      if (dock && place) flat.take(dock, place);
      return;
    }
    // Where the control was when it was pressed: what has moved since, by a change, is still what was meant.
    if (finger.isMouse || finger.corner || !finger.control || !isWithin(finger.box, x, y)) return;
    pressedAgain(finger)?.click();
  };
  addEventListener("pointerdown", down, { capture: true, passive: true });
  addEventListener("pointermove", move, { capture: true, passive: true });
  addEventListener("pointerup", up, { capture: true, passive: true });
  addEventListener("pointercancel", ({ pointerId }) => end(pointerId), { capture: true, passive: true });
  // No click of the browser's own follows a touch; in a sheet, where people type and scroll, it does. What was touched may
  // be gone when the touch ends: only the element itself still hears of it then.
  const makeNoClick = (event) => { if (event.cancelable) event.preventDefault(); };
  document.addEventListener("touchstart", ({ target }) => {
    if (!target.closest("#flat-sheet")) target.addEventListener("touchend", makeNoClick, { passive: false });
  }, { passive: true });
  document.addEventListener("contextmenu", (event) => { if (!sheet.contains(event.target)) event.preventDefault(); });
})();
