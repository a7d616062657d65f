// Puts the hint of a rehearsal beside what it is about, marks that, and keeps a hint away that was put away.
(() => {
  "use strict";
  const gap = 14, edge = 8;
  let away = "", marked = "";
  const place = () => {
    const hint = document.getElementById("hint");
    for (const old of document.querySelectorAll(".hint-target")) old.classList.remove("hint-target");
    if (!hint) return;
    hint.classList.toggle("away", hint.dataset.name === away);
    if (hint.dataset.name === away || !hint.dataset.at) return;
    const isAsked = Boolean(hint.dataset.asked) && document.body.dataset.question === hint.dataset.asked;
    hint.classList.toggle("is-asked", isAsked);
    const selector = isAsked ? hint.dataset.thenAt : hint.dataset.at;
    const target = [...document.querySelectorAll(selector)].find((one) => one.getClientRects().length);
    hint.classList.toggle("still", !target);
    if (!target) { hint.removeAttribute("style"); return; }
    target.classList.add("hint-target");
    if (marked !== selector) target.scrollIntoView({ block: "nearest" });  // once: whoever scrolls on is left alone
    marked = selector;
    const box = target.getBoundingClientRect(), own = hint.getBoundingClientRect();
    const isBelow = box.top - own.height - gap < edge;
    const half = own.width / 2, middle = box.left + box.width / 2;
    const x = Math.min(Math.max(middle, half + edge), document.documentElement.clientWidth - half - edge);
    hint.classList.toggle("below", isBelow);
    const y = isBelow ? box.bottom + gap : box.top - own.height - gap;
    const left = Math.max(x - half, 0);  // on a tiny screen it is as wide as the screen
    hint.style.transform = `translate(${left}px, ${Math.max(edge, Math.min(y, innerHeight - own.height - edge))}px)`;
    hint.style.setProperty("--tip", `${Math.min(Math.max(middle - left, 20), own.width - 20)}px`);
  };
  const soon = () => requestAnimationFrame(place);
  document.addEventListener("shown", soon);
  addEventListener("resize", soon);
  addEventListener("scroll", soon, { capture: true, passive: true });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-hint-close]")) away = document.getElementById("hint").dataset.name;
    soon();
  });
  // The question that is asked changes by taps of which the server hears nothing.
  new MutationObserver(soon).observe(document.body, { attributeFilter: ["data-question"] });
  soon();
})();
