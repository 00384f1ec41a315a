/**
 * Replaces NumPy's float32 matrix product by one with SIMD, because NumPy has no BLAS in the
 * browser. `np.matmul` finds its inner loop in a table; this module sets an entry to its own loop.
 * If the table is not as expected, or a product differs from `einsum`, NumPy keeps its own loop.
 */

/** @import {Python} from "./python.js" */

// Byte offsets in NumPy's PyUFuncObject with 4-byte pointers; its layout is public since 1.0.
const OFFSETS = { nin: 8, nout: 12, nargs: 16, functions: 24, ntypes: 32, name: 40, types: 44 };
const FLOAT = 11; // NPY_FLOAT
const MAX_TYPES = 64;
const TILE = 128; // bytes
const ROOM = 1 << 20; // bytes for a copy of the second factor, for products that need one

/**
 * @param {Python} python @param {ArrayBuffer} bytes the assembled matmul.wat
 * @returns {Promise<boolean>} whether NumPy uses the new product
 */
export async function takeMatmul(python, bytes) {
  try {
    if (!WebAssembly.validate(bytes)) return false;
    const slot = findSlot(python);
    if (slot === null) return false;
    const { HEAPU32 } = python._module;
    const original = HEAPU32[slot >> 2];
    python._module.HEAPU32[slot >> 2] = await loopBefore(python, bytes, original);
    if (python.pyimport("tinkerformer.site.matmul_check").is_right()) return true;
    python._module.HEAPU32[slot >> 2] = original;
  } catch (error) {
    console.warn(`NumPy keeps its own matrix product: ${error}`);
  }
  return false;
}

/**
 * Returns the address at which matmul stores the pointer to its float32 loop.
 * @param {Python} python
 */
function findSlot(python) {
  const { HEAPU32, HEAP8, UTF8ToString } = python._module;
  const ufunc = python.runPython("import numpy; id(numpy.matmul)");
  /** @param {keyof typeof OFFSETS} name */
  const field = (name) => HEAPU32[(ufunc + OFFSETS[name]) >> 2];
  const count = field("ntypes");
  const isMatmul =
    field("nin") === 2 &&
    field("nout") === 1 &&
    field("nargs") === 3 &&
    count > 0 &&
    count <= MAX_TYPES &&
    UTF8ToString(field("name")) === "matmul";
  if (!isMatmul) return null;
  for (let k = 0; k < count; k += 1) {
    const types = field("types") + 3 * k;
    if ([0, 1, 2].every((j) => HEAP8[types + j] === FLOAT)) return field("functions") + 4 * k;
  }
  return null;
}

/**
 * Adds the loop to Python's WebAssembly function table. The loop passes cases that it does not
 * handle to the original loop.
 * @param {Python} python @param {ArrayBuffer} bytes @param {number} original
 * @returns {Promise<number>} its index in the table
 */
async function loopBefore(python, bytes, original) {
  const { wasmTable: table, _malloc } = python._module;
  const memory = python._module.wasmMemory ?? python._module.memory;
  const scratch = (_malloc(TILE + ROOM + 16) + 15) & ~15;
  const constant = (/** @type {number} */ value) => new WebAssembly.Global({ value: "i32" }, value);
  const { instance } = await WebAssembly.instantiate(bytes, {
    numpy: {
      memory,
      table,
      original: constant(original),
      scratch: constant(scratch),
      room: constant(ROOM),
    },
  });
  const place = table.grow(1);
  table.set(place, instance.exports.matmul);
  return place;
}
