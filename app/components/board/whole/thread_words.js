/**
 * Says in words what the strongest ribbons of the followed word show: which words it looks at, by
 * which heads, and what is written then; and lets it look only at another word. It stands beside
 * those ribbons where nothing else is drawn; it is not shown if there is no such place.
 */

import { make, setAttribute, setText } from "../../shared/dom.js";
import { shareText } from "../../shared/number_format.js";
import { headVariable } from "../links/head_toggles.js";
import { coveredBy, occupied } from "./free_place.js";

/**
 * @import {Lane, Send, WholeEntry} from "../data/types.js"
 * @import {Box} from "../paint/view.js"
 * @import {Drawing} from "./drawing.js"
 * @import {LaneLinks} from "./lane_links.js"
 * @import {Occupied} from "./free_place.js"
 * @import {Viewpoint} from "./viewpoint.js"
 *
 * @typedef {{key: string, size: keyof typeof SIZES, box: Box | null}} Placed where they stand, and
 *   the view, word and hint (`key`) for which that was found
 * @typedef {{head: number, key: number, weight: number}} Thread
 */

/** CSS px that the words take, and where these have no room. */
const SIZES = { wide: { width: 300, height: 102 }, narrow: { width: 152, height: 56 } };
const ALONE = 0.9995; // weight from which a word looks at nothing else
/** CSS px from the ribbons, where one would not see what is meant; and between places tried. */
const FAR = 160;
const STEP = 12;
const EDGE = 4; // CSS px to the edges of the view
/** Places right of the ribbons that are tried, the nearest first. */
const OFFSETS = steps(0)
  .flatMap((x) => steps(-FAR).map((y) => ({ x, y })))
  .sort((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y));
/** Of how many heads it says what they look at most. */
const HEADS = { wide: 2, narrow: 1 };

export class ThreadWords {
  /** @param {Viewpoint} viewpoint @param {Send} send @param {() => boolean} isLocked */
  constructor(viewpoint, send, isLocked) {
    this.viewpoint = viewpoint;
    this.send = send;
    this.isLocked = isLocked;
    this.lane = /** @type {Lane | null} */ (null);
    this.drawing = /** @type {Drawing | null} */ (null);
    this.entry = /** @type {WholeEntry | null} */ (null);
    this.placed = /** @type {Placed} */ ({ key: "", size: "wide", box: null });
    this.looks = make("strong");
    this.part = make("span");
    this.heads = make("span");
    this.writes = make("span");
    this.other = make("select", { onchange: () => this.lookAt(this.other.selectedIndex - 1) });
    this.elsewhere = make("label", {}, "Let it look only at ", this.other);
    this.el = make(
      "div",
      { class: "thread-words", role: "note", hidden: true, "data-unrecorded": "" },
      this.looks,
      make("span", {}, this.part, this.heads),
      this.writes,
      this.elsewhere,
    );
  }

  /** @param {Drawing | null} drawing @param {WholeEntry | null} entry */
  show(drawing, entry) {
    this.drawing = drawing;
    this.entry = entry;
    this.placed.key = "";
  }

  /**
   * After something was painted.
   * @param {Lane | null} lane that is followed
   * @param {{read: string, written: string | null} | null} words of it
   * @param {Box | null} hint that stands over the picture
   */
  place(lane, words, hint) {
    this.lane = lane;
    const links = lane && words?.written ? this.linksOf(lane) : null;
    const box = links && lane && this.boxBeside(links, lane, hint);
    const threads = box ? strongest(links, lane.index) : [];
    this.el.hidden = !threads.length;
    if (!links || !words?.written || !box || !threads.length) return;
    const { placed } = links;
    const keys = this.wordsOf(placed.item.keys);
    const { size } = this.placed;
    const said = threads.slice(0, HEADS[size]);
    const looked = [...new Set(said.map(({ key }) => key))].map((key) => quoted(keys[key]));
    setText(this.looks, `${quoted(words.read)} looks at ${looked.join(" and ")}`);
    const part = this.entry?.parts.find(({ id }) => id === placed.part);
    setText(this.part, size === "wide" ? `${part?.title ?? ""}: ` : "");
    while (this.heads.childElementCount > said.length) this.heads.lastElementChild?.remove();
    while (this.heads.childElementCount < said.length) this.heads.append(make("span"));
    said.forEach(({ head, weight }, k) => {
      const node = this.heads.children[k];
      setText(node, `head ${head + 1} ${shareText(weight)}`);
      setAttribute(node, "style", `--head: ${headVariable(head)}`);
    });
    setText(this.writes, `and the model writes ${quoted(words.written)}`);
    this.offer(links, threads, quoted(words.read));
    this.el.style.transform = `translate(${box.x}px, ${box.y}px)`;
  }

