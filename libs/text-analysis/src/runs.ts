/** Written without spaces, each character with a meaning of its own. */
const IDEOGRAPHIC = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆`;

/** Written without spaces, of letters: their words are found by dictionary alone. */
const UNSPACED = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;

const SPACED_WORD = String.raw`[[\p{L}\p{N}\p{M}]--[${IDEOGRAPHIC}${UNSPACED}]]+`;

/** What holds the parts of one name together, where no space stands between: user@example.com, SKU-12/b, it's. */
const JOINERS = String.raw`['’._\-\/:@&=+#?%~]{1,3}`;

/** 1,000 is a number; one,two is a list. */
const DIGIT_GROUP = String.raw`(?<=\p{N}),(?=\p{N})`;

/** C++ and C# would otherwise be C. */
const LANGUAGE_SIGN = String.raw`(?:\+\+|#)?`;

const RUN = new RegExp(
  `(?<ideographic>[${IDEOGRAPHIC}]+)|(?<unspaced>[${UNSPACED}][${UNSPACED}\\p{M}]*)|` +
    `(?<spaced>${SPACED_WORD}(?:(?:${JOINERS}|${DIGIT_GROUP})${SPACED_WORD})*${LANGUAGE_SIGN})`,
  'gv',
);

/** A stretch of folded text that is split in one way, by the way its script separates words. */
export interface Run {
  readonly kind: 'ideographic' | 'unspaced' | 'spaced';
  readonly text: string;
}

export function* runsOf(folded: string): Generator<Run> {
  for (const { groups } of folded.matchAll(RUN)) {
    if (groups?.['spaced'] !== undefined) yield { kind: 'spaced', text: groups['spaced'] };
    else if (groups?.['ideographic'] !== undefined) yield { kind: 'ideographic', text: groups['ideographic'] };
    else if (groups?.['unspaced'] !== undefined) yield { kind: 'unspaced', text: groups['unspaced'] };
  }
}
