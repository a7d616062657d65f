// Keeps the log of the night on this phone: if the machine it is played on dies, or shows another log, this one is here.
(() => {
  "use strict";
  const live = document.getElementById("live");
  const most = 3, silentMs = 10000;
  const key = (code) => `night ${code}`;
  const read = (code) => { try { return JSON.parse(localStorage.getItem(key(code))); } catch { return null; } };
  const all = () => Object.keys(localStorage).filter((one) => one.startsWith(key(""))).map((one) => one.slice(key("").length))
    .filter(read).sort((a, b) => read(b).at - read(a).at);
  const write = (code, mine) => {
    try { localStorage.setItem(key(code), JSON.stringify(mine)); } catch { /* no room: the table has it */ }
    all().slice(most).forEach((old) => localStorage.removeItem(key(old)));
  };
  const copy = (code, mine) => fetch(`/n/${code}/copy?after=${mine.lines.length}`, { cache: "no-store" });

  const save = (mine) => {
    const night = { ...JSON.parse(mine.frame), events: mine.lines.map((line) => JSON.parse(line)) };
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(night, null, 1)], { type: "application/json" }));
    link.download = mine.file;
    link.click();
  };

  // Nothing of this is in the pages themselves: the words come with the copy, as there may be no server to ask later.
  const box = document.createElement("section");
  const place = { position: "fixed", zIndex: 9, bottom: ".75rem", left: "50%", transform: "translateX(-50%)",
    width: "min(100% - 1.5rem, 30rem)", flexDirection: "column", alignItems: "stretch", boxShadow: "var(--sheet-shadow)" };
  const tell = (word, mine, away) => {
    if (box.dataset.now === word) return;
    box.dataset.now = word;
    const button = (label, go) => {
      const made = Object.assign(document.createElement("button"), { className: "btn wide", type: "button", textContent: label });
      made.addEventListener("click", go);
      return made;
    };
    const said = Object.assign(document.createElement("p"), { className: "b", textContent: mine.words[word] });
    const which = Object.assign(document.createElement("p"), { textContent: `${mine.name} (${mine.lines.length})` });
    box.replaceChildren(said, which, button(mine.words.save, () => save(mine)), ...(away ? [button(word === "gone" ? mine.words.later : mine.words.go, away)] : []));
    box.id = "kept";
    box.className = "note";
    box.setAttribute("role", "status");
    Object.assign(box.style, place);
    document.body.append(box);
  };
  const hush = (word) => { if (box.dataset.now === word) { delete box.dataset.now; box.remove(); } };

  // ---- at the table: every line is kept as it comes ----
  const follow = (code) => {
    let mine = read(code) || { lines: [], seal: "" }, timer = 0, lostSince = 0, isAsking = false;
    const forget = () => { mine = { lines: [], seal: "" }; hush("other"); update(); };
    const update = async () => {
      timer = 0;
      if (box.dataset.now === "other") return;
      // One question at a time: the answer to an older one would not fit the lines that came meanwhile.
      if (isAsking) { soon(); return; }
      isAsking = true;
      const asked = mine;
      try {
        const answer = await copy(code, asked);
        if (!answer.ok) return;
        const { known, lines, ...news } = await answer.json();
        if (mine !== asked) return;
        if (mine.lines.length && known !== mine.seal) { tell("other", mine, forget); return; }
        mine = { ...news, lines: [...mine.lines, ...lines], at: Date.now() };
        write(code, mine);
      } catch { /* no contact: with the next change */ } finally { isAsking = false; }
    };
    // Not at once, and not all phones together: the table's own pages come first.
    const soon = () => { timer ||= setTimeout(update, 500 + Math.random() * 2500); };
    document.addEventListener("shown", (event) => { if (event.detail.isNews) soon(); });
    live.addEventListener("htmx:sse:after:connection", soon);  // a server that was away may have come back with another log
    setInterval(() => {
      if (!document.body.classList.contains("lost")) {
        if (lostSince) hush("gone");
        lostSince = 0;
        return;
      }
      lostSince ||= Date.now();
      // It lies over the dock, where taps are still taken and sent later: once put away, it stays away.
      if (Date.now() - lostSince > silentMs && mine.lines.length) tell("gone", mine, () => { lostSince = Infinity; hush("gone"); });
    }, 1000);
    update();
  };

  // ---- anywhere else: a night that this phone has kept and the table no longer shows it ----
  const offer = async () => {
    for (const code of all()) {
      const mine = read(code);
      const answer = await copy(code, mine).catch(() => null);
      if (answer && (answer.status === 403 || answer.status === 404)) {
        tell("lost", mine, () => { localStorage.removeItem(key(code)); hush("lost"); });
        return;
      }
    }
  };

  if (live?.dataset.live) follow(live.dataset.live.split("/")[2]);
  else offer();
})();
