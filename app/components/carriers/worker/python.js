/** Python in the browser: the runtime, NumPy, and the page's own archive. */

/**
 * @typedef {object} Runtime
 * @property {string} url its folder, with a slash at the end
 * @property {boolean} packed whether it lies there as `tinkerformer build` packs it: the
 *   WebAssembly with gzip, so that it is small on any host, and modules under names that every
 *   host knows
 *
 * @typedef {object} Python what is used of Pyodide
 * @property {(code: string) => any} runPython
 * @property {(name: string) => any} pyimport
 * @property {(bytes: ArrayBuffer, format: string, options: object) => void} unpackArchive
 * @property {{set: (name: string, value: unknown) => void}} globals
 * @property {any} _module the WebAssembly module's surroundings
 */

const ARCHIVES = "/lib/tinkerformer";
const WASM = "pyodide.asm.wasm";
const PACKED_WASM = `${WASM}.packed`;

/**
 * @param {Runtime} runtime @param {Promise<ArrayBuffer>} archive of Python's modules
 * @returns {Promise<Python>}
 */
export async function startPython(runtime, archive) {
  const ending = runtime.packed ? "js" : "mjs";
  if (runtime.packed) unpackWebAssembly();
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

/** Fetch the WebAssembly under its packed name, whatever the host makes of that. */
function unpackWebAssembly() {
  const plain = self.fetch;
  self.fetch = async (what, ...rest) => {
    const url = what instanceof Request ? what.url : String(what);
    if (!url.endsWith(WASM)) return plain(what, ...rest);
    const answer = await plain(url.replace(WASM, PACKED_WASM));
    if (!answer.ok || !answer.body) return answer;
    const unpacked = answer.body.pipeThrough(new DecompressionStream("gzip"));
    return new Response(unpacked, { headers: { "Content-Type": "application/wasm" } });
  };
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
    python.unpackArchive(request.response, "zip", { extractDir: ARCHIVES });
  };
  python.pyimport("tinkerformer.site.late_imports").install(names, fetchAll);
}
