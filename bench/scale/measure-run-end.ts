import { startTestPostgres } from '@quarry/embedded-postgres/testing';
import { migrateDatabase, openDatabase, type OpenDatabase } from '@quarry/gateway';
import {
  createOutcomeRecorder,
  endListingSync,
  type ExplainedStatement,
  explainStatements,
  type FilledListing,
  insertIndexedListing,
  openRunGateway,
  recordDocumentOutcome,
  type StartedSync,
  startListingSync,
  type TableScan,
} from '@quarry/gateway/testing';
import { measureDuration } from '../quarry/measure-duration.js';
import { computePercentile } from '../quarry/percentile.js';
import { measurePostgresWork, type Work } from './measure-postgres-work.js';

/** Measurements of an incremental sync that finds no changes in a listing with `documents` documents. */
export interface RunEndFigures {
  readonly documents: number;
  /** Medians of the work of PostgreSQL at the start of the run. */
  readonly start: Work;
  /** Medians of the work of PostgreSQL at the end of the run. */
  readonly end: Work;
  /** The SQL statements at the end of the run, with the blocks that each statement reads. */
  readonly statements: readonly ExplainedStatement[];
  /** The table scans at the end of the run that read more than 20 rows. */
  readonly scans: readonly TableScan[];
}

/**
 * The cost of the triggers that maintain the document totals of a datasource: time with the triggers divided by time
 * without them.
 */
export interface TotalsCost {
  /** Cost of recording 1,000 found and 1,000 skipped documents. */
  readonly batch: number;
  /** Cost of recording the outcome of one document. */
  readonly document: number;
  /** Time for recording eight outcomes in one transaction, divided by the time with one transaction per outcome. */
  readonly together: number;
}

const ROUNDS = 101;
const MANY_ROWS = 20;

/**
 * Measures syncs that find no changes, for listings of all `sizes` alternately, so that other load on the machine
 * affects all sizes.
 */
export async function measureRunEnds(
  sizes: readonly number[],
): Promise<{ readonly runEnds: readonly RunEndFigures[]; readonly totalsCost: TotalsCost }> {
  const postgres = await startTestPostgres({ shared_buffers: '512MB', max_wal_size: '8GB' });
  try {
    const url = await postgres.createDatabase();
    await migrateDatabase(url);
    const database = openDatabase({ url, connections: 10, direct: true, onConnectionLost: () => undefined });
    const listings: MeasuredListing[] = [];
    for (const documents of sizes) {
      listings.push({ documents, listing: await insertIndexedListing(database.pool, documents), starts: [], ends: [] });
    }
    await database.pool.query('vacuum (analyze)');
    await runWithPools(url, await postgres.createDatabase(), async (pools) => {
      for (let round = 0; round < ROUNDS; round += 1) for (const one of listings) await measureSyncWork(pools, one);
    });
    const runEnds: RunEndFigures[] = [];
    for (const one of listings) runEnds.push(await summarizeRunEnd(url, database, one));
    const totalsCost = await measureTotalsCost(database);
    await database.close();
    return { runEnds, totalsCost };
  } finally {
    await postgres.stop();
  }
}

interface MeasuredListing {
  readonly documents: number;
  readonly listing: FilledListing;
  readonly starts: Work[];
  readonly ends: Work[];
}

interface Pools {
  readonly worker: OpenDatabase;
  readonly observer: OpenDatabase;
}

/**
 * Runs a function with two pools of one connection each: `worker` to the database at `url`, and `observer` to the
 * database at `otherUrl`.
 */
async function runWithPools(url: string, otherUrl: string, use: (pools: Pools) => Promise<void>): Promise<void> {
  const options = { connections: 1, direct: true, onConnectionLost: () => undefined };
  const [worker, observer] = [openDatabase({ ...options, url }), openDatabase({ ...options, url: otherUrl })];
  await use({ worker, observer });
  await worker.close();
  await observer.close();
}

const readClock = (): Date => new Date();

/** Measures the start and the end of one sync of a listing. Appends the results to `starts` and `ends`. */
async function measureSyncWork({ worker, observer }: Pools, { listing, starts, ends }: MeasuredListing): Promise<void> {
  const gateway = { db: worker.db, clock: readClock };
  let run: StartedSync | undefined;
  const start = await measurePostgresWork(worker.pool, observer.pool, async () => {
    run = await startListingSync(gateway, listing);
    await openRunGateway({ ...gateway, ...SILENT }).openRun(run);
  });
  const end = await measurePostgresWork(worker.pool, observer.pool, async () => run && endListingSync(gateway, run));
  starts.push(start);
  ends.push(end);
}

const SILENT = { outboxWritten: { wake: () => undefined }, changes: { publish: () => undefined } };

