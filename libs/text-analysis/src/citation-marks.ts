/**
 * Matches a complete citation mark with the spaces before it: `[1]`, `[1, 2]`, `[2-4]`. Brackets that are the text of a
 * Markdown link, such as `[1](url)`, do not match.
 */
const MARK = /^([ \t]*)\[(\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,9})\](?!\()/;
/**
 * Matches buffered text that the next piece may complete to a mark. A closed bracket at the end matches, because the
 * character after it decides.
 */
const UNFINISHED = /^[ \t]*(?:\[[\d\s,;–-]{0,60}\]?)?$/;
/**
 * Matches a word directly before a bracket, which makes the bracket an index: `arr[1]`. Words of scripts without spaces
 * between words do not match, because a mark directly follows them.
 */
const WORD_AT_END =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}_][\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]{0,63}$/u;
/**
 * Matches the text after a mark if the mark ends a statement: the end of the text, punctuation, a line break or a
 * further mark.
 */
const END_OF_STATEMENT = /^(?:$|[.,;:!?…)\]["'”’»*_\n\r])/u;
const SPACES = /^[ \t]+/;
const PLAIN = /^[^ \t[`]+/;
const MAX_WORD = 64;
const BACKTICKS = /^`+/;

/** A citation mark in a text. `start` and `end` are positions in UTF-16 code units, without the spaces before the mark. */
export interface CitationMark {
  readonly start: number;
  readonly end: number;
  /** The numbers of the cited sources, counted from 1. Each number is contained once. */
  readonly numbers: readonly number[];
}

/**
 * Lists the citation marks of a complete text, in the order of the text.
 *
 * @param sources number of sources: marks from 1 to this number are valid
 */
export function listCitationMarks(text: string, sources: number): readonly CitationMark[] {
  const marks = new CitationMarks(sources, { keep: true });
  marks.pushText(text);
  marks.endText();
  return marks.found;
}

/**
 * Finds the marks with which a model cites its sources in streamed text, and removes or keeps them. The result does not
 * depend on how the text was divided into pieces.
 *
 * Marks in code, indexes such as `arr[1]`, and marks with a number that no source has stay in the text. A bracket
 * directly after a word is an index (`arr[1]`) unless it ends a statement (`two years[1].`). After the first index of a
 * word, all brackets after the same word are indexes.
 */
export class CitationMarks {
  readonly #found: CitationMark[] = [];
  readonly #sources: number;
  readonly #keep: boolean;
  /** Received text that is not processed yet, because it may be the start of a mark. */
  #buffer = '';
  /** Number of characters before the buffer in the received text. */
  #position = 0;
  /** Backticks that opened the current code span or block; empty outside of code. */
  #code = '';
  #lineIsEmpty = true;
  /** True after a mark was removed at the start of a line. The spaces after the mark are then removed too. */
  #skipSpaces = false;
  /** The last characters of the text that was processed since the last mark. */
  #before = '';
  readonly #indexedWords = new Set<string>();

  /**
   * @param sources number of sources: marks from 1 to this number are valid
   * @param options.keep keeps the marks in the text
   */
  constructor(sources: number, { keep = false }: { readonly keep?: boolean } = {}) {
    this.#sources = sources;
    this.#keep = keep;
  }

  /** Returns the marks found so far. Their positions refer to the received text. */
  get found(): readonly CitationMark[] {
    return this.#found;
  }

  /** Returns the numbers of the sources cited so far, counted from 1. */
  get citedNumbers(): ReadonlySet<number> {
    return new Set(this.#found.flatMap(({ numbers }) => numbers));
  }

  /** Adds a piece of text. @returns the processed text up to the start of a possible mark, which stays buffered */
  pushText(text: string): string {
    this.#buffer += text;
    return this.#processBuffer(false);
  }

  /** Ends the text. @returns the text that was still buffered. `pushText` must not be called afterwards */
  endText(): string {
    return this.#processBuffer(true);
  }

  #processBuffer(ended: boolean): string {
    let released = '';
    while (this.#buffer !== '') {
      const part = this.#consumeNext(ended);
      if (part === undefined) break;
      released += part;
      if (part !== '') this.#lineIsEmpty = part.endsWith('\n');
      this.#before = (this.#before + part).slice(-MAX_WORD);
    }
    return released;
  }

  /**
   * Consumes a mark, code or plain text at the start of the buffer.
   *
   * @returns the text to output, empty for a removed mark; undefined if the next piece of text is needed to decide
   */
  #consumeNext(ended: boolean): string | undefined {
    const ticks = BACKTICKS.exec(this.#buffer)?.[0];
    if (ticks !== undefined) return ticks === this.#buffer && !ended ? undefined : this.#consumeBackticks(ticks);
    if (this.#code !== '') return this.#consumeCode();
    const spaces = this.#skipSpaces ? SPACES.exec(this.#buffer)?.[0] : undefined;
    if (spaces !== undefined) return this.#removeText(spaces);
    this.#skipSpaces = false;
    if (!ended && UNFINISHED.test(this.#buffer)) return undefined;
    const mark = MARK.exec(this.#buffer);
    if (mark !== null && !this.#isIndex(mark) && this.#recordMark(mark)) {
      this.#before = '';
      if (this.#keep) return this.#consumeText(mark[0]);
      this.#skipSpaces = this.#lineIsEmpty;
      return this.#removeText(mark[0]);
    }
    return this.#consumeText((PLAIN.exec(this.#buffer) ?? SPACES.exec(this.#buffer))?.[0] ?? this.#buffer.slice(0, 1));
  }

  #consumeText(text: string): string {
    this.#buffer = this.#buffer.slice(text.length);
    this.#position += text.length;
    return text;
  }

  #removeText(text: string): string {
    this.#consumeText(text);
    return '';
  }

  #consumeBackticks(ticks: string): string {
    if (this.#code === '') this.#code = ticks;
    else if (this.#code === ticks || (isCodeFence(this.#code) && ticks.length > this.#code.length)) this.#code = '';
    return this.#consumeText(ticks);
  }

  /**
   * Consumes code up to the next backtick or line break. Inline code ends with its line, so that a single backtick does
   * not turn the following lines into code.
   */
  #consumeCode(): string {
    const code = /^[^`\n]*\n?/.exec(this.#buffer)?.[0] ?? '';
    if (code.endsWith('\n') && !isCodeFence(this.#code)) this.#code = '';
    return this.#consumeText(code);
  }

  #isIndex([mark, spaces]: RegExpExecArray): boolean {
    const [word] = spaces === '' ? (WORD_AT_END.exec(this.#before) ?? []) : [];
    if (word === undefined) return false;
    if (!this.#indexedWords.has(word) && END_OF_STATEMENT.test(this.#buffer.slice(mark.length))) return false;
    this.#indexedWords.add(word);
    return true;
  }

  /**
   * Records the mark at the start of the buffer. Returns false, and records nothing, if no source has one of the
   * numbers: the text is then no mark.
   */
  #recordMark([mark, spaces = '', list = '']: RegExpExecArray): boolean {
    const numbers = [...new Set(list.split(/[,;]/).flatMap(expandRange))];
    if (numbers.some((number) => number < 1 || number > this.#sources)) return false;
    this.#found.push({ start: this.#position + spaces.length, end: this.#position + mark.length, numbers });
    return true;
  }
}

function isCodeFence(ticks: string): boolean {
  return ticks.length >= 3;
}

/** Expands a range such as `2-4` to the numbers 2, 3, 4. */
function expandRange(text: string): number[] {
  const [first = NaN, last = first] = text.split(/[–-]/).map(Number);
  return Array.from({ length: Math.max(1, last - first + 1) }, (_, at) => first + at);
}
