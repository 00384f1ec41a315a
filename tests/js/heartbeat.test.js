import assert from "node:assert/strict";
import { test } from "node:test";

import { Heartbeat } from "../../app/shell/served/heartbeat.js";

/** A heartbeat with a clock that the test sets. */
function begun(t) {
  const { mock } = t;
  let now = 0;
  globalThis.document = { hidden: false };
  mock.timers.enable({ apis: ["setInterval"] });
  mock.method(performance, "now", () => now);
  const said = [];
  const heartbeat = new Heartbeat(() => said.push("ask"), {
    slow: () => said.push(`slow ${now}`),
    answers: () => said.push("answers"),
    silent: () => said.push("silent"),
  });
  t.after(() => heartbeat.end());
  const wait = (ms) => {
    for (const end = now + ms; now < end; ) {
      now += 250;
      mock.timers.tick(250);
    }
  };
  const hold = (ms) => {
    now += ms;
    mock.timers.tick(250);
  };
  heartbeat.answered();
  heartbeat.opened();
  return { said, heartbeat, wait, hold };
}

test("a server that answers is asked again and again, and no state is reported", (t) => {
  const { said, heartbeat, wait } = begun(t);
  for (let k = 0; k < 50; k += 1) {
    wait(1000);
    heartbeat.touched();
    heartbeat.answered();
  }
  assert.ok(said.length >= 40 && said.every((word) => word === "ask"), said.join());
});

test("silence is reported once, within three seconds of the last answer; so is its end", (t) => {
  const { said, heartbeat, wait } = begun(t);
  wait(10_000);
  assert.equal(said.length, 2);
  assert.ok(Number(said[1].split(" ")[1]) <= 3000, said.join());
  heartbeat.answered();
  assert.deepEqual(said.slice(2), ["answers"]);
});

test("long silence is reported repeatedly, because the socket may be dead", (t) => {
  const { said, wait } = begun(t);
  wait(11_000);
  assert.ok(!said.includes("silent"));
  wait(10_000);
  assert.ok(said.filter((word) => word === "silent").length >= 2);
});

test("while data arrive, an answer may be late", (t) => {
  const { said, heartbeat, wait } = begun(t);
  for (let k = 0; k < 8; k += 1) {
    wait(1000);
    heartbeat.received();
  }
  assert.deepEqual(said, ["ask"]);
});

test("a page that was frozen or hidden waits again when it continues", (t) => {
  const { said, heartbeat, wait, hold } = begun(t);
  wait(1000);
  hold(60_000);
  heartbeat.answered(); // answers that arrived meanwhile
  assert.deepEqual(said, ["ask"]);
  document.hidden = true;
  wait(60_000);
  assert.deepEqual(said, ["ask"]);
  document.hidden = false;
  heartbeat.touched();
  wait(1000);
  assert.deepEqual(said, ["ask", "ask"]);
});

test("a page without user actions asks less often", (t) => {
  const { said, heartbeat, wait } = begun(t);
  for (let k = 0; k < 100; k += 1) {
    wait(1000);
    heartbeat.answered();
  }
  said.length = 0;
  for (let k = 1; k <= 4; k += 1) {
    wait(5250);
    assert.equal(said.length, k);
    heartbeat.answered();
  }
  heartbeat.touched();
  wait(1000);
  assert.equal(said.length, 5);
});

test("a page that is opening waits longer", (t) => {
  const { said, heartbeat, wait } = begun(t);
  heartbeat.isOpening = true;
  wait(6500);
  assert.deepEqual(said, ["ask"]);
  wait(1000);
  assert.equal(said.length, 2);
});
