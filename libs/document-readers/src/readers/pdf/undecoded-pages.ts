/**
 * Minimum share of undecoded characters among the visible characters of a page or font that counts as undecoded. Fewer
 * undecoded characters are mostly ornaments.
 */
export const MIN_SHARE = 0.05;
/**
 * Matches the characters that fonts without a character map yield: control codes, replacement characters, private-use
 * characters and noncharacters.
 */
// eslint-disable-next-line no-control-regex -- fonts without a map give control codes
const UNDECODED = /[\u0000-\u0008\u000e-\u001b\u007f\ufffd\ufffe\uffff\ue000-\uefff\uf100-\uf8ff]/;

export interface Character {
  readonly text: string;
  readonly visible: boolean;
}

/**
 * Returns whether much of the text of a page could not be decoded, because a font has no character map. The private
 * code points from U+F000 to U+F0FF do not count: they are bullets and check marks of symbol fonts.
 */
export function hasUndecodedText(characters: readonly Character[]): boolean {
  let undecoded = 0;
  for (const { visible, text } of characters) if (visible && UNDECODED.test(text)) undecoded += 1;
  return undecoded > 0 && undecoded >= MIN_SHARE * countVisibleCharacters(characters);
}

export function countVisibleCharacters(characters: readonly Character[]): number {
  return characters.reduce((sum, { visible }) => sum + (visible ? 1 : 0), 0);
}
