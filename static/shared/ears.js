// Help for ears, off until a phone switches it on for itself: what happens is spoken, and "your turn" sounds and buzzes.
// Loaded by live.js at the table only where something is switched on, and by the page that has the switches.

const able = { speech: "speechSynthesis" in window, sound: "AudioContext" in window, buzz: "vibrate" in navigator };
const chosen = () => {
  try { return new Set((localStorage.getItem("ears") || "").split(" ").filter((name) => able[name])); } catch { return new Set(); }
};
const choose = (name, isOn) => {
  const names = chosen();
  if (isOn) names.add(name); else names.delete(name);
  try { localStorage.setItem("ears", [...names].join(" ")); } catch { /* not allowed: nothing is kept, nothing is heard */ }
};

const speak = (sentence) => {
  if (!sentence) return;
  const said = new SpeechSynthesisUtterance(sentence);
  said.lang = document.documentElement.lang;
  speechSynthesis.speak(said);
};

// Two soft notes, made here: no file to load.
let audio = null;
const chime = () => {
  audio ||= new AudioContext();
  audio.resume();
  [[660, 0], [880, .16]].forEach(([pitch, after]) => {
    const note = audio.createOscillator(), loudness = audio.createGain(), start = audio.currentTime + after;
    note.frequency.value = pitch;
    loudness.gain.setValueAtTime(.0001, start);
    loudness.gain.exponentialRampToValueAtTime(.12, start + .03);
    loudness.gain.exponentialRampToValueAtTime(.0001, start + .35);
    note.connect(loudness).connect(audio.destination);
    note.start(start);
    note.stop(start + .4);
  });
};
const buzz = () => navigator.vibrate([60, 80, 60]);

// Browsers keep silent until the page has been tapped once.
const unlock = () => {
  const on = chosen();
  if (on.has("sound")) { audio ||= new AudioContext(); audio.resume(); }
  if (on.has("speech")) speechSynthesis.resume();
};
addEventListener("pointerdown", unlock, { capture: true, passive: true, once: true });

// ---- at the table ----
const turn = () => document.querySelector("#live [data-own-turn]")?.dataset.ownTurn || "";
let asked = turn(), wasHidden = document.hidden;
document.addEventListener("visibilitychange", () => { wasHidden ||= document.hidden; });
document.addEventListener("told", ({ detail }) => { if (!wasHidden && chosen().has("speech")) speak(detail); });
document.addEventListener("shown", () => {
  const on = chosen(), nowAsked = turn(), isOwnTurn = nowAsked && nowAsked !== asked;
  asked = nowAsked;
  // What happened while nobody looked is on the page: whoever comes back reads it, and is not told it as new.
  if (wasHidden) { wasHidden = document.hidden; return; }
  if (isOwnTurn && on.has("sound")) chime();
  if (isOwnTurn && on.has("buzz")) buzz();
});

// ---- the page with the switches ----
const page = document.getElementById("ears");
const attempt = { speech: () => speak(page.dataset.example), sound: chime, buzz };
for (const box of page?.querySelectorAll("[data-ear]") || []) {
  const name = box.dataset.ear;
  box.disabled = !able[name];
  box.checked = chosen().has(name);
  box.addEventListener("change", () => choose(name, box.checked));
  page.querySelector(`[data-try=${name}]`).hidden = !able[name];
  page.querySelector(`[data-unable=${name}]`).hidden = able[name];
  page.querySelector(`[data-try=${name}]`).addEventListener("click", attempt[name]);
}
