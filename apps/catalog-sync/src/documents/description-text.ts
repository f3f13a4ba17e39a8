import { Tokenizer } from 'htmlparser2';

const TAG = /<\/?[a-z]/i;
const OTHER_MARKUP = /<!--|&(?:[a-z][a-z0-9]+|#\d+|#x[0-9a-f]+);/i;

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

/** What is not left as it is. Most of what an item says is words with a space between. */
const UNFIT = /[<&]|[^\S ]| {2}|^ | $/;

/** A description without its markup: paragraphs, lines and list items stay apart. Text that holds no markup stays as it is. */
export function descriptionText(description: string): string {
  if (!UNFIT.test(description)) return description;
  const text = holdsMarkup(description) ? withoutMarkup(description) : description;
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const ignore = (): void => undefined;

/** `a<b` is no tag. */
function holdsMarkup(text: string): boolean {
  return (text.includes('>') && TAG.test(text)) || OTHER_MARKUP.test(text);
}

/** Only tags and text matter, not which tag ends which: following that takes the square of the time where tags are nested. */
function withoutMarkup(html: string): string {
  const text = new TextOfMarkup();
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

class TextOfMarkup {
  readonly #pieces: string[] = [];
  #breaks = 0;
  #hidden = 0;
  #opened = '';

  open(name: string): void {
    this.#opened = name;
    if (HIDDEN.has(name)) this.#hidden += 1;
    this.#border(name);
    if (name === 'br') this.#breaks += 1;
    if (name === 'li') this.write('- ');
    if (name === 'td' || name === 'th') this.write(' ');
  }

  selfClose(): void {
    if (HIDDEN.has(this.#opened)) this.close(this.#opened);
  }

  close(name: string): void {
    if (HIDDEN.has(name)) this.#hidden = Math.max(0, this.#hidden - 1);
    this.#border(name);
  }

  /** A line break in HTML is a space. */
  write(text: string): void {
    const piece = text.replace(/\s+/g, ' ');
    if (this.#hidden > 0 || (this.#breaks > 0 && piece === ' ')) return;
    this.#pieces.push('\n'.repeat(this.#breaks), piece);
    this.#breaks = 0;
  }

  toString(): string {
    return this.#pieces.join('');
  }

  #border(name: string): void {
    const wanted = PARAGRAPHS.has(name) ? 2 : Number(LINES.has(name));
    this.#breaks = Math.max(this.#breaks, wanted);
  }
}
