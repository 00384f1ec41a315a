/**
 * The whole model as one zoomable picture: the same matrices, orbits, selection and planes as the
 * stages, laid out on the lanes of the tokens.
 */

import { make } from "../../components/shared/dom.js";
import { bindKeys } from "../../components/shared/keys.js";
import { OneStop } from "../../components/shared/one_stop.js";
import { placeNear } from "../labels/near.js";
import { Caption } from "./caption.js";
import { CardOver } from "./card_over.js";
import { ColumnMark } from "./column_mark.js";
import { DragHint, ringedOf } from "./drag_hint.js";
import { Drawing } from "./drawing.js";
import { Followed } from "./followed.js";
import { Gestures } from "./gestures.js";
import { GridRole } from "./grid_role.js";
import { Labels } from "./labels.js";
import { LensWords } from "./lens_words.js";
import { LinkKey } from "./link_key.js";
import { LinkWords } from "./link_words.js";
import { NextWords } from "./next_words.js";
import { PassSwitch } from "./pass_switch.js";
import { PictureCanvas } from "./picture_canvas.js";
import { PlaceLine } from "./place_line.js";
import { RibbonEnds } from "./ribbon_ends.js";
import { RowSlide } from "./row_slide.js";
import { Silences } from "./silences.js";
import { SmallMap } from "./small_map.js";
import { Tile } from "./tile.js";
import { Unfolding } from "./unfolding.js";
import { Viewpoint } from "./viewpoint.js";
import { VisibleReport } from "./visible_report.js";

/**
 * @import {Cell, Lane, LanesEntry, PartEntry, WholeEntry} from "../data/types.js"
 * @import {Box, GridView} from "../paint/view.js"
 * @import {Size} from "./camera.js"
 * @import {PictureServices, PictureGrid, WholeServices} from "./picture_grid.js"
 * @import {Rect} from "./plan.js"
 */

/**
 * @typedef {object} WholeActions
 * @property {(indices: number[]) => void} onNear matrices that are in sight
 * @property {(name: "camera" | "followed" | "unfolded", value: (string | number)[] | null) => void}
 *   place the reader is elsewhere
 * @property {(stage: string) => void} read
 * @property {() => boolean} holds whether a drag changes a number, and does not move the ground
 * @property {() => boolean} swings whether a number does
 * @property {() => void} onFollow another word is followed, or none
 * @property {() => void} onMoved the camera: rings lie elsewhere
 * @property {(words: () => string) => void} onWritten gives a word that is written otherwise;
 *   empty for none
 * @property {(isSaid: boolean) => void} onSaid whether the last change is said in the picture
 */

