/**
 * Shows the scenes of a film on the board. The camera, the highlight and the overlay are computed
 * from the time alone, so that a film can be paused and scrubbed.
 */

import { announce } from "../../components/shared/announce.js";
import { FilmHighlight, smooth } from "../focus/film_highlight.js";
import { columnsOf } from "../focus/flow.js";
import { between, zoomed } from "../picture/camera.js";
import { LANE, LANE_GAP } from "../picture/plan.js";
import { likeliestWords } from "../stages/next_tokens.js";
import { cameraOf, fullBar } from "./camera_targets.js";
import { FilmOverlay, RING } from "./film_overlay.js";
import { FreeSpots } from "./free_spots.js";

/**
 * @import {Matrix} from "../data/matrix.js"
 * @import {Column} from "../focus/flow.js"
 * @import {LitScene} from "../focus/film_highlight.js"
 * @import {Numbers} from "../numbers.js"
 * @import {Camera} from "../picture/camera.js"
 * @import {LaneLinks} from "../picture/lane_links.js"
 * @import {Picture} from "../picture/picture.js"
 * @import {FramedScene} from "./camera_targets.js"
 *
 * @typedef {object} CaptionedScene the properties of a scene that determine the overlay
 * @property {boolean} lifts whether a word moves down to its row
 * @property {boolean} carries whether a word moves along the strongest link
 * @property {number} way direction of an oscillation: 1 up, −1 down, 0 both
 *
 * @typedef {LitScene & FramedScene & CaptionedScene} Scene
 * @typedef {Pick<Numbers, "store" | "emphasis" | "oscillation"> & {whole: Picture}}
 *   ProjectorServices
 */

const FLIES = 1.4; // seconds of the camera's flight at the beginning of a scene
const CLOSER = 0.02; // relative increase of the zoom during a scene
const RETURNS = 700; // ms of the camera's way back after the user moved it
const LIFTS = 0.3; // share of a scene in which its word moves down to its row
// Shares of a scene: the bars of the likeliest words grow, a number swings.
const RISES = { from: 0.52, to: 0.8 };
const SWINGS = { from: 0.22, to: 0.92 };
const HOLDS = 1.25; // factor on the sine, clipped at 1: a number rests at its extreme
const NARROW = 600; // CSS px of the view's width below which it is narrow
const WORD = { wide: 84, narrow: 52 }; // CSS px that a word takes at the end of its row

/** The progress of a part, 0 … 1. @param {number} share @param {{from: number, to: number}} of */
const within = (share, { from, to }) => Math.max(0, Math.min(1, (share - from) / (to - from)));

export class FilmStage {
  /** @param {ProjectorServices} services */
  constructor(services) {
    this.services = services;
    this.scenes = /** @type {Scene[]} */ ([]);
    this.light = /** @type {FilmHighlight | null} */ (null);
    this.ink = /** @type {FilmOverlay | null} */ (null);
    this.spots = new FreeSpots(services.whole.viewpoint);
    this.entry = /** @type {object | null} */ (null);
    this.put = /** @type {Camera | null} */ (null); // the camera last set by the film
    this.back = /** @type {{from: Camera, begin: number} | null} */ (null);
    this.said = -1; // the scene whose row is marked
    this.shown = -1; // the last scene, if its highlight rests
    this.written = /** @type {number | null} */ (null); // number of written words; null: all
  }

  get isOn() {
    return this.ink !== null;
  }

  /** The length of the film, in seconds. */
  length() {
    return this.scenes.reduce((sum, { seconds }) => sum + seconds, 0);
  }

  /** @param {Scene[]} scenes */
  begin(scenes) {
    const { whole } = this.services;
    this.scenes = scenes;
    this.said = -1;
    this.ink ??= new FilmOverlay(whole.el);
    whole.viewpoint.isFilmed = true;
    this.take();
  }

