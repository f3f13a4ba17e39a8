import { UNSPACED } from './script-runs.js';

const ASCII = /^[\0-\x7f]*$/;

/**
 * Matches soft hyphens, joiners, direction marks and variation selectors. They occur inside words, but are not part of
 * the words.
 */
const INVISIBLE = /[\p{Cf}\ufe00-\ufe0f]/gu;

/**
 * Matches zero-width spaces that separate words, and the letter before them. In scripts with spaces between words, a
 * zero-width space only allows a line break inside a word. `INVISIBLE` matches it there.
 */
const ZERO_WIDTH_SPACES = new RegExp(String.raw`([${UNSPACED}])\u200b+(?=[${UNSPACED}])`, 'gu');

/**
 * Matches accents in scripts that are often typed without them. In other scripts, such as Devanagari and Thai, marks
 * are as significant as letters.
 */
const ACCENTS = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;

/** Matches the dot that lower-casing the Turkish İ leaves as a mark. Without the dot, İ, I and ı all become i. */
const DOT_ABOVE = /(?<=i)\u0307/g;

/** Matches Hebrew points, Arabic short vowels and tatweel, which occur in some texts and rarely in queries. */
const VOWEL_POINTS = /\u0640|[\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u0652\u0670]/g;

/** Matches the madda and hamza of Arabic letters, which are often omitted. Source: Lucene's `ArabicNormalizer`. */
const HAMZA_MARKS = /[\u0653-\u0655]/g;

/**
 * Maps letters without a Unicode decomposition to their usual replacements. For Arabic and Persian letters, these are
 * the replacements of Lucene's `ArabicNormalizer` and `PersianNormalizer`.
 */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  ...{ æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ı: 'i' },
  ...{ ٱ: 'ا', ى: 'ي', ی: 'ي', ے: 'ي', ک: 'ك', ة: 'ه', ہ: 'ه', ە: 'ه' },
};
const REPLACED = new RegExp(`[${Object.keys(REPLACEMENTS).join('')}]`, 'g');

/**
 * Lists the digit zero of each script whose texts also use the ASCII digits. The code points of the digits 1 to 9
 * follow that of zero.
 */
const ZEROS = Array.from('٠۰०০੦૦୦௦౦೦൦๐໐༠၀០', (zero) => zero.charCodeAt(0));
const DIGIT = /(?![0-9])\p{Nd}/gu;

/** Matches the German ß, whose upper case SS is also the upper case of ss. */
const SHARP_S = /ß/g;
/** Matches the final Greek sigma, whose upper case Σ is also the upper case of σ. */
const FINAL_SIGMA = /ς/g;

/** Normalizes text to lower case and to one spelling per character. Keeps accents, because stemmers need them. */
export function normalizeText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .toWellFormed()
    .replace(ZERO_WIDTH_SPACES, '$1 ')
    .replace(INVISIBLE, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(DOT_ABOVE, '')
    .replace(SHARP_S, 'ss')
    .replace(FINAL_SIGMA, 'σ')
    .replace(DIGIT, convertDigit)
    .normalize('NFD')
    .replace(VOWEL_POINTS, '')
    .normalize('NFC');
}

/** Returns the ASCII digit for a digit of a script in `ZEROS`. Returns any other digit unchanged. */
function convertDigit(digit: string): string {
  const zero = ZEROS.find((code) => digit.charCodeAt(0) >= code && digit.charCodeAt(0) < code + 10);
  return zero === undefined ? digit : String(digit.charCodeAt(0) - zero);
}

/** Removes accents and other differences of spelling from a normalized text, so that texts can be compared. */
export function removeAccents(normalized: string): string {
  if (ASCII.test(normalized)) return normalized;
  return normalized
    .normalize('NFD')
    .replace(ACCENTS, '')
    .replace(HAMZA_MARKS, '')
    .normalize('NFC')
    .replace(REPLACED, (letter) => REPLACEMENTS[letter] ?? letter);
}
