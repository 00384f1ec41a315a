import assert from "node:assert/strict";
import { test } from "node:test";
import { reconcile } from "../../app/board/stages/reconcile.js";

/** A page whose elements are a list. */
function page() {
  const [children, moved, built] = [[], [], []];
  const article = {
    get firstElementChild() {
      return children[0] ?? null;
    },
    insertBefore(el, before) {
      moved.push(el.name);
      if (children.includes(el)) el.remove();
      children.splice(before ? children.indexOf(before) : children.length, 0, el);
    },
  };
  const element = (name) => ({
    name,
    get nextElementSibling() {
      return children[children.indexOf(this) + 1] ?? null;
    },
    remove() {
      children.splice(children.indexOf(this), 1);
    },
  });
  const build = ({ id }) => {
    built.push(id);
    const el = element(id);
    const stage = { el, head: 0, describe() {}, remove: () => el.remove() };
    return Object.assign(stage, { showHead: (head) => Object.assign(stage, { head }) });
  };
  let stages = new Map();
  /** @param {string[]} ids each with its key after a colon */
  const show = (...ids) => {
    moved.length = built.length = 0;
    const specs = ids.map((text) => ({ id: text.split(":")[0], shape: text }));
    const how = { keyOf: (spec) => JSON.stringify(spec), build };
    stages = reconcile(stages, { stages: specs, matrices: [] }, article, how);
    return children.map(({ name }) => name);
  };
  return { moved, show, built, stage: (id) => stages.get(id) };
}

test("stages are in the order of the manifest", () => {
  const { show } = page();
  assert.deepEqual(show("a", "b", "c"), ["a", "b", "c"]);
});

test("an unchanged stage stays at its place", () => {
  const { show, moved, built, stage } = page();
  show("a", "b", "c");
  const kept = stage("b");
  assert.deepEqual(show("a", "b", "c"), ["a", "b", "c"]);
  assert.equal(stage("b"), kept);
  assert.deepEqual(moved, []);
  assert.deepEqual(built, []);
});

test("a stage that gets a different shape is rebuilt and keeps its head", () => {
  const { show, built, stage } = page();
  show("a", "b:1", "c");
  stage("b")?.showHead(3);
  assert.deepEqual(show("a", "b:2", "c"), ["a", "b", "c"]);
  assert.deepEqual(built, ["b"]);
  assert.equal(stage("b")?.head, 3);
});

test("a removed stage is replaced by a new one at its place", () => {
  const { show, moved } = page();
  show("a", "b", "c");
  assert.deepEqual(show("a", "d", "c"), ["a", "d", "c"]);
  assert.deepEqual(moved, ["d"]);
});

test("only stages out of order are moved", () => {
  const { show, moved } = page();
  show("a", "b", "c", "d");
  assert.deepEqual(show("d", "a", "b", "c"), ["d", "a", "b", "c"]);
  assert.deepEqual(moved, ["d"]);
});
