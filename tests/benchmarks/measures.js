/**
 * The benchmarks' measurements inside a page; loaded before any script of the page.
 *
 * A time ends when the browser's main thread has drawn the display frame in question. The time of
 * an event that does not happen within some seconds is null.
 */

window.measures = (() => {
  const PATIENCE = 5000; // ms
  const MOST_MISSING = 3; // after so many, the others are not tried
  /** A number that every edit changes. @type {[string, number, number]} */
  const ANSWER = ["output.probabilities", 2, 0];

  const page = () => /** @type {NonNullable<Window["tinkerformer"]>} */ (window.tinkerformer);
  /** @param {number} ms */
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const displayFrame = () => new Promise(requestAnimationFrame);

  /**
   * Returns the time at which the present display frame is on the screen. The message is handled
   * after style, layout and paint of that frame.
   */
  const drawn = async () => {
    const { port1, port2 } = new MessageChannel();
    await new Promise((done) => {
      port1.onmessage = done;
      port2.postMessage(null);
    });
    port1.close();
    return performance.now();
  };

  /** Does so for a change at any time, which is drawn in the present frame or the next. */
  const soonDrawn = async () => {
    if (!isInFrame) await displayFrame();
    return drawn();
  };
  let isInFrame = false;

  /**
   * Until the signal, records whether a display frame is being computed.
   * @param {AbortSignal} signal @param {() => void} [hear] of each of them
   */
  const watchFrames = async (signal, hear) => {
    while (!signal.aborted) {
      await displayFrame();
      hear?.();
      isInFrame = true;
      drawn().then(() => {
        isInFrame = false;
      });
    }
  };

  /**
   * Waits for the result of a watcher; aborts the watcher's signal at the end.
   * @template T
   * @param {(done: (found: T) => void, signal: AbortSignal) => void} watch
   * @param {number} [patience] ms
   * @returns {Promise<T | null>} null: it did not happen
   */
  const happening = (watch, patience = PATIENCE) =>
    new Promise((resolve) => {
      const over = new AbortController();
      const end = (/** @type {T | null} */ found) => {
        clearTimeout(limit);
        over.abort();
        resolve(found);
      };
      const limit = setTimeout(() => end(null), patience);
      watch(end, over.signal);
    });

  /** @param {(event: CustomEvent) => void} hear @param {AbortSignal} signal */
  const onFrame = (hear, signal) =>
    document.addEventListener("tinkerformer:frame", hear, { signal });

  /**
   * @param {Node} node @param {MutationCallback} hear @param {AbortSignal} signal
   * @param {MutationObserverInit} [of]
   */
  const onChange = (node, hear, signal, of = {}) => {
    const observer = new MutationObserver(hear);
    observer.observe(node, { childList: true, subtree: true, ...of });
    signal.addEventListener("abort", () => observer.disconnect());
  };

  /**
   * Returns the first element for a selector, also in shadow trees.
   * @param {string} selector @param {Document | ShadowRoot} [root]
   * @returns {Element | null}
   */
  const find = (selector, root = document) => {
    const found = root.querySelector(selector);
    if (found) return found;
    for (const { shadowRoot } of root.querySelectorAll("*")) {
      const inside = shadowRoot && find(selector, shadowRoot);
      if (inside) return inside;
    }
    return null;
  };

  /** @param {string} selector */
  const found = (selector) => {
    const element = find(selector);
    if (!element) throw new Error(`There is no ${selector} on the page.`);
    return element;
  };

  /**
   * Does one action after the other, each at a different moment within a display frame.
   * @param {number} count @param {number} rest ms between two of them
   * @param {(k: number) => Promise<number | null>} take ms
   */
  const each = async (count, rest, take) => {
    const times = [];
    let missing = 0;
    for (let k = 0; k < count && missing < MOST_MISSING; k++) {
      const time = await take(k);
      times.push(time);
      if (time === null) missing += 1;
      await pause(rest);
    }
    return times;
  };

  /**
   * Measures from an edit to the frame that shows the number and those that depend on it.
   * @param {number} count @param {string} path @param {number} i @param {number} j
   */
  const edits = (count, path, i, j) =>
    each(count, 23, async (k) => {
      const t = page();
      const x = 4 * Math.sin(k / 3 + 1);
      const before = t.value(...ANSWER);
      const start = performance.now();
      const isShown = () => {
        const answer = t.value(...ANSWER);
        const isNew = answer !== undefined && answer !== before;
        return isNew && t.value(path, i, j) === Math.fround(x);
      };
      const end = await happening((done, signal) => {
        onFrame(() => isShown() && drawn().then(done), signal);
        t.set(path, i, j, x);
      });
      return end && end - start;
    });

  /**
   * Moves a slider every 8 ms. Each painted number counts once, at its first paint, with the time
   * since it was set. Numbers that are never painted do not count.
   * @param {number} seconds @param {string} path @param {number} i @param {number} j
   * @returns {Promise<{lags: number[], last: boolean}>} last: whether the last move is shown
   */
  const drag = async (seconds, path, i, j) => {
    const t = page();
    const lags = /** @type {number[]} */ ([]);
    const waiting = /** @type {Map<number, number>} */ (new Map()); // number -> when it was set
    const over = new AbortController();
    const counted = () => {
      const shown = t.value(path, i, j);
      const since = shown === undefined ? undefined : waiting.get(shown);
      if (since === undefined) return;
      for (const [number, at] of waiting) if (at <= since) waiting.delete(number);
      drawn().then((end) => lags.push(end - since));
    };
    onFrame(counted, over.signal);
    const start = performance.now();
    let x = 0;
    for (let k = 1; performance.now() - start < 1000 * seconds; k++) {
      x = Math.fround(k / 1000);
      waiting.set(x, performance.now());
      t.set(path, i, j, x);
      await pause(8);
    }
    const isLast = () => t.value(path, i, j) === x;
    const last = await happening((done, signal) => {
      if (isLast()) done(true);
      onFrame(() => isLast() && drawn().then(() => done(true)), signal);
    });
    over.abort();
    return { lags, last: Boolean(last) };
  };

  /**
   * Measures from the pointer on a cell to the rings of its operands.
   * @param {number} count @param {string} path @param {number} rows @param {number} columns
   */
  const operands = (count, path, rows, columns) => {
    const board = found(".board");
    const root = /** @type {Document | ShadowRoot} */ (board.getRootNode());
    return each(count, 31, async (k) => {
      const box = page().rect(path, k % rows, k % columns);
      const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
      const options = { bubbles: true, composed: true, pointerType: "mouse", ...at };
      const start = performance.now();
      const end = await happening((done, signal) => {
        watchFrames(signal);
        const isRing = (/** @type {Node} */ node) =>
          node instanceof Element && node.classList.contains("preview");
        const look = (/** @type {MutationRecord[]} */ changes) => {
          if (changes.some(({ addedNodes }) => [...addedNodes].some(isRing)))
            soonDrawn().then(done);
        };
        onChange(board, look, signal);
        const under = root.elementFromPoint(at.clientX, at.clientY);
        under?.dispatchEvent(new PointerEvent("pointermove", options));
      });
      return end && end - start;
    });
  };

  /**
   * Counts frames a second that differ from the frame before, from one such frame to another.
   * @param {number} seconds @param {() => unknown} shown undefined: nothing that counts
   * @returns {Promise<number | null>}
   */
  const rate = (seconds, shown) => {
    let last = shown();
    let count = -1;
    let from = 0;
    return happening(
      (done, signal) => {
        onFrame(() => {
          const now = shown();
          if (now === undefined || now === last) return;
          last = now;
          count += 1;
          const at = performance.now();
          if (count === 0) from = at;
          else if (at - from >= 1000 * seconds) done((1000 * count) / (at - from));
        }, signal);
      },
      2000 * seconds + PATIENCE,
    );
  };

  /**
   * Counts frames a second in which a number changes.
   * @param {number} seconds @param {string} path @param {number} i @param {number} j
   */
  const changes = (seconds, path, i, j) => rate(seconds, () => page().value(path, i, j));

  /**
   * Turns a wheel back and forth over the middle once per display frame; counts frames a second in
   * which the camera moves.
   * @param {number} seconds
   */
  const zoom = async (seconds) => {
    const picture = found(".picture");
    if (picture instanceof HTMLElement) picture.focus();
    const box = picture.getBoundingClientRect();
    const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
    const start = performance.now();
    let isOver = false;
    const turn = () => {
      const deltaY = Math.sin((performance.now() - start) / 500) < 0 ? 30 : -30;
      const options = { deltaY, bubbles: true, cancelable: true, ...at };
      picture.dispatchEvent(new WheelEvent("wheel", options));
      if (!isOver) requestAnimationFrame(turn);
    };
    turn();
    const frames = await rate(seconds, () => {
      const look = page().look();
      return look ? `${look.x} ${look.y} ${look.zoom}` : undefined;
    });
    isOver = true;
    return frames;
  };

  /**
   * Measures a training run, from the press on its button to the bar at its end.
   * @param {HTMLElement} button @param {string} [sentence] a regular expression
   * @returns {Promise<{seconds: number, refreshes: number, changes: number, bar: [number, number][],
   *   said: number | null} | null>} refreshes of the screen, and changes of the numbers on it, a
   *   second; the steps that the bar showed and when; after how many seconds the sentence stood
   *   beside it
   */
  const training = async (button, sentence) => {
    const run = /** @type {HTMLElement} */ (found("section.run"));
    const bar = /** @type {Element} */ (run.querySelector("input[type=range]"));
    const at = () => Number(bar.getAttribute("data-step"));
    const pattern = sentence ? new RegExp(sentence) : null;
    const seen = /** @type {[number, number][]} */ ([]);
    let said = /** @type {number | null} */ (null);
    let refreshes = 0;
    let count = 0;
    const start = performance.now();
    const passed = () => (performance.now() - start) / 1000;
    const end = await happening((done, signal) => {
      watchFrames(signal, () => {
        refreshes += 1;
      });
      let last = page().value("output.probabilities", 0, 0);
      onFrame(() => {
        const now = page().value("output.probabilities", 0, 0);
        if (now === undefined || now === last) return;
        last = now;
        count += 1;
      }, signal);
      const look = () => {
        if (at() !== seen.at(-1)?.[1]) seen.push([passed(), at()]);
        if (said === null && pattern?.test(run.textContent ?? "")) said = passed();
        if (at() === Number(bar.getAttribute("data-steps"))) soonDrawn().then(done);
      };
      onChange(run, look, signal, { attributes: true, characterData: true });
      button.click();
    }, 200_000);
    if (end === null) return null;
    const seconds = (end - start) / 1000;
    const [a, b] = [refreshes / seconds, count / seconds];
    return { seconds, refreshes: a, changes: b, bar: seen, said };
  };

  /**
   * Measures from an edit that changes the written sentence, and from its undo, to the sentence.
   * @param {number} count @param {string} path @param {number} i @param {number} j
   * @param {[number, number]} values
   */
  const sentences = async (count, path, i, j, values) => {
    const list = found(".written:not([hidden]) ul");
    const words = () => [...list.querySelectorAll(".chip")].map((e) => e.textContent).join(" ");
    const before = words();
    page().set(path, i, j, values[0]);
    await happening((done, signal) => onChange(list, () => words() !== before && done(1), signal));
    await pause(1000); // the whole sentence
    const written = [before, words()];
    return each(count, 60, async (k) => {
      const wanted = written[k % 2];
      const start = performance.now();
      const end = await happening((done, signal) => {
        watchFrames(signal);
        const look = () => words() === wanted && soonDrawn().then(done);
        onChange(list, look, signal, { characterData: true });
        page().set(path, i, j, values[(k + 1) % 2]);
      });
      return end && end - start;
    });
  };

  /**
   * Moves the slider of a page of Bokeh figures; measures until all are drawn with new numbers.
   * @param {number} count
   */
  const bokehMoves = (count) => {
    const bokeh = /** @type {any} */ (window.Bokeh).documents[0];
    const models = [...bokeh._all_models.values()];
    const slider = models.find((model) => model.type === "Slider");
    const source = models.find((model) => model.name === "output.probabilities");
    const { change } = source.properties.data;
    return each(count, 23, async (k) => {
      const start = performance.now();
      const isDrawn = async () => {
        do await displayFrame();
        while (!bokeh.is_idle);
        return drawn();
      };
      const end = await happening((done, signal) => {
        const came = () => isDrawn().then(done);
        change.connect(came);
        signal.addEventListener("abort", () => change.disconnect(came));
        slider.value = 3 * Math.sin(k + 1);
      }, 60_000);
      return end && end - start;
    });
  };

  /**
   * Measures from the start of the visit to the first display frame with contents, in ms.
   * @type {Record<string, number | null>}
   */
  const first = { numbers: null, outline: null, figures: null };
  document.addEventListener("tinkerformer:ready", async () => {
    first.numbers = await drawn();
  });
  /** @param {string} what @param {() => unknown} isThere */
  const lookFor = async (what, isThere) => {
    do await displayFrame();
    while (!isThere() && first.numbers === null && first.figures === null);
    if (isThere()) first[what] = await drawn();
  };
  lookFor("outline", () => document.querySelector("svg.skeleton"));
  lookFor("figures", () => {
    const bokeh = /** @type {any} */ (window.Bokeh)?.documents?.[0];
    return bokeh?.is_idle && bokeh._all_models.size > 100;
  });

  return { first, edits, drag, operands, changes, zoom, training, sentences, bokehMoves };
})();
