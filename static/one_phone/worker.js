// The worker with Python in it. A request is answered after what it changed in the data file is in the browser's database:
// the blocks that SQLite wrote, in one transaction that is on the disk when it is complete.
import { loadPyodide } from "/site/pyodide/pyodide.mjs";

const PACKAGES = "/lib/python3.14/site-packages", DATA = "/data", BLOCK = 4096, TEST_BYTES = 1 << 20;
const FILES = ["nights.db", "nights.db-wal"], COPIES = ["backups/hand-000001.db", "backups/hand-000001.db-wal"];
const me = crypto.randomUUID(), streams = new Map(), second = new Map();
let python, bridge, database, cache, changed = new Map(), isLost = false;

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
const complete = (transaction) => new Promise((resolve, reject) => {
  transaction.oncomplete = resolve;
  transaction.onabort = () => reject(transaction.error || new Error("aborted"));
});
const write = () => database.transaction(["block", "file", "owner"], "readwrite", { durability: "strict" });
const lose = (why) => { isLost = true; postMessage({ trouble: why }); };
const loseBy = (error, why = "refused") => { if (!isLost) lose(error?.name === "QuotaExceededError" ? "full" : why); };

// ---- storage ----
const openDatabase = async () => {
  const request = indexedDB.open("board-tracker", 1);
  request.onupgradeneeded = () => ["block", "file", "owner"].forEach((name) => request.result.createObjectStore(name));
  database = await done(request);
  const test = write();  // a full phone says so before the first tap
  test.objectStore("owner").put(new Uint8Array(TEST_BYTES), "test");
  await complete(test);
  const claim = write();  // whoever was here before can store nothing from now on
  claim.objectStore("owner").delete("test");
  claim.objectStore("owner").put(me, "owner");
  const [names, sizes, keys, blocks] = await Promise.all([
    done(claim.objectStore("file").getAllKeys()), done(claim.objectStore("file").getAll()),
    done(claim.objectStore("block").getAllKeys()), done(claim.objectStore("block").getAll()),
  ]);
  await complete(claim);
  const files = new Map(names.map((name, at) => [name, new Uint8Array(sizes[at])]));
  keys.forEach(([name, block], at) => files.get(name)?.set(blocks[at], block * BLOCK));
  return files;
};
const note = (name, from, to) => {
  if (!changed.has(name)) changed.set(name, new Set());
  for (let block = Math.floor(from / BLOCK); block * BLOCK < to; block += 1) changed.get(name).add(block);
};
// An error here must not come to Python, which is in the middle of a write and would never run again.
const changeSecond = (name, change) => {
  try { if (second.has(name)) change(second.get(name)); } catch (error) { loseBy(error); }
};
const watchFiles = (fs) => {
  const { stream, node } = fs.filesystems.MEMFS.ops_table.file, folder = fs.lookupPath(DATA).node;
  const isStored = (one) => one.parent === folder && FILES.includes(one.name);
  const { write: plainWrite } = stream, { setattr } = node;
  stream.write = (file, buffer, offset, length, position, canOwn) => {
    if (isStored(file.node)) {
      note(file.node.name, position, position + length);
      changeSecond(file.node.name, (handle) => handle.write(buffer.subarray(offset, offset + length), { at: position }));
    }
    return plainWrite(file, buffer, offset, length, position, canOwn);
  };
  node.setattr = (one, attr) => {
    if (attr.size !== undefined && isStored(one)) {
      note(one.name, Math.min(attr.size, one.usedBytes), Math.max(attr.size, one.usedBytes));
      changeSecond(one.name, (handle) => handle.truncate(attr.size));
    }
    return setattr(one, attr);
  };
  FILES.forEach((name) => note(name, 0, 0));
};
const contentsOf = (name) => {
  const { exists, object } = python.FS.analyzePath(`${DATA}/${name}`);
  return exists ? object.contents.subarray(0, object.usedBytes) : new Uint8Array();
};
const store = async () => {
  const names = [...changed];
  if (!names.length) return;
  changed = new Map();
  const transaction = write(), [owner, file, block] = ["owner", "file", "block"].map((name) => transaction.objectStore(name));
  const stored = complete(transaction);
  owner.get("owner").onsuccess = ({ target }) => { if (target.result !== me) { lose("elsewhere"); transaction.abort(); } };
  for (const [name, blocks] of names) {
    const bytes = contentsOf(name);
    file.put(bytes.length, name);
    for (const one of blocks) if (one * BLOCK < bytes.length) block.put(bytes.slice(one * BLOCK, (one + 1) * BLOCK), [name, one]);
    block.delete(IDBKeyRange.bound([name, Math.ceil(bytes.length / BLOCK)], [name, Infinity]));
  }
  transaction.commit();
  second.forEach((handle) => handle.flush());
  await stored;
};

// ---- the second place: a browser that is killed while it writes may throw its whole database away at the next start ----
// So the same files are kept in the browser's file system, too, every write in SQLite's own order.
const openSecondPlace = async (tries = 50) => {
  const folder = await navigator.storage.getDirectory();
  try {
    for (const name of FILES) {
      if (!second.has(name)) second.set(name, await (await folder.getFileHandle(name, { create: true })).createSyncAccessHandle());
    }
  } catch (error) {
    if (error?.name !== "NoModificationAllowedError" || !tries) throw error;
    await new Promise((go) => setTimeout(go, 100));  // an older tab has it until it has ended
    await openSecondPlace(tries - 1);
  }
};
const contentsThere = (name) => {
  const bytes = new Uint8Array(second.get(name).getSize());
  second.get(name).read(bytes, { at: 0 });
  return bytes;
};
const fillSecondPlace = () => {
  const differing = [...second.keys()].filter((name) => indexedDB.cmp(contentsOf(name), contentsThere(name)));
  differing.forEach((name) => second.get(name).truncate(0));  // an old log must not be played over a new file
  differing.forEach((name) => second.get(name).write(contentsOf(name), { at: 0 }));
};

