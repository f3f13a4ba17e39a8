const ASCII = /^[\0-\x7f]*$/;

/**
 * Matches soft hyphens, joiners, direction marks and variation selectors, which occur inside words without being part
 * of them.
 */
const INVISIBLE = /[\p{Cf}\ufe00-\ufe0f]/gu;

/** Matches the zero-width space, which is invisible but separates words. */
const ZERO_WIDTH_SPACE = /\u200b/g;

/**
 * Matches accents in scripts that are often typed without them. In other scripts (Devanagari, Thai), marks are as
 * significant as letters.
 */
const ACCENTS = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;

/** Matches the dot that lower-casing the Turkish İ leaves as a mark. Without it, İ, I and ı all become i. */
const DOT_ABOVE = /(?<=i)\u0307/g;

/** Matches Hebrew points, Arabic short vowels and tatweel, which occur in some texts and rarely in queries. */
const VOWEL_POINTS = /\u0640|[\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u0652\u0670]/g;

/** Maps letters that Unicode does not decompose to their usual replacements. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  ...{ æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ı: 'i' },
};
const REPLACED = new RegExp(`[${Object.keys(REPLACEMENTS).join('')}]`, 'g');

/** Match letters without a separate upper case: the German ß and the final Greek sigma. */
const SHARP_S = /ß/g;
const FINAL_SIGMA = /ς/g;

/** Normalizes text to lower case and one spelling per character. Accents stay, because stemmers need them. */
export function normalizeText(text: string): string {
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

/** Removes accents from normalized text, for comparison. */
export function removeAccents(normalised: string): string {
  if (ASCII.test(normalised)) return normalised;
  return normalised
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(REPLACED, (letter) => REPLACEMENTS[letter] ?? letter);
}
