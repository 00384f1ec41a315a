/** The stages on the page, in order. */

import { make } from "../../components/shared/dom.js";
import { reconcile } from "./reconcile.js";
import { Stage, stageKey } from "./stage.js";

/**
 * @import {Manifest} from "../data/types.js"
 * @import {StageServices} from "./stage.js"
 */

export class StageList {
  /** @param {StageServices} services */
  constructor(services) {
    this.services = services;
    this.el = make("div", { class: "article" });
    this.availableWidth = 0; // available width, CSS px
    this.byId = /** @type {Map<string, Stage>} */ (new Map());
  }

  /** @param {Manifest} manifest */
  show(manifest) {
    this.byId = reconcile(this.byId, manifest, this.el, {
      keyOf: stageKey,
      build: (spec) => new Stage(spec, this.services),
    });
  }

  get all() {
    return [...this.byId.values()];
  }

  get views() {
    return this.all.flatMap((stage) => stage.views);
  }

  get pictures() {
    return this.all.flatMap((stage) => stage.pictures);
  }

  get equations() {
    return this.all.flatMap((stage) => stage.equations);
  }

  /** The stage whose token is being edited, if any. */
  get typing() {
    return this.all.find((stage) => stage.tokens?.hasFocus);
  }

  /** @param {string} id */
  get(id) {
    return this.byId.get(id);
  }

  /** A stage that is laid out and visible, to scroll to. @param {string} id */
  placed(id) {
    const stage = this.byId.get(id);
    return stage?.el.offsetParent && this.availableWidth ? stage : null;
  }

  /** Measures all stages before placing the first. */
  layOut() {
    for (const stage of this.all) stage.measure(this.availableWidth);
    for (const stage of this.all) stage.layOut(this.availableWidth);
  }
}
