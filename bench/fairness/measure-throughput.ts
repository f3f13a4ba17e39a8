import { setTimeout as wait } from 'node:timers/promises';
import { ingestionQueue } from '@quarry/contracts';
import { openDatabase } from '@quarry/gateway';
import { silentLog } from '@quarry/queue/testing';
import { openQueues } from '@quarry/queue-bullmq';
import { computePercentile } from '../quarry/percentile.js';
import { readParentPid, readTreeCpuSeconds } from '../quarry/tree-cpu-seconds.js';
import type { Stack } from './start-stack.js';
import { createTenant, getStoredTokens, upsertUniformDocuments, indexFirstDocument } from './tenants.js';

const MIN_RATIO = 0.95;
/** Number of jobs that are added to the queue in one request in the mode `fifo`. */
const BATCH = 500;
const POLL_MS = 250;

/**
 * The way in which jobs get from the outbox into the queue. `fair`: the dispatcher publishes them. `fifo`: this program
 * publishes them without the dispatcher, in the order in which they were written to the outbox.
 */
type Mode = 'fair' | 'fifo';

interface Turn {
  readonly documentsPerSecond: number;
  /**
   * Number of documents that are indexed per second of processor time of this program, Quarry and its servers. Other
   * programs on the machine affect this figure less than the documents per second.
   */
  readonly documentsPerCpuSecond: number;
  /**
   * Number of PostgreSQL transactions per indexed document. Other programs on the machine do not affect this figure.
   */
  readonly transactions: number;
  /** Share of the time, from 0 to 1, in which no job in the queue waited for a worker. */
  readonly emptyShare: number;
}

/**
 * The ratio of the indexing rate in the mode `fair` to that in the mode `fifo`: median, minimum and maximum over all
 * turns. Each turn measures both modes.
 */