  /** Builds the highlight from the picture's structure; again after a change of words. */
  take() {
    const { whole, emphasis, store } = this.services;
    const { entry } = whole;
    if (!entry) return;
    this.entry = entry;
    const columns = columnsOf(entry);
    const writer = whole.labels.words.written[0]?.lane.stack ?? null;
    const weights = (/** @type {Column} */ column, /** @type {number} */ query) =>
      weightsOf(column, query, store.byIndex);
    this.light = new FilmHighlight(this.scenes, columns, weights, writer);
    emphasis.light = this.light;
  }

  /** The scene at a time, and the share of it that has passed. @param {number} seconds */
  sceneAt(seconds) {
    let at = 0;
    let begin = 0;
    while (at + 1 < this.scenes.length && seconds >= begin + this.scenes[at].seconds) {
      begin += this.scenes[at].seconds;
      at += 1;
    }
    const share = Math.min(1, Math.max(0, (seconds - begin) / this.scenes[at].seconds));
    return { at, share };
  }

  /**
   * @param {number} seconds since the film began
   * @param {{cuts?: boolean, returns?: boolean}} [how] `cuts`: no flight between scenes; `returns`:
   *   the camera moves back smoothly after the user moved it
   */
  show(seconds, { cuts = false, returns = false } = {}) {
    const { whole, emphasis } = this.services;
    const { viewpoint } = whole;
    if (!this.scenes.length || !whole.drawing || !viewpoint.view.width) return;
    if (this.entry !== whole.entry) this.take();
    const { at, share } = this.sceneAt(seconds);
    this.light?.move(at, share);
    if (emphasis.light !== this.light) emphasis.light = this.light;
    viewpoint.stop();
    viewpoint.goal = null;
    viewpoint.isFitted = false;
    const camera = cuts ? this.goal(at, 1) : this.camera(at, share);
    if (!returns) this.back = null;
    const next = returns ? this.returning(camera) : camera;
    // While only a number oscillates, do not set the viewpoint, so that only changes are repainted.
    const isStill = this.shown === at && this.light?.isStill && isSame(next, viewpoint.camera);
    this.shown = this.light?.isStill ? at : -1;
    if (!isStill) viewpoint.put(next);
    this.put = viewpoint.camera;
    this.swing(at, share);
    this.say(at);
  }

  /** Redraws the overlay after painting, because it shows numbers of the picture. */
  painted() {
    const { light } = this;
    if (light && this.scenes.length) this.draw(light.at, light.share);
  }

  // -- the camera ---------------------------------------------------------------------------------

  /**
   * The camera at a moment of a scene. The flight from the previous scene begins when the text
   * changes, so that everything that a text names stays visible.
   * @param {number} at @param {number} share
   */
  camera(at, share) {
    const goal = this.goal(at, share);
    if (this.hasFlown(at, share)) return goal;
    const { view } = this.services.whole.viewpoint;
    const passed = share * this.scenes[at].seconds;
    return between(this.goal(at - 1, 1), goal, smooth(passed / FLIES), view);
  }

  /** Whether the camera has reached a scene. @param {number} at @param {number} share */
  hasFlown(at, share) {
    return !at || share * this.scenes[at].seconds >= FLIES;
  }

  /**
   * The camera of a scene, without flights.
   * @param {number} at @param {number} share @returns {Camera}
   */
  goal(at, share) {
    const { viewpoint } = this.services.whole;
    const { plan, view, limits } = viewpoint;
    const fitted = viewpoint.fitted();
    if (!plan) return fitted;
    const found = cameraOf(this.scenes[at], plan, view, limits, fitted);
    if (found === fitted) return found;
    // Zoom in slowly on the center.
    return zoomed(found, 1 + CLOSER * share, view.width / 2, view.height / 2, 0);
  }

