import { percentile } from '../quarry/percentile.js';
import type { Load } from './run-load.js';

/** Rounds of the same questions, in turn. */
export interface Row {
  readonly atOnce: number;
  readonly store: readonly Load[];
  readonly api: readonly Load[];
  /** Of the process that searches the store itself, and of Quarry's for all that went through the API. */
  readonly cpuSeconds: { readonly store: number; readonly api: number };
}

export interface Report {
  readonly documents: number;
  readonly loads: readonly Measured[];
  /** What was to hold and does not. */
  readonly missed: readonly string[];
}

interface Measured {
  readonly atOnce: number;
  readonly storePerSecond: number;
  readonly apiPerSecond: number;
  /** The API's throughput over the store's own: the median of the rounds. */
  readonly share: number;
  readonly storeP50Ms: number;
  readonly apiP50Ms: number;
  readonly apiP99Ms: number;
  /** The API's median over the store's. */
  readonly addedP50Ms: number;
  readonly storeCpuMs: number;
  readonly apiCpuMs: number;
}

const LEAST_SHARE = 0.5;
const MOST_ADDED_MS = 5;

export function reportOf(documents: number, rows: readonly Row[]): Report {
  const loads = rows.map(measure);
  const missed = loads.flatMap(({ atOnce, share, addedP50Ms }) => [
    ...(share >= LEAST_SHARE
      ? []
      : [`${atOnce} at once: ${LEAST_SHARE} of the store’s throughput, found ${share.toFixed(2)}`]),
    // Where several ask at once, most of the time is waiting for a processor.
    ...(atOnce > 1 || addedP50Ms <= MOST_ADDED_MS
      ? []
      : [`at most ${MOST_ADDED_MS} ms added to a search, found ${addedP50Ms.toFixed(1)}`]),
  ]);
  return { documents, loads, missed };
}

function measure({ atOnce, store, api, cpuSeconds }: Row): Measured {
  const times = (loads: readonly Load[]): number[] => loads.flatMap((load) => load.times);
  const perSecond = (loads: readonly Load[]): number =>
    percentile(
      loads.map((load) => load.perSecond),
      50,
    );
  const shares = api.map((load, round) => load.perSecond / (store[round]?.perSecond ?? NaN));
  const [storeP50Ms, apiP50Ms] = [percentile(times(store), 50), percentile(times(api), 50)];
  return {
    ...{ atOnce, storePerSecond: perSecond(store), apiPerSecond: perSecond(api), share: percentile(shares, 50) },
    ...{ storeP50Ms, apiP50Ms, apiP99Ms: percentile(times(api), 99), addedP50Ms: apiP50Ms - storeP50Ms },
    storeCpuMs: (1_000 * cpuSeconds.store) / times(store).length,
    apiCpuMs: (1_000 * cpuSeconds.api) / times(api).length,
  };
}

/** The report for people. */
export function tableOf({ documents, loads, missed }: Report): string {
  const row = (cells: readonly string[]): string => cells.map((cell) => cell.padStart(13)).join(' ');
  const titles = [
    'at once',
    'store 1/s',
    'API 1/s',
    'share',
    'store p50',
    'API p50',
    'API p99',
    'added p50',
    'store CPU',
    'API CPU',
  ];
  return [
    `${documents} documents; times in ms; CPU of the process for each search`,
    row(titles),
    ...loads.map((load) =>
      row([
        String(load.atOnce),
        ...[load.storePerSecond, load.apiPerSecond].map((value) => value.toFixed(0)),
        load.share.toFixed(2),
        ...[load.storeP50Ms, load.apiP50Ms, load.apiP99Ms, load.addedP50Ms, load.storeCpuMs, load.apiCpuMs].map(
          (value) => value.toFixed(1),
        ),
      ]),
    ),
    ...missed.map((target) => `MISSED: ${target}`),
  ].join('\n');
}
