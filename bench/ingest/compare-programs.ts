import { computePercentile } from '../quarry/percentile.js';
import type { IngestedCorpus } from './ingested-corpus.js';

export interface ComparedProgram extends IngestedCorpus {
  /** Documents per second of Quarry divided by those of this program in the same round: the median of all rounds. */
  readonly documentRatio: number;
  /** Fragments per second of Quarry divided by those of this program in the same round: the median of all rounds. */
  readonly fragmentRatio: number;
}

/**
 * Compares each program with Quarry in the same round, because the load on the machine is similar within a round.
 *
 * @param measurements all rounds; the first program is Quarry
 * @returns one row per program, with its median seconds
 */
export function comparePrograms(measurements: readonly IngestedCorpus[]): readonly ComparedProgram[] {
  const quarry = measurements.filter(({ way }) => way === measurements[0]?.way);
  return [...new Set(measurements.map(({ way }) => way))].flatMap((name) => {
    const rounds = measurements.filter(({ way }) => way === name);
    const [first] = rounds;
    if (first === undefined) return [];
    const computeRatio = (speed: (of: IngestedCorpus) => number): number =>
      computeMedian(rounds.map((way, round) => speed(quarry[round] ?? way) / speed(way)));
    return {
      ...first,
      seconds: computeMedian(rounds.map(({ seconds }) => seconds)),
      documentRatio: computeRatio(({ documents, seconds }) => documents / seconds),
      fragmentRatio: computeRatio(({ fragments, seconds }) => fragments / seconds),
    };
  });
}

function computeMedian(values: readonly number[]): number {
  return computePercentile(values, 50);
}
