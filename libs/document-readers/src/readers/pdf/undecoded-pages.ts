import type { PageFont } from './glyph-scratch.js';

/** Minimum share of visible characters that are not decoded, of a page or a font. Below it, they are mostly ornaments. */
const MIN_SHARE = 0.05;
/**
 * Matches the characters that fonts without a character map yield: control codes, replacement characters, private and missing
 * code points.
 */
// eslint-disable-next-line no-control-regex -- fonts without a map give control codes
const UNDECODED = /[\u0000-\u0008\u000e-\u001b\u007f\ufffd\ufffe\uffff\ue000-\uefff\uf100-\uf8ff]/;

interface Character {
  readonly text: string;
  readonly visible: boolean;
}

/**
 * Returns whether much of the text of a page could not be decoded, because a font has no character map. The private code points
 * from U+F000 to U+F0FF do not count: they are bullets and check marks of symbol fonts.
 */
export function hasUndecodedText(characters: readonly Character[]): boolean {
  let visible = 0;
  let undecoded = 0;
  for (const character of characters) {
    if (!character.visible) continue;
    visible += 1;
    if (UNDECODED.test(character.text)) undecoded += 1;
  }
  return undecoded > 0 && undecoded >= MIN_SHARE * visible;
}

/**
 * Finds the characters of embedded fonts of which many are not decoded. The others can be wrong too, because the codes of a font
 * without a map are no characters. Empty if the page is decoded.
 *
 * @param fonts the font of each character
 */
export function findUnmappedGlyphs<C extends Character>(
  characters: readonly C[],
  fonts: readonly PageFont[],
): ReadonlySet<C> {
  if (!hasUndecodedText(characters)) return new Set();
  const byFont = Map.groupBy(characters.entries(), ([index]) => fonts[index]);
  const unmapped = [...byFont].filter(
    ([font, found]) => font?.isEmbedded && hasUndecodedText(found.map(([, one]) => one)),
  );
  return new Set(unmapped.flatMap(([, found]) => found.map(([, character]) => character)));
}
