// The frame of the edition that runs in one browser. It is there at once and shows the page as it was last painted, fills
// the cache, starts the worker that has the tracker, and then shows the tracker's own pages within itself.
(() => {
  "use strict";
  if (parent !== window) return;  // a web host answers with this page for an address that only the tracker has
  const facts = JSON.parse(document.getElementById("facts").textContent);
  const { version } = facts, SECOND = "board-tracker second place", USED = "/version", NEXT = "/next-version";
  const chosen = /(?:^|; )lang=([\w-]+)/.exec(document.cookie)?.[1];
  const language = [chosen, ...navigator.languages].map((one) => one && (facts.words[one] ? one : one.slice(0, 2)))
    .find((one) => facts.words[one]) || "en";
  const words = facts.words[language];
  const $ = (id) => document.getElementById(id);
  document.documentElement.lang = language;
  // At a reload Firefox fills the frames of a document with what they showed, and not those that a script has made.
  ["painted", "pages"].forEach((id) => $(id).replaceWith($(id).cloneNode()));

  // ---- what is said ----
  const buttonFor = (label, go) => {
    const button = Object.assign(document.createElement("button"), { className: "btn act wide", textContent: words[label] });
    button.addEventListener("click", go);
    return button;
  };
  const say = (word, buttons = []) => {
    $("word").textContent = words[word];
    $("bar").hidden = word !== "start" && word !== "fetch";
    $("bar").value = 0;
    $("buttons").replaceChildren(...buttons.map(([label, go]) => buttonFor(label, go)));
    $("state").hidden = false;
    document.documentElement.dataset.said = word;
    expectNext(word);
  };
  const progress = (part) => { $("bar").value = part; expectNext(document.documentElement.dataset.said); };
  const reload = () => location.reload();
  // A start whose next step does not come can be tried again: a network that is there and does not answer, for one. If that
  // was tried, only the browser's end helps: WebKit may keep the database locked for a page that was closed while it stored.
  const LATE_MS = 20000;
  let lateTimer = 0;
  const late = (word) => {
    if (!$("pages")?.hidden) return;
    if (word === "start" && sessionStorage.isLate) { say("stuck", [["again", reload]]); return; }
    $("buttons").replaceChildren(buttonFor("again", () => { sessionStorage.isLate = "yes"; reload(); }));
  };
  const expectNext = (word) => {
    clearTimeout(lateTimer);
    if (word === "start" || word === "fetch") lateTimer = setTimeout(late, LATE_MS, word);
  };
  const troubles = { QuotaExceededError: "full", SecurityError: "refused" };

  // ---- caches: one for each version, and one that belongs to none ----
  const cacheOf = (one) => `board-tracker ${one}`;
  const isWhole = (one) => caches.match("/site/whole", { cacheName: cacheOf(one) });
  const kept = async (path) => (await caches.match(path, { cacheName: SECOND }))?.text();
  const keep = async (path, ...response) => (await caches.open(SECOND)).put(path, new Response(...response));

  // ---- the page as it was last painted ----
  // The service worker answers for it: a document without an address of its own would ask the network for its styles in
  // Firefox. A page that says that something is not there is not painted.
  let lastPage = "/", isWrong = false;
  const POLICY = "default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; font-src 'self'";
  const showPainted = async () => {
    const last = await caches.match("/painted", { cacheName: SECOND });
    lastPage = last?.headers.get("X-Page") || "/";
    if (!last || $("pages").src) return;
    $("painted").src = "/painted";
    $("painted").hidden = false;
  };
  let paintTimer = 0;
  const paint = () => {
    if (isReady) showPages();
    clearTimeout(paintTimer);
    paintTimer = setTimeout(async () => {
      const page = $("pages")?.contentDocument;
      if (!page?.body || isWrong) return;
      document.title = page.title;
      const copy = page.documentElement.cloneNode(true);
      copy.querySelectorAll("script, noscript").forEach((one) => one.remove());
      const headers = { "Content-Type": "text/html", "X-Page": lastPage, "Content-Security-Policy": POLICY };
      await keep("/painted", `<!doctype html>${copy.outerHTML}`, { headers });
    }, 400);
  };

  // ---- one function between whoever asks and the tracker: a request goes in, its answer comes back ----
  const waiting = new Map();
  let worker = null, number = 0, isReady = false;
  const send = (message, transferred = []) => new Promise((done) => {
    number += 1;
    waiting.set(number, done);
    worker.postMessage({ id: number, ...message }, transferred);
  });
  const ask = async ({ method, target, headers, body }) => {
    const sent = [...headers.filter(([name]) => name !== "cookie"), ["cookie", document.cookie], ["accept-language", language]];
    const answer = await send({ method, target, headers: sent, body }, body ? [body] : []);
    for (const [name, value] of answer.headers) {
      if (name === "Set-Cookie") document.cookie = value.replace(/; HttpOnly/i, "");
    }
    answer.headers = answer.headers.filter(([name]) => name !== "Set-Cookie");
    return answer;
  };
  window.boardTracker = { ask, paint };
  navigator.serviceWorker?.addEventListener("message", async ({ data, ports: [port] }) => {
    if (!worker) { port.postMessage(null); return; }
    const { status, headers, body } = await ask(data);
    const type = headers.find(([name]) => name === "Content-Type")?.[1] || "";
    if (data.method === "GET" && type.startsWith("text/html")) {
      isWrong = status >= 400;
      if (status === 200) lastPage = data.target;
    }
    port.postMessage({ status, headers, body }, [body]);
  });

  // ---- the parts of the site, into the cache of this version ----
  const AT_ROOT = { "/site/index.html": "/index.html", "/site/manifest.json": "/manifest.json" };
  const types = { js: "text/javascript", mjs: "text/javascript", css: "text/css", html: "text/html", svg: "image/svg+xml",
    png: "image/png", woff2: "font/woff2", json: "application/json", txt: "text/plain" };
  const unpacked = async (name, progressed) => {
    const response = await fetch(`/site/${name}`);
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    const counted = new TransformStream({ transform(chunk, out) { progressed(chunk.length); out.enqueue(chunk); } });
    const plain = response.body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(plain).arrayBuffer());
  };
  const fill = async (wanted, inBackground = false) => {
    if (await isWhole(wanted.version)) return;
    if (!inBackground) say("fetch");
    const cache = await caches.open(cacheOf(wanted.version));
    const all = wanted.parts.reduce((sum, part) => sum + part.bytes, 0);
    let come = 0;
    const progressed = (bytes) => { come += bytes; if (!inBackground) progress(come / all); };
    const put = (path, bytes, type) => cache.put(path, new Response(bytes, { headers: { "Content-Type": type } }));
    const [engine, library] = await Promise.all(wanted.parts.map((part) => unpacked(part.name, progressed)));
    await put("/site/pyodide/pyodide.asm.wasm", engine, "application/wasm");
    const indexBytes = new DataView(library.buffer).getUint32(0), begin = 4 + indexBytes;
    for (const [path, offset, length] of JSON.parse(new TextDecoder().decode(library.subarray(4, begin)))) {
      const own = path.startsWith("site/") ? `/${path}` : path.startsWith("tracker/static/") ? path.slice("tracker".length) : "";
      const type = types[path.split(".").at(-1)] || "application/octet-stream";
      if (own) await put(AT_ROOT[own] || own, library.slice(begin + offset, begin + offset + length), type);
    }
    await put("/site/library.bin", library, "application/octet-stream");
    await put("/site/whole", "", "text/plain");
  };

  // ---- another version: it is fetched while no night is open, and taken at a start when none is open ----
  const fetchNewest = async () => {
    const newest = await (await fetch("/site/version.json", { cache: "no-store" })).json();
    if (newest.version !== version && !await send({ isOpenNightAsked: true })) {
      await fill(newest, true);
      await keep(NEXT, newest.version);
      const used = [SECOND, cacheOf(version), cacheOf(newest.version)];
      for (const name of await caches.keys()) if (!used.includes(name)) await caches.delete(name);
    }
    document.documentElement.dataset.newest = newest.version;
  };
  const takeNext = async () => {
    const next = await kept(NEXT);
    if (next === version || !await isWhole(next) || await send({ isOpenNightAsked: true })) return;
    await keep(USED, next);
    reload();
    await new Promise(() => {});  // nothing is shown before that
  };

  // ---- start ----
  const opened = new BroadcastChannel("board-tracker");
  const stop = (word) => {
    worker?.terminate();
    worker = null;
    $("pages")?.remove();
    say(word, [[word === "elsewhere" ? "here" : "again", reload]]);
  };
  const openPage = () => {
    const { hash, search } = location;
    $("pages").src = hash ? `/arrive${search}${hash}` : lastPage;
    if (hash) history.replaceState(null, "", "/");
  };
  // A night with pretend guests is gone with the tab, one can be erased: then the first page is shown.
  const forgetWhatIsGone = async () => {
    const { status } = await ask({ method: "GET", target: lastPage, headers: [], body: null });
    if (status >= 400) lastPage = "/";
  };
  // As soon as it can be read: its load would wait for all that another frame still waits for.
  const showPages = () => {
    if (!$("painted")) return;
    $("painted").remove();
    if (document.documentElement.dataset.said !== "repaired") $("state").hidden = true;
    $("pages").hidden = false;
  };
  const ready = async ({ hasSnapshot, repaired }) => {
    await takeNext();
    isReady = true;
    ["tries", "isLate"].forEach((name) => sessionStorage.removeItem(name));
    document.documentElement.dataset.started = hasSnapshot ? "snapshot" : "plain";
    $("pages").addEventListener("load", showPages, { once: true });
    await forgetWhatIsGone();
    openPage();
    if (repaired.length) say("repaired", [["go", () => { $("state").hidden = true; }]]);
    navigator.storage?.persist?.();
    fetchNewest().catch(() => {});  // no network: the next start asks again
  };
  // At a reload Firefox now and then loads a worker past the service worker, though the page has one: then once more.
  const startWorker = () => {
    let isBegun = false;
    worker = new Worker("/site/worker.js", { type: "module" });
    worker.onmessage = ({ data }) => {
      isBegun = true;
      if (data.id) { waiting.get(data.id)(data.answer); waiting.delete(data.id); }
      if (data.progress) progress(data.progress);
      if (data.owner) opened.postMessage(data.owner);
      if (data.isReady) ready(data);
      if (data.trouble) stop(data.trouble);
    };
    worker.onerror = () => {
      const tries = Number(sessionStorage.tries || 0);
      if (isBegun || tries > 2) { stop("broken"); return; }
      sessionStorage.tries = tries + 1;
      reload();
    };
    worker.postMessage({ version, origin: location.origin, isPlain: new URLSearchParams(location.search).has("plain") });
  };
  const takesModules = () => {  // whether a worker may be a module, as in Firefox since 114: it is asked what kind it is
    let isAsked = false;
    new Worker("/site/frame.js", { get type() { isAsked = true; return "module"; } }).terminate();  // begins nothing
    return isAsked;
  };
  const main = async () => {
    const isOld = !navigator.serviceWorker || !window.DecompressionStream || !window.indexedDB;
    if (isOld || !takesModules()) { say("old"); return; }
    if (!navigator.serviceWorker.controller) {  // at a first visit, or after a forced reload
      say("start");
      const controlled = new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
      (await navigator.serviceWorker.register("/service-worker.js")).active?.postMessage("claim");
      await controlled;
    }
    await showPainted();
    say("start");
    const used = await kept(USED);
    if (used !== version && await isWhole(used)) { reload(); return; }  // a forced reload brought another one
    await fill(facts);
    await keep(USED, version);
    say("start");
    startWorker();
    opened.onmessage = () => stop("elsewhere");
  };
  addEventListener("hashchange", () => { if (isReady && location.hash) openPage(); });
  main().catch((error) => say(troubles[error?.name] || "offline", [["again", reload]]));
})();
