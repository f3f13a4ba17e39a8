/** Matches a row such as `|---|:-:|`, which separates the header of a Markdown table from its body. */
const SEPARATOR_ROW = /^\|?[\s:|-]*-{3}[\s:|-]*\|?$/;

/** Returns a passage with its Markdown tables as plain text: middle dots separate the cells instead of pipes. */
export function buildExcerpt(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !SEPARATOR_ROW.test(line))
    .map((line) => (line.startsWith('|') ? joinTableCells(line) : line))
    .join('\n');
}

function joinTableCells(row: string): string {
  return row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' · ');
}
