import type { ExtractedContent } from './read-markdown.js';
import type { SavedPage } from './saved-pages.js';
import { computeScore, countFoundIgnoringWhiteSpace, type Score } from './score.js';
import type { TextPair } from './score-shingles.js';

/**
 * Holds the content that an extractor returned for a page, and the time that it took, in milliseconds. The content is
 * absent if the extractor failed.
 */
export type Reading = Partial<ExtractedContent> & { readonly file: string; readonly ms: number };

/** The mean scores of one extractor over pages of one type. */
export interface Comparison extends Score {
  readonly extractor: string;
  /** Type of the compared pages, such as `article`; `all` for the pages of all types together. */
  readonly type: string;
  readonly pages: number;
  /** Share of the expected table cells that the extractor found; undefined if no table cells are expected. */
  readonly cells: number | undefined;
  /** Share of the expected code blocks that the extractor found; undefined if no code blocks are expected. */
  readonly code: number | undefined;
  /** Mean time that the extractor took per page, in milliseconds. */
  readonly ms: number;
}

/** Computes the scores of one extractor from pairs of the text that it returned for a page and the page's reference. */
export type Metric = (pairs: readonly TextPair[]) => Score;

const ALL = 'all';

/** Scores the results of each extractor over all pages, and over the pages of each type if there are several types. */
export function compareExtractors(
  pages: readonly SavedPage[],
  readings: ReadonlyMap<string, readonly Reading[]>,
  metric: Metric,
): readonly Comparison[] {
  const kinds = new Set(pages.map(({ type }) => type));
  const types = kinds.size > 1 ? [ALL, ...kinds] : [ALL];
  return types.flatMap((type) => {
    const these = pages.filter((page) => type === ALL || page.type === type);
    return [...readings].map(([extractor, all]) => ({ extractor, type, ...computeMeanScores(these, all, metric) }));
  });
}

function computeMeanScores(
  pages: readonly SavedPage[],
  all: readonly Reading[],
  metric: Metric,
): Omit<Comparison, 'extractor' | 'type'> {
  const readings = new Map(all.map((reading) => [reading.file, reading]));
  const pairs = pages.map(({ name, reference }) => ({ text: readings.get(name)?.text ?? '', reference }));
  const computeRecall = (kind: 'cells' | 'code'): number | undefined => {
    const listed = pages.reduce((sum, page) => sum + (page[kind]?.length ?? 0), 0);
    const found = pages.map((page) =>
      countFoundIgnoringWhiteSpace(readings.get(page.name)?.[kind] ?? [], page[kind] ?? []),
    );
    return listed === 0 ? undefined : found.reduce((sum, count) => sum + count, 0) / listed;
  };
  return {
    pages: pages.length,
    ...metric(pairs),
    cells: computeRecall('cells'),
    code: computeRecall('code'),
    ms: computeMean(pages.map(({ name }) => readings.get(name)?.ms ?? 0)),
  };
}

/**
 * Compares the words of each text with those of its reference. Returns the mean precision, recall and F1 of all pairs.
 */
export function scoreWords(pairs: readonly TextPair[]): Score {
  const scores = pairs.map(({ text, reference }) => computeScore(text, reference));
  return {
    precision: computeMean(scores.map(({ precision }) => precision)),
    recall: computeMean(scores.map(({ recall }) => recall)),
    f1: computeMean(scores.map(({ f1 }) => f1)),
  };
}

function computeMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