async function summarizeRunEnd(url: string, { db }: OpenDatabase, measured: MeasuredListing): Promise<RunEndFigures> {
  const { documents, listing, starts, ends } = measured;
  const run = await startListingSync({ db, clock: readClock }, listing);
  const explained = openDatabase({ url, connections: 1, onConnectionLost: () => undefined });
  const statements = explainStatements(explained.pool);
  await endListingSync({ db: explained.db, clock: readClock }, run);
  await explained.close();
  const scans = [...statements.values()].flatMap((statement) => statement.scans);
  return {
    ...{ documents, start: computeMedians(starts), end: computeMedians(ends), statements: [...statements.values()] },
    scans: scans.filter(({ rows }) => rows > MANY_ROWS),
  };
}

function computeMedians(all: readonly Work[]): Work {
  const computeMedian = (kind: keyof Work): number =>
    computePercentile(
      all.map((one) => one[kind]),
      50,
    );
  return { blocks: computeMedian('blocks'), rows: computeMedian('rows'), cpuMs: computeMedian('cpuMs') };
}

const BATCHES = 30;
const BATCH = 1_000;
const TRIGGERS = {
  documents: ['count_added_documents', 'count_changed_documents', 'count_removed_documents'],
  token_reservations: [
    'count_added_tokens_of_datasource',
    'count_changed_tokens_of_datasource',
    'count_removed_tokens_of_datasource',
  ],
};

/**
 * Measures the recording of documents alternately with and without the triggers that maintain the document totals of a
 * datasource.
 */
async function measureTotalsCost(database: OpenDatabase): Promise<TotalsCost> {
  const { db, pool } = database;
  const gateway = openRunGateway({ db, clock: readClock, ...SILENT });
  const listing = await insertIndexedListing(pool, 1);
  const run = await startListingSync({ db, clock: readClock }, listing);
  const batches: readonly [number[], number[]] = [[], []];
  const documents: readonly [number[], number[]] = [[], []];
  for (let turn = 0; turn < 2 * BATCHES; turn += 1) {
    const isCounted = turn % 2 === 0;
    await setTriggersEnabled(database, isCounted ? 'enable' : 'disable');
    const keys = Array.from({ length: BATCH }, (_, at) => `item:${turn}-${at}`);
    const toIndex = keys.map((key) => ({ documentKey: key, name: key, blobKey: 'blob', mimeType: 'text/plain' }));
    const settled = keys.map((key) => ({ documentKey: `skipped ${key}`, outcome: 'skipped' as const }));
    const at = readClock().toISOString();
    const recorded = await measureDuration(async () => gateway.recordDocuments({ ...run, at, toIndex, settled }));
    batches[isCounted ? 0 : 1].push(recorded.ms);
    for (const documentKey of keys.slice(0, 100)) {
      const outcome = { ...run, documentKey, outcome: 'indexed', fragments: 2, storedTokens: 300, at } as const;
      const settledOne = await measureDuration(async () => recordDocumentOutcome(db, outcome, readClock()));
      documents[isCounted ? 0 : 1].push(settledOne.ms);
    }
  }
  await setTriggersEnabled(database, 'enable');
  const together = await measureGroupedOutcomes(database, run);
  return { batch: computeRatioOfMedians(batches), document: computeRatioOfMedians(documents), together };
}

const AT_ONCE = 8;
const WAVES = 40;

/**
 * Measures the recording of document outcomes alternately in groups of eight per transaction, as the gateway does, and
 * with one transaction per outcome.
 */
async function measureGroupedOutcomes({ db }: OpenDatabase, run: StartedSync): Promise<number> {
  const recorder = createOutcomeRecorder({ db, clock: readClock });
  const times: readonly [number[], number[]] = [[], []];
  for (let turn = 0; turn < 2 * WAVES; turn += 1) {
    const isTogether = turn % 2 === 0;
    const outcomes = Array.from({ length: AT_ONCE * 5 }, (_, at) => ({
      ...{ ...run, documentKey: `wave ${turn}-${at}`, outcome: 'indexed' as const, at: readClock().toISOString() },
      ...{ fragments: 2, storedTokens: 300 },
    }));
    const wave = await measureDuration(async () =>
      runConcurrently(outcomes, async (one) =>
        isTogether ? recorder.record(one) : recordDocumentOutcome(db, one, readClock()),
      ),
    );
    times[isTogether ? 0 : 1].push(wave.ms);
  }
  return computeRatioOfMedians(times);
}

async function runConcurrently<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const waiting = [...all];
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one);
  });
  await Promise.all(workers);
}

function computeRatioOfMedians([first, second]: readonly [readonly number[], readonly number[]]): number {
  return computePercentile(first, 50) / computePercentile(second, 50);
}

async function setTriggersEnabled({ pool }: OpenDatabase, state: 'enable' | 'disable'): Promise<void> {
  for (const [table, names] of Object.entries(TRIGGERS)) {
    for (const name of names) await pool.query(`alter table quarry.${table} ${state} trigger ${name}`);
  }
}