export class Picture {
  /** @param {WholeServices} services @param {WholeActions} actions */
  constructor(services, actions) {
    this.services = services;
    this.actions = actions;
    this.entry = /** @type {WholeEntry | null} */ (null);
    this.drawing = /** @type {Drawing | null} */ (null);
    this.tinted = -1; // up to which of the changes
    this.el = make("div", { class: "whole", hidden: true });
    this.viewpoint = new Viewpoint(
      this.el,
      () => this.changed(),
      () => this.followed.lane,
      () => this.weightsInUse(),
      () => services.appearance.showsAll,
      () => !this.slide.isOn,
    );
    this.camera = this.viewpoint.camera; // in the last frame
    this.canvas = new PictureCanvas(
      services,
      this.viewpoint,
      () => this.labels.place(),
      () => this.placeOthers(),
    );
    this.shared = new GridRole(this.canvas.el, this.viewpoint, services.cursors, (el) =>
      this.ribbons.standIn(el),
    );
    this.sight = new VisibleReport(services, this.viewpoint, {
      onNear: actions.onNear,
      keep: (camera) => actions.place("camera", camera),
    });
    this.unfolding = new Unfolding(this.viewpoint, (parts) => actions.place("unfolded", parts));
    this.followed = new Followed(
      (lane) => actions.place("followed", lane),
      () => this.showFollowed(),
    );
    const font = () => services.appearance.theme.fontText;
    this.silences = new Silences(services, this.shared.grid);
    this.lens = new LensWords(services.store, font, () => this.labels.place());
    const labelActions = {
      open: (/** @type {PartEntry} */ part, /** @type {boolean} */ isKey) =>
        this.unfolding.open(part, isKey),
      read: (/** @type {PartEntry} */ part) => actions.read(part.stage),
      follow: (/** @type {Lane} */ lane) => this.followed.follow(lane),
    };
    this.ribbons = new RibbonEnds(this.viewpoint, () => `600 13px ${font()}`);
    this.linkWords = new LinkWords(() => `500 12px ${font()}`);
    const others = [this.silences, this.lens, this.canvas.names, this.ribbons, this.linkWords];
    this.labels = new Labels(this.viewpoint, font, labelActions, others);
    this.over = new CardOver(this.viewpoint);
    this.labels.band.append(this.canvas.names.el);
    this.columnMark = new ColumnMark(this.canvas.names);
    this.slide = new RowSlide(this.viewpoint, this.canvas.el, this.labels);
    this.map = new SmallMap(this.viewpoint, () => services.appearance.theme);
    this.line = new PlaceLine(this.viewpoint);
    this.nextWords = new NextWords(this.viewpoint);
    const { send, isLocked } = services;
    const writesOf = (/** @type {Lane} */ lane) => this.labels.words.says(lane);
    this.caption = new Caption(this.viewpoint, send, isLocked, actions.onSaid, writesOf);
    this.key = new LinkKey(() => this.viewpoint.changed());
    this.hint = new DragHint(this.el, this.viewpoint);
    this.el.append(
      this.shared.grid,
      this.slide.el,
      this.labels.el,
      this.columnMark.el,
      this.linkWords.el,
      this.ribbons.el,
      this.silences.el,
      this.lens.el,
      this.nextWords.el,
      this.caption.el,
      this.hint.el,
      this.map.el,
    );
    this.zooming = this.zoomButtons();
    this.pass = new PassSwitch(services.send, () => this.entry !== null);
    this.bar = make(
      "div",
      { class: "picture-bar", role: "toolbar", "aria-label": "Picture" },
      this.zooming,
      this.pass.el,
      this.line.el,
      this.lens.note,
      this.key.el,
    );
    new OneStop(this.bar, "Beside the picture");
    this.gestures = new Gestures(this.el, {
      camera: () => this.viewpoint.camera,
      box: () => this.viewpoint.box,
      least: () => this.viewpoint.fitted().zoom,
      move: (camera) => this.viewpoint.moveTo(camera),
      fly: (camera) => this.viewpoint.fly(camera),
      fit: () => this.viewpoint.showAll(),
      holds: actions.holds,
      near: (event) => this.goNear(event),
      anchor: () => this.anchor(),
    });
    // In the capture phase: a title or a word that has the focus takes no key of the camera's.
    bindKeys(this.el, "In the picture", this.gestures.keys, { capture: true });
    this.sizes = new ResizeObserver(() => this.resized());
    this.sizes.observe(this.el);
  }

  zoomButtons() {
    /**
     * @param {string} label @param {string} text @param {() => void} onclick
     * @param {string} [how] other ways to do it
     */
    const button = (label, text, onclick, how = "") =>
      make(
        "button",
        { type: "button", "aria-label": label, title: `${label}${how}`, onclick },
        text,
      );
    const wheel = ", or the wheel with Ctrl or once the picture has the focus";
    return make(
      "div",
      { class: "zooming", role: "group", "aria-label": "Zoom" },
      button("Nearer (+)", "+", () => this.gestures.nearer(), wheel),
      button("Farther (−)", "−", () => this.gestures.farther(), wheel),
      button("All of it (0)", "⤢", () => this.viewpoint.showAll()),
    );
  }

