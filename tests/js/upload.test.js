import assert from "node:assert/strict";
import { test } from "node:test";
import { ModelUpload } from "../../app/components/shared/upload.js";

/** An upload whose question is shown. */
function asking(answer) {
  const upload = {
    heads: [2, 4],
    draw: () => {},
    questions: { ask: answer },
    opened: () => {},
    outcome: { attempt: () => {} },
    name: "a.pt",
  };
  return Object.setPrototypeOf(upload, ModelUpload.prototype);
}

test("the question disappears when its file is opened", async () => {
  const upload = asking(async () => ({ opened: true }));
  assert.equal(await upload.open(2), "Opened a.pt.");
  assert.deepEqual(upload.heads, []);
});

test("the question disappears when Python refuses the file and discards it", async () => {
  const upload = asking(() => Promise.reject(new Error("It has no such heads.")));
  await assert.rejects(upload.open(3), /no such heads/);
  assert.deepEqual(upload.heads, []);
});

test("the question disappears when another file is chosen or the dialog closes", () => {
  for (const leave of [(upload) => upload.take([{}]), (upload) => upload.forget()]) {
    const upload = asking(async () => ({}));
    leave(upload);
    assert.deepEqual(upload.heads, []);
  }
});
