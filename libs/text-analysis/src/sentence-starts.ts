import { stopwords as germanStopWords } from '@orama/stopwords/german';

const SENTENCES = new Intl.Segmenter('und', { granularity: 'sentence' });

/** Matches initials at the end of a text: `J.`, `W.D.`, `v.` */
const INITIALS = /(?:^|[\s(])(?:\p{L}\.)+$/u;
/** Matches a short capitalized word at the end of a text, which can be an abbreviation: `Dr.`, `Nr.`, but also `Uhr.` */
const SHORT_WORD = /(?:^|[\s(])\p{Lu}\p{L}{1,2}\.$/u;
/**
 * Lists longer abbreviations that stand before the word to which they belong, so that they do not end a sentence.
 * Abbreviations that can also end one, such as `etc.` and units, are omitted.
 */
const ABBREVIATED_WORDS = [
  ...[
    'bspw',
    'bzw',
    'ca',
    'einschl',
    'evtl',
    'exkl',
    'gem',
    'ggf',
    'hrsg',
    'inkl',
    'insb',
    'mind',
    'prof',
    'sog',
    'vgl',
  ],
  ...['zzgl', 'abzgl', 'approx', 'capt', 'cf', 'dept', 'esp', 'excl', 'incl', 'sept', 'vs', 'bijv', 'ekskl', 'aprox'],
];
const LONG_ABBREVIATION = new RegExp(String.raw`(?:^|[\s(])(?:${ABBREVIATED_WORDS.join('|')})\.$`, 'iu');
/** Matches a text that is only a number with a full stop, such as the number of a list item inside a paragraph. */
const LONE_NUMBER = /^\d{1,3}\.$/;
/** Matches a number that can be an ordinal at the end of a text: `am 3.`, `vom 3.–5.`, `Heinrich VIII.` */
const ORDINAL = /(?:[\s(]|\.[/–-])(?:\d{1,3}|[IVXLC]{4,6})\.$/;
const FIRST_WORD = /^[^\p{L}\p{N}]{0,3}(\p{L}+)/u;
/**
 * Lists words with which a German sentence begins, but which do not follow an ordinal. Nouns and names follow it:
 * `3. Oktober`, `21. Jahrhundert`, `1. FC Köln`.
 */
const GERMAN_SENTENCE_STARTS: ReadonlySet<string> = new Set([
  ...germanStopWords,
  ...[
    'allerdings',
    'außerdem',
    'beide',
    'bereits',
    'bevor',
    'bisher',
    'dabei',
    'dadurch',
    'dagegen',
    'daher',
    'danach',
  ],
  ...[
    'daneben',
    'daraufhin',
    'darüber',
    'davon',
    'davor',
    'dazu',
    'derzeit',
    'deshalb',
    'ebenso',
    'heute',
    'insgesamt',
  ],
  ...[
    'jedoch',
    'nachdem',
    'obwohl',
    'schließlich',
    'seit',
    'seitdem',
    'somit',
    'später',
    'trotzdem',
    'zudem',
    'zuletzt',
  ],
  ...['zunächst', 'zuvor', 'zusätzlich'],
]);
/** Matches reference marks such as `[20][21]`, which belong to the sentence before them. */
const REFERENCE_MARKS = /(?:\[[^[\]]{1,30}\](?!\())+/y;

/**
 * Returns the offsets at which the sentences of a text in any language start, in ascending order. An ordinal number or
 * an abbreviation does not end a sentence, and reference marks directly after a sentence belong to it.
 *
 * @param canBeGerman returns whether the text is or can be German. Then a number before a noun or name counts as an
 *   ordinal. Called at most once, and only if the text contains such a number or a short word before a full stop
 */
export function findSentenceStarts(text: string, canBeGerman: () => boolean): number[] {
  const starts: number[] = [];
  let isGerman: boolean | undefined;
  const isGermanText = (): boolean => (isGerman ??= canBeGerman());
  let before = '';
  for (const { segment, index } of SENTENCES.segment(text)) {
    const start = skipReferenceMarks(text, index);
    if (!continuesSentence(segment, before, isGermanText) && start > (starts.at(-1) ?? -1)) starts.push(start);
    before = segment.trimEnd();
  }
  return starts;
}

/** Returns whether a segment continues the sentence of the text before it, which ends with a full stop. */
function continuesSentence(segment: string, before: string, isGermanText: () => boolean): boolean {
  if (INITIALS.test(before) || LONG_ABBREVIATION.test(before) || LONE_NUMBER.test(before)) return true;
  if (SHORT_WORD.test(before)) return !(startsGermanSentence(segment) && isGermanText());
  return ORDINAL.test(before) && !startsGermanSentence(segment) && isGermanText();
}

function startsGermanSentence(segment: string): boolean {
  return GERMAN_SENTENCE_STARTS.has(FIRST_WORD.exec(segment)?.[1]?.toLowerCase() ?? '');
}

/**
 * Returns where a sentence starts that the segmenter lets start at `index`. The segmenter divides `1889.[20] On` after
 * the opening bracket.
 */
function skipReferenceMarks(text: string, index: number): number {
  if (text.charAt(index - 1) !== '[') return index;
  REFERENCE_MARKS.lastIndex = index - 1;
  return index - 1 + (REFERENCE_MARKS.exec(text)?.[0].length ?? 0);
}
