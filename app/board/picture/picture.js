/**
 * The whole model as one zoomable picture: the same matrices, oscillations, selection and planes as
 * in the stages, on the lanes of the tokens.
 */

import { make } from "../../components/shared/dom.js";
import { bindKeys } from "../../components/shared/keys.js";
import { OneStop } from "../../components/shared/one_stop.js";
import { placeNear } from "../labels/near.js";
import { writtenAt } from "../stages/next_tokens.js";
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
import { rectOf } from "./plan.js";
import { RibbonEnds } from "./ribbon_ends.js";
import { RowSlide } from "./row_slide.js";
import { Silences } from "./silences.js";
import { SmallMap } from "./small_map.js";
import { Tile } from "./tile.js";
import { Unfolding } from "./unfolding.js";
import { Viewpoint } from "./viewpoint.js";
import { VisibleReport } from "./visible_report.js";
import { heightOfRows } from "./whole_camera.js";
import { zoomAnchor } from "./zoom_anchor.js";
import { zoomButtons } from "./zoom_buttons.js";

/**
 * @import {Cell, LanesEntry, PartEntry, WholeEntry} from "../data/types.js"
 * @import {Box, GridView} from "../paint/view.js"
 * @import {Size} from "./camera.js"
 * @import {LabelActions} from "./labels.js"
 * @import {LaneWords} from "./lane_words.js"
 * @import {PictureServices, PictureGrid, WholeServices} from "./picture_grid.js"
 * @import {Rect} from "./plan.js"
 */

/**
 * @typedef {object} WholeActions
 * @property {(indices: number[]) => void} onNear receives the indices of the matrices in sight
 * @property {(name: "camera" | "followed" | "unfolded", value: (string | number)[] | null) => void}
 *   place the reader is elsewhere
 * @property {(stage: string) => void} read
 * @property {() => boolean} holds whether a drag changes a number, and does not move the ground
 * @property {() => boolean} swings whether a number does
 * @property {() => void} onFollow another word is followed, or none
 * @property {() => void} onMoved the camera: rings lie elsewhere
 * @property {(words: LaneWords) => void} onWritten the words were updated
 * @property {AbortSignal} signal aborts when the picture is removed
 * @property {(isSaid: boolean) => void} onSaid whether the caption describes the change
 */

