import { createClient, type QuarryClient } from '@quarry/client';
import { setTimeout as wait } from 'node:timers/promises';
import type { Stack } from './start-stack.js';

/** An organization with a datastore. */
export interface Tenant {
  readonly client: QuarryClient;
  readonly datastore: string;
}

export async function createTenant(
  { client: operator, baseUrl }: Pick<Stack, 'client' | 'baseUrl'>,
  name: string,
): Promise<Tenant> {
  const { apiKey } = await operator.createOrganization({ name });
  const client = createClient({ baseUrl, apiKey });
  return { client, datastore: (await client.createDatastore({ name })).id };
}

const DOCUMENTS_PER_UPSERT = 500;

/**
 * Upserts `count` documents of the same length. Resolves when Quarry has accepted all of them, which is before they are
 * indexed.
 */
export async function upsertUniformDocuments({ client, datastore }: Tenant, count: number): Promise<void> {
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

/** Waits until a datasource is indexed. @throws Error if its run fails, or takes longer than `timeoutMs` */
export async function waitUntilSynched({ client }: Tenant, id: string, timeoutMs = Infinity): Promise<void> {
  const begun = performance.now();
  for (let status = 'pending'; status !== 'synched'; { status } = await client.getDatasource(id)) {
    if (status === 'error') throw new Error(`expected the datasource ${id} to be indexed, found the status error`);
    if (performance.now() - begun > timeoutMs)
      throw new Error(`expected the datasource ${id} to be indexed within ${timeoutMs} ms, found the status ${status}`);
    await wait(POLL_MS);
  }
}

/** Uploads a small file. @returns the milliseconds until it is searchable */
export async function uploadSmallFile(tenant: Tenant, name: string): Promise<number> {
  const begun = performance.now();
  const file = new File([`The file ${name} explains when the shop closes.`], `${name}.txt`, { type: 'text/plain' });
  const { id } = await tenant.client.uploadFile(tenant.datastore, file);
  await waitUntilSynched(tenant, id);
  return performance.now() - begun;
}

/**
 * Returns the number of stored tokens of a tenant. The benchmarks compute the number of indexed documents from it,
 * because all documents have the same number of tokens.
 */
export async function getStoredTokens({ client }: Tenant): Promise<number> {
  return (await client.getUsage()).storedTokens.used;
}

/**
 * Upserts the first document of a tenant, and waits until it is indexed.
 *
 * @returns the number of tokens of the document
 */
export async function indexFirstDocument(tenant: Tenant): Promise<number> {
  await upsertUniformDocuments(tenant, 1);
  for (;;) {
    const tokens = await getStoredTokens(tenant);
    if (tokens > 0) return tokens;
    await wait(POLL_MS);
  }
}
