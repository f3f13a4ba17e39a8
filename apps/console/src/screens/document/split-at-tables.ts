import { removeTableRules } from './remove-table-rules.js';

/** A part of a text: lines outside tables, or the cells of a table. */
export type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

const TABLE = /^[ \t]*\|.*\|[ \t]*\n[ \t]*\|(?:[ \t]*:?-{3,}:?[ \t]*\|)+[ \t]*(?:\n[ \t]*\|.*\|[ \t]*)*(?:\n|$)/gm;

/** Splits a text into its Markdown tables and the lines around them. */
export function splitAtTables(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  const addText = (until: number): void => {
    const lines = removeTableRules(text.slice(end, until)).replace(/^\n+|(?<!\n)\n+$/g, '');
    if (lines !== '') parts.push({ kind: 'text', text: lines });
  };
  for (const { 0: found, index } of text.matchAll(TABLE)) {
    addText(index);
    end = index + found.length;
    const [head = [], ...rows] = removeTableRules(found).trim().split('\n').map(splitTableCells);
    parts.push({ kind: 'table', head, rows });
  }
  addText(text.length);
  return parts;
}

function splitTableCells(line: string): readonly string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}
