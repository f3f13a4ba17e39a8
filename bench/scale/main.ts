import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { parseNames, parseNumbers } from '../quarry/parse-option.js';
import { runWithTemporaryFolder } from '../quarry/start-quarry.js';
import { type DatabaseFigures, fillAndMeasureDatabase } from './fill-and-measure-database.js';
import { measureRunEnds, type RunEndFigures } from './measure-run-end.js';
import { measureIngestion, type IngestionFigures } from './measure-ingestion.js';
import type { StoreFigures } from './measure-store.js';
import type { Work } from './measure-postgres-work.js';
import { drawFiguresAsSvg } from './plot.js';
import { STORES, type StoreName } from './store-under-test.js';
import { formatDatabaseTable, formatIngestionTable, formatRunEndTable, formatStoreTable } from './markdown-tables.js';

const run = promisify(execFile);
const MEASURE_STORE = fileURLToPath(new URL('./measure-store.js', import.meta.url));
/** Path of the plot in the source folder. It is two folders up because this program runs from `dist`. */
const PLOT = fileURLToPath(new URL('../../scale/growth.svg', import.meta.url));
/**
 * Maximum ratio of the blocks and rows that PostgreSQL reads at any listing size to those at the first size in
 * `--documents`. They are measured for syncs that find no changes, at the start and at the end of the run.
 */
const MAX_GROWTH = 1.2;
/** Maximum ratio of the median search times at any size of a store to those at its smallest size. */
const MAX_SEARCH_GROWTH = 2;
/** Minimum share of the 50 vectors nearest to a query vector that dense searches find. */
const MIN_RECALL = 0.9;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    sizes: { type: 'string', default: '10000,100000' },
    stores: { type: 'string', default: STORES.join(',') },
    workers: { type: 'string', default: '1,2,4' },
    database: { type: 'string', default: '100000' },
    documents: { type: 'string', default: '1000,10000,100000,300000' },
    plot: { type: 'boolean', default: false },
  },
});
const storeNames = parseNames('stores', values.stores, STORES);
const storeSizes = parseNumbers('sizes', values.sizes);
const workerCounts = parseNumbers('workers', values.workers);
const databaseSizes = parseNumbers('database', values.database);
const listingSizes = parseNumbers('documents', values.documents);

const stores: StoreFigures[] = [];
for (const name of storeNames) stores.push(...(await measureStoreInOwnProcess(name, storeSizes)));
const ingestion: IngestionFigures[] = [];
for (const workers of workerCounts) ingestion.push(await measureIngestion(workers));
const databases: DatabaseFigures[] = [];
for (const datasources of databaseSizes) databases.push(await fillAndMeasureDatabase(datasources));

const runs = listingSizes.length === 0 ? undefined : await measureRunEnds(listingSizes);

if (values.json) console.log(JSON.stringify({ stores, ingestion, databases, runs }, undefined, 2));
else {
  const tables = [formatStoreTable(stores), formatIngestionTable(ingestion), ...databases.map(formatDatabaseTable)];
  if (runs !== undefined) tables.push(formatRunEndTable(runs.runEnds, runs.totalsCost));
  console.log(tables.join('\n\n'));
}
const hasFullScan = databases.some(({ fullScans }) => fullScans.length > 0);
process.exitCode = areSearchTargetsMet(stores) && !hasFullScan && isWorkIndependentOfSize(runs?.runEnds ?? []) ? 0 : 1;
if (values.plot) await writeFile(PLOT, drawFiguresAsSvg(stores, ingestion));

/**
 * Returns whether syncs without changes need the same work from PostgreSQL for all listing sizes, and scan no whole
 * table.
 */
function isWorkIndependentOfSize(runEnds: readonly RunEndFigures[]): boolean {
  const [first] = runEnds;
  if (first === undefined) return true;
  const isSimilar = (one: Work, other: Work): boolean =>
    one.blocks <= MAX_GROWTH * other.blocks && one.rows <= MAX_GROWTH * other.rows;
  return runEnds.every(
    ({ start, end, scans }) => scans.length === 0 && isSimilar(start, first.start) && isSimilar(end, first.end),
  );
}

/** Returns whether each store meets `MAX_SEARCH_GROWTH` and `MIN_RECALL` at every size. */
function areSearchTargetsMet(figures: readonly StoreFigures[]): boolean {
  return figures.every((row) => {
    const first = figures.find(({ store }) => store === row.store) ?? row;
    const growth = Math.max(row.denseP50 / first.denseP50, row.lexicalP50 / first.lexicalP50);
    return growth <= MAX_SEARCH_GROWTH && row.denseRecall >= MIN_RECALL;
  });
}

/** Measures a store in its own process, so that the memory of the previous store is not counted. */
async function measureStoreInOwnProcess(name: StoreName, sizes: readonly number[]): Promise<readonly StoreFigures[]> {
  return runWithTemporaryFolder(async (folder) => {
    const { stdout } = await run(process.execPath, [MEASURE_STORE, name, folder, ...sizes.map(String)]);
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as StoreFigures); // measure-store.ts prints this form
  });
}
