// What is typed in a form with data-draft is there again when its page comes back, until it is sent: the tab keeps it. What
// somebody else has saved meanwhile counts more, and a line says that what is shown is not saved yet.
(() => {
  "use strict";
  const forms = [...document.querySelectorAll("form[data-draft]")];
  const keyOf = (form) => `draft ${form.getAttribute("action")}`;
  const fieldsOf = (form) => [...form.elements].filter((one) => one.name && one.type !== "hidden" && one.type !== "submit");
  const nameOf = (one) => (["checkbox", "radio"].includes(one.type) ? `${one.name}=${one.value}` : one.name);
  const isTicked = (one) => one.type === "checkbox" || one.type === "radio";
  const saved = (one) => isTicked(one) ? one.defaultChecked
    : one.options ? ([...one.options].find((option) => option.defaultSelected) || one.options[0])?.value : one.defaultValue;
  const shown = (one) => (isTicked(one) ? one.checked : one.value);
  const read = (form) => { try { return JSON.parse(sessionStorage.getItem(keyOf(form))) || {}; } catch { return {}; } };
  const write = (form, draft) => {
    try {
      if (draft) sessionStorage.setItem(keyOf(form), JSON.stringify(draft));
      else sessionStorage.removeItem(keyOf(form));
    } catch { /* not allowed: the page itself still shows it */ }
  };
  const keep = (form) => {
    const changed = fieldsOf(form).filter((one) => shown(one) !== saved(one));
    write(form, changed.length ? Object.fromEntries(changed.map((one) => [nameOf(one), [saved(one), shown(one)]])) : null);
    if (!changed.length) for (const note of form.querySelectorAll("[data-unsaved]")) note.hidden = true;
  };
  const bringBack = (form) => {
    const draft = read(form), found = fieldsOf(form).filter((one) => draft[nameOf(one)]?.[0] === saved(one));
    const typed = found.filter((one) => shown(one) === saved(one));
    for (const one of typed) {
      if (isTicked(one)) one.checked = draft[nameOf(one)][1];
      else one.value = draft[nameOf(one)][1];
      for (let at = one.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
    }
    if (!found.length) return;
    for (const note of form.querySelectorAll("[data-unsaved]")) note.hidden = false;
    typed[0]?.dispatchEvent(new Event("change", { bubbles: true }));
  };
  for (const form of forms) {
    bringBack(form);
    for (const name of ["input", "change"]) form.addEventListener(name, () => keep(form));
    form.addEventListener("submit", () => write(form, null));
  }
})();
