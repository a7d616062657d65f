// Home, lobby and joining: three small things a form can't do by itself.
(() => {
  "use strict";

  const settle = (root) => {
    // A form that would only be one more tap goes by itself: the terminal's link, and coming in after a yes.
    const ready = root.querySelector("form[data-go]");
    if (ready) return ready.requestSubmit();
    // The lobby was on screen when the first hand began: everybody goes to the table.
    const begun = root.querySelector("[data-begun]");
    if (begun && begun.dataset.begun && document.body.classList.contains("gathering")) location.replace(begun.dataset.begun);
  };
  document.addEventListener("htmx:after:swap", () => settle(document));
  settle(document);

  // Adding several people: the field is empty again and keeps the keyboard.
  document.addEventListener("htmx:after:swap", () => {
    const add = document.querySelector("form[data-add] input[name=name]");
    if (add && add.dataset.clear !== undefined) add.value = "";
  });
})();
