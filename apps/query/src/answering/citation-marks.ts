/** A complete mark with the spaces before it: `[1]`, `[1, 2]`, `[2-4]`; not the beginning of a link. */
const MARK = /^([ \t]*)\[(\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,9})\](?!\()/;
/** What may become one with the next piece. The character behind the bracket decides, so it is waited for. */
const UNFINISHED = /^[ \t]*(?:\[[\d\s,;–-]{0,60}\]?)?$/;
/** A word in letters with which an index in brackets would be written: `arr[1]`. Scripts without spaces are not among them. */
const WORD_AT_END =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}_][\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]{0,63}$/u;
/** What follows a mark at the end of a statement, or another mark. One character decides, so that no more is waited for. */
const END_OF_STATEMENT = /^(?:$|[.,;:!?…)\]["'”’»*_\n\r])/u;
const SPACES = /^[ \t]+/;
const PLAIN = /^[^ \t[`]+/;
const MAX_WORD = 64;
const BACKTICKS = /^`+/;

/**
 * Reads the marks by which a model cites its sources in a text that arrives in pieces, and takes them out or keeps them. What
 * comes out does not depend on how the text was cut. Marks are left alone in code and where there is no source of that number,
 * and so are indexes in prose: a bracket that touches a word is an index (`arr[1]`) unless it ends a statement (`two years[1].`),
 * and always where that word had an index before.
 */
export class CitationMarks {
  readonly #cited = new Set<number>();
  readonly #sources: number;
  readonly #keep: boolean;
  /** What has arrived and is not decided. */
  #held = '';
  /** The backticks that the code began with; empty outside of code. */
  #code = '';
  #lineIsEmpty = true;
  /** After a mark at the beginning of a line: the text that follows begins the line. */
  #skipSpaces = false;
  /** The end of the released text; empty behind a mark. */
  #before = '';
  readonly #indexedWords = new Set<string>();

  /**
   * @param sources how many there are: the marks 1 to this are marks
   * @param options.keep leaves them in the text
   */
  constructor(sources: number, { keep = false }: { readonly keep?: boolean } = {}) {
    this.#sources = sources;
    this.#keep = keep;
  }

  /** The numbers found so far, counted from 1. */
  get cited(): ReadonlySet<number> {
    return this.#cited;
  }

  /** @returns the text that is certain by now; often a little less than was pushed */
  push(text: string): string {
    this.#held += text;
    return this.#release(false);
  }

  /** @returns what was held back. Nothing may be pushed after it. */
  end(): string {
    return this.#release(true);
  }

  #release(ended: boolean): string {
    let released = '';
    while (this.#held !== '') {
      const part = this.#next(ended);
      if (part === undefined) break;
      released += part;
      if (part !== '') this.#lineIsEmpty = part.endsWith('\n');
      this.#before = (this.#before + part).slice(-MAX_WORD);
    }
    return released;
  }

  /** Takes the first thing off what is held, a mark as nothing. Undefined: the next piece decides what it is. */
  #next(ended: boolean): string | undefined {
    const ticks = BACKTICKS.exec(this.#held)?.[0];
    if (ticks !== undefined) return ticks === this.#held && !ended ? undefined : this.#takeTicks(ticks);
    if (this.#code !== '') return this.#takeCode();
    const spaces = this.#skipSpaces ? SPACES.exec(this.#held)?.[0] : undefined;
    if (spaces !== undefined) return this.#drop(spaces);
    this.#skipSpaces = false;
    if (!ended && UNFINISHED.test(this.#held)) return undefined;
    const mark = MARK.exec(this.#held);
    if (mark !== null && !this.#isIndex(mark) && this.#cite(mark[2] ?? '')) {
      this.#before = '';
      if (this.#keep) return this.#take(mark[0]);
      this.#skipSpaces = this.#lineIsEmpty;
      return this.#drop(mark[0]);
    }
    return this.#take((PLAIN.exec(this.#held) ?? SPACES.exec(this.#held))?.[0] ?? this.#held.slice(0, 1));
  }

  #take(text: string): string {
    this.#held = this.#held.slice(text.length);
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

  /** Code in a line ends with the line, so that one stray backtick does not make code of all the rest. */
  #takeCode(): string {
    const code = /^[^`\n]*\n?/.exec(this.#held)?.[0] ?? '';
    if (code.endsWith('\n') && !isFence(this.#code)) this.#code = '';
    return this.#take(code);
  }

  #isIndex([mark, spaces]: RegExpExecArray): boolean {
    const [word] = spaces === '' ? (WORD_AT_END.exec(this.#before) ?? []) : [];
    if (word === undefined) return false;
    if (!this.#indexedWords.has(word) && END_OF_STATEMENT.test(this.#held.slice(mark.length))) return false;
    this.#indexedWords.add(word);
    return true;
  }

  /** @returns false where a number has no source: then it is no mark */
  #cite(numbers: string): boolean {
    const found = numbers.split(/[,;]/).flatMap(range);
    if (found.some((number) => number < 1 || number > this.#sources)) return false;
    for (const number of found) this.#cited.add(number);
    return true;
  }
}

function isFence(ticks: string): boolean {
  return ticks.length >= 3;
}

/** `2-4` is 2, 3, 4. */
function range(text: string): number[] {
  const [first = NaN, last = first] = text.split(/[–-]/).map(Number);
  return Array.from({ length: Math.max(1, last - first + 1) }, (_, at) => first + at);
}
