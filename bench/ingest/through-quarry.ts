import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { QuarryClient } from '@quarry/client';
import { EMBEDDING, type ConstantProvider } from './constant-provider.js';
import type { CorpusFile } from './corpus.js';
import type { Ingested } from './ingested.js';

const UPLOADS_AT_ONCE = 4;
const POLL_MS = 100;
/** In the order in which a datasource goes through them. */
const UNSETTLED = ['unsynched', 'pending', 'running'] as const;

/** From the first upload to the moment when the last document can be found. @throws where one could not be indexed */
export async function throughQuarry(
  client: QuarryClient,
  corpus: readonly CorpusFile[],
  provider: ConstantProvider,
): Promise<Ingested> {
  const { id: datastore } = await client.createDatastore({ name: 'ingest', embedding: EMBEDDING });
  const before = provider.texts();
  const begun = performance.now();
  const ids: string[] = [];
  const queue = [...corpus];
  const upload = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const file = new File([await readFile(next.path)], next.name, { type: next.mimeType });
      ids.push((await client.uploadFile(datastore, file)).id);
    }
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, upload));
  await allSynched(client, datastore);
  const seconds = (performance.now() - begun) / 1_000;
  return { way: 'Quarry', documents: ids.length, fragments: provider.texts() - before, seconds };
}

/** Waits with few requests, as those cost what is measured. @throws where one of the datastore's documents could not be indexed */
export async function allSynched(client: QuarryClient, datastoreId: string): Promise<void> {
  for (const status of UNSETTLED) {
    while ((await client.listDatasources({ datastoreId, status, limit: 1 })).items.length > 0) await wait(POLL_MS);
  }
  const [failed] = (await client.listDatasources({ datastoreId, status: 'error', limit: 1 })).items;
  if (failed !== undefined) throw new Error(`${failed.name} was to be indexed, found ${failed.error?.message ?? ''}`);
}
