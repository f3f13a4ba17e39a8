import { Tokenizer } from 'htmlparser2';

const TAG = /<\/?[a-z]/i;
const OTHER_MARKUP = /<!--|&(?:[a-z][a-z0-9]+|#\d+|#x[0-9a-f]+);/i;

/** Names of HTML elements whose content browsers do not display as text. */
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

/** Names of HTML elements that start on a new line. */
const LINE_ELEMENTS: ReadonlySet<string> = new Set(
  'address article aside blockquote dd details div dl dt figcaption figure footer form header hr legend li main nav ol pre section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
);

/** Names of HTML elements that have an empty line before and after their text. */
const PARAGRAPH_ELEMENTS: ReadonlySet<string> = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'ul', 'ol']);

/** Matches text that may contain markup or extra white space. Most texts do not match, and are returned unchanged. */
const NEEDS_CONVERSION = /[<&]|[^\S ]| {2}|^ | $/;

/**
 * Converts the description of an item, which may contain HTML, to plain text. Paragraphs, lines and list items stay
 * separate. Text without markup keeps its characters.
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

const doNothing = (): void => undefined;

/** Returns whether a text contains tags, comments or entities. `a<b` without a `>` is not a tag. */
function hasMarkup(text: string): boolean {
  return (text.includes('>') && TAG.test(text)) || OTHER_MARKUP.test(text);
}

/**
 * Removes tags and comments and decodes entities. Does not pair end tags with start tags, because that would take
 * quadratic time.
 */
function removeMarkup(html: string): string {
  const text = new TextBuilder();
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => {
        text.openElement(html.slice(start, end).toLowerCase());
      },
      onselfclosingtag: () => {
        text.selfClose();
      },
      onclosetag: (start, end) => {
        text.closeElement(html.slice(start, end).toLowerCase());
      },
      ontext: (start, end) => {
        text.appendText(html.slice(start, end));
      },
      ontextentity: (codePoint) => {
        text.appendText(String.fromCodePoint(codePoint));
      },
      ...{
        onopentagend: doNothing,
        onattribname: doNothing,
        onattribdata: doNothing,
        onattribentity: doNothing,
        onattribend: doNothing,
      },
      ...{
        oncdata: doNothing,
        oncomment: doNothing,
        ondeclaration: doNothing,
        onprocessinginstruction: doNothing,
        onend: doNothing,
      },
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

  openElement(name: string): void {
    this.#opened = name;
    if (HIDDEN_ELEMENTS.has(name)) this.#hidden += 1;
    this.#breakLines(name);
    if (name === 'br') this.#breaks += 1;
    if (name === 'li') this.appendText('- ');
    if (name === 'td' || name === 'th') this.appendText(' ');
  }

  selfClose(): void {
    if (HIDDEN_ELEMENTS.has(this.#opened)) this.closeElement(this.#opened);
  }

  closeElement(name: string): void {
    if (HIDDEN_ELEMENTS.has(name)) this.#hidden = Math.max(0, this.#hidden - 1);
    this.#breakLines(name);
  }

  /** Appends text with collapsed white space: a line break in HTML is a space. */
  appendText(text: string): void {
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
