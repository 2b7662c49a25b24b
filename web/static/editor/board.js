// The drawing of the grid in the editor, in the units of the service's drawings.
import { keepLabels, showCell } from "../board_frame.js";
import { regionLabels, symbolOf } from "./model.js";
import { isWord } from "./symbols.js";

const CELL = 20;
const MIDDLE = 0.42; // the part of a cell, from its center, that counts when a line is drawn
const [ROW_OF_SIZE, WIDTH_OF_SIZE, LARGEST] = [0.9, 0.72, 11]; // the height and width that a font size needs, and its limit
const LOOSE = 3; // candidates next to each other that aren't crowded
const FEW = 4; // candidates that are drawn in the middle of their cell, unlike more, which have usual places
const LARGEST_SIZE = 16; // on larger boards, all candidates of a cell are too small to read
const CAP_HEIGHT = 0.73; // of the font size
// The labels of rows and columns, as `web/boards/coordinates.py` draws them: the space on the left
// and above, and for each size the largest number of lines, the factor, and the class
const [LEFT, TOP] = [11, 9];
const LABELS = [[9, 1, "coordinate"], [16, 1.3, "coordinate large"], [Infinity, 1.7, "coordinate larger"]];
const FITTING = 18; // cells that fit next to each other on a phone
const NAMESPACE = "http://www.w3.org/2000/svg";

