import { descendants, type XmlElement } from './xml.js';
import { valueOfChild, type NumberingReference, type WordStyles } from './word-styles.js';

interface Level {
  readonly start: number;
  readonly format: string;
  /** `%1.%2` for the numbers of the first two levels. */
  readonly text: string;
  readonly style: string | undefined;
}

/** A use of a list, which can begin levels of it anew. */
interface Use {
  readonly listId: string;
  readonly starts: ReadonlyMap<number, number>;
}

/** A paragraph's number as Word shows it. */
export interface Label {
  /** Empty for a bullet. */
  readonly text: string;
  /** A list's numbers that are made of several, such as 4.2, are those of clauses, which are known by them. */
  readonly kind: 'bullet' | 'number' | 'clause';
}

const NUMBERS = /%(\d)/g;

/**
 * Counts a Word document's numbered paragraphs. The numbers are not in the text: they follow from the lists that paragraphs
 * and their styles refer to. Source: ECMA-376, part 1, section 17.9.
 */
export class WordNumbering {
  readonly #styles: WordStyles;
  readonly #lists: ReadonlyMap<string, ReadonlyMap<number, Level>>;
  readonly #uses: ReadonlyMap<string, Use>;
  readonly #counts = new Map<string, number[]>();
  /** Which levels of which uses have begun. */
  readonly #begun = new Set<string>();

  constructor(styles: WordStyles, numbering: XmlElement) {
    this.#styles = styles;
    const lists = [...descendants(numbering, 'abstractNum')];
    const byStyle = new Map(lists.map((list) => [valueOfChild(list, 'styleLink') ?? '', list]));
    this.#lists = new Map(
      lists.map((list) => {
        const linked = byStyle.get(valueOfChild(list, 'numStyleLink') ?? ' ') ?? list;
        return [list.attributes['w:abstractNumId'] ?? '', levelsOf(linked)];
      }),
    );
    this.#uses = new Map(
      [...descendants(numbering, 'num')].map((num) => [num.attributes['w:numId'] ?? '', useOf(num)]),
    );
  }

  /** Counts the next paragraph of the document. @returns undefined when it has no number */
  next(styleId: string | undefined, own: NumberingReference): Label | undefined {
    const inherited = this.#styles.numberingOf(styleId);
    const numId = own.numId ?? inherited.find((reference) => reference.numId !== undefined)?.numId ?? '';
    const use = this.#uses.get(numId);
    const levels = this.#lists.get(use?.listId ?? '');
    if (use === undefined || levels === undefined) return undefined;
    const ofStyle = [...levels].find(([, level]) => level.style !== undefined && level.style === styleId)?.[0];
    const depth = own.level ?? ofStyle ?? inherited.find((reference) => reference.level !== undefined)?.level ?? 0;
    this.#begin(numId, use, depth);
    return this.#count(use.listId, levels, depth);
  }

  #begin(numId: string, { listId, starts }: Use, depth: number): void {
    const start = starts.get(depth);
    const level = `${numId} ${depth}`;
    if (start === undefined || this.#begun.has(level)) return;
    this.#begun.add(level);
    const counts = this.#counts.get(listId) ?? [];
    if (counts.length >= depth) this.#counts.set(listId, [...counts.slice(0, depth), start - 1]);
  }

  #count(listId: string, levels: ReadonlyMap<number, Level>, depth: number): Label | undefined {
    const level = levels.get(depth);
    if (level === undefined) return undefined;
    const before = this.#counts.get(listId) ?? [];
    const counts = Array.from(
      { length: depth + 1 },
      (_, index) => before[index] ?? (levels.get(index)?.start ?? 1) - (index === depth ? 1 : 0),
    );
    counts[depth] = (counts[depth] ?? 0) + 1;
    this.#counts.set(listId, counts);
    if (level.format === 'bullet') return { text: '', kind: 'bullet' };
    if (level.format === 'none') return undefined;
    const text = level.text.replace(NUMBERS, (_, place: string) => {
      const index = Number(place) - 1;
      return numeral(counts[index] ?? 1, levels.get(index)?.format ?? 'decimal');
    });
    const kind = [...levels.values()].some(isMadeOfSeveral) ? 'clause' : 'number';
    return text.trim() === '' ? undefined : { text: text.trim(), kind };
  }
}

function useOf(num: XmlElement): Use {
  const starts = [...descendants(num, 'lvlOverride')].flatMap((override) => {
    const start = valueOfChild(override, 'startOverride');
    return start === undefined ? [] : [[Number(override.attributes['w:ilvl'] ?? 0), Number(start)] as const];
  });
  return { listId: valueOfChild(num, 'abstractNumId') ?? '', starts: new Map(starts) };
}

function levelsOf(list: XmlElement): ReadonlyMap<number, Level> {
  return new Map(
    list.children
      .filter((element) => element.name === 'lvl')
      .map((level) => [
        Number(level.attributes['w:ilvl'] ?? 0),
        {
          start: Number(valueOfChild(level, 'start') ?? 1),
          format: valueOfChild(level, 'numFmt') ?? 'decimal',
          text: valueOfChild(level, 'lvlText') ?? '',
          style: valueOfChild(level, 'pStyle'),
        },
      ]),
  );
}

function isMadeOfSeveral(level: Level): boolean {
  return level.format !== 'bullet' && (level.text.match(NUMBERS)?.length ?? 0) > 1;
}

const ROMAN = [
  [1_000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
] as const;
/** Where letters are repeated more often, or Roman numerals grow longer, something is wrong with the document. */
const MAX_NUMERAL = 3_999;

function numeral(number: number, format: string): string {
  if (number < 1 || number > MAX_NUMERAL) return String(number);
  if (format === 'lowerRoman') return roman(number);
  if (format === 'upperRoman') return roman(number).toUpperCase();
  if (format === 'lowerLetter') return letters(number);
  if (format === 'upperLetter') return letters(number).toUpperCase();
  return String(number);
}

/** a to z, then aa to zz. */
function letters(number: number): string {
  return String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.floor((number - 1) / 26) + 1);
}

function roman(number: number): string {
  let rest = number;
  let text = '';
  for (const [worth, sign] of ROMAN) {
    text += sign.repeat(Math.floor(rest / worth));
    rest %= worth;
  }
  return text;
}
