/** Matches a complete mark with the spaces before it: `[1]`, `[1, 2]`, `[2-4]`. A link text does not match. */
const MARK = /^([ \t]*)\[(\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,9})\](?!\()/;
/** Matches text that the next piece may complete to a mark. The character after the bracket decides, so it is required. */
const UNFINISHED = /^[ \t]*(?:\[[\d\s,;–-]{0,60}\]?)?$/;
/**
 * Matches the word before a bracket, which makes the bracket an index: `arr[1]`. Scripts without spaces between words are
 * excluded.
 */
const WORD_AT_END =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}_][\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]{0,63}$/u;
/** Matches the character after a mark that ends a statement, including the start of another mark. One character is enough. */
const END_OF_STATEMENT = /^(?:$|[.,;:!?…)\]["'”’»*_\n\r])/u;
const SPACES = /^[ \t]+/;
const PLAIN = /^[^ \t[`]+/;
const MAX_WORD = 64;
const BACKTICKS = /^`+/;

/**
 * Finds the marks with which a model cites its sources in streamed text, and removes or keeps them. The result does not depend on
 * how the text was divided into pieces.
 *
 * Marks in code and marks without a source of that number stay unchanged, and so do indexes. A bracket directly after a word is
 * an index (`arr[1]`) unless it ends a statement (`two years[1].`). After its first index, a word's brackets are always indexes.
 */
export class CitationMarks {
  readonly #cited = new Set<number>();
  readonly #sources: number;
  readonly #keep: boolean;
  /** Received text that is not decided yet. */
  #buffer = '';
  /** Backticks that opened the current code span or block; empty outside of code. */
  #code = '';
  #lineIsEmpty = true;
  /** Skips the spaces after a mark that was removed at the start of a line. */
  #skipSpaces = false;
  /** End of the released text; empty after a mark. */
  #before = '';
  readonly #indexedWords = new Set<string>();

  /** @param sources number of sources: marks from 1 to this number are valid @param options.keep keeps the marks in the text */
  constructor(sources: number, { keep = false }: { readonly keep?: boolean } = {}) {
    this.#sources = sources;
    this.#keep = keep;
  }

  /** Returns the cited numbers found so far, counted from 1. */
  get cited(): ReadonlySet<number> {
    return this.#cited;
  }

  /** Returns the text that is decided by now, which is often a little less than was pushed. */
  push(text: string): string {
    this.#buffer += text;
    return this.#release(false);
  }

  /** Returns the buffered rest. `push` must not be called afterwards. */
  end(): string {
    return this.#release(true);
  }

  #release(ended: boolean): string {
    let released = '';
    while (this.#buffer !== '') {
      const part = this.#takeNext(ended);
      if (part === undefined) break;
      released += part;
      if (part !== '') this.#lineIsEmpty = part.endsWith('\n');
      this.#before = (this.#before + part).slice(-MAX_WORD);
    }
    return released;
  }

  /**
   * Consumes the first element of the buffer and returns its text, which is empty for a removed mark. Returns undefined if the
   * next piece decides.
   */
  #takeNext(ended: boolean): string | undefined {
    const ticks = BACKTICKS.exec(this.#buffer)?.[0];
    if (ticks !== undefined) return ticks === this.#buffer && !ended ? undefined : this.#takeTicks(ticks);
    if (this.#code !== '') return this.#takeCode();
    const spaces = this.#skipSpaces ? SPACES.exec(this.#buffer)?.[0] : undefined;
    if (spaces !== undefined) return this.#drop(spaces);
    this.#skipSpaces = false;
    if (!ended && UNFINISHED.test(this.#buffer)) return undefined;
    const mark = MARK.exec(this.#buffer);
    if (mark !== null && !this.#isIndex(mark) && this.#cite(mark[2] ?? '')) {
      this.#before = '';
      if (this.#keep) return this.#take(mark[0]);
      this.#skipSpaces = this.#lineIsEmpty;
      return this.#drop(mark[0]);
    }
    return this.#take((PLAIN.exec(this.#buffer) ?? SPACES.exec(this.#buffer))?.[0] ?? this.#buffer.slice(0, 1));
  }

  #take(text: string): string {
    this.#buffer = this.#buffer.slice(text.length);
    return text;
  }

  #drop(text: string): string {
    this.#take(text);
    return '';
  }

  #takeTicks(ticks: string): string {
    if (this.#code === '') this.#code = ticks;
    else if (this.#code === ticks || (isFence(this.#code) && ticks.length > this.#code.length)) this.#code = '';
    return this.#take(ticks);
  }

  /** Consumes code. Inline code ends with its line, so that one stray backtick does not turn the rest into code. */
  #takeCode(): string {
    const code = /^[^`\n]*\n?/.exec(this.#buffer)?.[0] ?? '';
    if (code.endsWith('\n') && !isFence(this.#code)) this.#code = '';
    return this.#take(code);
  }

  #isIndex([mark, spaces]: RegExpExecArray): boolean {
    const [word] = spaces === '' ? (WORD_AT_END.exec(this.#before) ?? []) : [];
    if (word === undefined) return false;
    if (!this.#indexedWords.has(word) && END_OF_STATEMENT.test(this.#buffer.slice(mark.length))) return false;
    this.#indexedWords.add(word);
    return true;
  }

  /** Records the cited sources. Returns false if a number has no source: then the text is not a mark. */
  #cite(numbers: string): boolean {
    const found = numbers.split(/[,;]/).flatMap(expandRange);
    if (found.some((number) => number < 1 || number > this.#sources)) return false;
    for (const number of found) this.#cited.add(number);
    return true;
  }
}

function isFence(ticks: string): boolean {
  return ticks.length >= 3;
}

/** Expands `2-4` to 2, 3, 4. */
function expandRange(text: string): number[] {
  const [first = NaN, last = first] = text.split(/[–-]/).map(Number);
  return Array.from({ length: Math.max(1, last - first + 1) }, (_, at) => first + at);
}
