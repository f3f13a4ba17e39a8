import { readFile } from 'node:fs/promises';
import type { OpenDatabase } from '@quarry/gateway';

type Pool = OpenDatabase['pool'];

/**
 * Work that PostgreSQL has done for SQL statements and for the triggers that they fire. Other programs on the machine
 * change durations, but hardly these values.
 */
export interface Work {
  /** Number of blocks that were read, from memory or from disk. */
  readonly blocks: number;
  /** Number of table rows and index entries that were read. */
  readonly rows: number;
  /** Processor time of the PostgreSQL process that serves the connection, in milliseconds. */
  readonly cpuMs: number;
}

const NANOSECONDS_PER_MS = 1e6;

/**
 * Measures the work of PostgreSQL while a function runs. No connection other than `worker` may use the database while
 * the function runs.
 *
 * @param worker a pool with one connection, which the function uses
 * @param observer a pool with connections to another database, so that the work of the observer is not counted
 */
export async function measurePostgresWork(worker: Pool, observer: Pool, use: () => Promise<unknown>): Promise<Work> {
  const before = await readWorkCounters(worker, observer);
  await use();
  const after = await readWorkCounters(worker, observer);
  return {
    blocks: after.blocks - before.blocks,
    rows: after.rows - before.rows,
    cpuMs: after.cpuMs - before.cpuMs,
  };
}

async function readWorkCounters(worker: Pool, observer: Pool): Promise<Work> {
  const flushed = await worker.query<{ pid: number; name: string }>(
    'select pg_backend_pid() as pid, current_database() as name, pg_stat_force_next_flush()',
  );
  const [{ pid, name } = { pid: NaN, name: '' }] = flushed.rows;
  const { rows } = await observer.query<{ blocks: string; rows: string }>(
    `select blks_hit + blks_read as blocks, tup_returned + tup_fetched as rows from pg_stat_database where datname = $1`,
    [name],
  );
  const [cpu = ''] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ');
  return { blocks: Number(rows[0]?.blocks), rows: Number(rows[0]?.rows), cpuMs: Number(cpu) / NANOSECONDS_PER_MS };
}
