/** Creates and connects the objects that store, edit, oscillate and paint the board's numbers. */

import { oncePerFrame } from "../components/shared/dom.js";
import { Cursors } from "./data/cursors.js";
import { EditQueue } from "./data/edit_queue.js";
import { MatrixStore } from "./data/matrix_store.js";
import { Press } from "./data/press.js";
import { StepDiff } from "./data/step_diff.js";
import { Viewports } from "./data/viewports.js";
import { Emphasis } from "./focus/emphasis.js";
import { focusOf } from "./focus/flow_sources.js";
import { Appearance } from "./paint/appearance.js";
import { FrameLoop } from "./paint/frame_loop.js";
import { Oscillation } from "./paint/oscillation.js";
import { Painter } from "./paint/painter.js";
import { Values } from "./paint/values.js";
import { WhenShown } from "./paint/when_shown.js";

/**
 * @import {Board} from "./board.js"
 * @import {GridView} from "./paint/view.js"
 */

export class Numbers {
  /** @param {Board} board the board, whose other parts are used only after all exist */
  constructor(board) {
    const { model, outbox, say } = board;
    this.store = new MatrixStore();
    this.trail = new StepDiff(this.store);
    this.cursors = /** @type {Cursors<GridView>} */ (new Cursors());
    this.press = new Press(() => this.edits.release(), board.signal);
    this.edits = new EditQueue(
      (message) => board.send(message),
      outbox,
      () => this.press.now,
      () => this.store.manifest?.structure,
      () => this.press.isDown,
    );
    this.viewports = new Viewports(this.store, say, (window) => {
      for (const view of this.painter.gridsOf(window)) view.showFrame?.();
    });
    this.appearance = new Appearance(board.root);
    this.painter = new Painter((now) => this.loop.tick(now));
    const { store, trail, cursors, edits, appearance, painter } = this;
    this.oscillation = new Oscillation(store, painter, say);
    const { oscillation } = this;
    this.emphasis = new Emphasis({
      ...{ store, trail, painter },
      orbit: () => oscillation.orbit,
      focus: () => focusOf(board.whole.followed.lane, cursors.selection),
      selection: () => cursors.selection,
      row: () => model.row,
      named: () => board.whole.caption.named(board.whole.followed.lane),
      isEditing: () => model.editing && !model.learned,
      hasLearned: () => model.learned !== "",
      marksSearched: () => model.searched,
      showsGradients: () => appearance.showsGradients,
    });
    const { emphasis } = this;
    this.values = new Values({
      ...{ store, trail, painter, oscillation, edits, send: say },
      onChangeOver: (matrix) => board.inputs.grids.changedOver(matrix, painter.gridsOf(matrix)),
      onFresh: (matrices) => {
        board.inputs.cells.say(matrices);
        emphasis.renew();
      },
    });
    const { values } = this;
    this.loop = new FrameLoop({
      ...{ store, cursors, painter, oscillation, emphasis, values },
      onPainted: () => board.painted(),
      onShown: oncePerFrame(() => board.inputs.readOut()),
      onTick: () => this.shown.look(),
    });
    this.shown = new WhenShown(() => ({ version: edits.shown, areNews: values.areNews }));
  }
}
