// Where a browser runs scripts and cannot read ours, as a TV of before 2021: the page comes anew by itself every ten seconds.
addEventListener("load", function () {
  setTimeout(function () { if (!window.htmx) location.reload(); }, 10000);
});
