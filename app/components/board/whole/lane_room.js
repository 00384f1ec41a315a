/**
 * The room of each stack's lanes while a model learns and its sentence is another at every step:
 * it grows at once and shrinks only when the sentence has stayed shorter for a while, and it
 * glides, so that nothing under the lanes jumps.
 */

import { prefersStillness } from "../../shared/motion.js";
import { LANE, UNDER_LANES } from "./plan.js";

/**
 * @import {Gap, Space} from "./folds.js"
 * @import {Lanes, Plan} from "./plan.js"
 *
 * @typedef {{at: number, count: number}} Seen since when there were so many lanes
 */

const LASTS = 300; // ms of a glide
const FRAME = 34; // ms of it in one display frame, however late this comes
const HOLDS = 1000; // ms that a longer sentence keeps its room

/** A number on its way to another. */
export class Glide {
  /** @param {number} value */
  constructor(value) {
    this.from = this.to = this.value = value;
    this.done = 0; // ms
  }

  /** @param {number} to @param {boolean} isStill whether it is there at once */
  aim(to, isStill) {
    if (to !== this.to) [this.from, this.to, this.done] = [this.value, to, 0];
    if (isStill) this.value = to;
  }

  /** @param {number} passed ms */
  step(passed) {
    this.done = Math.min(LASTS, this.done + passed);
    const share = this.done / LASTS;
    this.value = this.from + (this.to - this.from) * share ** 2 * (3 - 2 * share);
    if (share === 1) this.value = this.to;
  }

  get moves() {
    return this.value !== this.to;
  }
}

/**
 * For how many lanes there is to be room, and when that may be for fewer.
 * @param {Seen[]} seen the oldest first @param {number} now ms
 * @returns {{count: number, until: number}} ms; Infinity: it stays
 */
export function lanesWanted(seen, now) {
  const ends = seen.map((_, k) => seen[k + 1]?.at ?? Number.POSITIVE_INFINITY);
  const held = seen.map(({ count }, k) => ({ count, until: ends[k] + HOLDS }));
  const all = held.filter(({ until }) => until > now);
  return all.reduce((a, b) => (b.count >= a.count ? b : a));
}

export class LaneRoom {
  /**
   * @param {() => void} onMoved the room is another
   * @param {() => boolean} waits whether the picture of before still stands
   */
  constructor(onMoved, waits) {
    this.onMoved = onMoved;
    this.waits = waits;
    this.key = "";
    this.plan = /** @type {Plan | null} */ (null);
    this.rooms = /** @type {Map<string, {seen: Seen[], glide: Glide}>} */ (new Map());
    /** How far what is secondary is left out, which would else come and go with the sentence. */
    this.folds = /** @type {Map<string, Glide>} */ (new Map());
    this.timer = 0;
    this.request = 0;
    this.last = 0; // ms, the last display frame of a glide
  }

  /** @param {Plan | null} plan @param {boolean} holds whether a model may learn */
  show(plan, holds) {
    const parts = plan?.parts.map(({ entry }) => [entry.id, entry.unfolded]) ?? [];
    const key = JSON.stringify(parts);
    if (!holds || key !== this.key) this.forget();
    this.key = key;
    this.plan = plan;
    for (const { stack, count } of plan?.lanes.values() ?? []) {
      const known = this.rooms.get(stack) ?? { seen: [], glide: new Glide(count) };
      this.rooms.set(stack, known);
      if (known.seen.at(-1)?.count !== count) known.seen.push({ at: performance.now(), count });
    }
    this.aim();
  }

  forget() {
    cancelAnimationFrame(this.request);
    clearTimeout(this.timer);
    this.request = this.last = 0;
    this.rooms.clear();
    this.folds.clear();
  }

  aim() {
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const room of this.rooms.values()) {
      const { count, until } = lanesWanted(room.seen, now);
      room.glide.aim(count, prefersStillness());
      next = Math.min(next, until);
      room.seen = room.seen.filter((_, k) => !(room.seen[k + 1]?.at + HOLDS <= now));
    }
    clearTimeout(this.timer);
    if (next < Number.POSITIVE_INFINITY)
      this.timer = setTimeout(() => this.renew(), Math.max(0, next - now));
    this.run();
  }

  /** A shorter sentence has been there for long enough. */
  renew() {
    this.aim();
    this.onMoved();
  }

  /** Goes on as long as anything moves. */
  run() {
    const moving = this.glides.filter(({ moves }) => moves);
    if (!moving.length) this.last = 0;
    else
      this.request ||= requestAnimationFrame((now) => {
        this.request = 0;
        const passed = this.last && !this.waits() ? Math.min(FRAME, now - this.last) : 0;
        this.last = now;
        for (const glide of this.glides) if (glide.moves) glide.step(passed);
        this.onMoved();
        this.run();
      });
  }

  /** @returns {boolean} whether anything moved, which is where it goes now */
  settle() {
    const moving = this.glides.filter(({ moves }) => moves);
    for (const glide of moving) glide.value = glide.to;
    return moving.length > 0;
  }

  get glides() {
    return [...this.folds.values(), ...[...this.rooms.values()].map(({ glide }) => glide)];
  }

  /** Room beyond what the lanes take, or less than it. @returns {Space[]} from top to bottom */
  get spaces() {
    const lanes = this.rooms.size && this.plan ? [...this.plan.lanes.values()] : [];
    return lanes
      .map((each) => ({ at: underOf(each), by: this.over(each) }))
      .filter(({ by }) => by !== 0);
  }

  /** @param {Lanes} lanes */
  over({ stack, count }) {
    const room = this.rooms.get(stack);
    return room ? (room.glide.value - count) * LANE : 0;
  }

  /**
   * What is left out: it comes and goes gently while a structure lasts.
   * @param {Gap[]} gaps @param {Plan["secondary"]} secondary
   */
  gently(gaps, secondary) {
    const all = Object.entries(secondary).flatMap(([name, own]) =>
      own.map((gap, k) => {
        const found = gaps.find(({ from }) => from === gap.from);
        const goal = found ? (found.share ?? 1) : 0;
        const known = this.folds.get(`${name} ${k}`) ?? new Glide(goal);
        this.folds.set(`${name} ${k}`, known);
        known.aim(goal, prefersStillness());
        return { ...gap, share: known.value };
      }),
    );
    this.run();
    return all.filter(({ share }) => share > 0);
  }
}

/** @param {Lanes} lanes @returns {number} where what stands under them begins */
const underOf = ({ top, count }) => top + count * LANE + UNDER_LANES.links;