  /**
   * @param {WholeEntry | null} entry none: something else is shown
   * @param {LanesEntry[]} [lanes] of what else is shown
   */
  show(entry, lanes = []) {
    this.slide.keep(this.entry, this.drawing?.plan ?? null, entry);
    this.drawing?.remove();
    this.columnMark.point(null);
    this.entry = entry;
    this.el.hidden = !entry;
    const { el, services, viewpoint, canvas, shared } = this;
    /** @type {PictureServices} */
    const picture = {
      ...{ el, services, viewpoint, canvas, shared, headAlone: () => this.key.head },
      point: (view, cell) => this.point(view, cell),
    };
    this.drawing = entry && new Drawing(entry, picture);
    const plan = this.drawing?.plan ?? null;
    viewpoint.show(plan);
    for (const part of [canvas, shared, this.sight]) part.show(this.drawing);
    this.silences.show(plan);
    this.line.show(entry);
    this.lens.show(plan);
    if (!entry) this.followed.says = ""; // only the picture knows it
    this.followed.show(entry?.stacks ?? lanes);
    this.ribbons.show(this.drawing, entry);
    this.linkWords.show(this.drawing, entry);
    this.caption.show(this.drawing, entry);
    if (entry && plan) {
      this.key.show(Math.max(0, ...plan.links.map(({ item }) => item.lanes.length)));
      this.labels.show(entry, plan);
    }
    this.showFollowed(); // its word may be another
    this.unfolding.show(entry, plan);
    this.slide.show(entry, this.drawing);
  }

  /** Other words have the same places. @param {WholeEntry} entry with the words */
  rename(entry) {
    this.sight.moved(); // what is in sight is reported again
    const { drawing } = this;
    if (!this.entry || !drawing) return;
    this.entry = { ...entry, parts: this.entry.parts };
    this.line.show(this.entry);
    this.followed.show(entry.stacks);
    this.ribbons.show(drawing, entry);
    this.linkWords.show(drawing, this.entry);
    this.caption.show(drawing, entry);
    this.labels.rename(entry);
    this.columnMark.point(null);
    this.followWord();
    // Over the matrices of an unfolded attention words stand on the canvas.
    if (drawing.tiles.some(({ matrix }) => matrix.entry.lanes?.[1])) this.canvas.renew();
  }

  /**
   * Where the weights are of which a number is selected, or reached by the keyboard or from a text.
   * @returns {Rect | null}
   */
  weightsInUse() {
    const { selection } = this.services.cursors;
    if (!selection && !this.shared.reached) return null;
    const isSelected = (/** @type {Tile} */ tile) =>
      selection !== null && tile.origin(0, 0)?.path === selection.path;
    const isIn = (/** @type {Tile} */ tile) => tile === this.shared.reached || isSelected(tile);
    const tiles = this.drawing?.tiles.filter(({ placed }) => placed.kind === "tile");
    const placed = tiles?.find(isIn)?.placed;
    if (!placed) return null;
    const { x, y, cell, height, rows, cols } = placed;
    return { x, y, width: cell * cols, height: height * rows };
  }

  /** Another number is selected, or none, or another choice made of what is shown. */
  refold() {
    if (!this.services.cursors.selection) this.shared.reached = null;
    this.viewpoint.refold();
  }

  /** Where the reader is; its middle, in units of the picture. */
  /**
   * The stage of what is looked at: of the part that is near, or else of the attention by which the
   * followed word looks at others.
   */
  get stageInFocus() {
    const { lane } = this.followed;
    const own = this.entry?.parts.filter(({ stack }) => stack === lane?.stack) ?? [];
    const looks =
      own.findLast(({ kind }) => kind === "cross") ?? own.find(({ kind }) => kind === "attention");
    return (this.line.part ?? looks)?.stage ?? null;
  }

  get look() {
    const { middle, camera, isFitted } = this.viewpoint;
    const { lane: following } = this.followed;
    return {
      ...{ ...middle, zoom: camera.zoom, isAll: isFitted, following },
      unfolded: this.unfolding.ids,
    };
  }

  /**
   * CSS px: the selected number, or the row of the followed word, or else the one nearest the
   * middle, in the strip that is nearest the middle; null if none is in sight.
   */
  anchor() {
    const { viewpoint } = this;
    const { plan, view, covered } = viewpoint;
    const selected = this.placeOfSelected();
    if (selected) return selected;
    const lane = this.followed.lane;
    const middles = (plan?.matrices ?? []).flatMap(({ stack, x, y, cell, height, rows, cols }) => {
      if (stack === null) return [];
      const box = viewpoint.boxOf({ x, y, width: cell * cols, height: height * rows });
      const inX = box.x + box.width / 2;
      if (inX < covered.left || inX > view.width) return [];
      return Array.from({ length: rows }, (_, index) => {
        const isIt = stack === lane?.stack && index === lane.index;
        return { x: inX, y: box.y + ((index + 0.5) / rows) * box.height, isIt };
      });
    });
    const seen = middles.filter(({ y }) => y > covered.top && y < view.height);
    const own = seen.filter(({ isIt }) => isIt);
    return nearest(own.length ? own : seen, view);
  }

