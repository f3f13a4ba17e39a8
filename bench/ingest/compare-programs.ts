import { computePercentile } from '../quarry/percentile.js';
import type { Ingested } from './ingested.js';

export interface ComparedWay extends Ingested {
  /** Documents per second of Quarry relative to this program in the same round, as the median of all rounds. */
  readonly documentRatio: number;
  /** The same ratio for fragments. */
  readonly fragmentRatio: number;
}

/**
 * Compares each program with Quarry in the same round, because the load on the machine is similar within a round.
 *
 * @param ways measurements of all rounds, in which Quarry is the first program
 * @returns one row per program, with its median seconds
 */
export function comparePrograms(ways: readonly Ingested[]): readonly ComparedWay[] {
  const quarry = ways.filter(({ way }) => way === ways[0]?.way);
  return [...new Set(ways.map(({ way }) => way))].flatMap((name) => {
    const rounds = ways.filter(({ way }) => way === name);
    const [first] = rounds;
    if (first === undefined) return [];
    const computeRatio = (speed: (of: Ingested) => number): number =>
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
