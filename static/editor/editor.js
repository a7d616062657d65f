// The board editor: faults stand at their fields while one types, suits are one tap, nothing is lost by a reload.
(() => {
  "use strict";
  const preview = document.getElementById("preview");
  const form = document.getElementById("editor");

  // The server lists what is wrong beside the board; each sentence is carried to its field.
  const showFaults = () => {
    const copyToFields = (list, places) => {
      const said = new Map();
      for (const one of form.querySelectorAll(`[${list}] [data-for]`)) said.set(one.dataset.for, one.textContent);
      for (const place of form.querySelectorAll(places)) {
        const why = said.get(place.id.slice(2)) || "";
        if (place.textContent !== why) place.textContent = why;
        place.hidden = !why;
        const field = place.closest(".field");
        if (field && places === ".fault") field.classList.toggle("wrong", Boolean(why));
      }
    };
    copyToFields("data-faults", ".fault");
    copyToFields("data-warnings", ".warning");
  };
  if (form && preview) {
    form.classList.add("faults-at-fields");
    new MutationObserver(showFaults).observe(document.getElementById("draft"), { childList: true, subtree: true });
    showFaults();
  }

  // After a tap on a button of the form, every field holds what the server wrote: a field that was typed into would
  // else keep its text while its place moves on.
  document.addEventListener("htmx:after:swap", (event) => {
    if (!form || !event.detail.ctx.target || event.detail.ctx.target.id !== "draft") return;
    for (const input of form.querySelectorAll("input")) {
      if (input.type === "checkbox" || input.type === "radio") input.checked = input.defaultChecked;
      else input.value = input.defaultValue;
    }
    for (const option of form.querySelectorAll("option")) option.selected = option.defaultSelected;
  });

  // A suit is hard to find on a phone's keyboard. The field keeps the focus.
  document.addEventListener("pointerdown", (event) => {
    if (event.target.closest("[data-sign]")) event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const key = event.target.closest("[data-sign]");
    if (!key) return;
    const input = key.closest(".field").querySelector("input");
    input.value = input.value.trimEnd() + key.dataset.sign;
    input.focus();
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
})();
