// Measures how long one tenant waits for another one's import, and how equally tenants with backlogs are served.
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { computePercentile } from '../quarry/percentile.js';
import { type QuarryUnderTest, startQuarry, withFolder } from '../quarry/start-quarry.js';
import { findLowestIndex, type Sample } from './jain.js';
import { createTenant, getStoredTokens, importDocuments, type Tenant, uploadOne } from './tenants.js';

/** Jobs of the ingestion worker at once, as `QUARRY_INGESTION_CONCURRENCY` sets. */
const CONCURRENCY = 8;
/** A document may wait for two average jobs and this time. */
const MAX_EXTRA_MS = 1_000;
const MIN_JAIN_INDEX = 0.95;
/** Number of single uploads that are measured. */
const UPLOADS = 20;
/** Time between two single uploads, and between two samples. */
const INTERVAL_MS = 2_000;
const JAIN_WINDOW_MS = 60_000;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    /** Number of documents of the import. */
    documents: { type: 'string', default: '20000' },
    tenants: { type: 'string', default: '50' },
    /** Number of documents of all tenants. The n-th tenant has 1/n of the documents of the first. */
    'zipf-documents': { type: 'string', default: '20000' },
  },
});

const report = await withFolder(async (folder) => {
  const quarry = await startQuarry({ folder, variables: { QUARRY_INGESTION_CONCURRENCY: String(CONCURRENCY) } });
  try {
    return { single: await measureSingleUploads(quarry), shares: await measureShares(quarry) };
  } finally {
    await quarry.stop();
  }
});
const { single, shares } = report;
const missed = [
  ...(single.slowestMs <= single.limitMs ? [] : ['a single upload during an import']),
  ...(shares.index === undefined || shares.index >= MIN_JAIN_INDEX ? [] : ['equal shares']),
];
console.log(values.json ? JSON.stringify({ ...report, missed }, undefined, 2) : formatReport().join('\n'));
process.exitCode = missed.length === 0 ? 0 : 1;

/** Uploads single documents of one tenant, alone and while another tenant imports documents. */
async function measureSingleUploads(quarry: QuarryUnderTest) {
  const [importer, visitor] = [await createTenant(quarry, 'importer'), await createTenant(quarry, 'visitor')];
  const alone: number[] = [];
  for (let upload = 0; upload < UPLOADS; upload += 1) alone.push(await uploadOne(visitor, `alone-${upload}`));
  await importDocuments(importer, 1);
  const tokensEach = await waitForTokens(importer, 1);
  const documents = Number(values.documents);
  await importDocuments(importer, documents);
  const begun = { at: performance.now(), indexed: (await getStoredTokens(importer)) / tokensEach };
  const during: number[] = [];
  let indexed = begun.indexed;
  while (during.length < UPLOADS && indexed < documents) {
    during.push(await uploadOne(visitor, `during-${during.length}`));
    await wait(INTERVAL_MS);
    indexed = (await getStoredTokens(importer)) / tokensEach;
  }
  const jobsPerSecond = (indexed - begun.indexed) / ((performance.now() - begun.at) / 1_000);
  const averageJobMs = (CONCURRENCY / jobsPerSecond) * 1_000;
  while ((await getStoredTokens(importer)) < documents * tokensEach) await wait(INTERVAL_MS);
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

/** Imports documents of many tenants at once, the n-th with 1/n of the documents of the first. */
async function measureShares(quarry: QuarryUnderTest) {
  const count = Number(values.tenants);
  const harmonic = Array.from({ length: count }, (_, index) => 1 / (index + 1)).reduce((sum, part) => sum + part, 0);
  const sizes = Array.from({ length: count }, (_, index) =>
    Math.max(1, Math.round(Number(values['zipf-documents']) / harmonic / (index + 1))),
  );
  const tenants: Tenant[] = [];
  for (let index = 0; index < count; index += 1) tenants.push(await createTenant(quarry, `tenant ${index}`));
  await Promise.all(tenants.map(async (tenant) => importDocuments(tenant, 1)));
  const tokensEach = Math.max(...(await Promise.all(tenants.map((tenant) => waitForTokens(tenant, 1)))));
  await Promise.all(tenants.map(async (tenant, index) => importDocuments(tenant, sizes[index] ?? 1)));
  const samples: Sample[] = [];
  for (;;) {
    const indexed = await Promise.all(tenants.map(async (tenant) => (await getStoredTokens(tenant)) / tokensEach));
    samples.push({ atMs: performance.now(), indexed });
    if (indexed.every((documents, tenant) => documents >= (sizes[tenant] ?? 0))) break;
    await wait(INTERVAL_MS);
  }
  return {
    tenants: count,
    documents: sizes.reduce((sum, size) => sum + size, 0),
    index: findLowestIndex(samples, sizes, JAIN_WINDOW_MS),
  };
}

/** Waits until a tenant has indexed its first documents. @returns the number of tokens of each */
async function waitForTokens(tenant: Tenant, documents: number): Promise<number> {
  for (;;) {
    const tokens = await getStoredTokens(tenant);
    if (tokens > 0) return tokens / documents;
    await wait(INTERVAL_MS / 10);
  }
}

function formatReport(): readonly string[] {
  return [
    `An import of ${single.documents} documents by another tenant; ${single.uploads} single uploads meanwhile:`,
    `  alone, median        ${single.aloneMs.toFixed(0)} ms`,
    `  during, median       ${single.duringMs.toFixed(0)} ms (${(single.duringMs / single.aloneMs).toFixed(1)} times)`,
    `  during, slowest      ${single.slowestMs.toFixed(0)} ms; at most two average jobs and 1 s: ${single.limitMs.toFixed(0)} ms`,
    `  jobs per second      ${single.jobsPerSecond.toFixed(0)}`,
    `${shares.documents} documents of ${shares.tenants} tenants, the n-th with 1/n of the first:`,
    `  Jain's index of the least fair 60 s  ${shares.index?.toFixed(3) ?? 'the backlog was too short'}; at least ${MIN_JAIN_INDEX}`,
    missed.length === 0 ? 'All targets are met.' : `Missed: ${missed.join(', ')}.`,
  ];
}
