import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@quarry/embedded-postgres';
import { measureDuration } from '../quarry/measure-duration.js';
import { computePercentile } from '../quarry/percentile.js';

const run = promisify(execFile);

/** Median times of programs that a start cannot do without, in milliseconds. */
export interface Yardsticks {
  /** `node -e 0`, from spawn to exit. */
  readonly nodeMs: number;
  /** A start of the embedded PostgreSQL on an existing, empty cluster. */
  readonly postgresMs: number;
}

/** Measures the yardsticks. @param folder for the cluster */
export async function measureYardsticks(folder: string, runs: number): Promise<Yardsticks> {
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
