// Format numbers and times like the server's templates.

export function number(value) {
  const decimals = value >= 10 || Number.isInteger(value) ? 0 : 1;
  return value.toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

export function speed(aSecond) {
  return aSecond >= 1 ? `${number(aSecond)} puzzles/s` : `${(aSecond * 60).toFixed(0)} puzzles/min`;
}

export function duration(seconds) {
  if (seconds < 0.1) return "under 0.1 s";
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  let left = Math.round(seconds);
  const parts = [];
  for (const [unit, length] of [["d", 86_400], ["h", 3_600], ["min", 60], ["s", 1]]) {
    if (left >= length) {
      parts.push(`${Math.floor(left / length)} ${unit}`);
      left %= length;
    } else if (parts.length) {
      break;
    }
  }
  return parts.slice(0, 2).join(" ");
}
