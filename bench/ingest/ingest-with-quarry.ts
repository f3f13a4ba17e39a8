import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { QuarryClient } from '@quarry/client';
import { EMBEDDING, type ConstantProvider } from './constant-provider.js';
import type { CorpusFile } from './corpus.js';
import type { IngestedCorpus } from './ingested-corpus.js';

const UPLOADS_AT_ONCE = 4;
const POLL_MS = 100;
/** The statuses that a datasource passes through before its run has ended, in this order. */
const UNSETTLED = ['unsynched', 'pending', 'running'] as const;

/**
 * Ingests files through the API, and measures the time from the first upload until the last document is searchable.
 *
 * @throws Error if a document fails
 */
export async function ingestWithQuarry(
  client: QuarryClient,
  corpus: readonly CorpusFile[],
  provider: ConstantProvider,
): Promise<IngestedCorpus> {
  const { id: datastore } = await client.createDatastore({ name: 'ingest', embedding: EMBEDDING });
  const before = provider.texts();
  const begun = performance.now();
  const ids: string[] = [];
  const queue = [...corpus];
  const uploadFiles = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const file = new File([await readFile(next.path)], next.name, { type: next.mimeType });
      ids.push((await client.uploadFile(datastore, file)).id);
    }
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, uploadFiles));
  await waitUntilSynched(client, datastore);
  const seconds = (performance.now() - begun) / 1_000;
  return { way: 'Quarry', documents: ids.length, fragments: provider.texts() - before, seconds };
}

/**
 * Waits until all datasources of a datastore are `synched`. It sends few requests, because their cost is part of the
 * measurement.
 *
 * @throws Error if a document fails
 */
export async function waitUntilSynched(client: QuarryClient, datastoreId: string): Promise<void> {
  for (const status of UNSETTLED) {
    while ((await client.listDatasources({ datastoreId, status, limit: 1 })).items.length > 0) await wait(POLL_MS);
  }
  const [failed] = (await client.listDatasources({ datastoreId, status: 'error', limit: 1 })).items;
  if (failed !== undefined)
    throw new Error(`expected ${failed.name} to be indexed, found the error: ${failed.error?.message ?? ''}`);
}
