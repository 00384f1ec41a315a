/**
 * For how many letters the words of the line have their size. While the words that are read stay,
 * others are written with every number: words become smaller where that has to be, and have their
 * first size again once that fits what is written at rest.
 */
export class WordSize {
  constructor() {
    this.text = "";
    this.first = 0;
    this.letters = 0;
  }

  /**
   * @param {string} text what is read
   * @param {number} needed letters
   * @param {boolean} isMoving whether numbers move
   */
  take(text, needed, isMoving) {
    if (text !== this.text) Object.assign(this, { text, first: needed, letters: needed });
    else if (needed > this.letters) this.letters = needed;
    else if (needed <= this.first && !isMoving) this.letters = this.first;
    return this.letters;
  }
}