function element(tag, attributes, content = "") {
  const made = document.createElementNS(NAMESPACE, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = content;
  return made;
}

export function makeBoard(grid) {
  let puzzle = null;
  let margin = false;
  // The distances of candidates from the borders of their cell, and of their baselines from the middle of their row
  const rasters = JSON.parse(grid.dataset.rasters);
  const scroller = grid.parentElement;
  const copyLabels = keepLabels(scroller);
  let shownCell = null; // the cell at the cursor, when the board was drawn last
  let drawn = null; // the area of the service's drawing
  const layer = (name) => grid.querySelector(`#${name}`);
  const place = (cell) => [(cell % puzzle.columns) * CELL, Math.floor(cell / puzzle.columns) * CELL];

  function area() {
    const around = margin ? CELL : 0;
    const own = { x: -around, y: -around, right: puzzle.columns * CELL + around, bottom: puzzle.rows * CELL + around };
    if (!drawn) return own;
    return { x: Math.min(own.x, drawn.x), y: Math.min(own.y, drawn.y), right: Math.max(own.right, drawn.right), bottom: Math.max(own.bottom, drawn.bottom) };
  }

  // The labels are outside the clues.
  function fit() {
    const inner = area();
    const { right, bottom } = inner;
    const [, factor, kind] = LABELS.find(([most]) => Math.max(puzzle.rows, puzzle.columns) <= most);
    const [x, y] = [inner.x - Math.round(LEFT * factor), inner.y - Math.round(TOP * factor)];
    const label = (name, number, left, base) => element("text", { class: kind, x: left, y: base }, `${name}${number + 1}`);
    layer("labels").replaceChildren(
      ...Array.from({ length: puzzle.columns }, (_, column) => label("c", column, (column + 0.5) * CELL, inner.y - 4)),
      ...Array.from({ length: puzzle.rows }, (_, row) => label("r", row, (x + inner.x) / 2 - 2, (row + 0.5) * CELL + 2)),
    );
    grid.setAttribute("viewBox", `${x - 2} ${y - 2} ${right - x + 4} ${bottom - y + 4}`);
    const size = Math.max(right - x, bottom - y) / CELL;
    grid.style.setProperty("--size", size);
    grid.classList.toggle("scrolls", size > FITTING);
    copyLabels();
  }

  // The path between cells with different labels, and the path between all other cells.
  function lines() {
    const labels = regionLabels(puzzle);
    const paths = { thin: "", thick: "" };
    for (let cell = 0; cell < labels.length; cell += 1) {
      const [x, y] = place(cell);
      if (x) paths[labels[cell] === labels[cell - 1] ? "thin" : "thick"] += `M${x} ${y}v${CELL}`;
      if (y) paths[labels[cell] === labels[cell - puzzle.columns] ? "thin" : "thick"] += `M${x} ${y}h${CELL}`;
    }
    return paths;
  }

  const rect = (kind, [x, y], inset) => element("rect", { class: kind, x: x + inset, y: y + inset, width: CELL - 2 * inset, height: CELL - 2 * inset });

  // A line through the chosen cells, with a bulb at its beginning.
  function line(cells) {
    const middles = cells.map((cell) => place(cell).map((at) => at + CELL / 2));
    const [[cx, cy]] = middles;
    return [
      element("path", { class: "way", d: `M${middles.map((point) => point.join(" ")).join("L")}` }),
      element("circle", { class: "way", cx, cy, r: 3 }),
    ];
  }

  // How candidates are arranged, the same in all cells: in rows of a number of places. If no cell has more than four,
  // they are large and have their own font size. The style sheet has the size of all others.
  function arrangement(candidates) {
    const most = Math.max(0, ...[...candidates.values()].map((counts) => counts.size));
    const isFew = most <= FEW && puzzle.size <= (puzzle.symbols ? LARGEST_SIZE : 9) && !puzzle.symbols?.some(isWord);
    const across = isFew ? 2 : Math.ceil(Math.sqrt(puzzle.size));
    const down = isFew ? Math.ceil(most / 2) : Math.ceil(puzzle.size / across);
    const [isCaged, isCrowded] = [grid.classList.contains("cornered"), across > LOOSE];
    const [side, top, bottom, lowered] = rasters[Number(isCaged)][Number(isCrowded)];
    const [step, high] = [(CELL - 2 * side) / across, (CELL - top - bottom) / down];
    const spots = { isFew, across, down, top, step, high };
    if (!isFew) return { ...spots, lowered, kind: ["candidate", `of${across}`, isCrowded && !puzzle.symbols && "numbers", isCaged && "caged"].filter(Boolean).join(" ") };
    const size = Math.min(high / ROW_OF_SIZE, step / WIDTH_OF_SIZE, LARGEST);
    return { ...spots, lowered: (CAP_HEIGHT / 2) * size, kind: "candidate few", size };
  }

  // The candidates of each cell with their numbers of solutions. One that leaves a single solution has a colored ground,
  // an undecided one is pale, and the values of `open` cells, in which two solutions differ, are marked.
  // The only candidate of a cell is as large as a digit. On boards with many values, only these are drawn, and the keys
  // show those of the chosen cell.
  function candidateTexts(candidates, open) {
    const { isFew, across, down, top, step, high, lowered, kind, size } = arrangement(candidates);
    return [...candidates].flatMap(([cell, counts]) => {
      const [x, y] = place(cell);
      if (counts.size > 1 && puzzle.size > LARGEST_SIZE) return [];
      if (counts.size === 1) return [element("text", { class: "only", x: x + CELL / 2, y: y + 15 }, symbolOf([...counts.keys()][0], puzzle))];
      return [...counts].flatMap(([value, count], order) => {
        const position = isFew ? order : value - 1;
        const row = Math.floor(position / across);
        const inRow = isFew ? Math.min(across, counts.size - row * across) : across;
        const rows = isFew ? Math.ceil(counts.size / across) : down;
        const center = x + CELL / 2 + ((position % across) - (inRow - 1) / 2) * step;
        const middle = y + top + ((down - rows) / 2 + row + 0.5) * high;
        const mark = count === 1 ? " once" : open.get(cell)?.has(value) ? " open" : count === 0 ? " undecided" : "";
        const symbol = element("text", { class: kind + mark, x: center, y: middle + lowered }, symbolOf(value, puzzle));
        if (size) symbol.style.fontSize = `${size}px`;
        if (count !== 1) return [symbol];
        const [wide, tall] = [step - 0.4, high - 0.3].map((space) => Math.min(space, size ?? space));
        return [element("rect", { class: "once", x: center - wide / 2, y: middle - tall / 2, width: wide, height: tall, rx: 1.2 }), symbol];
      });
    });
  }

  return {
    // Draw an empty board, until the service's drawing of it arrives.
    lines(shown) {
      [puzzle, drawn] = [shown, null];
      grid.classList.remove("ruled", "cornered");
      const frame = `M0 0h${puzzle.columns * CELL}v${puzzle.rows * CELL}h-${puzzle.columns * CELL}z`;
      layer("under").replaceChildren(
        element("path", { class: "ground", d: frame }),
        ...Object.entries(lines()).map(([kind, d]) => element("path", { class: kind, d })),
        element("path", { class: "frame", d: frame }),
      );
      fit();
    },
    // Show the service's drawing of the board, which has the rules.
    service(picture) {
      const { x, y, width, height } = picture.viewBox.baseVal;
      drawn = { x: x + 2, y: y + 2, right: x + width - 2, bottom: y + height - 2 };
      picture.querySelectorAll("text.given, text.wrong, title").forEach((each) => each.remove());
      for (const each of ["ruled", "cornered"]) grid.classList.toggle(each, picture.classList.contains(each));
      layer("under").replaceChildren(...picture.childNodes);
      fit();
    },
    draw({ shown, chosen, fresh, cursor, clue, hasMargin, conflicts, open, faulty, regions, hasLine, solution, candidates }) {
      puzzle = shown;
      if (margin !== hasMargin) {
        margin = hasMargin;
        fit();
      }
      layer("tint").replaceChildren(...(regions ?? []).flatMap((label, cell) => {
        if (label === null) return [];
        const tint = rect("colour", place(cell), 0);
        tint.style.setProperty("--number", label);
        return [tint];
      }), ...[...open.keys()].map((cell) => rect("open", place(cell), 0.5)));
      const selected = [...new Set([...chosen, ...(clue ? [] : [cursor])])];
      layer("chosen").replaceChildren(
        ...fresh.map((cell) => rect("fresh", place(cell), 0)),
        ...selected.map((cell) => rect(cell !== cursor || clue ? "" : chosen.includes(cursor) ? "cursor" : "cursor idle", place(cell), 1)),
        ...(margin ? marginPlaces().map(([row, column]) => rect("margin", [column * CELL, row * CELL], 3)) : []),
        ...(hasLine && chosen.length > 1 ? line(chosen) : []),
        ...(clue ? [rect("cursor", [clue.column * CELL, clue.row * CELL], 1)] : []),
      );
      layer("faulty").replaceChildren(...faulty.map((cell) => rect("", place(cell), 0.5)), ...[...conflicts].map((cell) => rect("conflict", place(cell), 0.5)));
      layer("values").replaceChildren(...puzzle.values.flatMap((value, cell) => {
        const found = value ? 0 : solution?.[cell];
        if (!value && !found) return [];
        const [x, y] = place(cell);
        return [element("text", { class: value ? (conflicts.has(cell) ? "wrong" : "given") : "found", x: x + CELL / 2, y: y + 15 }, symbolOf(value || found, puzzle))];
      }));
      grid.classList.toggle("enlarged", Boolean(candidates) && puzzle.size > 9 && puzzle.size <= LARGEST_SIZE);
      layer("candidates").replaceChildren(...(candidates ? candidateTexts(candidates, open) : []));
      const cell = clue ? `${clue.row} ${clue.column}` : cursor;
      if (cell !== shownCell) showCell(scroller, grid.querySelector("#chosen .cursor"));
      shownCell = cell;
    },
    // The rows and columns whose middle the pointer touched between two events.
    placesBetween(from, to) {
      const inverse = grid.getScreenCTM().inverse();
      const [start, end] = [from, to].map(({ clientX, clientY }) => new DOMPoint(clientX, clientY).matrixTransform(inverse));
      const steps = Math.max(Math.ceil((4 * Math.hypot(end.x - start.x, end.y - start.y)) / CELL), 1);
      return Array.from({ length: steps + 1 }, (_, step) => {
        const [x, y] = [start.x + ((end.x - start.x) * step) / steps, start.y + ((end.y - start.y) * step) / steps];
        const [row, column] = [Math.floor(y / CELL), Math.floor(x / CELL)];
        const isMiddle = Math.hypot(x - (column + 0.5) * CELL, y - (row + 0.5) * CELL) < MIDDLE * CELL;
        return isMiddle ? { row, column } : null;
      });
    },
    // The row and column under the pointer, from −1 in the margin, or null outside.
    placeAt({ clientX, clientY }) {
      const point = new DOMPoint(clientX, clientY).matrixTransform(grid.getScreenCTM().inverse());
      const [row, column] = [Math.floor(point.y / CELL), Math.floor(point.x / CELL)];
      const around = margin ? 1 : 0;
      return row >= -around && column >= -around && row < puzzle.rows + around && column < puzzle.columns + around ? { row, column } : null;
    },
  };

  function marginPlaces() {
    const sides = Array.from({ length: puzzle.rows }, (_, row) => [[row, -1], [row, puzzle.columns]]).flat();
    const ends = Array.from({ length: puzzle.columns + 2 }, (_, column) => [[-1, column - 1], [puzzle.rows, column - 1]]).flat();
    return [...sides, ...ends];
  }
}
