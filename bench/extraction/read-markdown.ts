/** The content that an extractor returns for a page. */
export interface ExtractedContent {
  readonly text: string;
  /** The texts of the table cells. */
  readonly cells: readonly string[];
  /** The texts of the code blocks. */
  readonly code: readonly string[];
}

const FENCED = /^(`{3,})[^\n`]*\n([\s\S]*?)\n\1$/gm;
const ROW = /^\|.*\|$/gm;
const RULE = /^[\s|:-]+$/;

/**
 * Parses the Markdown to which Quarry's reader converts a page. Returns the texts of table cells and code blocks, and
 * the whole text without inline Markdown syntax, images and link targets.
 */
export function readMarkdown(markdown: string): ExtractedContent {
  const code = [...markdown.matchAll(FENCED)].map(([, , block = '']) => block);
  const rows = [...markdown.replace(FENCED, '').matchAll(ROW)].map(([row]) => row).filter((row) => !RULE.test(row));
  const cells = rows.flatMap((row) => row.slice(1, -1).split(/(?<!\\)\|/)).map(removeInlineSyntax);
  const text = markdown
    .split(/^(`{3,}[^\n`]*\n[\s\S]*?\n`{3,})$/gm)
    .map((part, at) => (at % 2 === 1 ? extractBlockContent(part) : removeInlineSyntax(part)));
  return { text: text.join('\n'), cells: cells.filter((cell) => cell !== ''), code };
}

function extractBlockContent(block: string): string {
  return block.split('\n').slice(1, -1).join('\n');
}

function removeInlineSyntax(markdown: string): string {
  return markdown
    .replace(/!\[[^\]]*\](\([^)]*\))?/g, '')
    .replace(/\]\([^)]*\)/g, '')
    .replace(/\\([\\`*_{}[\]()#+.!|>~-])/g, '$1')
    .replace(/[*~`[]/g, '')
    .trim();
}
