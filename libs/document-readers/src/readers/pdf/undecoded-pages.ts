import type { Glyph } from './glyphs.js';

/** Minimum share of a page's visible characters that are not decoded. Below it, they are mostly ornaments. */
const MIN_SHARE = 0.05;
/**
 * Matches the characters that fonts without a character map yield: control codes, replacement characters, private and missing
 * code points.
 */
// eslint-disable-next-line no-control-regex -- fonts without a map give control codes
const UNDECODED = /[\u0000-\u0008\u000e-\u001b\u007f\ufffd\ufffe\uffff\ue000-\uefff\uf100-\uf8ff]/;

/**
 * Returns whether much of the text of a page could not be decoded, because a font has no character map. The private code points
 * from U+F000 to U+F0FF do not count: they are bullets and check marks of symbol fonts.
 */
export function hasUndecodedText(glyphs: readonly Glyph[]): boolean {
  let visible = 0;
  let undecoded = 0;
  for (const glyph of glyphs) {
    if (!glyph.visible) continue;
    visible += 1;
    if (UNDECODED.test(glyph.text)) undecoded += 1;
  }
  return undecoded > 0 && undecoded >= MIN_SHARE * visible;
}
