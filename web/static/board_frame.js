// The frame of a board. While a board that is larger than its frame scrolls in it, its labels stay in view.
const NAMESPACE = "http://www.w3.org/2000/svg";
const BELOW = 2.6; // units from the baseline of the columns' labels to the board

// Copies of a drawing's labels in strips at the upper and the left edge of its frame, and the corner between them.
function stripsOf(board) {
  const labels = [...board.querySelectorAll(".coordinate")];
  if (!labels.length) return [];
  const [columns, rows] = ["c", "r"].map((letter) => labels.filter(({ textContent }) => textContent.startsWith(letter)));
  const { x, y, width, height } = board.viewBox.baseVal;
  const [across, down] = [2 * (rows[0].getAttribute("x") - x), columns[0].getAttribute("y") - y + BELOW];
  const strip = (name, wide, high, content) => {
    const made = document.createElementNS(NAMESPACE, "svg");
    const attributes = { class: `strip ${name}`, viewBox: `${x} ${y} ${wide} ${high}`, width: `${(100 * wide) / width}%`, "aria-hidden": "true" };
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...content.map((label) => label.cloneNode(true)));
    return made;
  };
  return [strip("columns", width, down, columns), strip("rows", across, height, rows), strip("corner", across, down, [])];
}

// Keep the labels of the board in a frame in view. Call the returned function after its labels changed.
export function keepLabels(frame) {
  const board = frame.querySelector(".board");
  const mark = () => {
    const isCut = frame.scrollWidth > frame.clientWidth + 1 || frame.scrollHeight > frame.clientHeight + 1;
    frame.classList.toggle("cut", isCut);
    if (isCut && !frame.querySelector(".strip")) frame.append(...stripsOf(board));
  };
  const sizes = new ResizeObserver(mark);
  for (const each of [frame, board]) sizes.observe(each);
  addEventListener("change", () => { // of the view of the board, whose size can differ
    mark();
    showCell(frame, frame.querySelector(".chosen, .placed, .removed"));
  });
  return () => {
    for (const strip of frame.querySelectorAll(".strip")) strip.remove();
    mark();
  };
}

// Scroll a board in its frame until a cell is in view: a near one close to the edge of the frame, others in the middle.
export function showCell(frame, cell) {
  if (!cell) return;
  const [shown, at] = [frame, cell].map((each) => each.getBoundingClientRect());
  const corner = frame.querySelector(".corner")?.getBoundingClientRect();
  const way = (start, end, from, to) => {
    if (to < start || from > end) return (from + to - start - end) / 2;
    const space = (to - from) / 2;
    return from < start ? from - space - start : to > end ? to + space - end : 0;
  };
  frame.scrollBy(way(shown.left + (corner?.width ?? 0), shown.right, at.left, at.right), way(shown.top + (corner?.height ?? 0), shown.bottom, at.top, at.bottom));
}
