/**
 * Runs work before each paint of the page, in order: take messages, paint numbers, write texts. So
 * all changes from one message appear in the same display frame.
 */

const STEPS = /** @type {const} */ (["take", "paint", "write"]);
/** ms without a display frame, as in a hidden page, after which the work runs anyway. */
const UNSEEN = 250;

/**
 * @typedef {(typeof STEPS)[number]} Step
 * @typedef {(now: number) => void} Work `now` is the time of the display frame, in ms
 */

/** @type {Record<Step, Set<Work>>} */
const due = { take: new Set(), paint: new Set(), write: new Set() };
/** @type {number[]} */
let requests = [];
let timer = 0;

/**
 * Runs work in a step of the next display frame, or of the current frame if this step has not run
 * yet. Work that is added several times until then runs once.
 * @param {Step} step @param {Work} work
 */
export function beforePaint(step, work) {
  due[step].add(work);
  if (requests.length) return;
  // One request for each step, so that promises settled in one step continue before the next step.
  requests = STEPS.map((each) => requestAnimationFrame((now) => run(each, now)));
  timer = setTimeout(runUnseen, UNSEEN);
}

/** Cancels work. @param {Step} step @param {Work} work */
export function forget(step, work) {
  due[step].delete(work);
}

/** @param {Step} step @param {number} now */
function run(step, now) {
  if (step === STEPS[0]) clearTimeout(timer);
  const works = due[step];
  due[step] = new Set();
  for (const work of works) {
    try {
      work(now);
    } catch (error) {
      reportError(error);
    }
  }
  if (step !== STEPS.at(-1)) return;
  requests = [];
  for (const each of STEPS) for (const work of due[each]) beforePaint(each, work);
}

async function runUnseen() {
  for (const request of requests) cancelAnimationFrame(request);
  for (const step of STEPS) {
    run(step, performance.now());
    await null;
  }
}
