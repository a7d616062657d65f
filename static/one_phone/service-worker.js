// The site's own files come from the cache of the version in use; what pages ask goes to the frame that has the tracker.
// The frame says which version that is. A browser may take a newer service worker at any time, also during a night.
const SECOND = "board-tracker second place";
const ICONS = ["/manifest.json", "/static/shared/favicon.svg", "/static/shared/icon.png"];  // of the frame, before there is a tracker to ask
let version = "";

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("message", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
  if (new URL(event.request.url).origin === location.origin) event.respondWith(respond(event.request));
});

const respond = async (request) => {
  const { pathname, search } = new URL(request.url);
  const isFrame = request.mode === "navigate" && request.destination === "document";
  const painted = pathname === "/painted" && await caches.match(pathname, { cacheName: SECOND });
  if (painted) return painted;
  const own = isFrame ? "/index.html" : pathname;
  if (isFrame || !version) version = await (await caches.match("/version", { cacheName: SECOND }))?.text();
  const found = await caches.match(own, { cacheName: `board-tracker ${version}`, ignoreSearch: true });
  if (found) return found;
  if (isFrame || pathname.startsWith("/site/") || ICONS.includes(pathname)) return fetch(request);
  const isOurs = request.method === "GET" || request.referrer.startsWith(`${location.origin}/`);
  if (!isOurs) return new Response("", { status: 403 });
  const body = await request.arrayBuffer();
  const answer = await ask({ method: request.method, target: pathname + search, headers: [...request.headers], body });
  return answer ? new Response(answer.body.byteLength ? answer.body : null, answer) : Response.error();
};

// Only the frame that has the tracker answers; one of an older tab says that it has it no longer.
const ask = async (asked) => {
  for (const client of await clients.matchAll({ type: "window" })) {
    if (client.frameType !== "top-level") continue;
    const { port1, port2 } = new MessageChannel();
    const answer = await new Promise((done) => {
      port1.onmessage = ({ data }) => done(data);
      client.postMessage(asked, [port2]);
    });
    if (answer) return answer;
  }
  return null;
};
