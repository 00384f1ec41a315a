/**
 * In every display frame compares what the page states with the numbers that it paints in the same
 * frame. A contradiction is one that two frames in a row have. `truth.frames` counts the frames,
 * `truth.bad` those with a contradiction, and `truth.wrong` has each contradiction once, with the
 * deed during which it was seen first.
 */

(() => {
  const truth = { frames: 0, bad: 0, wrong: [], deed: "" };
  window.truth = truth;
  let roots = [];
  let before = new Set(); // kinds of contradictions in the display frame before

  /** The shadow roots of all components on the page. */
  function* shadowRoots(root) {
    for (const { shadowRoot } of root.querySelectorAll(".carried")) {
      if (!shadowRoot) continue;
      yield shadowRoot;
      yield* shadowRoots(shadowRoot);
    }
  }

  const everywhere = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  // Words of the picture before, which slide out, are in a layer of their own.
  const isSeen = (el) =>
    el.checkVisibility({ checkVisibilityCSS: true }) && !el.closest(".old-words");
  const seen = (selector) => everywhere(selector).find(isSeen);
  const textOf = (el) => el?.textContent.trim() ?? "";
  const shown = (word) => (word || "∅").replaceAll(" ", "␣");

  /** Whether a text is the rounded form of a number; a text that is no plain number is. */
  function isNear(text, x) {
    const plain = text.replaceAll("−", "-").replaceAll(",", "");
    if (!/^-?\d*\.?\d+$/.test(plain)) return true;
    const digits = plain.split(".")[1]?.length ?? 0;
    return Math.abs(Number(plain) - x) <= 0.51 * 10 ** -digits + 1e-9;
  }

  /** What is painted: the next words of each row, the likeliest first. */
  function painted(page) {
    const rows = page.likeliest(0, 1)?.rows.length ?? 0;
    const words = Array.from({ length: rows }, (_, row) =>
      (page.likeliest(row, 400)?.best ?? []).map(({ word, p }) => ({ word: shown(word), p })),
    );
    const source = page.matrix("source.embedding")?.row_labels?.map(shown);
    const target = page.matrix("target.embedding")?.row_labels?.map(shown);
    return { page, rows: words, winners: words.map(([first]) => first?.word), source, target };
  }

  /** The words at the ends of the rows in the picture, and before their beginnings. */
  function checkRows({ winners, source }, say) {
    for (const el of everywhere("[data-part=row]").filter(isSeen)) {
      const wins = winners[Number(el.dataset.row)];
      if (wins && shown(textOf(el)) !== wins) say("row", `${textOf(el)} at the row of ${wins}`);
    }
    if (!source) return;
    for (const el of everywhere(".word[data-stack='0']").filter(isSeen)) {
      const reads = source[Number(el.dataset.row)];
      if (shown(textOf(el)) !== reads) say("lane", `${textOf(el)} at the row of ${reads}`);
    }
  }

  /** The words of the header: what is read, and what is written, with its probabilities. */
  function checkSentences({ winners, rows, source }, say) {
    const reads = seen("[data-part=reads]");
    const isEdited = reads?.querySelector("input, [aria-busy=true]");
    if (reads && source && !isEdited) {
      const words = [...reads.querySelectorAll(".chip")].map((el) => shown(textOf(el)));
      if (words.length && words.join(" ") !== source.join(" "))
        say("reads", `${words.join(" ")}, painted ${source.join(" ")}`);
    }
    const slots = [...(seen("[data-part=written]")?.querySelectorAll(".chip") ?? [])];
    if (slots.length && Math.abs(slots.length - rows.length) > 1)
      say("written", `${slots.length} slots over ${rows.length} rows`);
    slots.forEach((slot, at) => {
      if (slot.disabled || at < 1 || at > rows.length) return;
      const under = slot.parentElement.querySelector(".under.p");
      if (shown(textOf(slot)) !== winners[at - 1])
        say("written", `${textOf(slot)} at the row of ${winners[at - 1]}`);
      else if (under && isSeen(under) && !isNear(textOf(under), rows[at - 1][0].p))
        say("p of written", `${textOf(under)}, painted ${rows[at - 1][0].p}`);
    });
  }

  /** The bars of the next words. */
  function checkBars({ rows, winners }, say) {
    const at = seen("select.after")?.selectedIndex ?? -1;
    const bars = everywhere("[data-part=bar] .next-word").filter(isSeen);
    const heat = Number(everywhere("#softmax-temperature")[0]?.value ?? 1);
    if (!bars.length || !rows[at]?.length || heat !== 1) return;
    const now = new Map(rows[at].map(({ word, p }) => [word, p]));
    const words = bars.map((bar) => shown(textOf(bar.querySelector(".word"))));
    bars.forEach((bar, k) => {
      if (bar.classList.contains("wished")) return; // it shows what a hand asks for
      const text = textOf(bar.querySelector(".number"));
      const p = now.get(words[k]) ?? 0;
      if (text.startsWith("<") ? p >= 0.0005 : !isNear(text, p))
        say("bar", `${words[k]} ${text}, painted ${p}`);
      if (bar.classList.contains("likeliest") && words[k] !== winners[at])
        say("likeliest bar", `${words[k]} at the row of ${winners[at]}`);
    });
    if (!words.includes(winners[at])) say("bars", `without ${winners[at]}, which wins`);
  }

  /** The selected number, in the panel and in the line below the picture. */
  function checkSelected({ page }, say) {
    const panel = seen("[data-part=panel]");
    const code = panel?.querySelector(".path");
    const [, path, i, j] = /(\S+)\[(\d+), (\d+)\]$/.exec(textOf(code)) ?? [];
    const own = path && isSeen(code) ? page.value(path, Number(i), Number(j)) : undefined;
    if (own !== undefined && own !== null) checkPanel(panel, own, say);
    const status = seen("[data-part=status]");
    const selected = page.selection();
    const isOfSelected = selected && textOf(status?.querySelector(".path")) === selected.path;
    // The line is about the number under the pointer, if there is one.
    if (!isOfSelected || status.closest(".board")?.matches(":hover")) return;
    const value = page.value(selected.path, selected.i, selected.j);
    const line = textOf(status.querySelector(".value"));
    if (value !== undefined && value !== null && !isNear(line, value))
      say("status", `${line}, painted ${value}`);
  }

  function checkPanel(panel, value, say) {
    const head = panel.querySelector(".number .value");
    if (head && isSeen(head) && !isNear(textOf(head), value))
      say("panel", `${textOf(head)}, painted ${value}`);
    const slider = panel.querySelector("input[type=range]");
    const isFree = slider && isSeen(slider) && !slider.matches(":active");
    const isWithin = isFree && value >= Number(slider.min) && value <= Number(slider.max);
    if (isWithin && Math.abs(Number(slider.value) - value) > 0.6 * (Number(slider.step) || 0.01))
      say("slider", `${slider.value}, painted ${value}`);
  }

  /** What the followed word looks at, and what its row writes. */
  function checkCaption({ page, winners, source, target }, say) {
    const words = seen("[data-part=caption]")?.querySelector(".thread-words");
    const lane = page.look()?.following;
    if (!words || !isSeen(words) || lane?.stack !== "decoder" || !source || !target) return;
    const [, word, rest] = /“\u2068(.*)\u2069” looks? at (.*)$/.exec(
      textOf(words.querySelector("strong")),
    ) ?? [null, "", ""];
    if (!rest) return;
    if (shown(word) !== target[lane.index]) say("caption", `${word}, row ${target[lane.index]}`);
    checkHeads(page, words, lane.index, source, rest, say);
    const writes = /the model writes “\u2068(.*?)\u2069”/.exec(textOf(words))?.[1];
    if (writes !== undefined && winners[lane.index] && shown(writes) !== winners[lane.index])
      say("caption", `writes ${writes}, row ${winners[lane.index]}`);
  }

  /** Each head with the word that it looks at most, and its weight. */
  function checkHeads(page, words, row, source, rest, say) {
    const named = [...rest.matchAll(/“\u2068(.*?)\u2069”/g)].map((match) => shown(match[1]));
    for (const el of words.querySelectorAll("span > span > span")) {
      const [, head, text] = /head (\d+) (\S+)/.exec(textOf(el)) ?? [];
      const path = `decoder.0.cross_attn.head.${head - 1}.weights`;
      const weights = head ? source.map((_, key) => page.value(path, row, key)) : [undefined];
      if (weights.includes(undefined)) continue;
      const most = weights.indexOf(Math.max(...weights));
      if (!isNear(text, weights[most])) say("caption", `head ${head} ${text}, ${weights[most]}`);
      if (!named.includes(source[most])) say("caption", `head ${head} looks at ${source[most]}`);
    }
  }

  const CHECKS = [checkRows, checkSentences, checkBars, checkSelected, checkCaption];

  function look() {
    const page = window.tinkerformer;
    truth.frames += 1;
    if (!page?.ready) return;
    roots = [document, ...shadowRoots(document)];
    const found = new Map();
    const say = (kind, what) => found.set(kind, what);
    const now = painted(page);
    if (now.rows.some((row) => row.length)) for (const check of CHECKS) check(now, say);
    const both = [...found].filter(([kind]) => before.has(kind));
    before = new Set(found.keys());
    if (both.length) truth.bad += 1;
    for (const [kind, what] of both) {
      const known = truth.wrong.find((each) => each.kind === kind && each.deed === truth.deed);
      if (known) known.frames += 1;
      else truth.wrong.push({ kind, what, deed: truth.deed, frames: 1 });
    }
  }

  // Looks after all work of a display frame, when it is to be painted.
  const painting = new MessageChannel();
  painting.port1.onmessage = look;
  const each = () => {
    painting.port2.postMessage(0);
    requestAnimationFrame(each);
  };
  requestAnimationFrame(each);
})();