  /** The camera on its way back after the user moved it. @param {Camera} to */
  returning(to) {
    const { viewpoint } = this.services.whole;
    const now = performance.now();
    if (viewpoint.camera !== this.put) this.back = { from: viewpoint.camera, begin: now };
    if (!this.back) return to;
    const share = (now - this.back.begin) / RETURNS;
    if (share >= 1) {
      this.back = null;
      return to;
    }
    return between(this.back.from, to, smooth(share), viewpoint.view);
  }

  // -- motion ------------------------------------------------------------------------------------

  /** Whether the scene's number oscillates, if it has one. @param {number} seconds */
  isReady(seconds) {
    const { swing } = this.scenes[this.sceneAt(seconds).at];
    const { orbit } = this.services.oscillation;
    return !swing || (orbit?.path === swing[0] && orbit.i === swing[1] && orbit.j === swing[2]);
  }

  /** Sets the phase of the oscillation. @param {number} at @param {number} share */
  swing(at, share) {
    const { swing, way } = this.scenes[at];
    const { orbit } = this.services.oscillation;
    if (!swing || !orbit) return;
    const passed = within(share, SWINGS);
    const far = Math.min(1, HOLDS * Math.sin(Math.PI * passed));
    orbit.held = true;
    orbit.phase = way ? way * (Math.PI / 2) * far : 2 * Math.PI * passed;
  }

  /** Draws the overlay. @param {number} at @param {number} share */
  draw(at, share) {
    const { ink } = this;
    const scene = this.scenes[at];
    ink?.clear();
    this.write();
    if (!ink || !scene.lane) return;
    const { whole, store } = this.services;
    const [stack, index] = scene.lane;
    if (scene.lifts && share < LIFTS) this.lift(ink, stack, index, share / LIFTS);
    if (scene.carries) this.carry(ink, index, share);
    const isThere = this.hasFlown(at, share);
    const isSwing = scene.swing !== null;
    const rises = isSwing ? 1 : within(share, RISES);
    if (scene.writes && isThere) {
      const best = likeliestWords(store, index, Number.POSITIVE_INFINITY)?.best ?? [];
      const place = () => this.spots.of(ink.bars, this.end(stack, index), at, this.goal(at, 1));
      ink.compare(best, rises, place, fullBar(whole.viewpoint.view.width));
    }
    if (scene.swing && isThere && share < 1) this.number(ink, scene.swing, at);
  }

  /**
   * Shows only the words that are written by now: those before the next word that the film types,
   * or all up to the last one that it has typed.
   */
  write() {
    const { words } = this.services.whole.labels;
    const typed = this.light?.typed ?? null;
    words.type(typed?.lane ?? null, typed?.share ?? 1);
    const count = typed && typed.lane.index + 1 + Number(typed.share >= 1);
    if (count === this.written) return;
    this.written = count;
    announce("film-words", { count });
  }

  /** @param {FilmOverlay} ink @param {string} stack @param {number} index @param {number} share */
  lift(ink, stack, index, share) {
    const { whole } = this.services;
    const { width, height } = whole.viewpoint.view;
    const word = whole.entry?.stacks.find((each) => each.stack === stack)?.words[index] ?? "";
    const to = this.pointOn(stack, index, (lanes) => lanes.left - 8);
    const from = { x: width / 2, y: height * 0.3 };
    ink.lift(word, share, from, { x: Math.max(40, to.x - 24), y: to.y });
  }

  /** @param {FilmOverlay} ink @param {number} query @param {number} share */
  carry(ink, query, share) {
    const links = this.carrying();
    const drawing = links?.drawing();
    if (!links || !drawing) return;
    const link = strongest(links, query);
    const grown = this.light?.grown(links.placed.part) ?? 1;
    const keys = this.services.whole.entry?.stacks.find(
      (each) => each.stack === links.placed.item.keys,
    );
    if (link && grown > 0 && share < 1) ink.carry(keys?.words[link.j] ?? "", grown, drawing, link);
  }

  /** The last links through which the highlight of the current scene passes. */
  carrying() {
    const { drawing } = this.services.whole;
    const parts = this.scenes[this.light?.at ?? 0].parts;
    return drawing?.links.findLast(({ placed }) => parts.includes(placed.part)) ?? null;
  }

