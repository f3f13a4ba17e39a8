import { computePercentile } from '../quarry/percentile.js';
import type { Pace } from './start-fake-model.js';
import type { StreamTimes } from './streams.js';

/**
 * Holds the measurements with `concurrency` parallel streams. `model` contains the times of requests directly to the
 * model, `answer` those of requests to Quarry.
 */
export interface Row {
  readonly concurrency: number;
  readonly model: readonly StreamTimes[];
  readonly answer: readonly StreamTimes[];
  /** CPU seconds that Quarry's process used for all answers in `answer`. */
  readonly cpuSeconds: number;
}

export interface Report {
  readonly pace: Pace;
  readonly loads: readonly MeasuredRow[];
  /** The targets that the measurements miss, each as one line of text. */
  readonly missed: readonly string[];
}

/**
 * Holds the results for one number of parallel streams. The fields `added…` contain the time that Quarry adds: a
 * percentile of Quarry's times minus the same percentile of the model's times.
 */
interface MeasuredRow {
  readonly concurrency: number;
  readonly streams: number;
  readonly modelFirstP50Ms: number;
  readonly addedFirstP50Ms: number;
  readonly addedFirstP99Ms: number;
  /** Milliseconds per token that Quarry adds to the median time from the first text to the last. */
  readonly addedPerTokenP50Ms: number;
  readonly cpuMsPerStream: number;
}

/**
 * Targets: maximum milliseconds that Quarry may add to the median and 99th percentile of the time to the first text.
 */
const MAX_ADDED = { p50: 5, p99: 20 };
/**
 * Target: maximum processor time of Quarry per streamed answer, in milliseconds. It applies only to 100 parallel
 * streams, because many streams share the time of background work.
 */
const MAX_CPU = { concurrency: 100, ms: 10 };

export function createReport(pace: Pace, rows: readonly Row[]): Report {
  const loads = rows.map((row) => computeMeasuredRow(pace, row));
  return { pace, loads, missed: loads.flatMap(listMissedTargets) };
}

function listMissedTargets({ concurrency, addedFirstP50Ms, addedFirstP99Ms, cpuMsPerStream }: MeasuredRow): string[] {
  const checks: readonly (readonly [found: number, maximum: number, of: string])[] = [
    [addedFirstP50Ms, MAX_ADDED.p50, 'to the first text'],
    [addedFirstP99Ms, MAX_ADDED.p99, 'to the first text in the 99th percentile'],
    [cpuMsPerStream, concurrency === MAX_CPU.concurrency ? MAX_CPU.ms : Infinity, 'of processor time per stream'],
  ];
  return checks
    .filter(([found, maximum]) => found > maximum)
    .map(
      ([found, maximum, of]) =>
        `${concurrency} streams: expected at most ${maximum} ms ${of}, found ${found.toFixed(1)}`,
    );
}

function computeMeasuredRow({ tokens }: Pace, { concurrency, model, answer, cpuSeconds }: Row): MeasuredRow {
  const computeFirstPercentile = (of: readonly StreamTimes[], percent: number): number =>
    computePercentile(
      of.map(({ firstMs }) => firstMs),
      percent,
    );
  const computeRestPercentile = (of: readonly StreamTimes[]): number =>
    computePercentile(
      of.map(({ restMs }) => restMs),
      50,
    );
  return {
    concurrency,
    streams: answer.length,
    modelFirstP50Ms: computeFirstPercentile(model, 50),
    addedFirstP50Ms: computeFirstPercentile(answer, 50) - computeFirstPercentile(model, 50),
    addedFirstP99Ms: computeFirstPercentile(answer, 99) - computeFirstPercentile(model, 99),
    addedPerTokenP50Ms: (computeRestPercentile(answer) - computeRestPercentile(model)) / (tokens - 1),
    cpuMsPerStream: (1_000 * cpuSeconds) / answer.length,
  };
}

/** Formats the report as a table with one row per number of parallel streams. */
export function formatReportTable({ pace, loads, missed }: Report): string {
  const formatRow = (cells: readonly string[]): string => cells.map((cell) => cell.padStart(15)).join(' ');
  return [
    `a model that starts after ${pace.firstMs} ms and sends ${pace.tokens} tokens, one every ${pace.everyMs} ms; times in ms`,
    formatRow(['parallel', 'streams', 'model first', 'added p50', 'added p99', 'added per token', 'CPU per stream']),
    ...loads.map(({ concurrency, streams, ...load }) =>
      formatRow([
        ...[concurrency, streams].map(String),
        ...[load.modelFirstP50Ms, load.addedFirstP50Ms, load.addedFirstP99Ms].map((value) => value.toFixed(1)),
        load.addedPerTokenP50Ms.toFixed(3),
        load.cpuMsPerStream.toFixed(1),
      ]),
    ),
    ...missed.map((target) => `MISSED: ${target}`),
  ].join('\n');
}
