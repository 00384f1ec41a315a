/** Names of tokens for screen readers. */

import assert from "node:assert/strict";
import { test } from "node:test";

const { tokenName } = await import("../../app/components/tokens/token_text.js");

test("a token that runs from right to left turns nothing around it", () => {
  assert.equal(tokenName("black"), "black");
  assert.equal(tokenName(""), "empty token");
  assert.equal(tokenName("\u202eabc\u2069"), "\u2068\u202eabc\u2069");
  assert.equal(tokenName("שלום"), "\u2068שלום\u2069");
});
