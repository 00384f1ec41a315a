/** Creates and connects the objects that show the stages as formulas and navigate to them. */

import { Pictures } from "./export/picture.js";
import { Visibility } from "./input/visibility.js";
import { Journey } from "./navigation/journey.js";
import { Places } from "./navigation/places.js";
import { Contents } from "./stages/contents.js";
import { LayerChooser } from "./stages/layer_chooser.js";
import { PageLayout } from "./stages/page_layout.js";
import { Reading } from "./stages/reading.js";
import { isOfHead } from "./stages/stage.js";
import { StageList } from "./stages/stage_list.js";

/**
 * @import {Board} from "./board.js"
 * @import {Inputs} from "./inputs.js"
 * @import {Numbers} from "./numbers.js"
 * @import {StageServices} from "./stages/stage.js"
 */

export class Formulas {
  /**
   * @param {Board} board the board, whose picture is used only after it exists
   * @param {Numbers} numbers @param {Inputs} inputs @param {StageServices} services
   */
  constructor(board, numbers, { grids, rings, tip }, services) {
    const { root, say } = board;
    const { store, painter, viewports, appearance, values } = numbers;
    this.chooser = new LayerChooser(say, root);
    this.stages = new StageList(services);
    const { chooser, stages } = this;
    this.contents = new Contents((id) => this.journey.toStage(id));
    chooser.above = this.contents.el;
    this.reading = new Reading(stages);
    const { reading } = this;
    this.layout = new PageLayout(root, { stages, reading, chooser, painter, rings, tip });
    const { layout } = this;
    this.places = new Places(root, {
      ...{ store, painter, viewports, stages },
      chooseHead: (id, head) => layout.chooseHead(id, head),
    });
    const { places } = this;
    this.journey = new Journey({
      ...{ store, stages, places, send: say },
      walk: (cell) => grids.walkTo(cell),
      unfoldFor: (path) => board.whole.unfolding.openFor(path),
    });
    this.visibility = new Visibility(stages.el, {
      onNear: (indices) => values.request(indices),
      onStage: (id) => {
        reading.reads(id);
        this.contents.mark(id);
      },
      onResize: (zoomed) => layout.resized(zoomed),
    });
    this.pictures = new Pictures(root, store, appearance, (id) => {
      const stage = stages.get(id);
      if (!stage) throw new Error(`no stage ${id}`);
      const { spec, head } = stage;
      return { spec, isShown: (entry) => isOfHead(entry, spec, head) };
    });
  }

  remove() {
    this.journey.landing.leave();
    this.visibility.remove();
  }
}