  /**
   * The words that it can look at; what it looks at alone is chosen.
   * @param {LaneLinks} links @param {Thread[]} threads @param {string} word that looks
   */
  offer({ placed: { item } }, threads, word) {
    const isOffered = this.placed.size === "wide" && !this.isLocked();
    this.elsewhere.hidden = !isOffered;
    if (!isOffered || this.other.matches(":focus") || !this.lane) return;
    const all = this.wordsOf(item.keys).map((each) => each || "∅");
    const words = item.keys === item.stack ? all.slice(0, this.lane.index + 1) : all;
    const shown = [...this.other.options].slice(1).map(({ text }) => text);
    if (words.length !== shown.length || words.some((each, k) => each !== shown[k]))
      this.other.replaceChildren(
        make("option", {}, "…"),
        ...words.map((each) => make("option", {}, each)),
      );
    const [{ key }] = threads;
    const isAlone = threads.every((each) => each.key === key && each.weight >= ALONE);
    this.other.selectedIndex = isAlone ? key + 1 : 0;
    setAttribute(this.other, "aria-label", `Let ${word} look only at, in all heads`);
  }

  /** @param {number} key */
  lookAt(key) {
    const links = this.lane && this.linksOf(this.lane);
    const path = links?.grids.at(0)?.matrix.path;
    this.other.blur(); // what is chosen follows the numbers
    if (key < 0 || !path || !this.lane) return;
    const [scope] = path.split(".head.");
    const pair = { scope, head: 0, query: this.lane.index, key };
    this.send({ type: "look_only", ...pair, everywhere: true }).catch(() => {}); // Python says why
  }

  /** @param {string} stack */
  wordsOf(stack) {
    return this.entry?.stacks.find((each) => each.stack === stack)?.words ?? [];
  }

  /**
   * Those by which the word looks at the source; without a source, at what it wrote, in the last
   * layer.
   * @param {Lane} lane @returns {LaneLinks | null}
   */
  linksOf({ stack }) {
    const own = this.drawing?.links.filter(({ placed }) => placed.item.stack === stack) ?? [];
    return own.findLast(({ placed }) => placed.item.keys !== stack) ?? own.at(-1) ?? null;
  }

  /**
   * A place right of the ribbons that covers nothing.
   * @param {LaneLinks} links @param {Lane} lane @param {Box | null} hint @returns {Box | null}
   */
  boxBeside(links, lane, hint) {
    const { viewpoint, placed } = this;
    const { plan, view, stamp } = viewpoint;
    const at = `${links.placed.part} ${lane.index} ${hint?.x} ${hint?.y}`;
    const key = `${stamp} ${view.width} ${view.height} ${at}`;
    if (placed.key === key || !plan) return placed.box;
    const { x, y, width, height } = viewpoint.boxOf(links.placed.box);
    const beside = { x: x + width + 8, y: y + height / 4 };
    const boxes = occupied(plan, (rect) => viewpoint.boxOf(rect));
    if (hint) boxes.push(hint);
    const wide = freeBox(SIZES.wide, beside, view, boxes);
    this.el.classList.toggle("narrow", !wide);
    const size = /** @type {keyof typeof SIZES} */ (wide ? "wide" : "narrow");
    this.placed = { key, size, box: wide ?? freeBox(SIZES.narrow, beside, view, boxes) };
    return this.placed.box;
  }
}

/** From a number to FAR, a step apart. @param {number} from */
function steps(from) {
  return Array.from({ length: Math.floor((FAR - from) / STEP) + 1 }, (_, k) => from + k * STEP);
}

/**
 * The place nearest a point that covers nothing: the camera moves while it is looked for.
 * @param {{width: number, height: number}} size @param {{x: number, y: number}} point
 * @param {{width: number, height: number}} view @param {Occupied[]} boxes
 * @returns {Box | null}
 */
function freeBox(size, point, view, boxes) {
  for (const { x, y } of OFFSETS) {
    const box = { ...size, x: point.x + x, y: point.y + y };
    const isInX = box.x >= EDGE && box.x + box.width + EDGE <= view.width;
    const isInY = box.y >= EDGE && box.y + box.height + EDGE <= view.height;
    if (isInX && isInY && coveredBy(box, boxes) === 0) return box;
  }
  return null;
}

/**
 * Of each head the key with the largest weight, the strongest first.
 * @param {LaneLinks} links @param {number} query @returns {Thread[]}
 */
function strongest(links, query) {
  const threads = links.grids.flatMap(({ head, matrix: { values, cols, entry } }) => {
    const row = values?.subarray(query * cols, (query + 1) * cols);
    if (!row?.length || entry.origin) return []; // of a window it would be another word
    const weight = Math.max(...row);
    return weight > 0 ? [{ head, key: row.indexOf(weight), weight }] : [];
  });
  return threads.sort((a, b) => b.weight - a.weight);
}

/** @param {string | undefined} word */
const quoted = (word) => `“\u2068${word || "∅"}\u2069”`;
