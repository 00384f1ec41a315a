/** Everything of the picture that is drawn or written, as it stands now. */

import { isFolded } from "./folds.js";

/**
 * @import {Box} from "../paint/view.js"
 * @import {Plan} from "./plan.js"
 * @import {Viewpoint} from "./viewpoint.js"
 */

const WRITTEN = ".labels :is(.label, .word, .written), .left-out";
const PRESSED = 5; // CSS px beside the letters of what can be pressed: see whole.css
/** Of the height of a line, that its letters leave free above and below. */
const FREE = 0.16;

/**
 * Numbers, links, names and words, in CSS px of the view.
 * @param {HTMLElement} picture @param {Plan} plan @param {Viewpoint} viewpoint
 * @returns {Box[]}
 */
export function drawnOver(picture, plan, viewpoint) {
  const { camera } = viewpoint;
  const cells = plan.matrices
    .filter(({ y }) => !isFolded(camera, y))
    .map(({ x, y, cell, height, rows, cols }) =>
      viewpoint.boxOf({ x, y, width: cell * cols, height: height * rows }),
    );
  const links = plan.links.map(({ box }) => viewpoint.boxOf(box));
  const home = picture.getBoundingClientRect();
  const written = [.../** @type {NodeListOf<HTMLElement>} */ (picture.querySelectorAll(WRITTEN))]
    .filter((el) => el.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .map((el) => {
      const { x, y, width, height } = el.getBoundingClientRect();
      const padding = el.matches("button") ? (PRESSED * width) / el.offsetWidth : 0;
      return {
        ...{ x: x - home.x + padding, y: y - home.y + FREE * height },
        ...{ width: width - 2 * padding, height: (1 - 2 * FREE) * height },
      };
    });
  return [...cells, ...links, ...written];
}
