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
  window.fetch = async (address, options) => {
    const request = new Request(address, options), url = new URL(request.url);
    const asked = { method: request.method, target: url.pathname + url.search, headers: [...request.headers] };
    const answer = await frame.ask({ ...asked, body: await request.arrayBuffer() });
    if (request.signal.aborted) throw request.signal.reason;
    const response = new Response(bodyOf(answer), { status: answer.status, headers: answer.headers });
    if (answer.port) request.signal.addEventListener("abort", () => leave(answer.port));
    return response.status === 303 ? fetch(response.headers.get("Location")) : response;
  };
  addEventListener("pagehide", () => streams.forEach(leave));
  document.addEventListener("DOMContentLoaded", () => frame.paint());
  document.addEventListener("shown", () => frame.paint());
})();
