// Every page that follows a night: keeps in contact, changes nothing under a finger, and shows what has just happened
// once. Tells the rest of the page by the event "shown" after every change.
(() => {
  "use strict";
  const body = document.body;
  const live = document.getElementById("live");
  if (!live) return;
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const state = () => $("[data-head]", live)?.dataset || {};
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  // ---- an older picture never replaces a newer one: an answer and the stream may overtake each other ----
  // Each is marked with its server's start and a number that grows with everything shown.
  const momentOf = (at) => { const [start, number] = (at || "").split(":"); return { start, number: Number(number) }; };
  const isOld = (text) => {
    const { start, number } = momentOf(/data-at="(\w+:\d+)"/.exec(text)?.[1]), own = momentOf(state().at);
    return start === own.start && number < own.number;
  };
  const isBehind = contact.isBehind = (at) => { const { start, number } = momentOf(at), own = momentOf(state().at); return start && (start !== own.start || number > own.number); };
  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = event.detail, { status, headers } = ctx.response;
    if (ctx.target === live && status < 400 && isOld(ctx.text)) event.preventDefault();
    // The stream has shown it: unless it broke without a word.
    if (status === 204) setTimeout(() => { if (isBehind(headers.get("X-At"))) refresh(); }, shownMs);
  });
  document.addEventListener("sent", (event) => {
    const { url, status, text } = event.detail;
    const isOurs = `${url}/`.startsWith(live.dataset.live.replace(/live$/, ""));
    if (isOurs && (status === 200 ? !isOld(text) : [409, 422, 503].includes(status))) show(text);
  });

  // ---- nothing changes under a finger ----
  let isDown = false, ups = [], stuck = 0;
  const up = () => { clearTimeout(stuck); isDown = false; setTimeout(() => { if (!isDown) { ups.forEach((go) => go()); ups = []; } }, 60); };
  const down = () => { isDown = true; clearTimeout(stuck); stuck = setTimeout(up, 6000); };  // its end may get lost
  addEventListener("pointerdown", down, { capture: true, passive: true });
  addEventListener("pointerup", up, { capture: true, passive: true });
  addEventListener("pointercancel", up, { capture: true, passive: true });
  const untilUp = contact.untilUp = () => (isDown ? new Promise((done) => ups.push(done)) : Promise.resolve());

  // ---- contact ----
  const beatMs = 10000, patienceMs = 5000, fullMs = 10000, shownMs = 1000;
  let connection = null, fullConnection = null, fullTimer = 0, isClosed = false, isAsking = false;
  const isSilent = () => Date.now() - contact.heardAt > 1.5 * beatMs;
  const show = (text) => htmx.swap({ text, target: live, swap: "innerMorph", sourceElement: live });
  const refresh = async () => {
    if (isAsking) return;
    isAsking = true;
    const attempt = new AbortController();
    const late = setTimeout(() => attempt.abort(), patienceMs);
    try {
      const answer = await fetch(live.dataset.live, { headers: { "HX-Request": "true" }, cache: "no-store", signal: attempt.signal });
      if (answer.status === 401 || answer.status === 403 || answer.status === 404) { location.reload(); return; }
      if (!answer.ok) throw new Error(String(answer.status));
      const text = await answer.text();
      await untilUp();
      contact.heard();
      if (!isOld(text)) await show(text);
    } catch { contact.lost(); } finally { clearTimeout(late); isAsking = false; }
  };
  const follow = () => { if (!live._htmx?.sse) htmx.process(live); };  // only a stream that once stood comes back by itself
  const followLater = () => {  // not all pages at once
    clearTimeout(fullTimer);
    fullTimer = setTimeout(() => {
      if (document.hidden) return;
      isClosed = !isSilent();
      follow();
      followLater();
    }, fullMs * (.8 + .4 * Math.random()));
  };
  const wake = () => {
    if (document.hidden) return;
    clearTimeout(fullTimer);
    if (isSilent()) body.classList.add("lost");
    isClosed = false;
    follow();
    refresh();
  };
  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
  addEventListener("online", wake);
  addEventListener("offline", contact.lost);
  setInterval(() => {
    if (document.hidden || isClosed) return;
    follow();
    if (!isSilent()) return;
    connection?.reader?.cancel();  // a dead link gives no error: end it, so that the stream asks again
    refresh();
  }, 2000);

  live.addEventListener("htmx:sse:after:connection", (event) => {
    connection = event.detail.connection;
    isClosed = false;
    clearTimeout(fullTimer);
    contact.heard();
  });
  // A whole page, or the elements that have changed, a sign before each: by its id, which no other one before it has.
  const inPlace = (sent) => sent.split("\x1f").map((html, at) => (
    at ? `<hx-partial id="${/ id="([^"]+)"/.exec(html)[1]}" hx-swap="outerMorph">${html}</hx-partial>` : html)).join("");
  live.addEventListener("htmx:sse:before:message", (event) => {
    contact.heard();
    if (event.detail.message.event) return;
    contact.full(connection === fullConnection);
    if (isOld(event.detail.message.data)) { event.preventDefault(); return; }
    event.detail.message.data = inPlace(event.detail.message.data);
    event.detail.waitUntil(untilUp());
  });
  // A stream that is refused or slow, or that broke while the phone slept, says nothing of the contact: an answer does.
  // One that broke because the page is left asks when somebody comes back to it.
  live.addEventListener("htmx:sse:error", () => { setTimeout(() => { if (Date.now() - contact.heardAt > 3000) refresh(); }, 300); });
  // The lobby shows more than the log, such as the machine's address: it names no number, so it asks at every beat.
  live.addEventListener("beat", (event) => { if (Number(event.detail.data) !== Number(state().head)) refresh(); });
  // The same browser follows in newer tabs: this one shows nothing new until somebody comes back to it.
  live.addEventListener("closed", (event) => {
    if (event.detail.data === "revoked") { location.reload(); return; }
    isClosed = true;
    if (event.detail.data !== "full") { contact.elsewhere(); return; }
    // There is no room for this stream, or it has made room for another one.
    contact.full(true);
    followLater();
  });
  live.addEventListener("full", () => { fullConnection = connection; });  // it shows this one page, and ends
  addEventListener("pointerdown", () => { if (isClosed && !contact.isFull) wake(); }, { capture: true, passive: true });

  // ---- what has just happened is heard: each thing once, in order, in a log that is never replaced ----
  const log = $("#happened"), asked = $("#asked"), mostTold = 60;
  const textOf = (one) => {
    if (one.dataset.says) return one.dataset.says;
    const copy = one.cloneNode(true);
    for (const drawn of copy.querySelectorAll("[aria-hidden=true], [hidden]")) drawn.remove();
    for (const part of copy.querySelectorAll("b, span")) part.after(" ");
    for (const more of copy.querySelectorAll("small")) more.before(", ");
    return copy.textContent.replace(/\s+/g, " ").replace(/ (?=[.,;:!?])/g, "").trim();
  };
  const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".");
  const tell = (...parts) => {
    const line = document.createElement("p");
    line.textContent = parts.filter(Boolean).map(sentence).join(" ");
    log.append(line);
    if (log.children.length > mostTold) log.firstChild.remove();
    document.dispatchEvent(new CustomEvent("told", { detail: line.textContent }));
  };
  document.addEventListener("tell", ({ detail }) => tell(detail));
  const ownChips = () => ($("#own-stack .pop-n") || $(`#s-${$("#move[data-me]")?.dataset.me} .pop-n`))?.textContent;
  const toTell = () => ({
    head: Number(state().head || 0),
    chips: ownChips(),
    // An entry is told once, whatever its line says later; anything else once for each of its texts.
    lines: new Map($$("[data-tell]", live).map((one) => [/^\d+$/.test(one.dataset.tell) ? one.dataset.tell : `${one.dataset.tell} ${textOf(one)}`, one])),
  });
  let told = toTell();
  const tellNews = () => {
    if (document.hidden) return;  // nobody hears it now: it is told as missed
    const last = told, { head, chips, lines } = told = toTell(), missed = head - last.head;
    if (last.head && missed > 1) tell(log.dataset.missed.replace("#", missed));
    for (const [line, one] of lines) {
      const isEntry = one.dataset.tell === String(head), have = isEntry && chips && chips !== last.chips;
      if (!last.lines.has(line)) tell("own" in one.dataset && log.dataset.done, textOf(one), have && log.dataset.have.replace("#", chips));
    }
  };
  // The first antes, which lead whoever has waited in the lobby to the table, are news there.
  addEventListener("load", () => {
    if (body.matches(".gathering")) sessionStorage.setItem("gathered", location.pathname.replace(/\/lobby$/, ""));
    if (!state().moves?.trim() || sessionStorage.getItem("gathered") !== location.pathname) return;
    sessionStorage.removeItem("gathered");
    told.lines.delete(String(told.head));
    told.chips = "";
    tellNews();
  });
  // What is asked: by the scripts of the page, by the server, or else by the button that comes next.
  const questions = {};
  const tip = () => { const text = $("#tip")?.textContent.trim(); return text && state().moment === "play" ? asked.dataset.play : text; };
  const ask = () => {
    const text = Object.values(questions).find(Boolean) || $("[data-asks]")?.dataset.asks || tip()
      || [...$$(".dock .row :is(.act, .off)", live)].filter((one) => one.getClientRects().length).map(textOf)[0] || "";
    if (asked.textContent !== text) asked.textContent = text;
    const [title, where] = [".bar h1", ".bar h1 + p"].map((one) => $(one, live)).map((one) => (one ? textOf(one) : ""));
    if (where) document.title = [$("[data-own-turn]", live) && text, [$(".own-bar", live) ? "" : title, where].filter(Boolean).join(", "), night].filter(Boolean).join(" · ");
  };
  const night = document.title.split(" · ").pop();
  document.addEventListener("asking", ({ detail }) => { Object.assign(questions, detail); setTimeout(ask); });
  document.addEventListener("shown", () => { tellNews(); setTimeout(ask); });
  addEventListener("load", () => setTimeout(ask, 100));  // a region that is there before its text is read

  // ---- what has just happened is seen: chips fly once, numbers pop once ----
  let before = null;
  const shownNumbers = () => ({
    head: Number(state().head || 0),
    numbers: new Map($$("#live [id]:is(.seat, .compartment, .hub, #own-stack)").map((one) => [one.id, numberOf(one)])),
  });
  const numberOf = (one) => one.dataset.n ?? $(".pop-n", one)?.textContent;
  const centerOf = (account) => {
    const mine = $("[data-me]", live)?.dataset.me === account && $("#own-stack");
    const found = mine || document.getElementById(`s-${account}`) || document.getElementById(`p-${account}`);
    const shown = found ? $(".pile, .taker", found) || $(".tok", found) || found : null; // the bank is nowhere on the page
    const box = shown?.getBoundingClientRect();
    return box && box.width ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : null;
  };
  const flyChips = () => {
    const moves = (state().moves || "").trim().split(" ").filter(Boolean).map((one) => one.split(">")).slice(0, 90);
    const side = $(".pile", live)?.getBoundingClientRect().width || innerWidth / 7;  // of the square that a chip is drawn in
    moves.forEach(([source, target, chips], at) => {
      const from = centerOf(source), to = centerOf(target);
      if (!from || !to) return;
      const many = moves.length > 12 ? 1 : Math.min(6, Number(chips));
      for (let one = 0; one < many; one += 1) launchChip(from, to, side, at + one, moves.length > 12 ? (at % 9) * 22 : one * 34);
    });
  };
  const launchChip = (from, to, side, nth, delay) => {
    const chip = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    chip.setAttribute("class", "flying-chip");
    chip.setAttribute("width", side);
    chip.setAttribute("height", side);
    chip.innerHTML = `<use href="#f${nth % 4}"/>`;
    body.append(chip);
    const at = ({ x, y }) => `translate(${x - side / 2}px, ${y - side / 2}px)`;
    const mid = { x: (from.x + to.x) / 2 + (Math.random() - .5) * 30, y: Math.min(from.y, to.y) - 18 };
    chip.animate([{ transform: at(from), opacity: 1 }, { transform: at(mid), opacity: 1, offset: .5 }, { transform: at(to), opacity: .9 }],
      { duration: 420, delay, easing: "cubic-bezier(.3,.1,.2,1)", fill: "both" }).onfinish = () => chip.remove();
  };
  const enlargeNumber = (one) => {
    const number = $(".n, .pop-n", one);
    number?.animate?.([{ transform: "scale(1)" }, { transform: "scale(1.22)" }, { transform: "scale(1)" }], { duration: 420, easing: "cubic-bezier(.2,.8,.2,1)" });
  };
  document.addEventListener("htmx:before:swap", () => { before = shownNumbers(); });
  document.addEventListener("htmx:after:swap", () => {
    const after = shownNumbers();
    const isNews = Boolean(before) && after.head !== before.head;
    document.dispatchEvent(new CustomEvent("shown", { detail: { isNews } }));
    // One event further: somebody has just made it. More: this page is catching up, and nothing is shown as if it were new.
    if (!isNews || after.head !== before.head + 1 || still.matches || document.hidden) return;
    flyChips();
    $(".big-win")?.classList.add("play");
    for (const [id, number] of after.numbers) {
      if (before.numbers.has(id) && before.numbers.get(id) !== number) enlargeNumber(document.getElementById(id));
    }
  });

  // Who deals was drawn: the tokens light up one after the other, slower and slower, and the last is the dealer's. Each
  // page shows it once, when it comes to the table.
  const showDraw = () => {
    const { drawn, head } = state(), once = `drawn ${location.pathname} ${head}`;
    if (!drawn || still.matches || sessionStorage.getItem(once)) return;
    sessionStorage.setItem(once, "1");
    const me = $("[data-me]", live)?.dataset.me;
    const tokens = $$("#live [id^=s-]").map((one) => (one.id === `s-${me}` && $(".own-bar .tok")) || $(".tok", one)).filter(Boolean);
    const dealer = tokens.findIndex((one) => one === $(`#s-${drawn} .tok`) || (drawn === me && one.closest(".own-bar")));
    const steps = 2 * tokens.length + dealer;
    for (let step = 0, delay = 0; step <= steps; step += 1) {
      const isLast = step === steps;
      tokens[step % tokens.length].animate([{ transform: "scale(1)" }, { transform: `scale(${isLast ? 1.7 : 1.3})` }, { transform: "scale(1)" }],
        { duration: isLast ? 900 : 160, delay });
      delay += 70 + 260 * (step / steps) ** 3;
    }
  };
  addEventListener("load", showDraw);
  document.addEventListener("shown", showDraw);

  // ---- a bubble says something once, and goes by itself ----
  const bubble = $("#bubble"), bubbleMs = 6000, quietMs = 1000;
  const behind = Date.now() / 1000 - live.dataset.now, serverSeconds = () => Date.now() / 1000 - behind;
  let bubbleTimer = 0;
  // It lies over what the dock says, and over no question, row, key or Undo; with large text it has a line of its own.
  const placeBubble = () => {
    const words = [...document.querySelectorAll("#dock .last > p")].find((one) => one.getClientRects().length);
    const { left, width } = words?.getBoundingClientRect() || {}, { bottom, height } = words?.parentElement.getBoundingClientRect() || {};
    const asks = (document.body.dataset.question || "rest") !== "rest";
    const isFree = words && !asks && bottom <= innerHeight && getComputedStyle(bubble).position === "fixed";
    bubble.style.cssText = isFree ? `top: auto; transform: none; left: ${left}px; bottom: ${innerHeight - bottom}px; width: ${width}px; min-height: ${height}px;` : "";
  };
  const say = (text) => {
    clearTimeout(bubbleTimer);
    bubble.textContent = text;
    placeBubble();
    bubbleTimer = setTimeout(() => { bubble.textContent = ""; }, bubbleMs);
  };

  document.addEventListener("say", ({ detail }) => { say(detail); tell(detail); });
  document.addEventListener("shown", () => { if (bubble?.textContent) setTimeout(placeBubble); });

  // Several entries have changed this seat's chips within seconds: their sum, once no more has come for a second.
  let summed = $("#last-seconds")?.dataset.number, sumTimer = 0, sum = "";
  document.addEventListener("shown", ({ detail }) => {
    const { number, at, text } = $("#last-seconds")?.dataset || {};
    if (number === summed) return;
    summed = number;
    clearTimeout(sumTimer);
    if (bubble.textContent === sum) bubble.textContent = "";  // it is no longer so
    if (detail.isNews && number && serverSeconds() - at < 10) sumTimer = setTimeout(() => { sum = text; say(text); }, quietMs);
  });

  // The table's clock for a hand or a turn stands before what the top of the page says, and says once that time is up.
  const clock = document.createElement("time");
  clock.className = "clock num";
  clock.setAttribute("role", "timer");
  let running = "";  // the end of the clock that this page has seen run
  const paintClock = () => {
    const { ends, over, words: said } = $("#clock")?.dataset || {}, line = $("header p", live);
    if (!(ends || said) || !line) { clock.remove(); running = ""; return; }
    const left = Math.max(0, Math.ceil(ends - serverSeconds()));
    const words = said || (left ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : over);
    if (clock.textContent !== words) clock.textContent = words;
    if (line.firstChild !== clock) line.prepend(clock);
    if (!left && running === ends) {
      say(over);
      tell(over);
      if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(400);
    }
    running = left ? ends : "";
  };
  setInterval(paintClock, 500);
  document.addEventListener("shown", paintClock);
  paintClock();

  // ---- once all else is there, the phone's voice; once the page can be painted, the scripts that nothing at first sight needs ----
  const wantsEars = () => { try { return localStorage.getItem("ears"); } catch { return ""; } };
  if (live.dataset.ears && wantsEars()) addEventListener("load", () => import(live.dataset.ears));
  const later = (live.dataset.later || "").split(/\s+/).filter(Boolean);
  document.addEventListener("DOMContentLoaded", () => {
    for (const address of later) {
      const script = document.createElement("script");
      script.src = address;
      script.async = false;  // in their order
      document.head.append(script);
    }
  });
})();
