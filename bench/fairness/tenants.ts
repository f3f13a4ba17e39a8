import { createClient, type QuarryClient } from '@quarry/client';
import { setTimeout as wait } from 'node:timers/promises';
import type { QuarryUnderTest } from '../quarry/start-quarry.js';

/** An organization with a datastore. */
export interface Tenant {
  readonly client: QuarryClient;
  readonly datastore: string;
}

export async function createTenant({ client: operator, baseUrl }: QuarryUnderTest, name: string): Promise<Tenant> {
  const { apiKey } = await operator.createOrganization({ name });
  const client = createClient({ baseUrl, apiKey });
  return { client, datastore: (await client.createDatastore({ name })).id };
}

const DOCUMENTS_PER_UPSERT = 500;

/** Upserts documents of the same length. Returns when all are accepted. */
export async function importDocuments({ client, datastore }: Tenant, count: number): Promise<void> {
  for (let start = 0; start < count; start += DOCUMENTS_PER_UPSERT) {
    const size = Math.min(DOCUMENTS_PER_UPSERT, count - start);
    const documents = Array.from({ length: size }, (_, index) => ({
      id: String(start + index),
      text: `Document ${String(start + index).padStart(6, '0')} explains when the shop opens.`,
    }));
    await client.upsertDocuments(datastore, documents);
  }
}

const POLL_MS = 20;

/** Uploads a small file. @returns the milliseconds until it can be found */
export async function uploadOne({ client, datastore }: Tenant, name: string): Promise<number> {
  const begun = performance.now();
  const file = new File([`The file ${name} explains when the shop closes.`], `${name}.txt`, { type: 'text/plain' });
  const { id } = await client.uploadFile(datastore, file);
  for (let status = 'pending'; status !== 'synched'; { status } = await client.getDatasource(id)) {
    if (status === 'error') throw new Error(`expected ${name} to be indexed, found an error`);
    await wait(POLL_MS);
  }
  return performance.now() - begun;
}

/** Returns the number of tokens that a tenant has stored. All documents of a benchmark have the same number. */
export async function getStoredTokens({ client }: Tenant): Promise<number> {
  return (await client.getUsage()).storedTokens.used;
}
