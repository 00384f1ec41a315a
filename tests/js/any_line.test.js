/**
 * Actions on a slow connection have the same result as without delay: random use with random delays
 * and stalls, with a minimal Python half. Time is simulated.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { EditQueue } from "../../app/board/data/edit_queue.js";
import { Outbox } from "../../app/transport/port/outbox.js";
import { read, write } from "../../app/transport/port/wire.js";
import { random as chance, Time } from "./builders.js";

const PAINT = 16;

/** A connection that delivers messages in order, each delayed by at least `delay()`. */
class Line {
  last = 0;

  constructor(clock, delay, arrive) {
    Object.assign(this, { clock, delay, arrive });
  }

  send(piece) {
    this.last = Math.max(this.last, this.clock.now + this.delay());
    this.clock.at(this.last, () => this.arrive(piece));
  }
}

/**
 * A minimal Python half: cells, words and a model with undo steps; edits of one press are one step.
 */
class Python {
  state = { model: "a", cells: {}, words: "" };
  past = [];
  future = [];
  of = "";
  version = 0;
  seq = 0;
  inFlight = 0;
  told = -1;
  heard = 0;

  constructor(post) {
    this.post = post;
  }

  hear(text) {
    const [, , content, stamp] = read(text, []);
    if (content.type === "ack" || content.ack === this.inFlight) this.inFlight = 0;
    let sentence = "";
    if (stamp) {
      assert.equal(stamp.n, this.heard + 1, "in their order");
      this.heard = stamp.n;
      sentence = this[content.type]?.(content) ?? "";
    }
    const entries = [];
    if (!this.inFlight && this.told !== this.version) {
      this.seq += 1;
      this.inFlight = this.seq;
      this.told = this.version;
      entries.push(["frame", this.seq, this.version]);
    }
    const done = stamp ? [[stamp.n, sentence]] : [];
    this.post([...entries, ["answers", { done, version: this.version, kept: this.version }]]);
  }

  change(state, of) {
    if (of !== this.of || !of) this.past.push(this.state);
    this.of = of;
    this.future = [];
    this.state = state;
    this.version += 1;
  }

  set({ path, value, press, of }) {
    if (of !== this.state.model) return "Another model.";
    this.change({ ...this.state, cells: { ...this.state.cells, [path]: value } }, path + press);
  }

  restore({ path, press, of }) {
    if (of !== this.state.model) return "Another model.";
    const { [path]: _, ...cells } = this.state.cells;
    this.change({ ...this.state, cells }, path + press);
  }

  words({ words }) {
    this.change({ ...this.state, words }, "");
  }

  choose({ model }) {
    this.change({ model, cells: {}, words: "" }, "");
  }

  undo() {
    this.step(this.past, this.future);
  }

  redo() {
    this.step(this.future, this.past);
  }

  step(from, to) {
    this.of = "";
    if (!from.length) return;
    to.push(this.state);
    this.state = from.pop();
    this.version += 1;
  }
}

/** A page with its edit queue, at the end of a connection. */
function page(clock, delay) {
  const shown = { press: 0, model: "a" };
  const answers = [];
  const up = new Line(clock, delay, ({ text }) => python.hear(text));
  const down = new Line(clock, delay, (entries) => take(entries));
  const python = new Python((entries) => down.send(entries));
  const outbox = new Outbox(write, (packet) => up.send(packet));
  const board = { to: 1, name: "Board" };
  const say = (message, how) => outbox.send(board, "message", message, how);
  const edits = new EditQueue(
    say,
    outbox,
    () => shown.press,
    () => shown.model,
  );
  function take(entries) {
    for (const [kind, content, version] of entries) {
      if (kind === "answers") outbox.answered(content);
      else
        clock.at(clock.now + PAINT, () => {
          if (!edits.painted(version, content)) say({ type: "ack" }, { unanswered: true });
        });
    }
  }
  return { python, outbox, edits, say, shown, answers };
}

/** A random sequence of user actions. */
function script(random, count) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  let press = 0;
  const found = [];
  for (let k = 0; k < count; k++) {
    const path = pick(["x", "y", "z"]);
    const kind = pick(["drag", "drag", "drag", "undo", "undo", "redo", "words", "restore"]);
    press += 1;
    if (kind === "drag") {
      const moves = 1 + Math.floor(random() * 6);
      for (let move = 0; move < moves; move++)
        found.push({ pause: 8, path, press, value: press * 100 + move });
    } else found.push({ kind, path, press, words: `w${k}` });
    found.at(-1).pause = random() < 0.5 ? 5 : Math.floor(random() * 900);
  }
  return found;
}

async function outcome(done, delay) {
  const clock = new Time();
  const { python, edits, say, shown } = page(clock, delay);
  const refused = [];
  const hear = (said) => said.catch((error) => refused.push(error.message));
  let at = 0;
  for (const { pause, kind, path, press, value, words } of done) {
    clock.at(at, () => {
      shown.press = press;
      if (value !== undefined) hear(edits.set(path, 0, 0, value));
      else if (kind === "restore") hear(edits.restore({ path, i: 0, j: 0 }));
      else hear(say({ type: kind, words }));
    });
    at += pause;
  }
  await clock.run();
  assert.deepEqual(refused, []);
  assert.equal(edits.isBusy, false, "somebody waits for ever");
  const { state, past, future } = python;
  return { state, past, future };
}

test("random use with random delays and stalls ends as without them", async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = chance(seed);
    const done = script(random, 25);
    const steady = await outcome(done, () => 0);
    const delays = [
      () => 150,
      () => random() * 400,
      () => (random() < 0.05 ? 3000 : random() * 60), // with occasional stalls
    ];
    for (const delay of delays) assert.deepEqual(await outcome(done, delay), steady, `${seed}`);
  }
});

test("on a stalled connection, three edits and an undo keep their order", async () => {
  const done = [
    { pause: 60, path: "x", press: 1, value: 2.5 },
    { pause: 60, path: "y", press: 2, value: 3.5 },
    { pause: 0, kind: "undo" },
  ];
  const { state } = await outcome(done, () => 3000);
  assert.deepEqual(state.cells, { x: 2.5 });
});

test("an edit that waits while another model opens is not applied to it", async () => {
  const clock = new Time();
  const { python, edits, say, shown } = page(clock, () => 300);
  const refused = [];
  clock.at(0, () => edits.set("x", 0, 0, 1));
  clock.at(10, () => {
    shown.press = 1;
    edits.set("y", 0, 0, 2);
  });
  clock.at(20, () => say({ type: "choose", model: "b" }));
  // The user continues at once, although the page does not show the change yet.
  clock.at(30, () => edits.set("z", 0, 0, 3).catch((error) => refused.push(error.message)));
  await clock.run();
  assert.deepEqual(python.state, { model: "b", cells: {}, words: "" });
  assert.deepEqual(python.past.at(-1).cells, { x: 1, y: 2 });
  assert.deepEqual(refused, ["Another model."]);
});

test("a slider that never rests fills no queue, and its last position is kept", async () => {
  const clock = new Time();
  const { python, outbox, edits } = page(clock, () => 100);
  for (let k = 0; k < 500; k++) clock.at(8 * k, () => edits.set("x", 0, 0, k));
  await clock.run();
  assert.equal(python.state.cells.x, 499);
  // One edit at a time: the time to Python and back, and a paint.
  assert.ok(outbox.number < (8 * 500) / 200 + 3, `${outbox.number}`);
  assert.equal(python.past.length, 1);
});
