import type { Containment } from './ask-questions.js';
import type { EvaluationSet } from './evaluation-set.js';
import { computeMeasures, type Measures } from './measures.js';
import { computePercentile } from '../quarry/percentile.js';
import type { Run } from './run-queries.js';

export interface Report {
  readonly set: string;
  readonly documents: number;
  readonly queries: number;
  readonly runs: readonly (Measures & { readonly mode: string; readonly p50Ms: number; readonly p95Ms: number })[];
  /** The share of extractive answers with a right string; undefined where it was not measured. */
  readonly containment: Containment | undefined;
  /** The missed targets. */
  readonly missed: readonly string[];
}

const MIN_CONTAINED = 0.7;
/** The nDCG@10 by which hybrid and lexical search may fall behind: one or two queries. */
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
    ...checkNdcg('lexical', findNdcg('lexical'), 'plain BM25', findNdcg('plain BM25')),
    ...checkNdcg('hybrid', findNdcg('hybrid'), 'lexical', findNdcg('lexical')),
    ...checkNdcg('hybrid', findNdcg('hybrid'), 'dense', findNdcg('dense')),
    ...checkContainment(containment),
  ];
  return {
    set: set.name,
    documents: set.documents.length,
    queries: set.queries.length,
    ...{ runs: measured, containment, missed },
  };
}

function checkNdcg(one: string, found: number | undefined, other: string, expected: number | undefined): string[] {
  if (found === undefined || expected === undefined || found >= expected - TOLERANCE) return [];
  return [`expected ${one} to reach the nDCG@10 of ${other}, ${expected.toFixed(4)}, found ${found.toFixed(4)}`];
}

function checkContainment(containment: Containment | undefined): string[] {
  if (containment === undefined) return [];
  const share = containment.contained / containment.asked;
  if (share >= MIN_CONTAINED) return [];
  return [
    `${formatPercent(MIN_CONTAINED)} of the answers expected to contain a right string, found ${formatPercent(share)}`,
  ];
}

/** Formats the report as a table. */
export function formatTable({ set, documents, queries, runs, containment, missed }: Report): string {
  const formatRow = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(12) : cell.padStart(10))).join(' ');
  const lines = [
    `${set}: ${documents} documents, ${queries} queries`,
    formatRow(['', 'nDCG@10', 'recall@5', 'recall@100', 'MRR', 'p50 ms', 'p95 ms']),
    ...runs.map(({ mode, ndcg10, recall5, recall100, mrr, p50Ms, p95Ms }) =>
      formatRow([
        mode,
        ...[ndcg10, recall5, recall100, mrr].map((x) => x.toFixed(4)),
        p50Ms.toFixed(1),
        p95Ms.toFixed(1),
      ]),
    ),
  ];
  if (containment !== undefined) {
    const { asked, contained, length } = containment;
    const share = formatPercent(contained / asked);
    lines.push(`extractive answers with the right string: ${share} of ${asked}, ${length.toFixed(0)} characters each`);
  }
  return [...lines, ...missed.map((target) => `MISSED: ${target}`)].join('\n');
}

function formatPercent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
