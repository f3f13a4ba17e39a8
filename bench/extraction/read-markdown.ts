/** What is left of a page, whoever took it. */
export interface Extracted {
  readonly text: string;
  /** Of tables. */
  readonly cells: readonly string[];
  /** Blocks of code. */
  readonly code: readonly string[];
}

const FENCED = /^(`{3,})[^\n`]*\n([\s\S]*?)\n\1$/gm;
const ROW = /^\|.*\|$/gm;
const RULE = /^[\s|:-]+$/;

/** Reads what Quarry writes of a page: the words without the marks of Markdown, pictures and the addresses of links. */
export function readMarkdown(markdown: string): Extracted {
  const code = [...markdown.matchAll(FENCED)].map(([, , block = '']) => block);
  const rows = [...markdown.replace(FENCED, '').matchAll(ROW)].map(([row]) => row).filter((row) => !RULE.test(row));
  const cells = rows.flatMap((row) => row.slice(1, -1).split(/(?<!\\)\|/)).map(plain);
  const text = markdown
    .split(/^(`{3,}[^\n`]*\n[\s\S]*?\n`{3,})$/gm)
    .map((part, at) => (at % 2 === 1 ? inner(part) : plain(part)));
  return { text: text.join('\n'), cells: cells.filter((cell) => cell !== ''), code };
}

function inner(block: string): string {
  return block.split('\n').slice(1, -1).join('\n');
}

function plain(markdown: string): string {
  return markdown
    .replace(/!\[[^\]]*\](\([^)]*\))?/g, '')
    .replace(/\]\([^)]*\)/g, '')
    .replace(/\\([\\`*_{}[\]()#+.!|>~-])/g, '$1')
    .replace(/[*~`[]/g, '')
    .trim();
}
