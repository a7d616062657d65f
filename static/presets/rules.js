// House rules in a form: one that does nothing because of the others is not offered, unless something is wrong with it.
(() => {
  "use strict";
  const is = (form, condition) => {
    const [key, values] = condition.split("=");
    const field = form.elements[key];
    return Boolean(field) && values.split(",").includes(field.value);
  };
  const show = () => {
    for (const rule of document.querySelectorAll("[data-idle]")) {
      const isIdle = rule.dataset.idle.split(" ").some((one) => is(rule.closest("form"), one));
      const note = rule.querySelector(".idle");
      if (note) note.hidden = !isIdle;
      rule.hidden = isIdle && !rule.querySelector(".fault:not([hidden])");
    }
  };
  for (const event of ["input", "change", "htmx:after:swap"]) document.addEventListener(event, show);
  show();
})();
