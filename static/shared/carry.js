// Carrying a board or a night to another tracker: what goes along is in this page's own address or form.
(() => {
  "use strict";
  document.addEventListener("submit", (event) => {
    const carry = event.target.closest("[data-carry]");
    if (!carry) return;
    event.preventDefault();
    const to = carry.elements.to.value.trim().replace(/^https?:\/\//, "").replace(/\/.*$/, "");
    if (/^[\w.:[\]-]+$/.test(to)) location.href = `http://${to}${carry.dataset.carry}`;
  });
})();
