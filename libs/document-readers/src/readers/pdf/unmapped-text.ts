import type { PageFont } from './glyph-scratch.js';
import { countVisibleCharacters, hasUndecodedText, MIN_SHARE, type Character } from './undecoded-pages.js';

/**
 * Minimum number of replaced characters for which the text of a page is reported as incomplete or unmapped, whatever
 * their share of the page's characters. Fewer replaced characters are mostly icons and bullets.
 */
const MIN_REPLACED = 10;

/** Holds the characters of a page in content order; `\n` ends a line. */
export interface DecodedText<C extends Character> {
  readonly glyphs: readonly C[];
  /** True if text is missing that text recognition cannot find in a picture of the page. */
  readonly isIncomplete: boolean;
  /**
   * The characters of embedded fonts without a map to Unicode. A picture of the page shows these characters correctly.
   * Empty if the page has only a few such characters.
   */
  readonly unmapped: ReadonlySet<C>;
}

/** Describes a character that pdfium has read, with its index on the page and its font. */
interface ReadCharacter<C> {
  readonly index: number;
  readonly glyph: C;
  readonly font: PageFont;
}

/**
 * Replaces the characters of fonts without a map to Unicode by spaces. pdfium returns the codes of such characters as
 * Unicode, and many codes look like letters. The spaces separate the words around the replaced characters.
 *
 * Text in a composite font without a map is always unreadable. The codes of other fonts are often the right letters.
 * Replaces characters of these other fonts only if many characters of the font, and of the page, are not decoded.
 * Source: ISO 32000-1, section 9.10.2.
 *
 * @param isGuess returns whether pdfium found no Unicode value for a character and returned its code
 */
export function replaceUnmappedText<C extends Character>(
  characters: readonly ReadCharacter<C>[],
  isGuess: (index: number) => boolean,
): DecodedText<C> {
  const glyphs = characters.map(({ glyph }) => glyph);
  const isUndecoded = hasUndecodedText(glyphs);
  if (!isUndecoded && !characters.some(({ font }) => font.isUnmapped)) {
    return { glyphs, isIncomplete: false, unmapped: new Set() };
  }
  const byFont = Map.groupBy(characters, ({ font }) => font);
  const suspects = new Set(
    [...byFont]
      .filter(([font, found]) => font.isUnmapped || (isUndecoded && isFontUndecoded(found)))
      .map(([font]) => font),
  );
  const decoded = characters.map(({ index, glyph, font }) => {
    const isReplaced = glyph.visible && suspects.has(font) && isGuess(index);
    return { font, isReplaced, glyph: isReplaced ? { ...glyph, text: ' ', visible: false } : glyph };
  });
  const replaced = decoded.filter(({ isReplaced }) => isReplaced);
  const isReported =
    isUndecoded ||
    (replaced.length > 0 && replaced.length >= Math.min(MIN_REPLACED, MIN_SHARE * countVisibleCharacters(glyphs)));
  const unmapped = isReported ? decoded.filter(({ font }) => font.isEmbedded && suspects.has(font)) : [];
  return {
    glyphs: decoded.map(({ glyph }) => glyph),
    isIncomplete: isReported && replaced.some(({ font }) => !font.isEmbedded),
    unmapped: new Set(unmapped.map(({ glyph }) => glyph)),
  };
}

function isFontUndecoded(characters: readonly ReadCharacter<Character>[]): boolean {
  return hasUndecodedText(characters.map(({ glyph }) => glyph));
}
