import { computePercentile } from '../quarry/percentile.js';
import type { Load } from '../search/run-load.js';
import type { Form } from './create-question-sender.js';

/** Measurements of one program, the proxy or Quarry, with whole or with streamed answers. */
export interface Measurements {
  readonly rounds: readonly Load[];
  /** CPU seconds that the program's process used for all measured requests. */
  readonly cpuSeconds: number;
  /** Peak of the resident memory since the start of the process, in MiB. */
  readonly peakMb: number;
  /** Milliseconds from the spawn of the process to its first answer. */
  readonly startMs: number;
}

/** Measurements of the plain proxy and of Quarry with the same requests, in alternating rounds. */
export interface Row {
  readonly form: Form;
  readonly proxy: Measurements;
  readonly quarry: Measurements;
}

export interface Report {
  readonly forms: readonly MeasuredForm[];
  /** The targets that the measurements miss, each as one line of text. */
  readonly missed: readonly string[];
}

interface MeasuredForm {
  readonly form: Form;
  readonly proxy: Figures;
  readonly quarry: Figures;
  /** Quarry's throughput divided by that of the proxy: the median of the rounds. */
  readonly share: number;
  /** 99th percentile of Quarry's response times, divided by that of the proxy. */
  readonly p99Ratio: number;
}

interface Figures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
  readonly cpuMs: number;
  readonly peakMb: number;
  readonly startMs: number;
}

const MIN_SHARE = 0.7;
const MAX_P99_RATIO = 3;

export function createReport(rows: readonly Row[]): Report {
  const forms = rows.map(computeMeasuredForm);
  const missed = forms.flatMap(({ form, share, p99Ratio }) => [
    ...(share >= MIN_SHARE
      ? []
      : [`${form}: expected at least ${MIN_SHARE} of the proxy’s throughput, found ${share.toFixed(2)}`]),
    ...(p99Ratio <= MAX_P99_RATIO
      ? []
      : [`${form}: expected a p99 of at most ${MAX_P99_RATIO} × the proxy’s, found ${p99Ratio.toFixed(1)}`]),
  ]);
  return { forms, missed };
}

function computeMeasuredForm({ form, proxy, quarry }: Row): MeasuredForm {
  const shares = quarry.rounds.map((load, round) => load.perSecond / (proxy.rounds[round]?.perSecond ?? NaN));
  const figures = { proxy: computeFigures(proxy), quarry: computeFigures(quarry) };
  return {
    form,
    ...figures,
    share: computePercentile(shares, 50),
    p99Ratio: figures.quarry.p99Ms / figures.proxy.p99Ms,
  };
}

function computeFigures({ rounds, cpuSeconds, peakMb, startMs }: Measurements): Figures {
  const times = rounds.flatMap((load) => load.times);
  const rates = rounds.map((load) => load.perSecond);
  return {
    p50Ms: computePercentile(times, 50),
    p99Ms: computePercentile(times, 99),
    perSecond: computePercentile(rates, 50),
    cpuMs: (1_000 * cpuSeconds) / times.length,
    peakMb,
    startMs,
  };
}

/** Formats the report as a table, with the targets and whether they are met. */
export function formatReportTable({ forms, missed }: Report): string {
  const formatRow = (cells: readonly string[]): string => cells.map((cell) => cell.padStart(10)).join(' ');
  const formatFigures = (figures: Figures): readonly string[] => [
    ...[figures.perSecond.toFixed(0), figures.p50Ms.toFixed(1), figures.p99Ms.toFixed(1)],
    ...[figures.cpuMs.toFixed(2), figures.peakMb.toFixed(0), figures.startMs.toFixed(0)],
  ];
  return [
    'chat completions, 10 at a time, from a provider that answers at once; times in ms, memory in MB',
    formatRow(['answers', 'program', '1/s', 'p50', 'p99', 'CPU', 'peak', 'start', 'share', 'p99 ratio']),
    ...forms.flatMap(({ form, proxy, quarry, share, p99Ratio }) => [
      formatRow([form, 'Express', ...formatFigures(proxy)]),
      formatRow([form, 'Quarry', ...formatFigures(quarry), share.toFixed(2), p99Ratio.toFixed(1)]),
    ]),
    `targets: share of at least ${MIN_SHARE}, p99 ratio of at most ${MAX_P99_RATIO}: ${missed.length === 0 ? 'met' : 'missed'}`,
    ...missed.map((target) => `MISSED: ${target}`),
  ].join('\n');
}
