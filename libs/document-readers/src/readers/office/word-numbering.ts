import { formatNumeral } from './format-numeral.js';
import { findChild, findDescendants, type XmlElement } from './xml.js';
import { getValAttributeOfChild, type NumberingReference, type WordStyles } from './word-styles.js';

interface Level {
  readonly start: number;
  readonly format: string;
  /** Format of the numbers of the level. For example, `%1.%2` stands for the numbers of the first two levels. */
  readonly text: string;
  readonly style: string | undefined;
  /** True if all numbers in the text are in decimal form, whatever the formats of their levels. */
  readonly isLegal: boolean;
  /** Number of levels, counted from the first, whose items restart the numbers of this level; 0 for none. */
  readonly restart: number;
}

/**
 * Describes an instance (`w:num`) of a list definition. `starts` contains the first number of each level that the
 * instance restarts. `levels` contains the levels of the definition, or the levels that replace them in the instance.
 */
interface ListInstance {
  readonly listId: string;
  readonly starts: ReadonlyMap<number, number>;
  readonly levels: ReadonlyMap<number, Level>;
}

/** Describes the number or bullet of a paragraph as Word displays it. */
export interface Label {
  /** Text of the number, such as `4.2`; empty for a bullet. */
  readonly text: string;
  /**
   * Kind of the label. `bullet`: no number. `clause`: a number in a list that has numbers of several levels, such as
   * 4.2, to which texts refer. `number`: a number in any other list.
   */
  readonly kind: 'bullet' | 'number' | 'clause';
}

const NUMBERS = /%(\d)/g;
/** Number of levels that a list can have. Source: ECMA-376, part 1, section 17.9.6. */
const MAX_LEVELS = 9;

/**
 * Determines the numbers of the paragraphs of a Word document. The text does not contain the numbers: they result from
 * the lists that paragraphs and their styles reference. Source: ECMA-376, part 1, section 17.9.
 */
export class WordNumbering {
  readonly #styles: WordStyles;
  readonly #instances: ReadonlyMap<string, ListInstance>;
  /** Last number of each level of a list, by list id; undefined for a level whose next item gets its first number. */
  readonly #counts = new Map<string, (number | undefined)[]>();
  /** Levels that list instances have already restarted, as `<instance id> <level>`. */
  readonly #started = new Set<string>();

  constructor(styles: WordStyles, numbering: XmlElement) {
    this.#styles = styles;
    const lists = [...findDescendants(numbering, 'abstractNum')];
    const byStyle = new Map(lists.map((list) => [getValAttributeOfChild(list, 'styleLink') ?? '', list]));
    const levelsOfLists = new Map(
      lists.map((list) => {
        const linked = byStyle.get(getValAttributeOfChild(list, 'numStyleLink') ?? ' ') ?? list;
        return [list.attributes['w:abstractNumId'] ?? '', readLevels(linked)];
      }),
    );
    this.#instances = new Map(
      [...findDescendants(numbering, 'num')].map((num) => [
        num.attributes['w:numId'] ?? '',
        readListInstance(num, levelsOfLists),
      ]),
    );
  }

  /**
   * Returns the number or bullet of the next paragraph, or undefined if it has neither. Advances the numbering, so call
   * this method once per paragraph, in document order.
   */
  numberParagraph(styleId: string | undefined, own: NumberingReference): Label | undefined {
    const inherited = this.#styles.getNumbering(styleId);
    const numId = own.numId ?? inherited.find((reference) => reference.numId !== undefined)?.numId ?? '';
    const instance = this.#instances.get(numId);
    if (instance === undefined) return undefined;
    const ofStyle = [...instance.levels].find(([, level]) => level.style !== undefined && level.style === styleId)?.[0];
    const depth = own.level ?? ofStyle ?? inherited.find((reference) => reference.level !== undefined)?.level ?? 0;
    const level = depth < MAX_LEVELS ? instance.levels.get(depth) : undefined;
    if (level === undefined) return undefined;
    this.#applyStartOverride(numId, instance, depth);
    const counts = this.#advanceCounts(instance, depth);
    return createLabel(level, instance.levels, counts);
  }

  #applyStartOverride(numId: string, { listId, starts }: ListInstance, depth: number): void {
    const start = starts.get(depth);
    const level = `${numId} ${depth}`;
    if (start === undefined || this.#started.has(level)) return;
    this.#started.add(level);
    const counts = (this.#counts.get(listId) ?? []).slice(0, depth);
    counts[depth] = start - 1;
    this.#counts.set(listId, counts);
  }

  /** Counts an item of a list, and returns the number of each level up to the level of the item. */
  #advanceCounts({ listId, levels }: ListInstance, depth: number): readonly number[] {
    const before = this.#counts.get(listId) ?? [];
    const counts = Array.from({ length: depth }, (_, index) => before[index] ?? levels.get(index)?.start ?? 1);
    counts.push((before[depth] ?? (levels.get(depth)?.start ?? 1) - 1) + 1);
    const deeper = before.slice(depth + 1).map((count, index) => {
      const { restart = Infinity } = levels.get(depth + 1 + index) ?? {};
      return depth < restart ? undefined : count;
    });
    this.#counts.set(listId, [...counts, ...deeper]);
    return counts;
  }
}

function createLabel(level: Level, levels: ReadonlyMap<number, Level>, counts: readonly number[]): Label | undefined {
  if (level.format === 'bullet') return { text: '', kind: 'bullet' };
  if (level.format === 'none') return undefined;
  const text = level.text.replace(NUMBERS, (_, levelNumber: string) => {
    const index = Number(levelNumber) - 1;
    const format = level.isLegal ? undefined : levels.get(index)?.format;
    return formatNumeral(counts[index] ?? 1, format ?? 'decimal');
  });
  const kind = [...levels.values()].some(hasNumbersOfSeveralLevels) ? 'clause' : 'number';
  return text.trim() === '' ? undefined : { text: text.trim(), kind };
}

function readListInstance(
  num: XmlElement,
  levelsOfLists: ReadonlyMap<string, ReadonlyMap<number, Level>>,
): ListInstance {
  const listId = getValAttributeOfChild(num, 'abstractNumId') ?? '';
  const overrides = [...findDescendants(num, 'lvlOverride')];
  const starts = overrides.flatMap((override) => {
    const start = getValAttributeOfChild(override, 'startOverride');
    return start === undefined ? [] : [[Number(override.attributes['w:ilvl'] ?? 0), Number(start)] as const];
  });
  const replaced = overrides.flatMap((override) => [...readLevels(override)]);
  return { listId, starts: new Map(starts), levels: new Map([...(levelsOfLists.get(listId) ?? []), ...replaced]) };
}

/** Reads the levels of a list, or the level of an override. @param list `w:abstractNum` or `w:lvlOverride` */
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
          isLegal: isTogglePropertyOn(findChild(level, 'isLgl')),
          restart: Number(getValAttributeOfChild(level, 'lvlRestart') ?? Infinity),
        },
      ]),
  );
}

/** Returns whether a property is present and not switched off. Source: ECMA-376, part 1, section 17.17.4. */
function isTogglePropertyOn(property: XmlElement | undefined): boolean {
  return property !== undefined && !['0', 'false', 'off'].includes(property.attributes['w:val'] ?? '');
}

function hasNumbersOfSeveralLevels(level: Level): boolean {
  return level.format !== 'bullet' && (level.text.match(NUMBERS)?.length ?? 0) > 1;
}
