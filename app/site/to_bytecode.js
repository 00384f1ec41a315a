/**
 * Run by Node when a site is built: compiles Python modules to bytecode, so that browsers need not.
 *
 * node to_bytecode.js RUNTIME FOLDER ARCHIVES PROGRAM
 *
 * RUNTIME is the URL of the Pyodide folder and FOLDER its path, ARCHIVES the path of a folder with
 * the archives, and PROGRAM the Python code that compiles them.
 */

const { argv } = /** @type {any} */ (globalThis).process;
const [runtime, folder, archives, program] = argv.slice(2);
const { loadPyodide } = await import(`${runtime}/pyodide.mjs`);
// A fixed hash seed makes the bytecode reproducible: it orders the elements of sets.
const python = await loadPyodide({
  indexURL: folder, // the path, because the modules may be links to other folders
  packages: ["numpy"], // loaded as on the page, so that the same modules are recorded
  env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" },
});
python.mountNodeFS("/archives", archives);
python.runPython(program, { filename: "to_bytecode.py" });
