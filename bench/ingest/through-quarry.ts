import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { QuarryClient } from '@quarry/client';
import { EMBEDDING, type ConstantProvider } from './constant-provider.js';
import type { CorpusFile } from './corpus.js';
import type { Ingested } from './ingested.js';

const UPLOADS_AT_ONCE = 4;
const POLL_MS = 100;
const UNSETTLED = new Set(['unsynched', 'pending', 'running']);

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
  for (const id of ids) await settled(client, id);
  const seconds = (performance.now() - begun) / 1_000;
  return { way: 'Quarry', documents: ids.length, fragments: provider.texts() - before, seconds };
}

export async function settled(client: QuarryClient, id: string): Promise<void> {
  for (;;) {
    const { status, name, error } = await client.getDatasource(id);
    if (status === 'synched') return;
    if (!UNSETTLED.has(status)) throw new Error(`${name} was to be indexed, found ${status}: ${error?.message ?? ''}`);
    await wait(POLL_MS);
  }
}
