// A link to this page has a night behind its #, which no server sees: it is put into the form, and the form is sent.
(() => {
  "use strict";
  const form = document.getElementById("arrival"), night = decodeURIComponent(location.hash.slice(1));
  if (!form || !night) return;
  history.replaceState(null, "", location.pathname);
  form.elements.text.value = night;
  form.querySelector("button").click();
})();
