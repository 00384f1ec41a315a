import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

let focused = null;

/** The parts of an element that a table needs. */
class FakeElement extends EventTarget {
  children = [];
  dataset = {};
  value = "";
  attributes = new Map();
  parent = null;
  get lastElementChild() {
    return this.children.at(-1);
  }
  setAttribute(name, value) {
    this.attributes.set(name, value);
  }
  getAttribute = (name) => this.attributes.get(name) ?? null;
  removeAttribute = (name) => this.attributes.delete(name);
  append(...nodes) {
    for (const node of nodes) if (node instanceof FakeElement) node.parent = this;
    this.children.push(...nodes);
  }
  replaceChildren(...nodes) {
    this.children = nodes;
  }
  remove() {
    this.parent.children.pop();
  }
  matches = () => this === focused;
  focus() {
    const before = focused;
    focused = this;
    if (before?.value !== before?.dataset.text) before?.dispatchEvent(new Event("change"));
  }
}
class KeyboardEvent extends Event {
  constructor(key) {
    super("keydown", { cancelable: true });
    this.key = key;
  }
}
Object.assign(globalThis, {
  KeyboardEvent,
  document: { createElement: () => new FakeElement() },
  requestAnimationFrame: () => 0,
});
const { OwnTable } = await import("../../app/features/learn/own_table.js");

let rows = [];
let answers = [];
let table;

/** Python's answer to an edit. */
function ask({ row, column, text }) {
  assert.ok(row <= rows.length);
  rows[row] ??= ["", ""];
  rows[row][column] = text;
  const { length } = rows;
  const shown = rows.map((cells) => [...cells]);
  return new Promise((done) => answers.push(() => show(shown, length) ?? done(undefined)));
}

function show(shown, count) {
  const places = Array.from({ length: Math.max(3, shown.length + 1) }, (_, n) => `row ${n + 1}`);
  const faults = {};
  table.show({ learned: "own", columns: ["source", "target"], rows: shown, places, faults, count });
}

async function answerAll() {
  for (const answer of answers.splice(0)) {
    answer();
    await Promise.resolve();
  }
  await new Promise(setImmediate);
}

function type(text) {
  focused.value = text;
}
const press = (key) => focused.dispatchEvent(new KeyboardEvent(key));
const place = () => {
  const row = table.focusedRow();
  return [row, table.cells[row].indexOf(focused)];
};

beforeEach(() => {
  [rows, answers, focused] = [[], [], null];
  table = new OwnTable(ask);
  show([], 0);
  table.focus();
});

test("Enter in the last row adds a row before Python has answered", async () => {
  const words = ["one", "two", "three", "four", "five"];
  for (const word of words) {
    type(word);
    press("Enter");
  }
  assert.deepEqual(place(), [5, 0]);
  await answerAll();
  assert.deepEqual(
    rows,
    words.map((word) => [word, ""]),
  );
  assert.deepEqual(place(), [5, 0]);
  show(rows, rows.length);
  assert.equal(table.cells.length, 6);
  press("Enter"); // in an empty row
  assert.equal(table.cells.length, 6);
});

test("Enter goes to the next source after Tab, otherwise to the cell below", () => {
  type("one");
  table.cells[0][1].focus(); // like Tab
  type("un");
  press("Enter");
  assert.deepEqual(place(), [1, 0]);
  table.cells[1][1].dispatchEvent(new Event("pointerdown"));
  table.cells[1][1].focus();
  press("Enter");
  assert.deepEqual(place(), [2, 1]);
});

test("Enter adds no row if the table does not show all rows", () => {
  show([["a", "b"]], 9);
  table.cells[2][0].focus();
  type("c");
  press("Enter");
  assert.equal(table.cells.length, 3);
});
