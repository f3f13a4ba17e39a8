import type { NewFragment } from '@quarry/fragment-store';

export const DIMENSIONS = 384;
const CENTRES = 400;
/**
 * Number of directions in which the sample vectors vary, apart from a little noise in all dimensions. With this value,
 * `SPREAD` and `NOISE`, searches of partitioned or compressed sample vectors miss as many nearest vectors as searches
 * of real vectors. The real vectors were bge-small embeddings of 32,000 passages of web pages.
 */
const DIRECTIONS = 28;
const SPREAD = 0.8;
const NOISE = 0.4;
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

/** Returns a number with approximately the standard normal distribution. */
function createNormalNumber(random: () => number): number {
  return (random() + random() + random() + random() - 2) * Math.sqrt(3);
}

function createNormalNumbers(random: () => number, length: number): Float32Array {
  return Float32Array.from({ length }, () => createNormalNumber(random));
}

const directions = createNormalNumbers(createRandomNumbers(CENTRES), DIMENSIONS * DIRECTIONS);
const centres = Array.from({ length: CENTRES }, (_, number) =>
  createNormalNumbers(createRandomNumbers(number), DIRECTIONS),
);

/**
 * Returns a vector near one of 400 centres, because the vectors of real texts form clusters. Some centres have more
 * vectors than others.
 */
export function createSampleVector(seed: number): Float32Array {
  const random = createRandomNumbers(seed * 2 + 1);
  const centre = centres[Math.floor(CENTRES ** random()) - 1] ?? new Float32Array(DIRECTIONS);
  const position = centre.map((value) => value + SPREAD * createNormalNumber(random));
  const vector = new Float32Array(DIMENSIONS);
  for (let at = 0; at < DIMENSIONS; at += 1) {
    let value = NOISE * (random() - 0.5) * 2;
    for (let direction = 0; direction < DIRECTIONS; direction += 1) {
      value += ((directions[at * DIRECTIONS + direction] ?? 0) * (position[direction] ?? 0)) / Math.sqrt(DIRECTIONS);
    }
    vector[at] = value;
  }
  return normalizeVector(vector);
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