  /**
   * Labels the oscillating number.
   * @param {FilmOverlay} ink @param {[string, number, number]} swing @param {number} at its scene
   */
  number(ink, [path, i, j], at) {
    const { whole, store } = this.services;
    const tile = whole.drawing?.tiles.find(({ matrix }) => matrix.path === path);
    if (!tile) return;
    const { x, y, width, height } = tile.boxOf(i, j);
    const middle = { x: x + width / 2, y: y + height / 2 };
    const place = () => this.spots.of(ink.number, middle, at, this.goal(at, 1), RING);
    ink.say(tile.matrix.entry.col_labels[j] ?? "", store.value(path, i, j), place);
  }

  /** A point right of the word that a row writes. @param {string} stack @param {number} index */
  end(stack, index) {
    const { width } = this.services.whole.viewpoint.view;
    const { x, y } = this.pointOn(stack, index, (lanes) => lanes.right + 8);
    return { x: x + (width < NARROW ? WORD.narrow : WORD.wide), y };
  }

  /**
   * A point of the view at a row's middle height.
   * @param {string} stack @param {number} index
   * @param {(lanes: {left: number, right: number}) => number} across x, in units of the picture
   */
  pointOn(stack, index, across) {
    const { viewpoint } = this.services.whole;
    const lanes = viewpoint.plan?.lanes.get(stack);
    if (!lanes) return { x: 0, y: 0 };
    const y = lanes.top + index * LANE;
    const box = { x: across(lanes), y, width: 0, height: LANE - LANE_GAP };
    const at = viewpoint.boxOf(box);
    return { x: at.x, y: at.y + at.height / 2 };
  }

  /** Marks a scene's word and, if the scene has parts, shows its ribbons. @param {number} at */
  say(at) {
    if (this.said === at) return;
    this.said = at;
    const { whole } = this.services;
    const { lane, parts } = this.scenes[at];
    whole.labels.words.press(lane && { stack: lane[0], index: lane[1] });
    const isLit = lane && parts.length > 0;
    whole.ribbons.follow(isLit ? { stack: lane[0], index: lane[1], isWritten: true } : null);
  }

  /** Ends the film and restores the picture. */
  leave() {
    const { whole, emphasis } = this.services;
    whole.labels.words.type(null, 1);
    if (this.written !== null) announce("film-words", { count: null });
    this.written = null;
    this.ink?.remove();
    this.ink = this.light = this.entry = this.put = this.back = null;
    this.scenes = [];
    emphasis.light = null;
    whole.viewpoint.isFilmed = false;
    emphasis.refocus();
    whole.showFollowed();
    whole.viewpoint.showAll();
  }
}

/** @param {Camera} a @param {Camera} b */
const isSame = (a, b) => a.x === b.x && a.y === b.y && a.zoom === b.zoom;

/**
 * The largest weight of each key for a query, over all heads.
 * @param {Column} column @param {number} query @param {readonly Matrix[]} byIndex
 */
function weightsOf({ matrices }, query, byIndex) {
  /** @type {number[]} */
  const found = [];
  for (const index of matrices) {
    const { cols, entry } = byIndex[index];
    const i = query - (entry.origin?.[1] ?? 0);
    for (let j = 0; j < cols; j++)
      found[j] = Math.max(found[j] ?? 0, byIndex[index].weight(i * cols + j));
  }
  return found;
}

/** The strongest link of a query. @param {LaneLinks} links @param {number} query */
function strongest({ grids }, query) {
  let best = /** @type {{head: number, i: number, j: number, weight: number} | null} */ (null);
  for (const { head, matrix } of grids)
    for (let j = 0; j < matrix.cols; j++) {
      const weight = matrix.values?.[query * matrix.cols + j] ?? 0;
      if (!best || weight > best.weight) best = { head, i: query, j, weight };
    }
  return best;
}
