import { computePercentile } from '../quarry/percentile.js';
import type { Load } from './run-load.js';

/** Measurements of the same queries, sent in alternating rounds directly to the fragment store and to the API. */
export interface Row {
  readonly concurrency: number;
  readonly store: readonly Load[];
  readonly api: readonly Load[];
  /**
   * CPU seconds for all requests. `store` is the time of this process and the store's server, `api` that of Quarry's
   * processes and the store's server.
   */
  readonly cpuSeconds: { readonly store: number; readonly api: number };
}

export interface Report {
  readonly documents: number;
  readonly loads: readonly MeasuredRow[];
  /** The targets that the measurements miss, each as one line of text. */
  readonly missed: readonly string[];
}

interface MeasuredRow {
  readonly concurrency: number;
  readonly storePerSecond: number;
  readonly apiPerSecond: number;
  /** Throughput of the API divided by that of the store: the median of the rounds. */
  readonly share: number;
  readonly storeP50Ms: number;
  readonly apiP50Ms: number;
  readonly apiP99Ms: number;
  /** Median time of the API minus that of the store, in milliseconds. */
  readonly addedP50Ms: number;
  /** 99th percentile of the times of the API minus that of the store, in milliseconds. */
  readonly addedP99Ms: number;
  readonly storeCpuMs: number;
  readonly apiCpuMs: number;
}

const MIN_SHARE = 0.8;
/**
 * Maximum number of milliseconds that the API may add to the median and to the 99th percentile of the search times of
 * the store.
 */
const MAX_ADDED = { p50: 1.5, p99: 8 };

export function createReport(documents: number, rows: readonly Row[]): Report {
  const loads = rows.map(computeMeasuredRow);
  const missed = loads.flatMap(({ concurrency, share, addedP50Ms, addedP99Ms }) => [
    ...(share >= MIN_SHARE
      ? []
      : [
          `${concurrency} parallel: expected at least ${MIN_SHARE} of the store’s throughput, found ${share.toFixed(2)}`,
        ]),
    // The added time has no target for parallel requests, because they mostly wait for a processor.
    ...(concurrency > 1 || addedP50Ms <= MAX_ADDED.p50
      ? []
      : [`expected at most ${MAX_ADDED.p50} ms added to a search, found ${addedP50Ms.toFixed(1)}`]),
    ...(concurrency > 1 || addedP99Ms <= MAX_ADDED.p99
      ? []
      : [`expected at most ${MAX_ADDED.p99} ms added to the 99th percentile, found ${addedP99Ms.toFixed(1)}`]),
  ]);
  return { documents, loads, missed };
}

function computeMeasuredRow({ concurrency, store, api, cpuSeconds }: Row): MeasuredRow {
  const listTimes = (loads: readonly Load[]): number[] => loads.flatMap((load) => load.times);
  const computeRates = (loads: readonly Load[]): number =>
    computePercentile(
      loads.map((load) => load.perSecond),
      50,
    );
  const shares = api.map((load, round) => load.perSecond / (store[round]?.perSecond ?? NaN));
  const [storeP50Ms, apiP50Ms] = [computePercentile(listTimes(store), 50), computePercentile(listTimes(api), 50)];
  const apiP99Ms = computePercentile(listTimes(api), 99);
  return {
    ...{
      concurrency,
      storePerSecond: computeRates(store),
      apiPerSecond: computeRates(api),
      share: computePercentile(shares, 50),
    },
    ...{ storeP50Ms, apiP50Ms, addedP50Ms: apiP50Ms - storeP50Ms },
    ...{ apiP99Ms, addedP99Ms: apiP99Ms - computePercentile(listTimes(store), 99) },
    storeCpuMs: (1_000 * cpuSeconds.store) / listTimes(store).length,
    apiCpuMs: (1_000 * cpuSeconds.api) / listTimes(api).length,
  };
}

/** Formats the report as a table, with one line per missed target below it. */
export function formatReportTable({ documents, loads, missed }: Report): string {
  const formatRow = (cells: readonly string[]): string => cells.map((cell) => cell.padStart(13)).join(' ');
  const titles = [
    'parallel',
    'store 1/s',
    'API 1/s',
    'share',
    'store p50',
    'API p50',
    'API p99',
    'added p50',
    'added p99',
    'store CPU',
    'API CPU',
  ];
  return [
    `${documents} documents; times in ms; CPU of the process for each search`,
    formatRow(titles),
    ...loads.map((load) =>
      formatRow([
        String(load.concurrency),
        ...[load.storePerSecond, load.apiPerSecond].map((value) => value.toFixed(0)),
        load.share.toFixed(2),
        ...[
          load.storeP50Ms,
          load.apiP50Ms,
          load.apiP99Ms,
          load.addedP50Ms,
          load.addedP99Ms,
          load.storeCpuMs,
          load.apiCpuMs,
        ].map((value) => value.toFixed(1)),
      ]),
    ),
    ...missed.map((target) => `MISSED: ${target}`),
  ].join('\n');
}
