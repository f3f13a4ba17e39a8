import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runBaseline } from '../baselines/run-baseline.js';
import { hasArticlePages, readArticlePages } from './article-pages.js';
import { compareExtractors, type Comparison, type Reading, scoreWords } from './comparison.js';
import { readWithQuarry } from './read-with-quarry.js';
import { readMarkedPages, readSavedPages, type SavedPage, writeSavedPages } from './saved-pages.js';
import { scoreShingles } from './score-shingles.js';

const QUARRY = 'Quarry';
const OWN_PAGES = new URL('../../extraction/pages/', import.meta.url).pathname;

const { values, positionals } = parseArgs({ options: { json: { type: 'boolean' } }, allowPositionals: true });
const [folder] = positionals.map((given) => resolve(process.env['INIT_CWD'] ?? '.', given));
const pages = await readPagesOfSet();

const written = await mkdtemp(join(tmpdir(), 'quarry-extraction-'));
try {
  await writeSavedPages(written, pages);
  const readings = new Map<string, readonly Reading[]>();
  // baselines/extraction.mjs prints JSON of these types.
  for (const library of (await runBaseline('extraction.mjs', ['list'])) as string[]) {
    readings.set(library, (await runBaseline('extraction.mjs', [library, written])) as Reading[]);
  }
  readings.set(QUARRY, await readWithQuarry(pages));
  const rows = compareExtractors(pages, readings, isArticleFolderGiven() ? scoreShingles : scoreWords);
  console.log(values.json === true ? JSON.stringify(rows, undefined, 2) : rows.map(formatComparisonLine).join('\n'));
  process.exitCode = isQuarryBest(rows.filter(({ type }) => type === 'all')) ? 0 : 1;
} finally {
  await rm(written, { recursive: true });
}

/**
 * Reads the pages in the folder that the first argument names; without an argument, those in bench/extraction/pages.
 */
async function readPagesOfSet(): Promise<readonly SavedPage[]> {
  if (folder === undefined) return readMarkedPages(OWN_PAGES);
  return isArticleFolderGiven() ? readArticlePages(folder) : readSavedPages(folder);
}

function isArticleFolderGiven(): boolean {
  return folder !== undefined && hasArticlePages(folder);
}

/**
 * Returns whether Quarry has the best scores: no extractor has a higher F1 or a higher recall. The extractor that
 * returns the whole page may have a higher recall.
 */
function isQuarryBest(rows: readonly Comparison[]): boolean {
  const own = rows.find(({ extractor }) => extractor === QUARRY);
  return (
    own !== undefined &&
    rows.every(({ f1, recall, extractor }) => f1 <= own.f1 && (recall <= own.recall || extractor === 'the whole page'))
  );
}

function formatComparisonLine({
  extractor,
  type,
  pages: count,
  precision,
  recall,
  f1,
  cells,
  code,
  ms,
}: Comparison): string {
  const scores = [precision, recall, f1].map((value) => value.toFixed(3)).join('  ');
  const recalls = [cells, code].map((value) => value?.toFixed(2) ?? '   -').join('  ');
  return `${type.padEnd(14)} ${String(count).padStart(4)}  ${extractor.padEnd(29)} ${scores}  ${recalls}  ${ms.toFixed(0).padStart(5)} ms`;
}