  /** CSS px: the middle of the selected number; null if it is out of sight. */
  placeOfSelected() {
    const { selection } = this.services.cursors;
    const { view, covered } = this.viewpoint;
    for (const tile of this.drawing?.tiles ?? []) {
      const first = tile.origin(0, 0);
      if (!selection || !first) continue;
      const [i, j] = [selection.i - first.i, selection.j - first.j];
      const { rows, cols } = tile.matrix;
      const isIn = i >= 0 && j >= 0 && i < rows && j < cols;
      if (tile.kind !== "cells" || first.path !== selection.path || !isIn) continue;
      const box = tile.boxOf(i, j);
      const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      const isInX = at.x > covered.left && at.x < view.width;
      if (isInX && at.y > covered.top && at.y < view.height) return at;
    }
    return null;
  }

  /** To what was pressed twice. @param {MouseEvent} event */
  goNear({ target, clientX, clientY }) {
    if (target instanceof Element && target.closest(".word, .written, .silences")) return;
    this.viewpoint.goNear(clientX, clientY);
  }

  /** The camera, the size or the structure is another. */
  changed() {
    this.canvas.linkTime.moves();
    this.canvas.renew();
    this.sight.moved();
  }

  /** Labels keep off the buttons of the zoom where these are in a corner of the picture. */
  claimZoom() {
    const { x, y } = this.el.getBoundingClientRect();
    const box = this.zooming.getBoundingClientRect();
    const isOver = getComputedStyle(this.zooming).position === "absolute";
    const own = { x: box.x - x, y: box.y - y, width: box.width, height: box.height };
    this.viewpoint.claims.set("zoom", isOver ? [own] : []);
  }

  resized() {
    if (!this.viewpoint.measure()) {
      // Shown again as large as before, maybe with labels that were made while it was hidden.
      if (this.entry) this.labels.place();
      return;
    }
    this.canvas.size();
    this.slide.size();
    this.claimZoom();
    this.over.claim();
  }

  /**
   * The words of the row and of the column stand out.
   * @param {PictureGrid} view @param {Cell | null} cell
   */
  point(view, cell) {
    const tile = view instanceof Tile ? view : null;
    const stack = tile?.placed.stack;
    const row = cell && tile?.origin(cell.i, cell.j);
    this.labels.point(stack && row ? { stack, index: row.i } : null);
    this.columnMark.point(cell && tile, cell?.j);
    this.hint.yieldTo(view, cell);
  }

  showFollowed() {
    this.followWord();
    this.viewpoint.changed();
  }

  /** Its row and its ribbons stand out. */
  followWord() {
    const shown = this.services.appearance.showsGradients ? null : this.followed.shown;
    this.labels.follow(shown);
    this.ribbons.follow(shown);
    this.actions.onFollow();
  }

  /** What the row of the followed word says may be another word now. */
  hearFollowed() {
    const says = this.labels.words.says(this.followed.lane);
    if (says === this.followed.says) return;
    this.followed.says = says;
    this.actions.onFollow();
  }

  /** After all was painted. */
  placeOthers() {
    this.map.paint();
    this.line.write();
    this.nextWords.place();
    if (!this.slide.isOn) this.hint.place();
    this.columnMark.place();
    this.services.appearance.root.classList.toggle("quiet", this.viewpoint.isQuiet);
    this.actions.onMoved();
  }

  /**
   * Where something near a number covers nothing. That place is kept free until `release`.
   * @param {GridView} view @param {Cell} at @param {Size[]} sizes
   * @returns {Box | null} in client px; null for a number of no picture, and without such a place
   */
  freeNear(view, { i, j }, sizes) {
    const { plan } = this.viewpoint;
    if (!(view instanceof Tile) || !plan) return null;
    const home = this.el.getBoundingClientRect();
    const { claims, view: size } = this.viewpoint;
    const ringed = ringedOf(view, i, j, 0);
    const box = placeNear(sizes, { ringed }, size, claims.without("bubble"))?.box ?? null;
    claims.set("bubble", box ? [box] : []);
    return box && { ...box, x: box.x + home.x, y: box.y + home.y };
  }