// ---- start ----
const bytesOf = async (response) => new Uint8Array(await response.arrayBuffer());
const bytesAt = async (path) => bytesOf(await cache.match(path));
const unpack = (fs, library) => {
  const indexBytes = new DataView(library.buffer, library.byteOffset).getUint32(0);
  const index = JSON.parse(new TextDecoder().decode(library.subarray(4, 4 + indexBytes)));
  const folders = new Set();
  for (const [path, offset, length] of index) {
    const folder = `${PACKAGES}/${path.slice(0, path.lastIndexOf("/") + 1)}`;
    if (!folders.has(folder)) { fs.mkdirTree(folder); folders.add(folder); }
    const begin = 4 + indexBytes + offset;
    fs.createDataFile(folder, path.slice(path.lastIndexOf("/") + 1), library.subarray(begin, begin + length), true, true, true);
  }
};
const packages = async (fs) => {
  if (await cache.match("/site/packages.bin")) return bytesAt("/site/packages.bin");
  fs.writeFile("/packages.xz", await bytesAt("/site/packages.xz"));
  python.runPython("import lzma; open('/packages.bin', 'wb').write(lzma.open('/packages.xz').read())");
  const bytes = fs.readFile("/packages.bin");
  ["/packages.xz", "/packages.bin"].forEach((path) => fs.unlink(path));
  await cache.put("/site/packages.bin", new Response(bytes));
  return bytes;
};
const load = async (snapshot) => {
  const made = snapshot ? { _loadSnapshot: bytesOf(snapshot) } : { _makeSnapshot: true };
  const library = bytesAt("/site/library.bin");  // read while Python comes
  python = await loadPyodide({ indexURL: "/site/pyodide/", packageBaseUrl: "/site/pyodide/", ...made });
  postMessage({ progress: .5 });
  unpack(python.FS, await library);
  unpack(python.FS, await packages(python.FS));
  if (!snapshot) python.pyimport("tracker.extras.one_phone.bridge").warm_up();
  postMessage({ progress: .9 });
};
const start = async ({ version, origin, isPlain }) => {
  cache = await caches.open(`board-tracker ${version}`);
  let files;
  try { files = await openDatabase(); } catch (error) { loseBy(error); return; }
  postMessage({ owner: me });
  let snapshot = isPlain ? null : await cache.match("/snapshot");
  try { await load(snapshot); } catch (error) {
    if (!snapshot) throw error;
    await cache.delete("/snapshot");  // whatever it is that does not fit: the plain start needs none of it
    snapshot = null;
    await load(null);
  }
  const image = snapshot ? null : python.makeMemorySnapshot();
  python.FS.mkdirTree(`${DATA}/backups`);
  await openSecondPlace().catch(() => second.clear());
  const isGone = !files.size;
  FILES.forEach((name, at) => { if (second.has(name)) files.set(isGone ? name : COPIES[at], contentsThere(name)); });
  for (const [name, bytes] of files) python.FS.writeFile(`${DATA}/${name}`, bytes);
  watchFiles(python.FS);
  const repaired = [];
  bridge = python.pyimport("tracker.extras.one_phone.bridge").start(DATA, origin, (sentence) => repaired.push(sentence));
  if (isGone || repaired.length) FILES.forEach((name) => note(name, 0, contentsOf(name).length));
  fillSecondPlace();
  await store();
  postMessage({ isReady: true, hasSnapshot: Boolean(snapshot), repaired });
  setInterval(turn, 1000, () => bridge.do_due());
  if (image) await cache.put("/snapshot", new Response(image)).catch(() => {});  // no room: each start is a plain one
};

// ---- answers ----
// Runs something in Python, then stores what it changed, then sends the streams what came of it. A request that comes in
// the meantime runs, too; its transaction follows this one.
const turn = async (run) => {
  if (isLost || !bridge) return null;
  const result = run(), sent = bridge.take_outbox().toJs();
  try { if (!isLost) await store(); } catch (error) { loseBy(error); }
  if (isLost) return null;
  for (const [stream, data] of sent) streams.get(stream)?.port.postMessage(data?.slice() ?? null);
  return result;
};
const answer = async ({ method, target, headers, body }) => {
  const found = await turn(() => {
    const given = [python.toPy(headers), python.toPy(new Uint8Array(body || 0)).tobytes()];
    const [status, sent, content, stream] = bridge.answer(method, target, ...given).toJs();
    if (stream) openStream(stream);
    return { status, headers: sent, body: content.slice().buffer, stream };
  });
  if (!found) return null;
  return { ...found, port: streams.get(found.stream)?.other };
};
const openStream = (number) => {
  const { port1, port2 } = new MessageChannel();
  streams.set(number, { port: port1, other: port2 });
  port1.onmessage = () => { streams.delete(number); turn(() => bridge.leave(number)); };
};
onmessage = async ({ data }) => {
  if (data.version) {
    start(data).catch((error) => { console.error(error); loseBy(error, "broken"); });
    return;
  }
  if (data.isOpenNightAsked) { postMessage({ id: data.id, answer: bridge.has_open_night() }); return; }
  const found = await answer(data);
  if (found) postMessage({ id: data.id, answer: found }, [found.body, ...(found.port ? [found.port] : [])]);
};
