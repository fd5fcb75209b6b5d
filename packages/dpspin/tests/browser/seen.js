// What a reader sees of a page, for the laws in this folder. Every function returns plain data.
(() => {
  const shownOnly = { visibilityProperty: true, opacityProperty: true };
  const forScreenReaders = (el) => getComputedStyle(el).clipPath === "inset(50%)";

  function isSeen(el) {
    if (!el.checkVisibility(shownOnly)) return false;
    for (let at = el; at; at = at.parentElement) if (forScreenReaders(at)) return false;
    return true;
  }

  /** Every piece of visible text with the element it stands in. */
  function* texts(root = document.body) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const el = node.parentElement;
      if (node.data.trim() && !["SCRIPT", "STYLE"].includes(el.tagName) && isSeen(el)) yield { node, el };
    }
  }

  const isClamped = (el) => getComputedStyle(el).webkitLineClamp !== "none";

  /** The boxes of a text's lines, without those that "…" stands for. */
  function linesOf(node) {
    const range = document.createRange();
    range.selectNodeContents(node);
    let end = Infinity;
    for (let at = node.parentElement; at; at = at.parentElement) if (isClamped(at)) end = at.getBoundingClientRect().bottom;
    return [...range.getClientRects()].filter((box) => box.width > 0.5 && box.height > 0.5 && box.top < end - 2);
  }

  const short = (text) => text.trim().replace(/\s+/g, " ").slice(0, 60);

  // Colours ---------------------------------------------------------------------------------------------------------
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  function rgba(colour) {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(colour, [r, g, b, a / 255]);
    }
    return known.get(colour);
  }
  const over = (top, below) => [0, 1, 2].map((i) => top[3] * top[i] + (1 - top[3]) * below[i]).concat(1);

  function backgroundOf(el) {
    const layers = [];
    for (let at = el; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), rgba("Canvas"));
  }
  function luminance(colour) {
    const linear = colour.slice(0, 3).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  }
  function contrast(ink, ground) {
    const [dark, light] = [luminance(over(ink, ground)), luminance(ground)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }
  const isLarge = (style) => {
    const px = parseFloat(style.fontSize);
    return px >= 24 || (px >= 18.66 && parseInt(style.fontWeight) >= 700);
  };

  function* inks() {
    for (const { node, el } of texts()) {
      const style = getComputedStyle(el);
      yield { text: short(node.data), el, style, ink: el instanceof SVGElement ? style.fill : style.color };
    }
    for (const el of document.body.querySelectorAll("*")) {
      const style = getComputedStyle(el, "::before");
      if (!["none", "normal", '""'].includes(style.content) && isSeen(el)) yield { text: style.content, el, style, ink: style.color };
    }
  }

  window.seen = {
    /** Texts that cannot be read: below 4.5, or 3 where they are large. */
    faint() {
      const found = [];
      for (const { text, el, style, ink } of inks()) {
        const ratio = contrast(rgba(ink), backgroundOf(el));
        if (ratio < (isLarge(style) ? 3 : 4.5)) found.push(`${ratio.toFixed(2)}: ${text}`);
      }
      return found;
    },
    howManyTexts: () => [...inks()].length,
    contrastOfShape: (el, property) => contrast(rgba(getComputedStyle(el)[property]), backgroundOf(el.closest("div, li, section"))),
    contrastOfPaints: (one, other) => contrast(rgba(one), rgba(other)),
    contrastOfOutline: (el) => contrast(rgba(getComputedStyle(el).outlineColor), backgroundOf(el.parentElement)),
    background: (el) => backgroundOf(el).join(),

    words: () => [...texts()].map(({ node }) => node.data.trim().replace(/\s+/g, " ")),

    /** Texts of which a part lies beside the page, or is hidden by a box around them that does not scroll. */
    cutOff() {
      const found = [];
      for (const { node, el } of texts()) {
        let [left, right, top, bottom, scrolls] = [0, innerWidth, -Infinity, Infinity, false];
        for (let at = el; at && at !== document.body; at = at.parentElement) {
          const style = getComputedStyle(at);
          if (style.overflowX === "auto" || style.overflowX === "scroll") scrolls = true;
          if (["hidden", "clip"].includes(style.overflowX) && !isClamped(at)) {
            const box = at.getBoundingClientRect();
            [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
            [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
          }
        }
        if (scrolls) continue;
        for (const line of linesOf(node))
          if (line.left < left - 1 || line.right > right + 1 || line.top < top - 3 || line.bottom > bottom + 3) {
            found.push(short(node.data));
            break;
          }
      }
      return found;
    },

    /** Pairs of texts that are printed over each other. A line's box is taller than its letters. */
    overlapping() {
      const lines = [];
      for (const { node } of texts()) {
        for (const box of linesOf(node)) {
          const trim = 0.3 * box.height;
          lines.push({ node, text: short(node.data), left: box.left + 1, right: box.right - 1, top: box.top + trim, bottom: box.bottom - trim });
        }
      }
      lines.sort((a, b) => a.top - b.top);
      const found = [];
      lines.forEach((one, i) => {
        for (let j = i + 1; j < lines.length && lines[j].top < one.bottom; j++) {
          const other = lines[j];
          if (one.node !== other.node && one.left < other.right && other.left < one.right) found.push(`${one.text} | ${other.text}`);
        }
      });
      return found;
    },

    /** Ordinary words that are broken over two lines. */
    brokenWords(longest) {
      const found = [];
      for (const { node } of texts())
        for (const match of node.data.matchAll(/[\p{L}\d.%]+/gu)) {
          if (match[0].length > longest) continue;
          const range = document.createRange();
          range.setStart(node, match.index);
          range.setEnd(node, match.index + match[0].length);
          const tops = [...range.getClientRects()].filter((box) => box.width > 0.5).map((box) => box.top);
          if (tops.length > 1 && Math.max(...tops) - Math.min(...tops) > 4) found.push(match[0]);
        }
      return found;
    },

    /** Everything that the keyboard should reach, in the order of the document. */
    focusable: () => [...document.querySelectorAll('a[href], summary, [tabindex="0"]')].filter(isSeen).map(window.seen.nameOf),
    nameOf: (el) => {
      const places = [];
      for (let at = el; at && at !== document.body; at = at.parentElement) places.unshift([...at.parentElement.children].indexOf(at));
      return `${el.tagName} ${places.join(".")}`;
    },
    openAll: () => document.querySelectorAll("details").forEach((each) => (each.open = true)),
  };
})();
