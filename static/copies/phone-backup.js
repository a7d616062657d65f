// Keeps the log of the night on this phone: if the machine it is played on dies, or shows another log, this one is here.
(() => {
  "use strict";
  const live = document.getElementById("live");
  const most = 3, patienceSeconds = 10;
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

  // The exact log behind # of a link to the site that runs the tracker in a browser; tracker/extras/copies/night_transfer.py reads it.
  const siteLink = async (mine) => {
    const text = `{"night":${JSON.stringify(mine.night)},"lines":[${mine.lines.join()}],"seal":"${mine.seal}","proof":${JSON.stringify(mine.proof ?? "")}}`;
    const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
    const signs = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    return `${mine.site}X1${signs.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
  };

  // Nothing of this is in the pages themselves: the words come with the copy, as there may be no server to ask later.
  // At the table it lies over the top bar, like everything that a phone is asked besides the game: what is tapped in play
  // stays free, and nothing moves. It comes and goes while no finger is down. On other pages it stands below everything.
  const box = Object.assign(document.createElement("section"), { id: "phone-backup" });
  box.setAttribute("role", "status");
  const overBar = { position: "fixed", zIndex: 7, inset: "0 0 auto", maxWidth: "34rem", marginInline: "auto" };
  const button = (className, label, go) => {
    const made = Object.assign(document.createElement("button"), { className, type: "button", textContent: label });
    made.setAttribute("aria-label", label);
    made.addEventListener("click", go);
    return made;
  };
  const paragraph = (text, className) => Object.assign(document.createElement("p"), { textContent: text, className });
  let now = "";  // what is said just now
  const showWhenUp = async (word, fill) => {
    now = word;
    await contact.untilUp();
    if (now === word) fill();
  };
  const hideNotice = (word) => { if (now === word) showWhenUp("", () => box.remove()); };
  const offerSite = async (mine, saveButton) => {
    const href = await siteLink(mine).catch(() => "");  // a browser before 2023 packs nothing: there the night is saved
    if (!href) return;
    const link = Object.assign(document.createElement("a"), { className: "btn act", textContent: mine.words.here, target: "_blank", href });
    box.firstChild.textContent = mine.words.on;
    saveButton.classList.remove("act");
    box.append(link);
  };
  const showAtTable = (word, mine, away) => {
    if (now === word) return;
    showWhenUp(word, () => {
      const saveButton = Object.assign(button("btn act", mine.words.save, () => save(mine)), { textContent: mine.words.keep });
      const close = button("iconb", mine.words.later, () => { hideNotice(word); away(); });
      close.innerHTML = '<svg class="ic" aria-hidden="true"><use href="#i-x"/></svg>';
      box.textContent = "";
      box.append(paragraph(mine.words[word], "sm"), close, saveButton);
      if (word === "gone" && mine.site && mine.night) offerSite(mine, saveButton);
      box.className = "asked just-shown";
      Object.assign(box.style, overBar);
      document.getElementById("net").before(box);
    });
  };
  const showBelow = (word, mine, away) => {
    const close = button("btn wide", mine.words.go, () => { hideNotice(word); away(); });
    showWhenUp(word, () => {
      box.textContent = "";
      box.append(paragraph(mine.words[word], "b"), paragraph(`${mine.name} (${mine.lines.length})`, "sm"),
        button("btn act wide", mine.words.save, () => save(mine)), close);
      box.className = "panel stackup";
      document.getElementById("main").append(box);
    });
  };

  // ---- at the table: every line is kept as it comes ----
  const follow = (code) => {
    let mine = read(code) || { lines: [], seal: "" }, timer = 0, silent = 0, isAsking = false;
    // What this phone saw is not thrown away: the first page offers it as a night of its own.
    const setAside = () => { write(`${code}-seen`, mine); mine = { lines: [], seal: "" }; update(); };
    const update = async () => {
      timer = 0;
      // One question at a time: the answer to an older one would not fit the lines that came meanwhile.
      if (isAsking) { soon(); return; }
      isAsking = true;
      const asked = mine;
      try {
        const answer = await copy(code, asked);
        if (!answer.ok) return;
        const { known, lines, ...news } = await answer.json();
        if (mine !== asked) return;
        if (mine.lines.length && known !== mine.seal) { showAtTable("other", mine, setAside); return; }
        hideNotice("other");  // the log that this phone knows was brought back
        mine = { ...news, lines: [...mine.lines, ...lines], at: Date.now() };
        write(code, mine);
      } catch { /* no contact: with the next change */ } finally { isAsking = false; }
    };
    // Not at once, and not all phones together: the table's own pages come first.
    const soon = () => { timer ||= setTimeout(update, 500 + Math.random() * 2500); };
    document.addEventListener("shown", (event) => { if (event.detail.isNews) soon(); });
    live.addEventListener("htmx:sse:after:connection", soon);  // a server that was away may have come back with another log
    // Only seconds in view count: a phone that wakes has heard nothing for long, and will in a moment.
    const isLost = () => document.body.classList.contains("lost");
    setInterval(() => {
      if (document.hidden) silent = Math.min(silent, 0);
      else if (isLost()) silent += 1;
      if (silent > patienceSeconds && mine.lines.length) showAtTable("gone", mine, () => { silent = -Infinity; });  // once put away, it stays away
    }, 1000);
    new MutationObserver(() => { if (!isLost()) { silent = 0; hideNotice("gone"); } }).observe(document.body, { attributeFilter: ["class"] });
    update();
  };

  // ---- anywhere else: a night that this phone has kept and the table no longer shows it ----
  const offer = async () => {
    for (const code of all()) {
      const mine = read(code);
      const answer = await copy(code, mine).catch(() => null);
      if (answer && (answer.status === 403 || answer.status === 404)) {
        showBelow("lost", mine, () => localStorage.removeItem(key(code)));
        return;
      }
    }
  };

  if (live?.dataset.live) follow(live.dataset.live.split("/")[2]);
  else offer();
})();
