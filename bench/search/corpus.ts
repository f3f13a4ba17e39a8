/** Generated texts, similar to those of knowledge bases, and queries about them. They are identical in every run. */
export interface Corpus {
  readonly documents: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  readonly questions: readonly string[];
}

const VOCABULARY = 20_000;
/**
 * Number of words per document, which result in about ten fragments. Documents are few and long, so that ingestion
 * needs few jobs.
 */
const WORDS_A_DOCUMENT = 2_000;
const WORDS_A_QUESTION = 6;
const QUESTIONS = 200;
const SYLLABLES = [
  'ba',
  'co',
  'den',
  'fi',
  'gor',
  'hal',
  'in',
  'jo',
  'kem',
  'lu',
  'mar',
  'no',
  'pel',
  'ri',
  'sto',
  'ta',
];

export function createRandomCorpus(documents: number): Corpus {
  const random = createRandomNumbers(7);
  const pickWord = (): string => createWordOfRank(pickRandomRank(random));
  const pickWords = (count: number): string => Array.from({ length: count }, pickWord).join(' ');
  return {
    documents: Array.from({ length: documents }, (_, at) => ({
      ...{ id: `d${at}`, title: pickWords(3), text: `${pickWords(WORDS_A_DOCUMENT)}.` },
    })),
    questions: Array.from({ length: QUESTIONS }, () => pickWords(WORDS_A_QUESTION)),
  };
}

/** Returns the random frequency rank of a word by Zipf's law: few words are frequent, and most are rare. */
function pickRandomRank(random: () => number): number {
  return Math.floor(VOCABULARY ** random());
}

function createWordOfRank(number: number): string {
  let word = '';
  for (let left = number + SYLLABLES.length; left > 0; left = Math.floor(left / SYLLABLES.length))
    word += SYLLABLES[left % SYLLABLES.length] ?? '';
  return word;
}

/** Returns a generator of numbers that depends only on the seed (mulberry32). */
function createRandomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
