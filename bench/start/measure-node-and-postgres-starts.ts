import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@quarry/embedded-postgres';
import { measureDuration } from '../quarry/measure-duration.js';
import { computePercentile } from '../quarry/percentile.js';

const run = promisify(execFile);

/**
 * Median start times of Node and PostgreSQL alone, in milliseconds. Each start of a standalone Quarry starts both of
 * them.
 */
export interface Yardsticks {
  /** Time of `node -e 0` from spawn to exit. */
  readonly nodeMs: number;
  /** Time to start the embedded PostgreSQL on an existing, empty database cluster. */
  readonly postgresMs: number;
}

/**
 * Measures the start times of Node and PostgreSQL alone.
 *
 * @param folder in which the data of PostgreSQL is created
 * @param runs number of measured starts of each program
 */
export async function measureNodeAndPostgresStarts(folder: string, runs: number): Promise<Yardsticks> {
  const directory = join(folder, 'postgres');
  await (await startEmbeddedPostgres({ directory })).stop();
  const node: number[] = [];
  const postgres: number[] = [];
  for (let turn = 0; turn < runs; turn += 1) {
    node.push((await measureDuration(() => run(process.execPath, ['-e', '0']))).ms);
    const { result, ms } = await measureDuration(() => startEmbeddedPostgres({ directory }));
    await result.stop();
    postgres.push(ms);
  }
  return { nodeMs: computePercentile(node, 50), postgresMs: computePercentile(postgres, 50) };
}
