/** Collects the methods of the board that its stages and its picture call. */

/**
 * @import {Board} from "./board.js"
 * @import {Inputs} from "./inputs.js"
 * @import {Numbers} from "./numbers.js"
 * @import {LastChange} from "./picture/last_change.js"
 * @import {StageServices} from "./stages/stage.js"
 */

/**
 * @param {Board} board the board, whose formulas and picture are used only after they exist
 * @param {Numbers} numbers @param {Inputs} inputs @param {LastChange} changeAtLinks
 * @returns {StageServices}
 */
export function servicesOf(board, numbers, { grids, selection, status }, changeAtLinks) {
  const { model, say } = board;
  const { store, trail, cursors, viewports, appearance, painter, emphasis } = numbers;
  return {
    ...{ store, appearance, painter, cursors, viewports, trail, send: say },
    strengths: (matrix) => emphasis.of(matrix),
    wordStrength: (lane, end) => emphasis.ofWord(lane, end),
    changedLane: () => emphasis.changedLane,
    origin: () => {
      const isOther = model.searched || appearance.showsGradients || emphasis.level > 0;
      return model.locked || isOther ? null : emphasis.flow.origin;
    },
    followed: () => board.whole.followed.shown,
    marksFound: () => emphasis.isByMarks,
    changeLevel: () => emphasis.level,
    learned: () => model.learned,
    trains: () => model.editing && model.learned !== "",
    isFilmed: () => emphasis.light !== null,
    grown: (part) => emphasis.light?.grown(part) ?? 1,
    say: (text) => status.say(text),
    unpoint: () => grids.point(null, null),
    showLinks: () => board.formulas.journey.toLinks(),
    change: changeAtLinks.el,
    isLocked: () => model.locked,
    select: (cell) => void selection.select(cell).catch(() => {}),
    chooseHead: (id, head) => board.formulas.layout.chooseHead(id, head),
  };
}
