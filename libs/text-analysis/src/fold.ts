const ASCII = /^[\0-\x7f]*$/;

/** Soft hyphens, joiners, direction marks, variation selectors: they stand inside words and are no part of them. */
const INVISIBLE = /[\p{Cf}\ufe00-\ufe0f]/gu;

/** It is invisible too, but it ends a word. */
const ZERO_WIDTH_SPACE = /\u200b/g;

/** Marks over letters of the scripts that are typed without them in a hurry. Elsewhere (Devanagari, Thai) a mark is as good as a letter. */
const ACCENTS = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;

/** Turkish writes I and ı, İ and i; without the dot, which lower case leaves as a mark, both are i. */
const DOT_ABOVE = /(?<=i)\u0307/g;

/** Hebrew points, Arabic short vowels and tatweel: in some texts of a language, and in nobody's question. */
const VOWEL_POINTS = /\u0640|[\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u0652\u0670]/g;

/** Letters that Unicode does not decompose, and what is typed in their place. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  ...{ æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ı: 'i' },
};
const REPLACED = new RegExp(`[${Object.keys(REPLACEMENTS).join('')}]`, 'g');

/** The letters without an upper case of their own: the German ß, and the last letter of a Greek word. */
const SHARP_S = /ß/g;
const FINAL_SIGMA = /ς/g;

/** Text in lower case, one spelling of each character, with the accents that a language's stemmer knows words by. */
export function normalise(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .toWellFormed()
    .replace(ZERO_WIDTH_SPACE, ' ')
    .replace(INVISIBLE, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(DOT_ABOVE, '')
    .replace(SHARP_S, 'ss')
    .replace(FINAL_SIGMA, 'σ')
    .normalize('NFD')
    .replace(VOWEL_POINTS, '')
    .normalize('NFC');
}

/** Normalised text as it is compared: without the marks that people leave out. */
export function withoutAccents(normalised: string): string {
  if (ASCII.test(normalised)) return normalised;
  return normalised
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(REPLACED, (letter) => REPLACEMENTS[letter] ?? letter);
}
