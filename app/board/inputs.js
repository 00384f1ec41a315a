/** Connects the pointer and the keyboard to the reading, selection and change of numbers. */

import { make } from "../components/shared/dom.js";
import { Grids } from "./input/grid.js";
import { Hover } from "./input/hover.js";
import { Scrub } from "./input/scrub.js";
import { Selection } from "./input/selection.js";
import { bindShortcuts } from "./input/shortcuts.js";
import { SpokenCells } from "./input/spoken_cells.js";
import { Rings } from "./paint/rings.js";
import { StatusBar } from "./stages/status_bar.js";
import { swingButton } from "./stages/swing_button.js";
import { Tip } from "./stages/tip.js";

/**
 * @import {Board} from "./board.js"
 * @import {CellOf} from "./data/types.js"
 * @import {ScrubActions} from "./input/scrub.js"
 * @import {Numbers} from "./numbers.js"
 */

export class Inputs {
  /**
   * @param {Board} board the board, whose other parts are used only after all exist
   * @param {Numbers} numbers
   */
  constructor(board, numbers) {
    const { root, say, signal } = board;
    const { store, cursors, painter, appearance, oscillation, viewports, emphasis } = numbers;
    const moves = () => oscillation.isOn || this.scrub.active;
    this.cursors = cursors;
    this.cells = new SpokenCells(painter);
    this.rings = new Rings(store, painter, cursors);
    const train = () => say({ type: "train" }).catch(() => {}); // Python shows the reason
    const unfollow = () => board.whole.followed.follow(null);
    this.status = new StatusBar(store, cursors, appearance, moves, unfollow, train);
    const swings = {
      isOn: () => oscillation.isOn,
      ask: (/** @type {boolean} */ on) => oscillation.ask(on, null, null),
      canSwing: (/** @type {CellOf} */ { path, i, j }) =>
        !store.cell(path, i, j)?.matrix.entry.fixed,
    };
    this.underWay = make("p", { class: "under-way", role: "status" });
    this.status.el.prepend(swingButton(swings, signal));
    this.status.el.append(this.underWay);
    this.tip = new Tip(root, cursors, appearance, moves);
    this.hover = new Hover(say, () => oscillation.isOn);
    const { rings, status, tip, hover } = this;
    this.selection = new Selection({
      ...{ store, cursors, painter, rings, status, send: say },
      onChange: () => {
        emphasis.refocus();
        board.whole.refold();
      },
    });
    this.grids = new Grids(root, {
      ...{ store, cursors, viewports, rings, status, tip, hover },
      select: (cell) => this.selection.select(cell),
      placeOf: (path, i, j) => board.formulas.places.of(path, i, j),
      within: (view, { path, i, j }) => board.formulas.places.within(view, path, i, j),
      snap: (place) => board.whole.hint.snap(place),
    });
    this.scrub = this.createScrub(board, numbers, this.grids, this.selection);
    const leave = () => {
      const isAnything = oscillation.isOn || board.whole.followed.lane || cursors.selection;
      if (isAnything) say({ type: "escape" });
      return Boolean(isAnything);
    };
    bindShortcuts(say, leave, signal);
  }

  /**
   * @param {Board} board @param {Numbers} numbers @param {Grids} grids @param {Selection} selection
   */
  createScrub(board, { store, cursors, edits, oscillation, press }, grids, selection) {
    /** @type {ScrubActions} */
    const actions = {
      isLocked: () => board.model.locked,
      isSelected: (cell) => cursors.isSelected(cell),
      hit: (event) => grids.hit(event),
      begin: () => {
        if (oscillation.isOn) oscillation.ask(false, null, null);
      },
      select: (view, at, cell) => {
        grids.moveTo(view, at.i, at.j, true);
        if (!cursors.isSelected(cell)) selection.select(cell, press.count);
      },
      value: ({ path, i, j }) => (board.model.busy ? undefined : store.value(path, i, j)),
      set: ({ path, i, j }, value) => edits.set(path, i, j, value).catch(() => {}),
      restore: (cell) => edits.restore(cell).catch(() => {}),
      unpoint: () => grids.point(null, null),
      freeNear: ({ view, at }, sizes) => board.whole.freeNear(view, at, sizes),
      over: () => {
        board.whole.release();
        this.readOut();
      },
    };
    return new Scrub(board.root, actions, board.signal);
  }

  /** Updates the read-out of the current cell. */
  readOut() {
    const { selection, pointed, focused } = this.cursors;
    if (selection || pointed || focused) this.status.refresh();
    this.tip.refresh();
    this.scrub.refresh();
    this.grids.sayDue();
  }

  remove() {
    this.cells.remove();
    this.scrub.drop();
  }
}