export class Picture {
  /** @param {WholeServices} services @param {WholeActions} actions */
  constructor(services, actions) {
    this.services = services;
    this.actions = actions;
    this.entry = /** @type {WholeEntry | null} */ (null);
    this.drawing = /** @type {Drawing | null} */ (null);
    this.el = make("div", { class: "whole", hidden: true });
    const viewpoint = this.createViewpoint();
    this.viewpoint = viewpoint;
    this.camera = this.viewpoint.camera; // the camera of the last frame
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
      services.trains,
    );
    const font = () => services.appearance.theme.fontText;
    this.silences = new Silences(services, this.shared.grid);
    this.lens = new LensWords(services.store, font, () => this.labels.place());
    this.ribbons = new RibbonEnds(this.viewpoint, () => `600 13px ${font()}`);
    this.linkWords = new LinkWords(() => `500 12px ${font()}`);
    const others = [this.silences, this.lens, this.canvas.names, this.ribbons, this.linkWords];
    this.labels = new Labels(this.viewpoint, font, this.labelActions(), others);
    this.over = new CardOver(this.viewpoint);
    this.labels.band.append(this.canvas.names.el);
    this.columnMark = new ColumnMark(this.canvas.names);
    this.map = new SmallMap(this.viewpoint, () => services.appearance.theme);
    this.line = new PlaceLine(this.viewpoint);
    this.nextWords = new NextWords(this.viewpoint);
    const sliding = /** @type {const} */ ([this.canvas.el, this.labels, this.nextWords]);
    this.slide = new RowSlide(this.viewpoint, ...sliding, services.trains);
    const { send, cursors } = services;
    this.caption = new Caption(this.viewpoint, services, actions.onSaid);
    this.key = new LinkKey(() => this.viewpoint.changed());
    this.hint = new DragHint(this.el, this.viewpoint, actions.signal);
    const { slide, labels, columnMark, linkWords, ribbons } = this;
    const { silences, lens, nextWords, caption, hint, map } = this;
    const words = [slide, labels, columnMark, linkWords, ribbons, silences, lens, nextWords];
    this.el.append(this.shared.grid, ...[...words, caption, hint, map].map(({ el }) => el));
    const anchor = () =>
      zoomAnchor(viewpoint, this.drawing?.tiles ?? [], cursors.selection, this.followed.lane);
    this.gestures = new Gestures(viewpoint, { holds: actions.holds, anchor }, actions.signal);
    this.zooming = zoomButtons(this.gestures);
    this.pass = new PassSwitch(send, () => this.entry !== null, actions.signal);
    const { zooming, pass, line, key } = this;
    this.bar = barOf(zooming, pass.el, line.el, lens.note, key.el);
    // Capture keys, so that a focused title or word does not take those of the camera.
    bindKeys(this.el, "In the picture", this.gestures.keys, { capture: true });
    this.sizes = new ResizeObserver(() => this.resized());
    this.sizes.observe(this.el);
  }

  createViewpoint() {
    const { appearance } = this.services;
    return new Viewpoint(this.el, {
      onChanged: () => this.changed(),
      followed: () => this.followed.lane,
      inUse: () => this.weightsInUse(),
      showsAll: () => appearance.showsAll,
      mayResize: () => !this.slide.isOn,
    });
  }

  /** @returns {LabelActions} */
  labelActions() {
    return {
      open: (part, isKey) => this.unfolding.open(part, isKey),
      read: (part) => this.actions.read(part.stage),
      follow: (lane) => this.followed.follow(lane),
    };
  }

  /**
   * Draws a structure.
   * @param {WholeEntry | null} entry null: another view is shown
   * @param {LanesEntry[]} [lanes] the lanes of the other view
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
    viewpoint.plan = plan;
    if (plan) el.style.setProperty("--rows", `${Math.ceil(heightOfRows(plan))}px`);
    for (const part of [canvas, shared, this.sight]) part.show(this.drawing);
    this.silences.show(plan);
    this.line.show(entry);
    this.lens.show(plan);
    if (!entry) this.followed.says = ""; // the word is known only in the picture
    this.followed.show(entry?.stacks ?? lanes);
    this.ribbons.show(this.drawing, entry);
    this.linkWords.show(this.drawing, entry);
    this.caption.show(this.drawing, entry);
    if (entry && plan) {
      this.key.show(Math.max(0, ...plan.links.map(({ item }) => item.lanes.length)));
      this.labels.show(entry, plan);
    }
    this.showFollowed(); // its word may have changed
    this.unfolding.show(entry, plan);
    this.slide.show(entry, this.drawing);
  }

  /** Replaces the words, without a change of structure. @param {WholeEntry} entry with the words */
  rename(entry) {
    this.sight.moved(); // report again which matrices are in sight
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
    // The canvas shows words as column names of unfolded attention.
    if (drawing.tiles.some(({ matrix }) => matrix.entry.lanes?.[1])) this.canvas.renew();
  }

  /**
   * The place of the weights with the selected number, or with the number reached by keyboard or by
   * a link in a text; null if there is none.
   * @returns {Rect | null}
   */
  weightsInUse() {
    const { selection } = this.services.cursors;
    if (!selection && !this.shared.reached) return null;
    const isSelected = (/** @type {Tile} */ tile) =>
      selection !== null && tile.origin(0, 0)?.path === selection.path;
    const isIn = (/** @type {Tile} */ tile) => tile === this.shared.reached || isSelected(tile);
    const tiles = this.drawing?.tiles.filter(({ placed }) => placed.kind === "tile");
    const found = tiles?.find(isIn);
    return found ? rectOf(found.placed) : null;
  }

  /** Updates the folds after the selection or the choice of what is shown has changed. */
  refold() {
    if (!this.services.cursors.selection) this.shared.reached = null;
    this.viewpoint.refold();
  }

  /**
   * The stage in focus: the stage of the part in view, or else of the attention through which the
   * followed word looks at others.
   */
  get stageInFocus() {
    const { lane } = this.followed;
    const own = this.entry?.parts.filter(({ stack }) => stack === lane?.stack) ?? [];
    const looks =
      own.findLast(({ kind }) => kind === "cross") ?? own.find(({ kind }) => kind === "attention");
    return (this.line.part ?? looks)?.stage ?? null;
  }

  /** The camera (its middle in units, and its zoom), the followed lane and the unfolded parts. */
  get look() {
    const { middle, camera, isFitted } = this.viewpoint;
    const { lane: following } = this.followed;
    return {
      ...{ ...middle, zoom: camera.zoom, isAll: isFitted, following },
      unfolded: this.unfolding.ids,
    };
  }

  /** Repaints after the camera, the size or the structure has changed. */
  changed() {
    this.canvas.linkTime.moves();
    this.canvas.renew();
    this.sight.moved();
  }

  resized() {
    if (!this.viewpoint.measure()) {
      // Shown again at the same size: labels may have been made while it was hidden.
      if (this.entry) this.labels.place();
      return;
    }
    this.canvas.size();
    this.slide.size();
    this.viewpoint.claim("zoom", this.zooming, "absolute");
    this.over.claim();
  }

  /**
   * Marks the words of the row and of the column of the cell under the pointer.
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

  /** Marks the followed word's row and shows its ribbons. */
  followWord() {
    const shown = this.services.appearance.showsGradients ? null : this.followed.shown;
    this.labels.words.press(shown);
    this.ribbons.follow(shown);
    this.actions.onFollow();
  }

  /** Checks whether the followed word's row would write another word now. */
  hearFollowed() {
    const { lane } = this.followed;
    const says = lane ? writtenAt(this.services.store, lane.index) : "";
    if (says === this.followed.says) return;
    this.followed.says = says;
    this.actions.onFollow();
  }

  /** Updates the elements that depend on the camera, after a full repaint. */
  placeOthers() {
    this.map.paint();
    this.line.write();
    this.nextWords.place();
    if (!this.slide.isOn) this.hint.place();
    this.columnMark.place();
    const { root } = this.services.appearance;
    root.classList.toggle("quiet", this.viewpoint.isQuiet);
    root.classList.toggle("in-sight", this.viewpoint.isFitted);
    this.actions.onMoved();
  }

  /**
   * Finds a free place near a number, and claims it until `release`.
   * @param {GridView} view @param {Cell} at @param {Size[]} sizes
   * @returns {Box | null} in client px; null if the number is not in the picture or no place is
   *   free
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

  /** Releases the place that `freeNear` has claimed. */
  release() {
    this.viewpoint.claims.set("bubble", []);
  }

  /** Updates all labels after each frame in which something was painted. */
  written() {
    const { drawing, labels } = this;
    this.hearFollowed();
    if (!drawing) return;
    this.canvas.linkTime.paintLate();
    this.reportMotion();
    labels.write(this.services.store, this.services.trains());
    this.actions.onWritten(labels.words);
    const origin = this.originIn(drawing);
    labels.emphasize(this.services.wordStrength, origin?.lane ?? null);
    labels.words.markChanged(this.services.changedLane());
    if (this.ribbons.write()) labels.place();
    this.slide.look();
    this.showHint(origin);
    this.caption.place(this.followed.lane, this.followed.words);
  }

  /** Reports a painted frame in which a number oscillates or the camera moves. */
  reportMotion() {
    const { camera, sharpness, screen } = this.viewpoint;
    const isMoving = this.actions.swings() || camera !== this.camera;
    this.camera = camera;
    // Recordings have full resolution, even if frames are late.
    if (document.documentElement.dataset.recording !== undefined) sharpness.rest();
    else if (isMoving) sharpness.moved(performance.now(), screen);
  }

  /** A number of the word that is read most, and the lane of that word. @param {Drawing} drawing */
  originIn({ tiles }) {
    if (this.hint.isOver && !this.labels.words.isThinned) return null; // not needed
    const origin = this.services.origin();
    const tile = tiles.find(({ matrix, kind }) => matrix === origin?.matrix && kind === "cells");
    const stack = tile?.placed.stack;
    if (!origin || !tile || !stack) return null;
    const { i, j } = origin;
    return { tile, i, j, lane: { stack, index: i } };
  }

  /** Shows the hint at a number. @param {ReturnType<Picture["originIn"]>} origin */
  showHint(origin) {
    const { hint, entry } = this;
    // Not while rows slide: labels are not at their final places.
    if (hint.isOver || !entry || this.slide.isOn) return;
    const lanes = entry.stacks.find(({ stack }) => stack === origin?.lane.stack);
    const word = lanes?.words[origin?.i ?? 0];
    if (this.services.changeLevel() > 0) {
      hint.end();
      return;
    }
    // Lessons and films direct attention themselves.
    const { lesson, film } = document.documentElement.dataset;
    const isInWay = lesson !== undefined || film !== undefined;
    hint.show(origin && word && !isInWay ? { ...origin, word } : null);
  }

  remove() {
    this.show(null);
    this.slide.end();
    this.sizes.disconnect();
    this.sight.remove();
    this.map.remove();
    this.labels.remove();
    this.viewpoint.stop();
    this.viewpoint.sharpness.forget();
    this.gestures.remove();
  }
}

/** @param {...HTMLElement} tools */
function barOf(...tools) {
  const attributes = { class: "picture-bar", role: "toolbar", "aria-label": "Picture" };
  const bar = make("div", attributes, ...tools);
  new OneStop(bar, "Beside the picture");
  return bar;
}
