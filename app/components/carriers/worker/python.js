/** Python in the browser: the runtime, NumPy, and the page's own archive. */

/**
 * @typedef {object} Runtime
 * @property {string} url its folder, with a slash at the end
 * @property {boolean} packed whether it lies there as `tinkerformer build` packs it: archives and
 *   WebAssembly with gzip, so that they are small on any host, and modules under names that every
 *   host knows
 * @property {string[]} early names of what is fetched at once, while its modules still come
 *
 * @typedef {object} Python what is used of Pyodide
 * @property {(code: string) => any} runPython
 * @property {(name: string) => any} pyimport
 * @property {(bytes: ArrayBuffer, format: string, options: object) => void} unpackArchive
 * @property {{set: (name: string, value: unknown) => void}} globals
 * @property {any} _module the WebAssembly module's surroundings
 */

const ARCHIVES = "/lib/tinkerformer";
const WASM = "application/wasm";
const PACKED = /\.(wasm|zip|whl)$/;

/**
 * @param {Runtime} runtime @param {Promise<ArrayBuffer>} archive of Python's modules
 * @returns {Promise<Python>}
 */
export async function startPython(runtime, archive) {
  const ending = runtime.packed ? "js" : "mjs";
  if (runtime.packed) fetchEarly(runtime);
  const [{ loadPyodide }, assembly] = await Promise.all(
    ["pyodide", "pyodide.asm"].map((name) => import(`${runtime.url}${name}.${ending}`)),
  );
  const python = await loadPyodide({
    indexURL: runtime.url,
    createPyodideModule: assembly.default,
    packages: ["numpy"],
    env: { HOME: "/home/pyodide" },
  });
  python.unpackArchive(await archive, "zip", { extractDir: ARCHIVES });
  python.runPython(`import sys; sys.path.insert(0, "${ARCHIVES}"); sys.dont_write_bytecode = True`);
  return python;
}

/**
 * Fetch the runtime's files under their packed names, whatever the host makes of those, and the
 * large ones before anybody asks for them.
 * @param {Runtime} runtime
 */
function fetchEarly({ url: folder, early }) {
  const plain = self.fetch;
  const load = async (/** @type {string} */ url) => unpacked(await plain(`${url}.packed`));
  const coming = new Map(early.map((name) => [folder + name, load(folder + name)]));
  // Who awaits it is told; nobody may.
  for (const each of coming.values()) each.catch(() => {});
  self.fetch = async (what, ...rest) => {
    const url = what instanceof Request ? what.url : String(what);
    if (!PACKED.test(url)) return plain(what, ...rest);
    const there = coming.get(url) ?? load(url);
    coming.delete(url);
    return there;
  };
}

/** What has come under a packed name. @param {Response} answer */
export function unpacked(answer) {
  if (!answer.ok || !answer.body) return answer;
  const content = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(content, { headers: { "Content-Type": WASM } });
}

/**
 * Modules that come in an archive of their own when the first of them is imported.
 * @param {Python} python @param {string[]} names of packages @param {string} url
 */
export function importLater(python, names, url) {
  // An import waits for its module, so this one waits for the archive.
  const fetchAll = () => {
    const request = new XMLHttpRequest();
    request.open("GET", url, false);
    request.responseType = "arraybuffer";
    request.send();
    if (request.status >= 400) throw new Error(`${url}: ${request.status}`);
    return request.response;
  };
  python.pyimport("tinkerformer.site.late_imports").install(names, fetchAll, ARCHIVES);
}
