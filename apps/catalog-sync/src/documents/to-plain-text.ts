import { Tokenizer } from 'htmlparser2';

const TAG = /<\/?[a-z]/i;
const OTHER_MARKUP = /<!--|&(?:[a-z][a-z0-9]+|#\d+|#x[0-9a-f]+);/i;

/** Elements whose content is not shown to readers. */
const HIDDEN_ELEMENTS: ReadonlySet<string> = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'svg',
  'iframe',
  'object',
  'head',
]);

/** Elements that start on a new line. */
const LINE_ELEMENTS: ReadonlySet<string> = new Set(
  'address article aside blockquote dd details div dl dt figcaption figure footer form header hr legend li main nav ol pre section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
);

/** Elements with an empty line before and after. */
const PARAGRAPH_ELEMENTS: ReadonlySet<string> = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'ul', 'ol']);

/** Matches text that needs conversion. Most values are words with single spaces and need none. */
const NEEDS_CONVERSION = /[<&]|[^\S ]| {2}|^ | $/;

/**
 * Converts a description to plain text. Paragraphs, lines and list items stay separate. Text without markup keeps its characters.
 */
export function toPlainText(description: string): string {
  if (!NEEDS_CONVERSION.test(description)) return description;
  const text = hasMarkup(description) ? removeMarkup(description) : description;
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const ignore = (): void => undefined;

/** Requires a closing `>`, so that `a<b` is not taken for a tag. */
function hasMarkup(text: string): boolean {
  return (text.includes('>') && TAG.test(text)) || OTHER_MARKUP.test(text);
}

/** Handles tags and text only, and does not match end tags with start tags, which takes quadratic time for nested tags. */
function removeMarkup(html: string): string {
  const text = new TextBuilder();
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => {
        text.open(html.slice(start, end).toLowerCase());
      },
      onselfclosingtag: () => {
        text.selfClose();
      },
      onclosetag: (start, end) => {
        text.close(html.slice(start, end).toLowerCase());
      },
      ontext: (start, end) => {
        text.write(html.slice(start, end));
      },
      ontextentity: (codePoint) => {
        text.write(String.fromCodePoint(codePoint));
      },
      ...{
        onopentagend: ignore,
        onattribname: ignore,
        onattribdata: ignore,
        onattribentity: ignore,
        onattribend: ignore,
      },
      ...{ oncdata: ignore, oncomment: ignore, ondeclaration: ignore, onprocessinginstruction: ignore, onend: ignore },
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return text.toString();
}

class TextBuilder {
  readonly #pieces: string[] = [];
  #breaks = 0;
  #hidden = 0;
  #opened = '';

  open(name: string): void {
    this.#opened = name;
    if (HIDDEN_ELEMENTS.has(name)) this.#hidden += 1;
    this.#breakLines(name);
    if (name === 'br') this.#breaks += 1;
    if (name === 'li') this.write('- ');
    if (name === 'td' || name === 'th') this.write(' ');
  }

  selfClose(): void {
    if (HIDDEN_ELEMENTS.has(this.#opened)) this.close(this.#opened);
  }

  close(name: string): void {
    if (HIDDEN_ELEMENTS.has(name)) this.#hidden = Math.max(0, this.#hidden - 1);
    this.#breakLines(name);
  }

  /** Collapses white space: a line break in HTML is a space. */
  write(text: string): void {
    const piece = text.replace(/\s+/g, ' ');
    if (this.#hidden > 0 || (this.#breaks > 0 && piece === ' ')) return;
    this.#pieces.push('\n'.repeat(this.#breaks), piece);
    this.#breaks = 0;
  }

  toString(): string {
    return this.#pieces.join('');
  }

  #breakLines(name: string): void {
    const required = PARAGRAPH_ELEMENTS.has(name) ? 2 : Number(LINE_ELEMENTS.has(name));
    this.#breaks = Math.max(this.#breaks, required);
  }
}
