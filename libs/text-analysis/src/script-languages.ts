/**
 * Lists scripts that identify a language, in the order in which they are checked. Kana distinguish Japanese from
 * Chinese.
 */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['zh', /\p{Script=Han}/u],
  ['ko', /\p{Script=Hangul}/u],
  ['th', /\p{Script=Thai}/u],
];

/**
 * Returns the ISO 639-1 code of the first language in `SCRIPTS` whose script occurs in the text. Returns undefined if
 * no listed script occurs.
 */
export function detectScriptLanguage(text: string): string | undefined {
  return SCRIPTS.find(([, pattern]) => pattern.test(text))?.[0];
}
