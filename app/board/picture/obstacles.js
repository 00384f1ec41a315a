/** The obstacles for labels of the picture: the numbers and links that are drawn. */

import { boxIn } from "./camera.js";
import { isFolded } from "./folds.js";
import { rectOf } from "./plan.js";

/**
 * @import {Box} from "../paint/view.js"
 * @import {Camera} from "./camera.js"
 * @import {Plan} from "./plan.js"
 */

/**
 * The obstacles of a plan that are not folded at a camera, in CSS px of the view.
 * @param {Plan} plan @param {Camera} camera @returns {Box[]}
 */
export const obstaclesIn = ({ matrices, links }, camera) =>
  [...matrices.map(rectOf), ...links.map(({ box }) => box)]
    .filter(({ y }) => !isFolded(camera, y))
    .map((rect) => boxIn(rect, camera));
