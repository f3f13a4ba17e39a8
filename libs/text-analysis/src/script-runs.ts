/** Lists scripts that have no spaces between words and in which each character has a meaning. */
const IDEOGRAPHIC = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆`;

/** Lists alphabetic scripts that have no spaces between words. Their words are found with a dictionary. */
export const UNSPACED = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;

const SPACED_WORD = String.raw`[[\p{L}\p{N}\p{M}]--[${IDEOGRAPHIC}${UNSPACED}]]+`;

/** Matches characters that join the parts of a name without a space: user@example.com, SKU-12/b, it's. */
const JOINERS = String.raw`['’._\-\/:@&=+#?%~]{1,3}`;

/** Matches a comma within a number: 1,000 is one number, but one,two is a list. */
const DIGIT_GROUP = String.raw`(?<=\p{N}),(?=\p{N})`;

/** Matches the signs that distinguish C++ and C# from C. */
const LANGUAGE_SIGN = String.raw`(?:\+\+|#)?`;

const RUN = new RegExp(
  `(?<ideographic>[${IDEOGRAPHIC}]+)|(?<unspaced>[${UNSPACED}][${UNSPACED}\\p{M}]*)|` +
    `(?<spaced>${SPACED_WORD}(?:(?:${JOINERS}|${DIGIT_GROUP})${SPACED_WORD})*${LANGUAGE_SIGN})`,
  'gv',
);

/** Describes a part of a text in one kind of script. `kind` states how the words of the part are separated. */
export interface ScriptRun {
  readonly kind: 'ideographic' | 'unspaced' | 'spaced';
  readonly text: string;
}

export function* splitIntoScriptRuns(normalized: string): Generator<ScriptRun> {
  for (const { groups } of normalized.matchAll(RUN)) {
    if (groups?.['spaced'] !== undefined) yield { kind: 'spaced', text: groups['spaced'] };
    else if (groups?.['ideographic'] !== undefined) yield { kind: 'ideographic', text: groups['ideographic'] };
    else if (groups?.['unspaced'] !== undefined) yield { kind: 'unspaced', text: groups['unspaced'] };
  }
}
