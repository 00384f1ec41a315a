/** Updates the stages on the page to a new manifest; elements are replaced by a list. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { reconcile } from "../../app/board/stages/reconcile.js";

class Element {
  constructor(name) {
    this.name = name;
    this.parent = null;
  }

  get nextElementSibling() {
    const { children } = this.parent ?? { children: [] };
    return children[children.indexOf(this) + 1] ?? null;
  }
}

class Article {
  constructor() {
    this.children = [];
    this.moved = [];
  }

  get firstElementChild() {
    return this.children[0] ?? null;
  }

  insertBefore(el, before) {
    this.moved.push(el.name);
    if (this.children.includes(el)) this.children.splice(this.children.indexOf(el), 1);
    const at = before ? this.children.indexOf(before) : this.children.length;
    this.children.splice(at, 0, el);
    el.parent = this;
  }
}

class Stage {
  constructor(spec, article) {
    this.spec = spec;
    this.article = article;
    this.el = new Element(spec.id);
    this.key = "";
    this.head = 0;
  }

  describe(spec) {
    this.spec = spec;
  }

  showHead(head) {
    this.head = head;
  }

  remove() {
    const { children } = this.article;
    children.splice(children.indexOf(this.el), 1);
  }
}

function page() {
  const article = new Article();
  let stages = new Map();
  const built = [];
  /** @param {string[]} ids each with its key after a colon */
  const show = (...ids) => {
    article.moved.length = built.length = 0;
    const specs = ids.map((text) => {
      const [id, shape = ""] = text.split(":");
      return { id, shape };
    });
    stages = reconcile(stages, { stages: specs, matrices: [] }, article, {
      keyOf: (spec) => JSON.stringify(spec),
      build: (spec) => {
        built.push(spec.id);
        return new Stage(spec, article);
      },
    });
    return article.children.map((el) => el.name);
  };
  return { article, show, built, stage: (id) => stages.get(id) };
}

test("stages stand in the order of the manifest", () => {
  const { show } = page();
  assert.deepEqual(show("a", "b", "c"), ["a", "b", "c"]);
});

test("what did not change stays, unmoved", () => {
  const { show, article, built, stage } = page();
  show("a", "b", "c");
  const kept = stage("b");
  assert.deepEqual(show("a", "b", "c"), ["a", "b", "c"]);
  assert.equal(stage("b"), kept);
  assert.deepEqual(article.moved, []);
  assert.deepEqual(built, []);
});

test("a stage of another shape is built anew and keeps its head", () => {
  const { show, built, stage } = page();
  show("a", "b:1", "c");
  stage("b")?.showHead(3);
  assert.deepEqual(show("a", "b:2", "c"), ["a", "b", "c"]);
  assert.deepEqual(built, ["b"]);
  assert.equal(stage("b")?.head, 3);
});

test("a stage that is gone is removed, and a new one put in its place", () => {
  const { show, article } = page();
  show("a", "b", "c");
  assert.deepEqual(show("a", "d", "c"), ["a", "d", "c"]);
  assert.deepEqual(article.moved, ["d"]);
});

test("only what is out of order is moved", () => {
  const { show, article } = page();
  show("a", "b", "c", "d");
  assert.deepEqual(show("d", "a", "b", "c"), ["d", "a", "b", "c"]);
  assert.deepEqual(article.moved, ["d"]);
});
