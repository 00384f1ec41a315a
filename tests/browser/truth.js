/**
 * Compares, in every display frame, the page's texts with the numbers that it paints in that frame.
 * `truth.frames` counts the frames, and `truth.bad` the frames with a contradiction. `truth.wrong`
 * lists each contradiction once, with the action and the frame in which it began, and the number of
 * frames in a row that had it. Tests call `truth.point` when they have pointed at a cell.
 */

(() => {
  const truth = { frames: 0, bad: 0, wrong: [], deed: "" };
  window.truth = truth;
  let roots = [];
  let last = new Map(); // kind -> contradiction, in the previous display frame

  /** Yields the shadow roots of all components on the page. */
  function* shadowRoots(root) {
    for (const { shadowRoot } of root.querySelectorAll(".carried")) {
      if (!shadowRoot) continue;
      yield shadowRoot;
      yield* shadowRoots(shadowRoot);
    }
  }

  const everywhere = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  // Words of the previous picture slide out in a separate layer, which does not count.
  const isSeen = (el) =>
    el.checkVisibility({ checkVisibilityCSS: true }) && !el.closest(".old-words");
  const seen = (selector) => everywhere(selector).find(isSeen);
  const textOf = (el) => el?.textContent.trim() ?? "";
  const shown = (word) => (word || "∅").replaceAll(" ", "␣");

  /** Returns whether a text is the rounded number; true also for a text that is not a number. */
  function isNear(text, x) {
    const plain = text.replaceAll("−", "-").replaceAll(",", "");
    if (!/^-?\d*\.?\d+$/.test(plain)) return true;
    const digits = plain.split(".")[1]?.length ?? 0;
    return Math.abs(Number(plain) - x) <= 0.51 * 10 ** -digits + 1e-9;
  }

  /** Returns the painted words: source, target, and each row's next words, likeliest first. */
  function painted(page) {
    const rows = page.likeliest(0, 1)?.rows.length ?? 0;
    const words = Array.from({ length: rows }, (_, row) =>
      (page.likeliest(row, 400)?.best ?? []).map(({ word, p }) => ({ word: shown(word), p })),
    );
    const source = page.matrix("source.embedding")?.row_labels?.map(shown);
    const target = page.matrix("target.embedding")?.row_labels?.map(shown);
    return { page, rows: words, winners: words.map(([first]) => first?.word), source, target };
  }

  /**
   * Returns a row's next words, the likeliest first, ignoring logits and probabilities that the
   * user has set. They are computed from the painted stream and weights; NaN if one is not painted.
   */
  function withoutSet(page, row) {
    const paths = page.paths();
    const stack = paths.includes("target.embedding") ? "decoder" : "encoder";
    const reads = new RegExp(`^${stack}\\.(final|\\d+\\.feed_forward)\\.norm$`);
    const stream = paths.findLast((path) => reads.test(path));
    const { rows: width = 0, cols = 0 } = page.matrix("output.W_out") ?? {};
    const hasBias = page.matrix("output.b_out") !== undefined;
    const logits = Array.from({ length: cols }, (_, word) => {
      let sum = hasBias ? page.value("output.b_out", 0, word) : 0;
      for (let d = 0; d < width; d++)
        sum += page.value(stream, row, d) * page.value("output.W_out", d, word);
      return sum;
    });
    const powers = logits.map((logit) => Math.exp(logit - Math.max(...logits)));
    const total = powers.reduce((sum, power) => sum + power, 0);
    const words = page.matrix("output.probabilities")?.col_labels ?? [];
    return powers
      .map((power, k) => ({ word: shown(words[k]), p: power / total }))
      .sort((a, b) => b.p - a.p);
  }

  /** Checks the picture's source words, and the words that its rows write. */
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

  /** Checks the header's words: the source, and the written words with their probabilities. */
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
      const word = shown(textOf(slot));
      const p = rows[at - 1].find((each) => each.word === word)?.p;
      if (word !== winners[at - 1])
        say("written", `${textOf(slot)} at the row of ${winners[at - 1]}`);
      else if (under && isSeen(under) && !isNear(textOf(under), p))
        say("p of written", `${textOf(under)}, painted ${p}`);
    });
  }

  /** Checks the word that a row predicts in the header, if the user writes the text. */
  function checkPredicted({ rows, winners }, say) {
    const slot = seen("[data-part=predicted] li");
    const at = seen("select.after")?.selectedIndex ?? -1;
    if (!slot || !rows[at]?.length) return;
    const word = shown(textOf(slot.querySelector(".chip")));
    const p = textOf(slot.querySelector(".under.p"));
    if (word !== winners[at]) say("predicted", `${word} at the row of ${winners[at]}`);
    else if (p && !isNear(p, rows[at][0].p))
      say("p of predicted", `${p}, painted ${rows[at][0].p}`);
  }

  /** Checks the bars of the next words. */
  function checkBars({ rows, winners }, say) {
    const at = everywhere("select.after").at(0)?.selectedIndex ?? -1;
    const bars = everywhere("[data-part=bar] .next-word").filter(isSeen);
    if (!bars.length || !rows[at]?.length) return;
    const now = new Map(rows[at].map(({ word, p }) => [word, p]));
    const words = bars.map((bar) => shown(textOf(bar.querySelector(".word"))));
    bars.forEach((bar, k) => {
      if (bar.classList.contains("wished")) return; // the user drags it
      const text = textOf(bar.querySelector(".number"));
      const p = now.get(words[k]) ?? 0;
      if (text.startsWith("<") ? p >= 0.0005 : !isNear(text, p))
        say("bar", `${words[k]} ${text}, painted ${p}`);
      if (bar.classList.contains("likeliest") && words[k] !== winners[at])
        say("likeliest bar", `${words[k]} at the row of ${winners[at]}`);
    });
    if (!words.includes(winners[at])) say("bars", `without ${winners[at]}, which wins`);
  }

  const middleOf = (el) => {
    const { y, height } = el.getBoundingClientRect();
    return y + height / 2;
  };

  /** Checks that the bars, the header's marked word and the end of a change's path show one row. */
  function checkOneRow(_now, say) {
    const bars = everywhere("select.after").at(0)?.selectedIndex ?? -1;
    const slots = [...(seen("[data-part=written]")?.querySelectorAll("li") ?? [])];
    const marked = slots.findIndex((slot) => slot.matches(".asked")) - 1; // before the start
    if (bars >= 0 && marked >= 0 && marked !== bars) say("rows", `marked ${marked}, bars ${bars}`);
    for (const el of everywhere("[data-part=row].changed").filter(isSeen))
      if (Number(el.dataset.row) !== bars) say("rows", `traced ${el.dataset.row}, bars ${bars}`);
    const [first] = everywhere(".next-bars.large .next-word").filter(isSeen);
    const end = everywhere(`[data-part=row][data-row='${bars}']`).find(isSeen);
    const away = first && end ? Math.abs(middleOf(first) - middleOf(end)) : 0;
    if (away > 3) say("bars", `${away.toFixed(1)} px from their row`);
  }

  /** Checks the selected number in the panel and in the line below the picture. */
  function checkSelected({ page }, say) {
    const panel = seen("[data-part=panel]");
    const code = panel?.querySelector(".path");
    const [, path, i, j] = /(\S+)\[(\d+), (\d+)\]$/.exec(textOf(code)) ?? [];
    const own = path && isSeen(code) ? page.value(path, Number(i), Number(j)) : undefined;
    if (own !== undefined && own !== null) checkPanel(panel, own, say);
    const status = seen("[data-part=status]");
    const selected = page.selection();
    const held = seen(".scrub strong");
    const painted = selected && page.value(selected.path, selected.i, selected.j);
    if (held && painted !== undefined && painted !== null && !isNear(textOf(held), painted))
      say("bubble", `${textOf(held)}, painted ${painted}`);
    const isOfSelected = selected && textOf(status?.querySelector(".path")) === selected.path;
    // The line describes the number under the pointer instead, if there is one.
    if (!isOfSelected || status.closest(".board")?.matches(":hover")) return;
    const line = textOf(status.querySelector(".value"));
    if (painted !== undefined && painted !== null && !isNear(line, painted))
      say("status", `${line}, painted ${painted}`);
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

  /** Returns the symbol and the names of a cell in its tooltip; "" without a tooltip. */
  const tipNames = () =>
    [".symbol", ".names"].map((each) => textOf(seen(`.board > .tip ${each}`))).join("");
  let pointed = { names: "", path: "", i: 0, j: 0 };
  truth.point = (path, i, j, { x, y }) => {
    const now = window.tinkerformer.rect(path, i, j); // the picture may have moved meanwhile
    // Where ribbons cross, the tooltip may describe another ribbon.
    const value = window.tinkerformer.value(path, i, j);
    const isAt = value !== undefined && isNear(textOf(seen(".board > .tip strong")), value);
    pointed = { names: isAt && now.x === x && now.y === y ? tipNames() : "", path, i, j };
  };

  // Rows of equal words have the same labels, so any movement ends the check.
  const left = ({ movementX, movementY }) => {
    if (movementX || movementY) pointed.names = "";
  };
  addEventListener("pointermove", left, { capture: true });

  /** Checks the number under the pointer in its tooltip and in the line below the picture. */
  function checkPointed({ page }, say) {
    const { names, path, i, j } = pointed;
    // Otherwise the pointer is at another number, or a word in its names has changed.
    const isThere = names && names === tipNames() && page.view().plane === "value";
    const value = isThere ? page.value(path, i, j) : undefined;
    if (value === undefined) return;
    for (const el of [seen(".board > .tip strong"), seen("[data-part=status] .value")])
      if (!isNear(textOf(el), value)) say("pointed", `${textOf(el)}, painted ${value}`);
  }

  /** Checks the counts of dropped numbers, and that a swing hides the text on further draws. */
  function checkDropout({ page }, say) {
    const [now, draws] = ["now", "draws"].map((name) => textOf(seen(`#field-${name}`)));
    const [, panel, of] = /^Dropped now: (\S+) of (\S+) numbers/.exec(now) ?? [];
    const line = textOf(seen("[data-part=status] .hint"));
    const [, told, ofTold] = /Dropout sets (\S+) of (\S+) numbers to 0 at/.exec(line) ?? [];
    if (panel && told && (panel !== told || of !== ofTold))
      say("dropped", `${panel} of ${of} in the panel, ${told} of ${ofTold} in the line`);
    const moves = page.oscillating();
    if (moves && draws.startsWith("Over the next")) say("draws", `${draws} while a number swings`);
  }

  /** Checks the button that names the word that the followed row writes. */
  function checkFollowed({ page, winners }, say) {
    const [, word] = /→ (.*)” ×$/.exec(textOf(seen("[data-part=status] .followed"))) ?? [];
    const writes = winners[page.look()?.following?.index];
    if (word && writes && shown(word) !== writes) say("followed", `${word}, row ${writes}`);
  }

  /** Checks the caption: which words the followed word looks at, and which word its row writes. */
  function checkCaption({ page, winners, source, target }, say) {
    const words = seen("[data-part=caption]")?.querySelector(".thread-words");
    const lane = page.look()?.following;
    if (!words || !isSeen(words) || lane?.stack !== "decoder" || !source || !target) return;
    const [, word, rest] = /“\u2068(.*)\u2069” looks? at (.*)$/.exec(
      textOf(words.querySelector("strong")),
    ) ?? [null, "", ""];
    if (rest && shown(word) !== target[lane.index])
      say("caption", `${word}, row ${target[lane.index]}`);
    checkHeads(page, words, lane.index, source, rest, say);
    const writes = /the likeliest word is “\u2068(.*?)\u2069”/.exec(textOf(words))?.[1];
    if (writes !== undefined && winners[lane.index] && shown(writes) !== winners[lane.index])
      say("caption", `writes ${writes}, row ${winners[lane.index]}`);
  }

  /**
   * Checks, for each head in the caption, the largest weight and its word; and that the header
   * frames the word with the largest weight of any head.
   */
  function checkHeads(page, words, row, source, rest, say) {
    const named = [...rest.matchAll(/“\u2068(.*?)\u2069”/g)].map((match) => shown(match[1]));
    const framed = everywhere("[data-part=reads] li").findIndex((li) => li.matches(".looked-at"));
    const all = [];
    for (const el of words.querySelectorAll("span > span > span")) {
      const [, head, text] = /head (\d+) (\S+)/.exec(textOf(el)) ?? [];
      const path = `decoder.0.cross_attn.head.${head - 1}.weights`;
      const weights = head ? source.map((_, key) => page.value(path, row, key)) : [undefined];
      if (weights.includes(undefined)) continue;
      const most = weights.indexOf(Math.max(...weights));
      all.push(...weights.map((weight, key) => ({ weight, key })));
      if (!isNear(text, weights[most])) say("caption", `head ${head} ${text}, ${weights[most]}`);
      if (named.length && !named.includes(source[most]))
        say("caption", `head ${head} looks at ${source[most]}`);
    }
    const [{ key } = { key: -1 }] = all.sort((a, b) => b.weight - a.weight);
    if (framed >= 0 && key >= 0 && framed !== key) say("framed", `${framed}, not ${key}`);
  }

  // -- the drawer ---------------------------------------------------------------------------------

  /** Returns whether an element is part of a result that is marked as outdated. */
  function isPending(el) {
    if (!el) return false;
    const root = el.getRootNode();
    return el.closest("[data-pending]") !== null || isPending(root.host);
  }
  const current = (selector) => everywhere(selector).filter((el) => isSeen(el) && !isPending(el));
  const texts = (el, selector) => [...el.querySelectorAll(selector)].map((x) => shown(textOf(x)));
  const isWithin = (some, all) => some.every((word, at) => word === all?.[at]);

  /** Returns whether decoding uses the picture's numbers; if not, a note explains the difference. */
  const isOfPicture = () =>
    !current(".decode .notes li").some((note) =>
      /uses the weights alone|Dropout is off|mask is off/.test(textOf(note)),
    );

  /** Checks the step of greedy decoding or of a sample, if it reads the picture's words. */
  function checkStep({ rows, winners, target }, say) {
    const [way] = current(".decode .way:has(.tokens)");
    const tokens = way ? texts(way, ".tokens .token") : [];
    const at = tokens.findIndex((_, k) => way.querySelectorAll(".token")[k].ariaCurrent);
    const verdict = textOf(way?.querySelector(".verdict"));
    const [, does, word, told] = /it (writes|drew) “(.*)”, probability (.+)\.$/.exec(verdict) ?? [];
    if (at < 1 || !isOfPicture() || !rows[at - 1]?.length || !isWithin(tokens.slice(0, at), target))
      return;
    const p = rows[at - 1].find((each) => each.word === shown(word))?.p;
    if (does === "writes" && shown(word) !== winners[at - 1])
      say("decoded", `${word} at the row of ${winners[at - 1]}`);
    if (p !== undefined && !(told.startsWith("<") ? p < 0.0005 : isNear(told, p)))
      say("decoded", `${verdict} painted ${p}`);
  }

  /** Compares the table of training and inference with the rows that read the same words. */
  function checkComparison({ rows, winners, target }, say) {
    const lines = isOfPicture() ? current(".comparison tbody tr") : [];
    for (const kind of ["forced", "free"]) {
      const given = lines.map((line) => texts(line, `.${kind}.is-given .word`)[0]);
      lines.forEach((line, k) => {
        const answer = line.querySelector(`.${kind} .answer`);
        if (!answer || !rows[k]?.length || !isWithin(given.slice(0, k + 1), target)) return;
        const [word] = texts(answer, ".word");
        const number = textOf(answer.querySelector(".number"));
        if (word !== winners[k] || !isNear(number, rows[k][0].p))
          say("comparison", `${kind} ${word} ${number}, painted ${winners[k]} ${rows[k][0].p}`);
      });
    }
  }

  /** Checks the last row of the lens, and the present state in the table of parts. */
  function checkMeasured({ page, rows, winners, source, target }, say) {
    const leavesOut = current("p.note").some((note) => /ignores logits/.test(textOf(note)));
    for (const lens of current("table[aria-label^='The likeliest word']")) {
      const cells = [...lens.querySelectorAll("tbody tr:last-child td")].map(textOf);
      cells.forEach((text, k) => {
        if (!rows[k]?.length) return;
        const [, word, p] = /^(.*) ([\d.]+)$/.exec(text) ?? [];
        const [most] = leavesOut ? withoutSet(page, k) : rows[k];
        if (shown(word) !== most?.word || !isNear(p, most.p))
          say("lens", `${text}, painted ${most?.word} ${most?.p}`);
      });
    }
    const isWithoutDropout = current("p.note").some((note) => /without dropout/.test(textOf(note)));
    for (const parts of isWithoutDropout ? [] : current(".head-table table")) {
      const title = texts(parts, "th").find((text) => text.startsWith("P("));
      const [, word, where, token] = /^P\(“(.*)”\)␣(after|at)␣“(.*)”$/.exec(title) ?? [];
      const [p, writes] = texts(parts, ".head-now td")
        .filter((text) => text !== "∅")
        .slice(-2);
      const read = (where === "after" ? target : source) ?? [];
      const found = read.flatMap((each, k) => (each === token && rows[k]?.length ? [k] : []));
      const isRight = (k) =>
        writes === winners[k] && isNear(p, rows[k].find((each) => each.word === word)?.p ?? 0);
      if (found.length && !found.some(isRight))
        say("parts", `${title} ${p} ${writes}, painted ${found.map((k) => winners[k])}`);
    }
  }

  /** Checks a form's words with their probabilities, and the legend of the patch map. */
  function checkOffered({ rows }, say) {
    const isAnywhere = (word, p) =>
      rows.some((row) => isNear(p, row.find((each) => each.word === word)?.p ?? 0));
    for (const field of current(".field:has(select)")) {
      const options = [...field.querySelectorAll("option")].map(textOf);
      for (const option of options.slice(0, 3)) {
        const [, word, p] = /^\u2068?(.*?)\u2069? {2}(\d\.\d{3})$/.exec(option) ?? [];
        if (word && !isAnywhere(shown(word), p)) say("offered", `${option}, at no row`);
      }
    }
    const [legend] = current(".token-scale span:first-child");
    const [, p] = /^0: as now, ([\d.]+)$/.exec(textOf(legend)) ?? [];
    const of = current(".field select").find(
      (el) => textOf(el.closest(".field").querySelector("label")) === "probability of",
    );
    if (p && of && !isAnywhere(shown(of.value), p)) say("patch map", `${of.value} ${p}, at no row`);
  }

  /** Checks the present probability of the pulled word. */
  function checkPulled({ rows }, say) {
    const [line] = current(".pull-line");
    const [, word] =
      /^Pulling “\u2068?(.*?)\u2069?” to [\d.]+$/.exec(textOf(line?.querySelector(".pull-wish"))) ??
      [];
    const [, p] = /now ([\d.]+): /.exec(textOf(line?.querySelector(".pull-cost"))) ?? [];
    const found = rows.map((row) => row.find((each) => each.word === shown(word))?.p ?? 0);
    if (word && p && !found.some((each) => isNear(p, each)))
      say("pulled", `${p}, painted ${found}`);
  }

  /** Checks the bands of words over the selected number's values, unless it is near a border. */
  function checkBands({ winners }, say) {
    const [slider] = current("[data-part=panel] input[type=range]");
    const names = [...(seen("#curve-row")?.options ?? [])].map(textOf);
    const value = Number(slider?.value);
    const last = 0.02 * (slider?.max - slider?.min);
    for (const band of current(".bands .band")) {
      const [name, said] = band.ariaLabel.split(/: (.*)/);
      const stretches = [...said.matchAll(/(\S+) from (\S+) to ([^\s,]+)/g)].map(
        ([, word, ...ends]) => [word, ...ends.map((end) => Number(end.replace("−", "-")))],
      );
      const isAtBorder = stretches.some(([, low]) => Math.abs(value - low) < last);
      const at = [...band.children].findIndex((each) => each.matches(".now"));
      const wins = winners[names.indexOf(name)];
      const word = stretches[at]?.[0].replace("stops", "<eos>");
      if (wins && !isAtBorder && word !== wins) say("band", `${name} ${word}, the row ${wins}`);
    }
  }

  // -- learning -----------------------------------------------------------------------------------

  let moment = {}; // the painted numbers and the stated step in the display frame before

  /** Checks that the training's step and the painted numbers change together. */
  function checkRun({ rows, source }, say) {
    const count = seen("[data-part=learning] .count");
    const where = seen(".curves .where");
    const [step, read] = [count, where].map((el) => /^step (\d+(?:,\d+)*)/.exec(textOf(el))?.[1]);
    if (step && read && step !== read) say("steps", `${textOf(count)} and ${textOf(where)}`);
    const losses = ["[data-part=learning] .facts", ".curves .read.loss strong"].map(
      (each) => /(?:^|loss )(\d+\.\d{3})/.exec(textOf(seen(each)))?.[1],
    );
    if (losses[0] && losses[1] && losses[0] !== losses[1]) say("losses", losses.join(" and "));
    const before = moment;
    const runs = step !== undefined && textOf(seen("[data-part=learning] .play")) === "Pause";
    moment = { runs, step, numbers: JSON.stringify([source, rows[0]]) };
    const isSame = moment.numbers === before.numbers;
    if (runs && before.runs && isSame !== (step === before.step))
      say("step", `${step} after ${before.step}, painted ${isSame ? "the same" : "other"} numbers`);
  }

  const CHECKS = [
    ...[
      checkRows,
      checkSentences,
      checkPredicted,
      checkBars,
      checkOneRow,
      checkSelected,
      checkPointed,
      checkCaption,
      checkFollowed,
    ],
    ...[checkStep, checkComparison, checkMeasured, checkOffered, checkPulled, checkRun],
    ...[checkDropout, checkBands],
  ];

  function look() {
    const page = window.tinkerformer;
    truth.frames += 1;
    if (!page?.ready) return;
    roots = [document, ...shadowRoots(document)];
    const found = new Map();
    const now = painted(page);
    const say = (kind, what) => found.set(kind, what);
    if (now.rows.some((row) => row.length)) for (const check of CHECKS) check(now, say);
    if (found.size) truth.bad += 1;
    const before = last;
    last = new Map();
    for (const [kind, what] of found) {
      const known = before.get(kind) ?? {
        kind,
        what,
        deed: truth.deed,
        at: truth.frames,
        frames: 0,
      };
      if (!known.frames) truth.wrong.push(known);
      known.frames += 1;
      last.set(kind, known);
    }
  }

  // Runs the checks in a task that follows all other work of a display frame.
  const painting = new MessageChannel();
  painting.port1.onmessage = look;
  const each = () => {
    painting.port2.postMessage(0);
    requestAnimationFrame(each);
  };
  requestAnimationFrame(each);
})();
