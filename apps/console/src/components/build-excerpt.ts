/** Matches a row such as `|---|:-:|`, which separates the header of a Markdown table from its body. */
const SEPARATOR_ROW = /^(?=.*-{3})[\s:|-]+$/;
/** Matches the line before and after a block of code. */
const CODE_FENCE = /^(?:`{3,}|~{3,})[\w-]*$/;
/** Matches the signs before the text of a heading or a quotation. */
const LINE_SIGNS = /^(?:#{1,6}|>(?! *\d)) +/;
/** Patterns of marked words, each with the group of the words without their signs. */
const MARKS: readonly (readonly [RegExp, string])[] = [
  [/!?\[([^[\]]+)\]\([^()\s]+\)/g, '$1'],
  [/(?<![\w/*])\*\*(?=[^\s*/])([^*]+(?:\*[^*]+)*)(?<=\S)\*\*(?![\w*])/g, '$1'],
  [/`([^`]+)`/g, '$1'],
];

/**
 * Returns a passage without the signs of Markdown for headings, links, code and strong words. Middle dots separate the
 * cells of tables instead of pipes.
 */
export function buildExcerpt(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !SEPARATOR_ROW.test(line) && !CODE_FENCE.test(line))
    .map((line) => removeMarks(line.startsWith('|') ? joinTableCells(line) : line.replace(LINE_SIGNS, '')))
    .join('\n');
}

function removeMarks(line: string): string {
  return MARKS.reduce((text, [pattern, words]) => text.replace(pattern, words), line);
}

function joinTableCells(row: string): string {
  return row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' · ');
}
