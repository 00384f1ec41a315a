import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const kept = new Map();
const page = {
  sessionStorage: {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => kept.set(key, text),
    removeItem: (key) => kept.delete(key),
  },
  location: { hash: "", protocol: "http:", pathname: "/", search: "", href: "http://a/" },
  history: { state: null },
  document: { documentElement: { dataset: {} } },
  PerformanceNavigationTiming: class {},
};
Object.assign(globalThis, page, { window: { ...globalThis, ...page } });
const { TabMemory } = await import("../../app/board/data/tab_memory.js");
const KEY = "tinkerformer-visit";

function begun(text, steps = "[]", file = null) {
  const memory = new TabMemory(3_510_000);
  if (file !== null) memory.keepFile(file);
  kept.set(memory.key, text);
  kept.set(`${memory.key} steps`, steps);
  return memory.begin();
}

beforeEach(() => {
  kept.clear();
  page.history.state = null;
});

test("the stored session is sent", () => {
  const { saved, steps } = begun("{}", "[1]");
  assert.deepEqual([saved, steps], ["{}", "[1]"]);
});

test("a session too large for one message is not sent, and the steps are omitted first", () => {
  const first = begun("{}", "x".repeat(3_600_000));
  assert.deepEqual([first.saved, first.steps], ["{}", null]);
  assert.equal(begun('"'.repeat(1_900_000)).saved?.length, 1_900_000); // sent as bytes
  const { saved, steps } = begun('"'.repeat(3_600_000));
  assert.deepEqual([saved, steps], [null, null]);
  assert.equal(begun("é".repeat(1_900_000)).saved, null);
});

test("the file of a model is stored if it fits, and the steps are omitted before the file", () => {
  const large = "x".repeat(3_400_000);
  assert.equal(begun("{}", "[1]", large).file, large);
  assert.equal(begun("{}", "[1]", large).steps, "[1]");
  const { steps, file } = begun("{}", "x".repeat(200_000), large);
  assert.deepEqual([steps, file], [null, large]);
  assert.equal(begun("{}", "[1]", "x".repeat(3_600_000)).file, null);
  assert.equal(begun("{}", "[1]", "").file, null);
});

test("values other than texts are not stored", () => {
  const memory = new TabMemory(3_510_000);
  page.history.state = { [KEY]: { since: new Date() } };
  assert.equal(memory.begin().saved, null);
});

test("a link is read from the query and the hash, and the query without it is kept", async () => {
  const { addressWithLink, queryWithoutLink } = await import(
    "../../app/components/shared/address.js"
  );
  Object.assign(page.location, {
    search: "?view=attention&s=abc",
    href: "http://a/?view=attention&s=abc",
  });
  assert.equal(new TabMemory().begin().link, "abc");
  assert.equal(queryWithoutLink(), "?view=attention");
  assert.equal(addressWithLink("new"), "http://a/#s=new");
  Object.assign(page.document.documentElement.dataset, { link: "query" });
  assert.equal(addressWithLink("new"), "http://a/?s=new");
  page.location.hash = "#s=def";
  assert.equal(new TabMemory().begin().link, "def");
});
