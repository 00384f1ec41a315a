/** A dare: its sentence, the score of what is on the page, the best known and one's own best. */

import { addressWithLink, hasAddress } from "../shared/address.js";
import { announce } from "../shared/announce.js";
import { make, setAttribute, setText } from "../shared/dom.js";
import { keepBest, ownBest } from "../shared/own_best.js";
import { elements } from "./rich_text.js";

/**
 * @import {Code, Item, Send, Shown} from "./item.js"
 * @import {Rich} from "./rich_text.js"
 *
 * @typedef {object} Standing
 * @property {string} name of the dare
 * @property {string} best the best known measure, in words
 * @property {string} by how that was found
 * @property {boolean} more whether more is better
 * @property {string} shared what is said of an attempt that a link has opened
 * @property {boolean} busy whether the score is being computed
 * @property {boolean} [reached]
 * @property {string} [refused] why it does not count
 * @property {string} [what] what was changed
 * @property {Rich[]} [shows] how it stands
 * @property {number | null} [value] its measure
 * @property {string | null} [said] the same in words
 * @property {boolean} [is_best] whether it is as good as the best known
 * @property {boolean} [is_shared] whether the page shows the attempt of the link
 * @property {boolean} [is_given] whether nothing has been changed
 * @property {object | null} told what course pages hear
 */

const MAIL = 2_000; // characters; links that are longer are cut by some programs

/** @param {Item} item @param {Send} send @returns {Shown} */
export function dared(item, send) {
  const again = () => send({ type: "again" });
  const button = (/** @type {string} */ label, /** @type {() => void} */ onclick) =>
    make("button", { type: "button", class: "button", onclick }, label);
  const shared = make("p", { class: "shared" });
  const beat = button("Beat it", again);
  const score = make("b", { class: "score" });
  const what = make("p", { class: "what" });
  const shows = make("p", {});
  const refused = make("p", { class: "hint" });
  const best = make("dd", {});
  const own = make("dd", {});
  const by = make("p", { class: "by" });
  const afresh = button("Start again", again);
  const copy = button("Copy link", () => send({ type: "link" }));
  const link = make("input", {
    type: "text",
    readonly: true,
    "aria-label": "Link of this attempt",
  });
  const copied = make("p", { class: "copied", role: "status" });
  const said = make("p", { class: "visually-hidden", role: "status" });
  link.hidden = true;
  copy.hidden = !hasAddress();
  const node = make(
    "section",
    { class: "task dare", "aria-label": "Dare" },
    make("p", { class: "head" }, make("b", {}, "Dare"), score),
    make("p", { class: "sentence" }, ...elements(item.text)),
    make("div", { class: "opened" }, shared, beat),
    what,
    shows,
    refused,
    make("dl", {}, make("dt", {}, "best known"), best, make("dt", {}, "your best"), own),
    by,
    make("div", { class: "row" }, afresh, copy),
    link,
    copied,
    said,
  );

  let told = "";
  /** @param {Standing} dare */
  function show(dare) {
    const counts = !(dare.busy || dare.refused || dare.is_given);
    const isDone = counts && dare.reached === true;
    node.classList.toggle("done", isDone);
    setText(shared, dare.shared);
    beat.hidden = dare.shared === "";
    setText(score, dare.busy ? "…" : scoreOf(dare, counts));
    score.classList.toggle("reached", isDone);
    setText(what, whatOf(dare));
    shows.replaceChildren(...elements(dare.shows ?? []));
    setText(refused, dare.is_given ? "" : (dare.refused ?? ""));
    setText(best, dare.best);
    setText(by, dare.by && `The best known comes from ${dare.by}.`);
    if (isDone) keep(dare);
    setText(own, ownBest(dare.name)?.said ?? "–");
    setAttribute(afresh, "aria-disabled", String(dare.is_given === true));
    const key = JSON.stringify(dare.told);
    if (key !== told && !dare.busy) tell(dare, key, isDone);
  }

  /** @param {Standing} dare @param {string} key @param {boolean} isDone */
  function tell(dare, key, isDone) {
    told = key;
    setText(said, isDone ? `That does it: ${dare.said}. Best known: ${dare.best}.` : "");
    link.hidden = true;
    setText(copied, "");
    announce("score", dare.told);
  }

  /** @param {Code} code */
  async function take(code) {
    if (code === null) {
      setText(copied, "There are too many changes for a link. Share saves a file of them.");
      return;
    }
    link.value = addressWithLink(code);
    link.hidden = false;
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
    } catch {
      document.execCommand("copy"); // pages without HTTPS have no clipboard API
    }
    const long = link.value.length > MAIL ? " It is long: some mail programs cut such a link." : "";
    setText(copied, `Copied.${long}`);
  }

  return { node, show: ({ dare }) => dare && show(dare), take };
}

/** Its measure, where it counts. @param {Standing} dare @param {boolean} counts */
const scoreOf = ({ said }, counts) => (counts && said ? said : "");

/** Keeps what was reached; the attempt of a link is somebody else's. @param {Standing} dare */
function keep({ name, value, said, more, is_shared }) {
  if (is_shared || typeof value !== "number") return;
  keepBest(name, { value, said: said ?? "" }, more);
}

/** @param {Standing} dare */
function whatOf({ busy, is_given, refused, reached, is_best, what = "" }) {
  if (busy) return "The score is being computed.";
  if (is_given) return "Nothing has been changed yet.";
  if (refused) return "";
  if (!reached) return `${what}. That does not do it yet.`;
  return `${what}. That does it${is_best ? ", as well as the best known or better" : ""}.`;
}
