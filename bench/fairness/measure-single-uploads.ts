import { setTimeout as wait } from 'node:timers/promises';
import { computePercentile } from '../quarry/percentile.js';
import { CONCURRENCY, type Stack } from './start-stack.js';
import {
  createTenant,
  getStoredTokens,
  upsertUniformDocuments,
  indexFirstDocument,
  uploadSmallFile,
} from './tenants.js';

/**
 * Maximum time in milliseconds that a single upload may take during an import, beyond the duration of two average jobs.
 */
const MAX_EXTRA_MS = 1_000;
/** Number of single uploads that are measured. */
const UPLOADS = 20;
/** Time between two single uploads, in milliseconds. */
const INTERVAL_MS = 2_000;

export interface SingleUploads {
  readonly documents: number;
  readonly uploads: number;
  readonly aloneMs: number;
  readonly duringMs: number;
  readonly slowestMs: number;
  readonly limitMs: number;
  readonly jobsPerSecond: number;
}

/**
 * Measures the time until single uploads of one tenant are searchable: first without other load, then while another
 * tenant imports `documents` documents.
 */
export async function measureSingleUploads(stack: Stack, documents: number): Promise<SingleUploads> {
  const [importer, visitor] = [await createTenant(stack, 'importer'), await createTenant(stack, 'visitor')];
  const alone: number[] = [];
  for (let upload = 0; upload < UPLOADS; upload += 1) alone.push(await uploadSmallFile(visitor, `alone-${upload}`));
  const tokensEach = await indexFirstDocument(importer);
  await upsertUniformDocuments(importer, documents);
  const begun = { at: performance.now(), indexed: (await getStoredTokens(importer)) / tokensEach };
  const during: number[] = [];
  let indexed = begun.indexed;
  while (during.length < UPLOADS && indexed < documents) {
    during.push(await uploadSmallFile(visitor, `during-${during.length}`));
    await wait(INTERVAL_MS);
    indexed = (await getStoredTokens(importer)) / tokensEach;
  }
  const jobsPerSecond = (indexed - begun.indexed) / ((performance.now() - begun.at) / 1_000);
  const averageJobMs = (CONCURRENCY / jobsPerSecond) * 1_000;
  return {
    documents,
    uploads: during.length,
    aloneMs: computePercentile(alone, 50),
    duringMs: computePercentile(during, 50),
    slowestMs: Math.max(...during),
    limitMs: 2 * averageJobMs + MAX_EXTRA_MS,
    jobsPerSecond,
  };
}

export function formatSingleUploads(single: SingleUploads): readonly string[] {
  const { documents, uploads, aloneMs, duringMs, slowestMs, limitMs, jobsPerSecond } = single;
  return [
    `An import of ${documents} documents by another tenant; ${uploads} single uploads meanwhile:`,
    `  alone, median        ${aloneMs.toFixed(0)} ms`,
    `  during, median       ${duringMs.toFixed(0)} ms (${(duringMs / aloneMs).toFixed(1)} times)`,
    `  during, slowest      ${slowestMs.toFixed(0)} ms; at most two average jobs and 1 s: ${limitMs.toFixed(0)} ms`,
    `  jobs per second      ${jobsPerSecond.toFixed(0)}`,
  ];
}

/** Lists the missed targets. A target that was not measured, because the import ended too early, is missed, too. */
export function findMissedUploadTargets({ uploads, slowestMs, limitMs }: SingleUploads): readonly string[] {
  return uploads > 0 && slowestMs <= limitMs ? [] : ['a single upload during an import'];
}
