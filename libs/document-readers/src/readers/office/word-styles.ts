import { child, descendants, type XmlElement } from './xml.js';

/** Where a paragraph stands in a numbered list, as its properties or its style say. */
export interface NumberingReference {
  readonly numId: string | undefined;
  readonly level: number | undefined;
}

interface Style {
  readonly basedOn: string | undefined;
  readonly heading: number | undefined;
  readonly numbering: NumberingReference;
}

/** Deeper levels of an outline are text. */
const MAX_HEADING = 6;
const HEADING_NAME = /^heading (\d)$/i;

/** What the styles of a Word document say of its outline and its lists. Source: ECMA-376, part 1, section 17.7. */
export class WordStyles {
  readonly #styles: ReadonlyMap<string, Style>;

  constructor(styles: XmlElement) {
    this.#styles = new Map(
      [...descendants(styles, 'style')].map((style) => [style.attributes['w:styleId'] ?? '', styleOf(style)]),
    );
  }

  /** @returns from 1; 0 for what is text or the document's title, undefined where no style says it. */
  headingLevel(styleId: string | undefined): number | undefined {
    return this.#chain(styleId).find((style) => style.heading !== undefined)?.heading;
  }

  /** What a style and those it is based on say of lists, the nearest first. */
  numberingOf(styleId: string | undefined): readonly NumberingReference[] {
    return this.#chain(styleId).map((style) => style.numbering);
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

/** @param properties `w:pPr` @returns from 1; undefined where it says nothing, 0 where it says that it is text */
export function outlineLevel(properties: XmlElement | undefined): number | undefined {
  const level = valueOfChild(properties, 'outlineLvl');
  if (level === undefined) return undefined;
  return Number(level) >= 0 && Number(level) < MAX_HEADING ? Number(level) + 1 : 0;
}

export function valueOfChild(element: XmlElement | undefined, name: string): string | undefined {
  return child(element, name)?.attributes['w:val'];
}

function styleOf(style: XmlElement): Style {
  const properties = child(style, 'pPr');
  const name = valueOfChild(style, 'name') ?? '';
  const named = name.toLowerCase() === 'title' ? 0 : HEADING_NAME.exec(name)?.[1];
  return {
    basedOn: valueOfChild(style, 'basedOn'),
    // A name that every program knows says more than a level of the outline.
    heading: named === undefined ? outlineLevel(properties) : Number(named),
    numbering: referenceOf(properties),
  };
}
