/**
 * Run by Node when a site is built: its Python compiles what it would compile in every browser.
 *
 *     node to_bytecode.js RUNTIME ARCHIVES PROGRAM
 *
 * RUNTIME is the address of the runtime's folder, ARCHIVES the path of one with the archives, and
 * PROGRAM what Python does with them.
 */

const { argv } = /** @type {any} */ (globalThis).process;
const [runtime, archives, program] = argv.slice(2);
const { loadPyodide } = await import(`${runtime}/pyodide.mjs`);
// The same sources give the same bytecode: the order of sets in it hangs on the hashes.
const python = await loadPyodide({ env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" } });
python.mountNodeFS("/archives", archives);
python.runPython(program, { filename: "to_bytecode.py" });
