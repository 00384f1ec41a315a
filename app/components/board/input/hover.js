/**
 * Tells the server which cell the pointer is on, so that it can say what the cell was made from. One question at a
 * time: while it is open only the newest place waits, so a quick pointer asks for no more than can be answered.
 */

export class Hovers {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.asked = this.next = "null";
    this.waiting = false;
  }

  /** @param {{path: string, i: number, j: number} | null} cell */
  at(cell) {
    this.next = JSON.stringify(cell);
    this.ask();
  }

  ask() {
    // While a cell swings, a thousand numbers change under the pointer anyway.
    if (this.waiting || this.next === this.asked || this.board.orbit) return;
    this.asked = this.next;
    this.waiting = true;
    this.board.send({ type: "hover", ...(JSON.parse(this.asked) ?? { path: null, i: 0, j: 0 }) });
  }

  answered() {
    this.waiting = false;
    this.ask();
  }
}
