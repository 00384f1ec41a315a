import assert from "node:assert/strict";
import { test } from "node:test";
import { acceptDrops } from "../../app/components/shared/drops.js";

/** An element with listeners and a set of classes. */
function fakeElement(properties = {}) {
  const classes = new Set();
  const classList = {
    add: (name) => classes.add(name),
    remove: (name) => classes.delete(name),
  };
  return Object.assign(new EventTarget(), { classes, classList }, properties);
}

function drag(type, page) {
  const dataTransfer = { types: ["Files"], files: ["pairs.tsv"] };
  page.dispatchEvent(Object.assign(new Event(type, { cancelable: true }), { dataTransfer }));
}

test("dropped files go to an open dialog that takes files, otherwise to the page", () => {
  const page = fakeElement();
  const dialog = fakeElement({ open: true });
  globalThis.document = { documentElement: page };
  const taken = [];
  const dialogs = new AbortController();
  const pages = new AbortController();
  acceptDrops(dialog, () => taken.push("dialog"), dialogs.signal);
  acceptDrops(page, () => taken.push("page"), pages.signal);
  drag("dragover", page);
  assert.deepEqual([dialog.classes.size, page.classes.size], [1, 0]);
  drag("drop", page);
  assert.equal(dialog.classes.size, 0);
  dialog.open = false;
  drag("drop", page);
  dialog.open = true;
  dialogs.abort();
  drag("drop", page);
  assert.deepEqual(taken, ["dialog", "page", "page"]);
});
