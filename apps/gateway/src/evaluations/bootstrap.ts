/** Number of random resamples from which an interval is computed. */
const RESAMPLES = 1_000;
/** Number of random sign changes from which a p-value is computed. */
const PERMUTATIONS = 2_000;
/** Seed of the random numbers. It is constant, so that the same values always give the same results. */
const SEED = 20_261_123;
const LOWER_TAIL = 0.025;
/** The p-value below which a difference is significant. */
const SIGNIFICANT = 0.05;
const WORD_BITS = 32;

/** A mean or percentile with its 95 % interval. */
export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Computes the mean of values with its percentile bootstrap interval. Source: Efron and Tibshirani 1993, chapter 13.
 *
 * @param values at least one value
 */
export function computeMeanInterval(values: readonly number[]): Interval {
  const draw = createPositionSampler(values.length);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return buildBootstrapInterval(mean, () => values.reduce((sum) => sum + (values[draw()] ?? 0), 0) / values.length);
}

/**
 * Computes a percentile of values by nearest rank, with its percentile bootstrap interval.
 *
 * @param values at least one value
 * @param share the percentile as a share, such as 0.95
 */
export function computePercentileInterval(values: readonly number[], share: number): Interval {
  const sorted = Float64Array.from(values).sort();
  const draw = createPositionSampler(values.length);
  const counts = new Uint32Array(values.length);
  const rank = Math.max(1, Math.ceil(share * values.length));
  return buildBootstrapInterval(findPercentile(sorted, share), () => {
    counts.fill(0);
    for (let remaining = values.length; remaining > 0; remaining -= 1) {
      const at = draw();
      counts[at] = (counts[at] ?? 0) + 1;
    }
    return sorted[findPositionOfRank(counts, rank)] ?? 0;
  });
}

/**
 * Returns the position of the element that has a rank in a resample of a sorted list. Ranks start at 1. `counts[i]` is
 * the number of times that the resample contains the element at position `i`.
 */
function findPositionOfRank(counts: Uint32Array, rank: number): number {
  let passed = 0;
  return counts.findIndex((count) => (passed += count) >= rank);
}

/** Builds the 95 % interval of a statistic. @param resample draws a random resample, and computes its statistic */
function buildBootstrapInterval(value: number, resample: () => number): Interval {
  const resampled = Float64Array.from({ length: RESAMPLES }, resample).sort();
  return {
    value,
    low: findPercentile(resampled, LOWER_TAIL),
    high: findPercentile(resampled, 1 - LOWER_TAIL),
  };
}

/** Creates a function that returns a random position in a list of this length, independent of its previous results. */
function createPositionSampler(length: number): () => number {
  const random = createRandomGenerator();
  return () => Math.floor((random() / 2 ** WORD_BITS) * length);
}

/**
 * Returns a percentile of values by nearest rank.
 *
 * @param sorted at least one value, ascending
 * @param share the percentile as a share, such as 0.95
 */
function findPercentile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/**
 * Computes the two-sided p-value of a paired randomization test: the share of random sign changes of the differences
 * whose mean is at least as far from 0 as the mean of `differences`. Source: Smucker, Allan and Carterette 2007, "A
 * comparison of statistical significance tests".
 */
export function computePairedPValue(differences: readonly number[]): number {
  const changes = Float64Array.from(differences.filter((difference) => difference !== 0));
  const observed = Math.abs(changes.reduce((sum, change) => sum + change, 0));
  // Tolerates rounding errors, because sums that are mathematically equal can differ slightly.
  const threshold = observed - 1e-9 * changes.reduce((sum, change) => sum + Math.abs(change), 0);
  const random = createRandomGenerator();
  let extreme = 0;
  for (let permutation = 0; permutation < PERMUTATIONS; permutation += 1) {
    if (Math.abs(sumWithRandomSigns(changes, random)) >= threshold) extreme += 1;
  }
  return (extreme + 1) / (PERMUTATIONS + 1);
}

function sumWithRandomSigns(changes: Float64Array, random: () => number): number {
  let sum = 0;
  let bits = 0;
  for (let at = 0; at < changes.length; at += 1) {
    if (at % WORD_BITS === 0) bits = random();
    sum += (bits & 1) === 1 ? (changes[at] ?? 0) : -(changes[at] ?? 0);
    bits >>>= 1;
  }
  return sum;
}

/** Returns true if a p-value is below the significance level of 0.05. */
export function isSignificant(pValue: number): boolean {
  return pValue < SIGNIFICANT;
}

/** Creates a generator of pseudo-random 32-bit integers. Source: Mulberry32 by Tommy Ettinger, public domain. */
function createRandomGenerator(): () => number {
  let state = SEED;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
