// The form that chooses nights: it is sent as soon as something is chosen, so that the address says what is shown.
(() => {
  "use strict";
  document.addEventListener("change", (event) => {
    const form = event.target.closest("form.chooser");
    if (!form || (event.target.name === "season" && event.target.value === "dates")) return;  // its days come next
    for (const field of form.elements) field.disabled = !field.value;
    form.submit();
  });
  addEventListener("pageshow", () => document.querySelectorAll("form.chooser :disabled").forEach((one) => { one.disabled = false; }));
})();
