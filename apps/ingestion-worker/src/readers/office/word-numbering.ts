import { child, descendants, type XmlElement } from './xml.js';

/** Where a paragraph stands in a numbered list, as its properties or its style say. */
export interface NumberingReference {
  readonly numId: string | undefined;
  readonly level: number | undefined;
}

interface Level {
  readonly start: number;
  readonly format: string;
  /** `%1.%2` for the numbers of the first two levels. */
  readonly text: string;
  readonly style: string | undefined;
}

interface Style {
  readonly basedOn: string | undefined;
  readonly isHeading: boolean;
  readonly numbering: NumberingReference;
}

/** A paragraph's number as Word shows it. */
export interface Label {
  readonly text: string;
  /** Whether the list's numbers are made of several, such as 4.2: they are then known by them, as clauses are. */
  readonly isClause: boolean;
}

const NUMBERS = /%(\d)/g;

/**
 * Counts a Word document's numbered paragraphs. The numbers are not in the text: they follow from the lists that paragraphs
 * and their styles refer to. Source: ECMA-376, part 1, section 17.9.
 */
export class WordNumbering {
  readonly #styles: ReadonlyMap<string, Style>;
  readonly #lists: ReadonlyMap<string, ReadonlyMap<number, Level>>;
  /** The list that a number refers to. */
  readonly #listOf: ReadonlyMap<string, string>;
  readonly #counts = new Map<string, number[]>();

  constructor(styles: XmlElement, numbering: XmlElement) {
    this.#styles = new Map(
      [...descendants(styles, 'style')].map((style) => [value(style, 'w:styleId') ?? '', styleOf(style)]),
    );
    this.#lists = new Map(
      [...descendants(numbering, 'abstractNum')].map((list) => [value(list, 'w:abstractNumId') ?? '', levelsOf(list)]),
    );
    this.#listOf = new Map(
      [...descendants(numbering, 'num')].map((num) => [
        value(num, 'w:numId') ?? '',
        valueOfChild(num, 'abstractNumId') ?? '',
      ]),
    );
  }

  isHeading(styleId: string | undefined): boolean {
    return this.#chain(styleId).some((style) => style.isHeading);
  }

  /** Counts the next paragraph of the document. @returns undefined when it has no number */
  next(styleId: string | undefined, own: NumberingReference): Label | undefined {
    const inherited = this.#chain(styleId).map((style) => style.numbering);
    const numId = own.numId ?? inherited.find((reference) => reference.numId !== undefined)?.numId;
    const listId = this.#listOf.get(numId ?? '');
    const levels = this.#lists.get(listId ?? '');
    if (listId === undefined || levels === undefined) return undefined;
    const ofStyle = [...levels].find(([, level]) => level.style !== undefined && level.style === styleId)?.[0];
    const depth = own.level ?? ofStyle ?? inherited.find((reference) => reference.level !== undefined)?.level ?? 0;
    return this.#count(listId, levels, depth);
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
    if (level.format === 'bullet' || level.format === 'none') return undefined;
    const text = level.text.replace(NUMBERS, (_, place: string) => {
      const index = Number(place) - 1;
      return numeral(counts[index] ?? 1, levels.get(index)?.format ?? 'decimal');
    });
    return text.trim() === '' ? undefined : { text: text.trim(), isClause: [...levels.values()].some(isMadeOfSeveral) };
  }

  /** A style, the one it is based on, and so on. */
  #chain(styleId: string | undefined): readonly Style[] {
    const chain: Style[] = [];
    const seen = new Set<string>();
    let id = styleId;
    while (id !== undefined && !seen.has(id)) {
      seen.add(id);
      const style = this.#styles.get(id);
      if (style !== undefined) chain.push(style);
      id = style?.basedOn;
    }
    return chain;
  }
}

/** @param properties `w:pPr` @returns what `w:numPr` in it says */
export function referenceOf(properties: XmlElement | undefined): NumberingReference {
  const numbering = child(properties, 'numPr');
  const level = valueOfChild(numbering, 'ilvl');
  return { numId: valueOfChild(numbering, 'numId'), level: level === undefined ? undefined : Number(level) };
}

function styleOf(style: XmlElement): Style {
  const properties = child(style, 'pPr');
  const isHeading =
    /^heading \d$/i.test(valueOfChild(style, 'name') ?? '') || child(properties, 'outlineLvl') !== undefined;
  return { basedOn: valueOfChild(style, 'basedOn'), isHeading, numbering: referenceOf(properties) };
}

function levelsOf(list: XmlElement): ReadonlyMap<number, Level> {
  return new Map(
    list.children
      .filter((element) => element.name === 'lvl')
      .map((level) => [
        Number(value(level, 'w:ilvl') ?? 0),
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

function value(element: XmlElement, attribute: string): string | undefined {
  return element.attributes[attribute];
}

function valueOfChild(element: XmlElement | undefined, name: string): string | undefined {
  return child(element, name)?.attributes['w:val'];
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
