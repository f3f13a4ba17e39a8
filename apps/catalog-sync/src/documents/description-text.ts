import { Parser } from 'htmlparser2';

const MARKUP = /<\/?[a-z][^>]*>|<!--|&(?:[a-z][a-z0-9]+|#\d+|#x[0-9a-f]+);/i;

/** Elements whose content nobody reads. */
const HIDDEN: ReadonlySet<string> = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'svg',
  'iframe',
  'object',
  'head',
]);

/** Elements that begin on a new line. */
const LINES: ReadonlySet<string> = new Set(
  'address article aside blockquote dd details div dl dt figcaption figure footer form header hr legend li main nav ol pre section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
);

/** Elements with an empty line around them. */
const PARAGRAPHS: ReadonlySet<string> = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'ul', 'ol']);

/** A description without its markup: paragraphs, lines and list items stay apart. Text that holds no markup stays as it is. */
export function descriptionText(description: string): string {
  const text = MARKUP.test(description) ? withoutMarkup(description) : description;
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function withoutMarkup(html: string): string {
  let text = '';
  let breaks = 0;
  let hidden = 0;
  const write = (piece: string): void => {
    if (piece.trim() === '' && breaks > 0) return;
    text += '\n'.repeat(breaks) + piece;
    breaks = 0;
  };
  const border = (name: string): void => {
    const wanted = PARAGRAPHS.has(name) ? 2 : Number(LINES.has(name));
    breaks = Math.max(breaks, wanted);
  };
  const parser = new Parser({
    onopentagname: (name) => {
      if (HIDDEN.has(name)) hidden += 1;
      border(name);
      if (name === 'br') breaks += 1;
      if (name === 'li') write('- ');
      if (name === 'td' || name === 'th') write(' ');
    },
    onclosetag: (name) => {
      if (HIDDEN.has(name)) hidden = Math.max(0, hidden - 1);
      border(name);
    },
    ontext: (piece) => {
      // A line break in HTML is a space.
      if (hidden === 0) write(piece.replace(/\s+/g, ' '));
    },
  });
  parser.end(html);
  return text;
}
