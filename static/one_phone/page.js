// In the edition that runs in one browser: what a page asks goes straight to the frame around it, which has the tracker in
// a worker. (Links, forms and files take the way of the service worker.)
(() => {
  "use strict";
  const frame = parent !== window && parent.boardTracker;
  if (!frame) return;
  const streams = new Set();
  const leave = (port) => { if (streams.delete(port)) port.postMessage("leave"); };
  const bodyOf = ({ status, body, port }) => {
    if (!port) return [204, 205, 304].includes(status) ? null : body;
    streams.add(port);
    return new ReadableStream({
      start(stream) {
        stream.enqueue(new Uint8Array(body));
        port.onmessage = ({ data }) => { if (data) stream.enqueue(data); else { streams.delete(port); stream.close(); } };
      },
      cancel: () => leave(port),
    });
  };
  // A body is text or a form's fields, and is sent at once: a Request would read it only after the next painted frame.
  window.fetch = async (address, { method = "GET", headers = {}, body = "", signal } = {}) => {
    const { pathname, search } = new URL(address, location.href), sent = new Headers(headers);
    if (body instanceof URLSearchParams) sent.set("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8");
    const bytes = new TextEncoder().encode(body ?? "").buffer;
    const answer = await frame.ask({ method, target: pathname + search, headers: [...sent], body: bytes });
    if (signal?.aborted) throw signal.reason;
    const response = new Response(bodyOf(answer), { status: answer.status, headers: answer.headers });
    if (answer.port) signal?.addEventListener("abort", () => leave(answer.port));
    return response.status === 303 ? fetch(response.headers.get("Location")) : response;
  };
  addEventListener("pagehide", () => streams.forEach(leave));
  document.addEventListener("DOMContentLoaded", () => frame.paint());
  document.addEventListener("shown", () => frame.paint());
})();
