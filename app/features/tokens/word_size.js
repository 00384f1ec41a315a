/**
 * The number of letters that sets the size of the words in a line. While numbers change, the words
 * keep their size: a longer line scrolls. At rest they become smaller if necessary, and larger
 * again after numbers have changed, but not larger than at first.
 */
export class WordSize {
  constructor() {
    this.text = "";
    this.first = 0;
    this.letters = 0;
    this.wasMoving = false;
  }

  /**
   * @param {string} text the input
   * @param {number} needed letters
   * @param {boolean} isMoving whether numbers are changing
   */
  take(text, needed, isMoving) {
    if (text !== this.text) Object.assign(this, { text, first: needed, letters: needed });
    else if (!isMoving && (this.wasMoving || needed > this.letters || needed <= this.first))
      this.letters = Math.max(needed, this.first);
    this.wasMoving = isMoving;
    return this.letters;
  }
}
