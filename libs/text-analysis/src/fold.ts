const ASCII = /^[\0-\x7f]*$/;

/** Soft hyphens, joiners, direction marks, variation selectors: they stand inside words and are no part of them. */
const INVISIBLE = /[\p{Cf}\ufe00-\ufe0f]/gu;

/** It is invisible too, but it ends a word. */
const ZERO_WIDTH_SPACE = /\u200b/g;

/** Marks over letters of the scripts that are typed without them in a hurry. Elsewhere (Devanagari, Thai) a mark is as good as a letter. */
const ACCENTS = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;

/** Hebrew points, Arabic short vowels and tatweel: in some texts of a language, and in nobody's question. */
const VOWEL_POINTS = /\u0640|[\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u0652\u0670]/g;

/** Letters that Unicode does not decompose, and what is typed in their place. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ı: 'i' },
  // The last letter of a Greek word, which has no upper case of its own.
  ς: 'σ',
};
const REPLACED = new RegExp(`[${Object.keys(REPLACEMENTS).join('')}]`, 'g');

/** Text as it is compared: lower case, one spelling of each character, without marks that people leave out. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .toWellFormed()
    .replace(ZERO_WIDTH_SPACE, ' ')
    .replace(INVISIBLE, '')
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(ACCENTS, '')
    .replace(VOWEL_POINTS, '')
    .normalize('NFC')
    .replace(REPLACED, (letter) => REPLACEMENTS[letter] ?? letter);
}
