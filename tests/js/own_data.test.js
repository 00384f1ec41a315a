import assert from "node:assert/strict";
import { test } from "node:test";
import { OwnData } from "../../app/features/learn/own_data.js";

test("a refusal is not shown twice if it is the problem of the dialog", async () => {
  const refused = {
    model: { draft: { problem: "There is only one source." } },
    questions: { ask: () => Promise.reject(new Error("There is only one source.")) },
    dialog: { close: () => assert.fail("The dialog is closed.") },
  };
  const begin = () => OwnData.prototype.begin.call(refused);
  assert.equal(await begin(), "");
  refused.model.draft.problem = "";
  await assert.rejects(begin, /There is only one source/);
});
