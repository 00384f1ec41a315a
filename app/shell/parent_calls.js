/** The calls that the page around an iframe may make, with the checks of their arguments. */

/** @typedef {[check: (x: unknown) => boolean, is: string, optional?: boolean]} Argument */

const MOST_CHARACTERS = 200;
export const isText = (/** @type {unknown} */ x) =>
  typeof x === "string" && x.length > 0 && x.length <= MOST_CHARACTERS;
export const isNumber = (/** @type {unknown} */ x) => typeof x === "number" && Number.isFinite(x);
const isIndex = (/** @type {unknown} */ x) => Number.isInteger(x) && Number(x) >= 0;
/** @param {unknown} x amplitude and period, each optional */
const isSwing = (x) =>
  typeof x === "object" &&
  x !== null &&
  Object.entries(x).every(
    ([name, value]) => ["amplitude", "period"].includes(name) && isNumber(value) && value > 0,
  );

/** @type {Argument} */
const PATH = [isText, `text of at most ${MOST_CHARACTERS} characters`];
/** @type {Argument} */
const INDEX = [isIndex, "a whole number from 0"];
/** @type {Argument} */
const NUMBER = [isNumber, "a finite number"];
/** @type {Argument} */
const SWITCH = [(x) => typeof x === "boolean", "true or false"];
const CELL = [PATH, INDEX, INDEX];

/** @type {Record<string, Argument[]>} */
const CALLS = {
  paths: [],
  value: CELL,
  gradient: CELL,
  set: [...CELL, NUMBER],
  restore: CELL,
  select: [
    [(x) => x === null || isText(x), `${PATH[1]}, or null`],
    [isIndex, INDEX[1], true],
    [isIndex, INDEX[1], true],
  ],
  selection: [],
  oscillate: [SWITCH, [isSwing, "an object of amplitude and period, numbers over 0", true]],
  oscillating: [],
  stages: [],
  goto: [PATH],
  scenario: [],
  listen: [PATH],
  unlisten: [PATH],
};

/** Returns an error sentence, or "". @param {unknown} call @param {unknown} args */
export function wrongIn(call, args) {
  if (typeof call !== "string" || !Object.hasOwn(CALLS, call))
    return `There is no such call; there are ${Object.keys(CALLS).join(", ")}.`;
  const wanted = CALLS[call];
  if (!Array.isArray(args) || args.length > wanted.length)
    return `The arguments of ${call} are a list of at most ${wanted.length}.`;
  const at = wanted.findIndex(([isRight, , optional], k) =>
    k < args.length ? !isRight(args[k]) : !optional,
  );
  return at < 0 ? "" : `Argument ${at + 1} of ${call} is ${wanted[at][1]}.`;
}
