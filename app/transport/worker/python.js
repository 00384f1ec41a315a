/** Starts Python in the browser: Pyodide, NumPy, and the page's own modules. */

/**
 * @typedef {object} Runtime
 * @property {string} url the folder of the runtime, with a trailing slash
 * @property {boolean} packed whether `tinkerformer build` packed it: archives and WebAssembly
 *   compressed with gzip, and modules with the extension .js, which every host serves correctly
 * @property {string[]} early files to fetch immediately, while the modules still load
 *
 * @typedef {object} Python the parts of Pyodide that are used here
 * @property {(code: string) => any} runPython
 * @property {(name: string) => any} pyimport
 * @property {(bytes: ArrayBuffer, format: string, options: object) => void} unpackArchive
 * @property {{set: (name: string, value: unknown) => void}} globals
 * @property {any} _module the Emscripten module
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
 * Makes `fetch` load the runtime's files under their packed names, and starts to fetch the early
 * files.
 * @param {Runtime} runtime
 */
function fetchEarly({ url: folder, early }) {
  const plain = self.fetch;
  const load = async (/** @type {string} */ url) => unpacked(await plain(`${url}.packed`));
  const coming = new Map(early.map((name) => [folder + name, load(folder + name)]));
  // Avoids an unhandled rejection if no code awaits the file; code that does still gets the error.
  for (const each of coming.values()) each.catch(() => {});
  self.fetch = async (what, ...rest) => {
    const url = what instanceof Request ? what.url : String(what);
    if (!PACKED.test(url)) return plain(what, ...rest);
    const there = coming.get(url) ?? load(url);
    coming.delete(url);
    return there;
  };
}

/** Decompresses a response that was fetched under a packed name. @param {Response} answer */
export function unpacked(answer) {
  if (!answer.ok || !answer.body) return answer;
  const content = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(content, { headers: { "Content-Type": WASM } });
}

/**
 * Installs a hook that loads further modules from an archive when the first of them is imported.
 * @param {Python} python @param {string[]} names of modules, or of packages @param {string} url
 */
export function importLater(python, names, url) {
  // A Python import is synchronous, so the request must be as well.
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
