import assert from "node:assert/strict";
import { test } from "node:test";

import { Pulse } from "../../app/transport/worker/pulse.js";

function begun({ mock }) {
  const said = [];
  const pulse = new Pulse(() => said.push("ask"), {
    silent: () => said.push("silent"),
    answers: () => said.push("answers"),
  });
  mock.timers.enable({ apis: ["setInterval"] });
  pulse.begin();
  return { said, pulse, wait: (seconds) => mock.timers.tick(seconds * 1000) };
}

test("silence is reported once, and so is its end", (t) => {
  const { said, pulse, wait } = begun(t);
  wait(8);
  assert.deepEqual(said, ["ask"]);
  wait(30);
  assert.deepEqual(said, ["ask", "silent"]);
  pulse.received();
  wait(2);
  assert.deepEqual(said, ["ask", "silent", "answers", "ask"]);
});

test("any message counts as an answer", (t) => {
  const { said, pulse, wait } = begun(t);
  for (let k = 0; k < 20; k += 1) {
    wait(4);
    pulse.received();
  }
  assert.ok(said.every((x) => x === "ask"));
});

test("after the end no question is sent", (t) => {
  const { said, pulse, wait } = begun(t);
  pulse.end();
  wait(60);
  assert.deepEqual(said, []);
});
