import type { NewFragment } from '@quarry/fragment-store';

export const DIMENSIONS = 384;
const CENTRES = 400;
const NOISE = 0.6;
const WORDS = 30_000;
const WORDS_EACH = 60;

/** Returns a generator of numbers in [0, 1) that depends only on the seed (mulberry32). */
function createRandomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function normalizeVector(values: Float32Array): Float32Array {
  const norm = Math.hypot(...values);
  return values.map((value) => value / norm);
}

const centres = Array.from({ length: CENTRES }, (_, number) => {
  const random = createRandomNumbers(number);
  return normalizeVector(Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5));
});

/** Returns a vector near one of 400 centres, because vectors of real texts form clusters. */
export function createSampleVector(seed: number): Float32Array {
  const random = createRandomNumbers(seed * 2 + 1);
  const centre = centres[Math.floor(random() * CENTRES)] ?? new Float32Array(DIMENSIONS);
  const width = NOISE / Math.sqrt(DIMENSIONS);
  return normalizeVector(centre.map((value) => value + (random() - 0.5) * 2 * width));
}

/** Returns words with the frequencies of a natural language (Zipf's law). */
export function createSampleWords(seed: number, count: number): string {
  const random = createRandomNumbers(seed * 2);
  return Array.from({ length: count }, () => `word${Math.floor(WORDS ** random())}`).join(' ');
}

export function createSampleFragment(seed: number): NewFragment {
  return {
    text: createSampleWords(seed, WORDS_EACH),
    context: `Document ${Math.floor(seed / 100)}`,
    page: null,
    location: null,
    rectangles: [],
    tokens: WORDS_EACH,
    vector: createSampleVector(seed),
  };
}
