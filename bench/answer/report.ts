import { percentile } from '../quarry/percentile.js';
import type { Pace } from './start-fake-model.js';
import type { StreamTimes } from './streams.js';

/** The same number of streams, straight from the model and as answers of Quarry. */
export interface Row {
  readonly atOnce: number;
  readonly model: readonly StreamTimes[];
  readonly answer: readonly StreamTimes[];
  /** Of Quarry's process, for all its answers. */
  readonly cpuSeconds: number;
}

export interface Report {
  readonly pace: Pace;
  readonly loads: readonly Measured[];
  /** What was to hold and does not. */
  readonly missed: readonly string[];
}

/** What Quarry adds, in milliseconds: its percentile less the model's own. */
interface Measured {
  readonly atOnce: number;
  readonly streams: number;
  readonly modelFirstP50Ms: number;
  readonly addedFirstP50Ms: number;
  readonly addedFirstP99Ms: number;
  /** From the first text to the last, shared by the tokens. */
  readonly addedPerTokenP50Ms: number;
  readonly cpuMsPerStream: number;
}

const MOST_ADDED = { atOnce: 10, ms: 20 };

export function reportOf(pace: Pace, rows: readonly Row[]): Report {
  const loads = rows.map((row) => measure(pace, row));
  const missed = loads.flatMap(({ atOnce, addedFirstP50Ms }) =>
    atOnce !== MOST_ADDED.atOnce || addedFirstP50Ms <= MOST_ADDED.ms
      ? []
      : [`${atOnce} streams: at most ${MOST_ADDED.ms} ms to the first text, found ${addedFirstP50Ms.toFixed(1)}`],
  );
  return { pace, loads, missed };
}

function measure({ tokens }: Pace, { atOnce, model, answer, cpuSeconds }: Row): Measured {
  const first = (of: readonly StreamTimes[], percent: number): number =>
    percentile(
      of.map(({ firstMs }) => firstMs),
      percent,
    );
  const rest = (of: readonly StreamTimes[]): number =>
    percentile(
      of.map(({ restMs }) => restMs),
      50,
    );
  return {
    atOnce,
    streams: answer.length,
    modelFirstP50Ms: first(model, 50),
    addedFirstP50Ms: first(answer, 50) - first(model, 50),
    addedFirstP99Ms: first(answer, 99) - first(model, 99),
    addedPerTokenP50Ms: (rest(answer) - rest(model)) / (tokens - 1),
    cpuMsPerStream: (1_000 * cpuSeconds) / answer.length,
  };
}

/** The report for people. */
export function tableOf({ pace, loads, missed }: Report): string {
  const row = (cells: readonly string[]): string => cells.map((cell) => cell.padStart(15)).join(' ');
  return [
    `a model that begins after ${pace.firstMs} ms and says ${pace.tokens} tokens, one every ${pace.everyMs} ms; times in ms`,
    row(['at once', 'streams', 'model first', 'added p50', 'added p99', 'added a token', 'CPU a stream']),
    ...loads.map(({ atOnce, streams, ...load }) =>
      row([
        ...[atOnce, streams].map(String),
        ...[load.modelFirstP50Ms, load.addedFirstP50Ms, load.addedFirstP99Ms].map((value) => value.toFixed(1)),
        load.addedPerTokenP50Ms.toFixed(3),
        load.cpuMsPerStream.toFixed(1),
      ]),
    ),
    ...missed.map((target) => `MISSED: ${target}`),
  ].join('\n');
}
