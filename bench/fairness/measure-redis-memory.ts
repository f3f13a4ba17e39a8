import { setTimeout as wait } from 'node:timers/promises';
import { ingestionQueue } from '@quarry/contracts';
import type { Queues } from '@quarry/queue';
import { openQueues } from '@quarry/queue-bullmq';
import { silentLog } from '@quarry/queue/testing';
import { CONCURRENCY, readRedisMemory, type Stack } from './start-stack.js';
import { createTenant, getStoredTokens, upsertUniformDocuments, indexFirstDocument } from './tenants.js';

/**
 * Maximum number of unfinished jobs in Redis. It is the sum of the running jobs, as many waiting jobs, and 160 more
 * jobs, which take 0.4 s at 400 jobs per second.
 */
const MAX_UNFINISHED = 2 * CONCURRENCY + 160;
const INTERVAL_MS = 500;

/** The maximum number of jobs in Redis, and the maximum memory of Redis, during one import. */
export interface RedisPeak {
  readonly documents: number;
  /** Number of unfinished jobs: waiting, delayed or running jobs. */
  readonly unfinished: number;
  /** Number of completed jobs, minus the number before the import. Redis keeps completed jobs for some minutes. */
  readonly completed: number;
  /** Maximum memory that Redis uses during the import, minus the memory that it used before the import, in bytes. */
  readonly bytes: number;
}

/**
 * Measures the maximum number of jobs and the maximum memory of Redis during two imports: first of a tenth of
 * `documents` documents, and then of all `documents` documents.
 */
export async function measureRedisMemory(stack: Stack, documents: number): Promise<readonly RedisPeak[]> {
  const queues = await openQueues({ url: stack.queueUrl, log: silentLog });
  try {
    const peaks: RedisPeak[] = [];
    for (const count of [Math.ceil(documents / 10), documents])
      peaks.push(await measureRedisPeak(stack, queues, count));
    return peaks;
  } finally {
    await queues.close(0);
  }
}

async function measureRedisPeak(stack: Stack, queues: Queues, documents: number): Promise<RedisPeak> {
  const tenant = await createTenant(stack, 'importer');
  const tokensEach = await indexFirstDocument(tenant);
  const [bytesBefore, before] = [await readRedisMemory(stack.queueUrl), await queues.countJobs(ingestionQueue)];
  const peak = { documents, unfinished: 0, completed: 0, bytes: 0 };
  const importing = upsertUniformDocuments(tenant, documents);
  while ((await getStoredTokens(tenant)) < documents * tokensEach) {
    const { waiting, active, delayed, completed } = await queues.countJobs(ingestionQueue);
    peak.unfinished = Math.max(peak.unfinished, waiting + active + delayed);
    peak.completed = Math.max(peak.completed, completed - before.completed);
    peak.bytes = Math.max(peak.bytes, (await readRedisMemory(stack.queueUrl)) - bytesBefore);
    await wait(INTERVAL_MS);
  }
  await importing;
  return peak;
}

export function formatRedisPeaks(peaks: readonly RedisPeak[]): readonly string[] {
  return [
    `Peaks of Redis during an import; target: at most ${MAX_UNFINISHED} unfinished jobs:`,
    ...peaks.map(({ documents, unfinished, completed, bytes }) => {
      const memory = `${(bytes / 2 ** 20).toFixed(1)} MiB, ${(bytes / completed / 1_024).toFixed(1)} KiB per completed job`;
      return `  ${String(documents).padStart(6)} documents  ${unfinished} unfinished, ${completed} completed jobs; ${memory}`;
    }),
  ];
}

export function findMissedMemoryTargets(peaks: readonly RedisPeak[]): readonly string[] {
  return peaks.every(({ unfinished }) => unfinished <= MAX_UNFINISHED) ? [] : ['the number of jobs in Redis'];
}