interface Ratio {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export interface ThroughputFigures {
  readonly documents: number;
  readonly turns: Readonly<Record<Mode, readonly Turn[]>>;
  readonly ratio: Ratio;
  readonly cpuRatio: Ratio;
}

type Pool = ReturnType<typeof openDatabase>['pool'];
type Queues = Awaited<ReturnType<typeof openQueues>>;

/**
 * Measures the indexed documents per second with the dispatcher and with a plain first-in-first-out queue, alternately.
 */
export async function measureThroughput(stack: Stack, documents: number, turns: number): Promise<ThroughputFigures> {
  const database = openDatabase({ url: stack.databaseUrl, connections: 2, onConnectionLost: () => undefined });
  const queues = await openQueues({ url: stack.queueUrl, log: silentLog });
  const servers = { stack, pool: database.pool, queues, roots: [process.pid, await findPostgresPid(database.pool)] };
  try {
    const measured: Record<Mode, Turn[]> = { fair: [], fifo: [] };
    for (let turn = 0; turn < turns; turn += 1) {
      const modes: readonly Mode[] = turn % 2 === 0 ? ['fifo', 'fair'] : ['fair', 'fifo'];
      for (const mode of modes) {
        const result = await measureIndexingTurn(servers, mode, documents);
        measured[mode].push(result);
        console.error(`turn ${turn + 1}, ${mode}: ${formatTurn(result)}`);
      }
    }
    const [ratio, cpuRatio] = [
      computeRatioOfTurns(measured, 'documentsPerSecond'),
      computeRatioOfTurns(measured, 'documentsPerCpuSecond'),
    ];
    return { documents, turns: measured, ratio, cpuRatio };
  } finally {
    await queues.close(0);
    await database.close();
  }
}

/**
 * Computes the ratio of the rates in the two modes for each turn, because other programs on the machine affect both
 * rates of a turn.
 */
function computeRatioOfTurns({ fair, fifo }: Record<Mode, Turn[]>, rate: keyof Turn): Ratio {
  const ratios = fair.map((turn, at) => turn[rate] / (fifo[at]?.[rate] ?? NaN));
  return { median: computePercentile(ratios, 50), least: Math.min(...ratios), most: Math.max(...ratios) };
}

/**
 * Returns the id of PostgreSQL's main process, which is the parent process of the process of each connection. The main
 * process is no descendant of this program, so its processor time must be measured separately.
 */
async function findPostgresPid(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  return readParentPid(rows[0]?.pid ?? NaN);
}

interface TurnServers {
  readonly stack: Stack;
  readonly pool: Pool;
  readonly queues: Queues;
  /** Ids of the processes whose processor time is measured. The time of their descendants is included. */
  readonly roots: readonly number[];
}

/**
 * Fills the outbox with the jobs of `documents` documents while the dispatcher is stopped. Then publishes the jobs, and
 * measures the time until all documents are indexed.
 */
async function measureIndexingTurn(
  { stack, pool, queues, roots }: TurnServers,
  mode: Mode,
  documents: number,
): Promise<Turn> {
  const tenant = await createTenant(stack, mode);
  const tokensEach = await indexFirstDocument(tenant);
  await lockDispatcherUntil(pool, 'infinity');
  await upsertUniformDocuments(tenant, documents);
  const before = await countTransactions(pool);
  const cpuBefore = await readTreeCpuSeconds(roots);
  const begun = performance.now();
  const publishing = mode === 'fifo' ? publishAllJobs(pool, queues) : Promise.resolve();
  if (mode === 'fair') await lockDispatcherUntil(pool, 'now');
  const waiting: number[] = [];
  while ((await getStoredTokens(tenant)) < documents * tokensEach) {
    waiting.push((await queues.countJobs(ingestionQueue)).waiting);
    await wait(POLL_MS);
  }
  const seconds = (performance.now() - begun) / 1_000;
  await publishing;
  const cpuSeconds = (await readTreeCpuSeconds(roots)) - cpuBefore;
  const transactions = ((await countTransactions(pool)) - before) / documents;
  await lockDispatcherUntil(pool, 'now');
  const emptyShare = waiting.filter((jobs) => jobs === 0).length / waiting.length;
  const rates = { documentsPerSecond: documents / seconds, documentsPerCpuSecond: documents / cpuSeconds };
  return { ...rates, transactions, emptyShare };
}

async function countTransactions(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    'select xact_commit as count from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.count);
}

/** Locks the ingestion queue until a given time, so that the dispatcher does not fill it. `now` ends the lock. */
async function lockDispatcherUntil(pool: Pool, until: 'infinity' | 'now'): Promise<void> {
  await pool.query(
    `insert into quarry.dispatch_locks (queue, locked_until) values ($1, $2::text::timestamptz)
     on conflict (queue) do update set locked_until = excluded.locked_until`,
    [ingestionQueue.name, until],
  );
}

/**
 * Moves all jobs of the ingestion queue from the outbox to the queue, in the order in which they were written to the
 * outbox.
 */
async function publishAllJobs(pool: Pool, queues: Queues): Promise<void> {
  const producer = queues.createProducer(ingestionQueue);
  for (;;) {
    const { rows } = await pool.query<{ id: string; payload: never }>(
      'select id, payload from quarry.outbox where queue = $1 order by id limit $2',
      [ingestionQueue.name, BATCH],
    );
    if (rows.length === 0) return;
    await producer.addAll(rows.map(({ payload }) => ({ name: 'index-document', payload })));
    await pool.query('delete from quarry.outbox where id = any($1::bigint[])', [rows.map(({ id }) => id)]);
  }
}

/** Formats the measurements of one turn in one mode. */
function formatTurn({ documentsPerSecond, documentsPerCpuSecond, transactions, emptyShare }: Turn): string {
  const rates = `${documentsPerSecond.toFixed(0)} documents per second, ${documentsPerCpuSecond.toFixed(1)} per CPU second`;
  const empty = `queue empty for ${(100 * emptyShare).toFixed(0)} % of the time`;
  return `${rates}, ${transactions.toFixed(1)} transactions per document, ${empty}`;
}

function formatRatio({ median, least, most }: Ratio): string {
  return `${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
}

export function formatThroughput({ documents, turns, ratio, cpuRatio }: ThroughputFigures): readonly string[] {
  return [
    `Throughput with ${documents} documents, by turns:`,
    ...turns.fair.map((turn) => `  dispatcher           ${formatTurn(turn)}`),
    ...turns.fifo.map((turn) => `  first-in-first-out   ${formatTurn(turn)}`),
    `  ratio of a turn, median (least to most): ${formatRatio(ratio)}; at least ${MIN_RATIO}`,
    `  ratio per CPU second: ${formatRatio(cpuRatio)}`,
  ];
}

export function findMissedThroughputTargets({ ratio }: ThroughputFigures): readonly string[] {
  return ratio.median >= MIN_RATIO ? [] : ['throughput'];
}
