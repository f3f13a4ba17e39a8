import { setTimeout as wait } from 'node:timers/promises';
import { findLowestJainIndex, type Sample } from './jain.js';
import type { Stack } from './start-stack.js';
import { createTenant, getStoredTokens, upsertUniformDocuments, indexFirstDocument, type Tenant } from './tenants.js';

const MIN_JAIN_INDEX = 0.95;
const JAIN_WINDOW_MS = 60_000;
/** Time between two readings of the number of indexed documents of each tenant, in milliseconds. */
const INTERVAL_MS = 2_000;

export interface Shares {
  readonly tenants: number;
  readonly documents: number;
  /**
   * Jain's fairness index of the least fair time window: 1 for equal shares. Undefined if no window ended while at
   * least two tenants still had unindexed documents.
   */
  readonly index: number | undefined;
}

/**
 * Imports `documents` documents of `count` tenants at the same time, and measures how equally Quarry serves the
 * tenants. The n-th tenant has 1/n of the documents of the first tenant.
 */
export async function measureShares(stack: Stack, count: number, documents: number): Promise<Shares> {
  const harmonic = Array.from({ length: count }, (_, index) => 1 / (index + 1)).reduce((sum, part) => sum + part, 0);
  const sizes = Array.from({ length: count }, (_, index) =>
    Math.max(1, Math.round(documents / harmonic / (index + 1))),
  );
  const tenants: Tenant[] = [];
  for (let index = 0; index < count; index += 1) tenants.push(await createTenant(stack, `tenant ${index}`));
  const tokensEach = Math.max(...(await Promise.all(tenants.map(async (tenant) => indexFirstDocument(tenant)))));
  await Promise.all(tenants.map(async (tenant, index) => upsertUniformDocuments(tenant, sizes[index] ?? 1)));
  const samples: Sample[] = [];
  for (;;) {
    const indexed = await Promise.all(tenants.map(async (tenant) => (await getStoredTokens(tenant)) / tokensEach));
    samples.push({ atMs: performance.now(), indexed });
    if (indexed.every((stored, tenant) => stored >= (sizes[tenant] ?? 0))) break;
    await wait(INTERVAL_MS);
  }
  return {
    tenants: count,
    documents: sizes.reduce((sum, size) => sum + size, 0),
    index: findLowestJainIndex(samples, sizes, JAIN_WINDOW_MS),
  };
}

export function formatShares({ tenants, documents, index }: Shares): readonly string[] {
  return [
    `${documents} documents of ${tenants} tenants, the n-th with 1/n of the first:`,
    `  Jain's index of the least fair 60 s  ${index?.toFixed(3) ?? 'the backlog was too short'}; at least ${MIN_JAIN_INDEX}`,
  ];
}

export function findMissedShareTargets({ index }: Shares): readonly string[] {
  return index === undefined || index >= MIN_JAIN_INDEX ? [] : ['equal shares'];
}
