import { findDescendants, type XmlElement } from './xml.js';
import { getValAttributeOfChild, type NumberingReference, type WordStyles } from './word-styles.js';

interface Level {
  readonly start: number;
  readonly format: string;
  /** Format of the numbers of the level. For example, `%1.%2` stands for the numbers of the first two levels. */
  readonly text: string;
  readonly style: string | undefined;
}

/**
 * Describes an instance (`w:num`) of a list definition. `starts` contains the first number of each level that the
 * instance restarts.
 */
interface ListInstance {
  readonly listId: string;
  readonly starts: ReadonlyMap<number, number>;
}

/** Describes the number or bullet of a paragraph as Word displays it. */
export interface Label {
  /** Text of the number, such as `4.2`; empty for a bullet. */
  readonly text: string;
  /**
   * Kind of the label. `bullet`: no number. `clause`: the list has numbers of several levels, such as 4.2, to which
   * texts refer. `number`: the list has only numbers of one level.
   */
  readonly kind: 'bullet' | 'number' | 'clause';
}

const NUMBERS = /%(\d)/g;

/**
 * Determines the numbers of the paragraphs of a Word document. The text does not contain the numbers: they result from
 * the lists that paragraphs and their styles reference. Source: ECMA-376, part 1, section 17.9.
 */
export class WordNumbering {
  readonly #styles: WordStyles;
  readonly #lists: ReadonlyMap<string, ReadonlyMap<number, Level>>;
  readonly #instances: ReadonlyMap<string, ListInstance>;
  readonly #counts = new Map<string, number[]>();
  /** Levels that list instances have already restarted, as `<instance id> <level>`. */
  readonly #started = new Set<string>();

  constructor(styles: WordStyles, numbering: XmlElement) {
    this.#styles = styles;
    const lists = [...findDescendants(numbering, 'abstractNum')];
    const byStyle = new Map(lists.map((list) => [getValAttributeOfChild(list, 'styleLink') ?? '', list]));
    this.#lists = new Map(
      lists.map((list) => {
        const linked = byStyle.get(getValAttributeOfChild(list, 'numStyleLink') ?? ' ') ?? list;
        return [list.attributes['w:abstractNumId'] ?? '', readLevels(linked)];
      }),
    );
    this.#instances = new Map(
      [...findDescendants(numbering, 'num')].map((num) => [num.attributes['w:numId'] ?? '', readListInstance(num)]),
    );
  }

  /**
   * Returns the number of the next paragraph. Advances the numbering, so call it once per paragraph, in document order.
   * Returns undefined if the paragraph has neither a number nor a bullet.
   */
  numberParagraph(styleId: string | undefined, own: NumberingReference): Label | undefined {
    const inherited = this.#styles.getNumbering(styleId);
    const numId = own.numId ?? inherited.find((reference) => reference.numId !== undefined)?.numId ?? '';
    const instance = this.#instances.get(numId);
    const levels = this.#lists.get(instance?.listId ?? '');
    if (instance === undefined || levels === undefined) return undefined;
    const ofStyle = [...levels].find(([, level]) => level.style !== undefined && level.style === styleId)?.[0];
    const depth = own.level ?? ofStyle ?? inherited.find((reference) => reference.level !== undefined)?.level ?? 0;
    this.#applyStartOverride(numId, instance, depth);
    return this.#numberListItem(instance.listId, levels, depth);
  }

  #applyStartOverride(numId: string, { listId, starts }: ListInstance, depth: number): void {
    const start = starts.get(depth);
    const level = `${numId} ${depth}`;
    if (start === undefined || this.#started.has(level)) return;
    this.#started.add(level);
    const counts = this.#counts.get(listId) ?? [];
    if (counts.length >= depth) this.#counts.set(listId, [...counts.slice(0, depth), start - 1]);
  }

  #numberListItem(listId: string, levels: ReadonlyMap<number, Level>, depth: number): Label | undefined {
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
    const text = level.text.replace(NUMBERS, (_, levelNumber: string) => {
      const index = Number(levelNumber) - 1;
      return formatNumeral(counts[index] ?? 1, levels.get(index)?.format ?? 'decimal');
    });
    const kind = [...levels.values()].some(hasNumbersOfSeveralLevels) ? 'clause' : 'number';
    return text.trim() === '' ? undefined : { text: text.trim(), kind };
  }
}

function readListInstance(num: XmlElement): ListInstance {
  const starts = [...findDescendants(num, 'lvlOverride')].flatMap((override) => {
    const start = getValAttributeOfChild(override, 'startOverride');
    return start === undefined ? [] : [[Number(override.attributes['w:ilvl'] ?? 0), Number(start)] as const];
  });
  return { listId: getValAttributeOfChild(num, 'abstractNumId') ?? '', starts: new Map(starts) };
}

function readLevels(list: XmlElement): ReadonlyMap<number, Level> {
  return new Map(
    list.children
      .filter((element) => element.name === 'lvl')
      .map((level) => [
        Number(level.attributes['w:ilvl'] ?? 0),
        {
          start: Number(getValAttributeOfChild(level, 'start') ?? 1),
          format: getValAttributeOfChild(level, 'numFmt') ?? 'decimal',
          text: getValAttributeOfChild(level, 'lvlText') ?? '',
          style: getValAttributeOfChild(level, 'pStyle'),
        },
      ]),
  );
}

function hasNumbersOfSeveralLevels(level: Level): boolean {
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
/**
 * Maximum number that is written as a Roman numeral or in letters. Larger numbers, which indicate a damaged file, are
 * written in digits.
 */
const MAX_NUMERAL = 3_999;

function formatNumeral(number: number, format: string): string {
  if (number < 1 || number > MAX_NUMERAL) return String(number);
  if (format === 'lowerRoman') return formatAsRoman(number);
  if (format === 'upperRoman') return formatAsRoman(number).toUpperCase();
  if (format === 'lowerLetter') return formatAsLetters(number);
  if (format === 'upperLetter') return formatAsLetters(number).toUpperCase();
  return String(number);
}

/** Formats a number as letters: a to z, then aa, bb, … zz. */
function formatAsLetters(number: number): string {
  return String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.floor((number - 1) / 26) + 1);
}

function formatAsRoman(number: number): string {
  let rest = number;
  let text = '';
  for (const [worth, sign] of ROMAN) {
    text += sign.repeat(Math.floor(rest / worth));
    rest %= worth;
  }
  return text;
}
