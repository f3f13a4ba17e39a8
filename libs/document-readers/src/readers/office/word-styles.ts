import { findChild, findDescendants, type XmlElement } from './xml.js';

/** Describes the list and the level of a paragraph, as its properties or its style define them. */
export interface NumberingReference {
  readonly numId: string | undefined;
  readonly level: number | undefined;
}

interface Style {
  readonly basedOn: string | undefined;
  readonly heading: number | undefined;
  readonly numbering: NumberingReference;
}

/** Maximum level of a heading. Paragraphs with a deeper outline level are text. */
const MAX_HEADING_LEVEL = 6;
const HEADING_NAME = /^heading (\d)$/i;

/** Provides the outline levels and lists of the styles of a Word document. Source: ECMA-376, part 1, section 17.7. */
export class WordStyles {
  readonly #styles: ReadonlyMap<string, Style>;

  constructor(styles: XmlElement) {
    this.#styles = new Map(
      [...findDescendants(styles, 'style')].map((style) => [style.attributes['w:styleId'] ?? '', readStyle(style)]),
    );
  }

  /**
   * Returns the heading level of a style, from 1. Returns 0 for text and for the document title; undefined if neither
   * the style nor its base styles define a level.
   */
  getHeadingLevel(styleId: string | undefined): number | undefined {
    return this.#listBaseStyles(styleId).find((style) => style.heading !== undefined)?.heading;
  }

  /** Returns the list references of a style and of its base styles, beginning with the style itself. */
  getNumbering(styleId: string | undefined): readonly NumberingReference[] {
    return this.#listBaseStyles(styleId).map((style) => style.numbering);
  }

  /** Returns a style followed by its base styles. */
  #listBaseStyles(styleId: string | undefined): readonly Style[] {
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

/** Reads the list and level (`w:numPr`) from the properties of a paragraph. @param properties `w:pPr` */
export function readNumberingReference(properties: XmlElement | undefined): NumberingReference {
  const numbering = findChild(properties, 'numPr');
  const level = getValAttributeOfChild(numbering, 'ilvl');
  return { numId: getValAttributeOfChild(numbering, 'numId'), level: level === undefined ? undefined : Number(level) };
}

/**
 * Reads the outline level. Returns 1 or more for a heading, 0 for text, and undefined if there is no outline level.
 * @param properties `w:pPr`
 */
export function readOutlineLevel(properties: XmlElement | undefined): number | undefined {
  const level = getValAttributeOfChild(properties, 'outlineLvl');
  if (level === undefined) return undefined;
  return Number(level) >= 0 && Number(level) < MAX_HEADING_LEVEL ? Number(level) + 1 : 0;
}

export function getValAttributeOfChild(element: XmlElement | undefined, name: string): string | undefined {
  return findChild(element, name)?.attributes['w:val'];
}

function readStyle(style: XmlElement): Style {
  const properties = findChild(style, 'pPr');
  const name = getValAttributeOfChild(style, 'name') ?? '';
  const levelOfName = name.toLowerCase() === 'title' ? 0 : HEADING_NAME.exec(name)?.[1];
  return {
    basedOn: getValAttributeOfChild(style, 'basedOn'),
    // The level in a built-in style name, such as `heading 2`, takes precedence over the outline level.
    heading: levelOfName === undefined ? readOutlineLevel(properties) : Number(levelOfName),
    numbering: readNumberingReference(properties),
  };
}
