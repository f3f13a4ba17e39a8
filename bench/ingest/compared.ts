import { percentile } from '../quarry/percentile.js';
import type { Ingested } from './ingested.js';

export interface ComparedWay extends Ingested {
  /** Documents a second of Quarry against it in the same round, the median of all rounds. */
  readonly documentRatio: number;
  /** The same of fragments. */
  readonly fragmentRatio: number;
}

/**
 * Each way against Quarry in its own round, whose load was much the same.
 *
 * @param ways round after round, Quarry first in each @returns one a way, with its median seconds
 */
export function compared(ways: readonly Ingested[]): readonly ComparedWay[] {
  const quarry = ways.filter(({ way }) => way === ways[0]?.way);
  return [...new Set(ways.map(({ way }) => way))].flatMap((name) => {
    const rounds = ways.filter(({ way }) => way === name);
    const [first] = rounds;
    if (first === undefined) return [];
    const ratio = (speed: (of: Ingested) => number): number =>
      median(rounds.map((way, round) => speed(quarry[round] ?? way) / speed(way)));
    return {
      ...first,
      seconds: median(rounds.map(({ seconds }) => seconds)),
      documentRatio: ratio(({ documents, seconds }) => documents / seconds),
      fragmentRatio: ratio(({ fragments, seconds }) => fragments / seconds),
    };
  });
}

function median(values: readonly number[]): number {
  return percentile(values, 50);
}