  /** The place that `freeNear` found is free again. */
  release() {
    this.viewpoint.claims.set("bubble", []);
  }

  /** After each display frame in which something was painted. */
  written() {
    const { drawing, labels } = this;
    if (!drawing) return;
    this.canvas.linkTime.paintLate();
    this.reportMotion();
    labels.write(this.services.store);
    this.hearFollowed();
    this.actions.onWritten(() => labels.words.rewritten(this.followed.lane ?? this.followed.back));
    const origin = this.originIn(drawing);
    labels.emphasize(this.services.wordStrength, origin?.lane ?? null);
    labels.words.markChanged(this.services.changedLane());
    if (this.ribbons.write()) labels.place();
    this.slide.look();
    this.showHint(origin);
    this.caption.place(this.followed.lane, this.followed.words);
    this.tintParts(drawing);
  }

  /** Report a painted frame in which a number swings or the camera moves. */
  reportMotion() {
    const { camera, sharpness, screen } = this.viewpoint;
    const isMoving = this.actions.swings() || camera !== this.camera;
    this.camera = camera;
    // What is recorded has all pixels, even if its frames come late.
    if (document.documentElement.dataset.recording !== undefined) sharpness.rest();
    else if (isMoving) sharpness.moved(performance.now(), screen);
  }

  /**
   * One number of the word that is read most, and the lane of that word.
   * @param {Drawing} drawing
   */
  originIn({ tiles }) {
    if (this.hint.isOver && !this.labels.words.isThinned) return null; // nobody asks
    const origin = this.services.origin();
    const tile = tiles.find(({ matrix, kind }) => matrix === origin?.matrix && kind === "cells");
    const stack = tile?.placed.stack;
    if (!origin || !tile || !stack) return null;
    const { i, j } = origin;
    return { tile, i, j, lane: { stack, index: i } };
  }

  /** Point at it. @param {ReturnType<Picture["originIn"]>} origin */
  showHint(origin) {
    const { hint, entry } = this;
    // While rows are on their way it is not seen, and no label is where it will be.
    if (hint.isOver || !entry || this.slide.isOn) return;
    const lanes = entry.stacks.find(({ stack }) => stack === origin?.lane.stack);
    const word = lanes?.words[origin?.i ?? 0];
    if (this.services.changeLevel() > 0) {
      hint.end();
      return;
    }
    // A lesson and a film have their own things to point at.
    const { lesson, film } = document.documentElement.dataset;
    const isInWay = lesson !== undefined || film !== undefined;
    hint.show(origin && word && !isInWay ? { ...origin, word } : null);
  }

  /** Whether it is marked what the last change moved, beside how far all is from a baseline. */
  get marksMoved() {
    const { appearance, trail } = this.services;
    return appearance.plane === "change" && trail.differs;
  }

  /** How far the last edit moved each part. @param {Drawing} drawing */
  tintParts({ tiles }) {
    const { trail } = this.services;
    const at = this.marksMoved ? trail.changes : -1;
    if (this.tinted === at) return;
    this.tinted = at;
    /** @type {Map<string, number>} */
    const parts = new Map();
    for (const { placed, matrix } of tiles) {
      if (!this.marksMoved) parts.set(placed.part, 0);
      if (!this.marksMoved) continue;
      let most = parts.get(placed.part) ?? 0;
      for (let i = 0; i < matrix.rows; i++) most = Math.max(most, trail.tint(matrix, i));
      parts.set(placed.part, most);
    }
    this.labels.tint(parts);
  }

  remove() {
    this.show(null);
    this.slide.end();
    this.pass.remove();
    this.sizes.disconnect();
    this.sight.remove();
    this.hint.remove();
    this.map.remove();
    this.labels.remove();
    this.viewpoint.stop();
    this.viewpoint.sharpness.forget();
    this.gestures.remove();
  }
}

/**
 * The place nearest the middle.
 * @param {{x: number, y: number}[]} places @param {{width: number, height: number}} view
 */
function nearest(places, { width, height }) {
  const away = (/** @type {{x: number, y: number}} */ { x, y }) =>
    Math.hypot(x - width / 2, y - height / 2);
  return places.length ? places.reduce((a, b) => (away(b) < away(a) ? b : a)) : null;
}
