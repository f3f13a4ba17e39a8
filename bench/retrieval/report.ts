import type { Containment } from './measure-contained-answers.js';
import type { EvaluationSet } from './evaluation-set.js';
import { computeMeasures, type Measures } from './measures.js';
import { computePercentile } from '../quarry/percentile.js';
import type { Run } from './run-queries.js';

export interface Report {
  readonly set: string;
  readonly documents: number;
  readonly queries: number;
  readonly runs: readonly (Measures & { readonly mode: string; readonly p50Ms: number; readonly p95Ms: number })[];
  /** The number of extractive answers that contain a known right answer; undefined if it was not measured. */
  readonly containment: Containment | undefined;
  /** The targets that the measurements miss, each as one line of text. */
  readonly missed: readonly string[];
}

const MIN_CONTAINED = 0.7;
/**
 * Maximum difference by which the nDCG@10 of a search mode may be below that of its baseline. One or two queries of a
 * set can cause such a difference.
 */
const TOLERANCE = 0.002;

export function createReport(set: EvaluationSet, runs: readonly Run[], containment: Containment | undefined): Report {
  const measured = runs.map(({ mode, answers }) => {
    const times = answers.map(({ ms }) => ms);
    return {
      mode,
      ...computeMeasures(answers),
      p50Ms: computePercentile(times, 50),
      p95Ms: computePercentile(times, 95),
    };
  });
  const findNdcg = (mode: string): number | undefined => measured.find((run) => run.mode === mode)?.ndcg10;
  const missed = [
    ...findMissedNdcgTarget('lexical', findNdcg('lexical'), 'plain BM25', findNdcg('plain BM25')),
    ...findMissedNdcgTarget('hybrid', findNdcg('hybrid'), 'lexical', findNdcg('lexical')),
    ...findMissedNdcgTarget('hybrid', findNdcg('hybrid'), 'dense', findNdcg('dense')),
    ...findMissedContainmentTarget(containment),
  ];
  return {
    set: set.name,
    documents: set.documents.length,
    queries: set.queries.length,
    ...{ runs: measured, containment, missed },
  };
}

function findMissedNdcgTarget(
  mode: string,
  found: number | undefined,
  baseline: string,
  expected: number | undefined,
): string[] {
  if (found === undefined || expected === undefined || found >= expected - TOLERANCE) return [];
  return [`expected ${mode} to reach the nDCG@10 of ${baseline}, ${expected.toFixed(4)}, found ${found.toFixed(4)}`];
}

function findMissedContainmentTarget(containment: Containment | undefined): string[] {
  if (containment === undefined) return [];
  const share = containment.contained / containment.asked;
  if (share >= MIN_CONTAINED) return [];
  return [
    `expected ${formatPercent(MIN_CONTAINED)} of the answers to contain a known right answer, found ${formatPercent(share)}`,
  ];
}

/** Formats the reports as one table, with a block of rows for each set. */
export function formatReportTable(reports: readonly Report[]): string {
  const width = Math.max(
    12,
    ...reports.flatMap(({ set, runs }) => [set.length, ...runs.map(({ mode }) => mode.length)]),
  );
  const formatRow = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(width + 2) : cell.padStart(10))).join(' ');
  const header = formatRow(['', 'nDCG@10', 'recall@5', 'recall@100', 'MRR', 'hit@1', 'of 5', 'p50 ms', 'p95 ms']);
  return [header, ...reports.flatMap((report) => formatReportRows(report, formatRow))].join('\n');
}

function formatReportRows(report: Report, formatRow: (cells: readonly string[]) => string): readonly string[] {
  const { set, documents, queries, runs, containment, missed } = report;
  const rows = runs.map(({ mode, ndcg10, recall5, recall100, mrr, hit1, recallOf5Results, p50Ms, p95Ms }) =>
    formatRow([
      `  ${mode}`,
      ...[ndcg10, recall5, recall100, mrr, hit1, recallOf5Results].map((x) => x.toFixed(4)),
      p50Ms.toFixed(1),
      p95Ms.toFixed(1),
    ]),
  );
  return [
    `${set}: ${documents} documents, ${queries} queries`,
    ...rows,
    ...(containment === undefined ? [] : [formatContainment(containment)]),
    ...missed.map((target) => `  MISSED: ${target}`),
  ];
}

function formatContainment({ asked, contained, length }: Containment): string {
  const share = formatPercent(contained / asked);
  return `  extractive answers with the right string: ${share} of ${asked}, ${length.toFixed(0)} characters each`;
}

function formatPercent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
