/** @param {readonly number[]} values */
export const median = (values) => quantile(values, 0.5);

/**
 * The value below which a share of the values lies, between two neighbours where need be; NaN without values.
 * @param {readonly number[]} values
 * @param {number} share
 */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/**
 * A row of a table for the console.
 * @param {string} title
 * @param {readonly string[]} cells
 */
export function row(title, cells) {
  return title.padEnd(30) + cells.map((cell) => cell.padStart(16)).join('');
}
