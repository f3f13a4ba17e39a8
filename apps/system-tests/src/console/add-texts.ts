import type { QuarryClient } from '@quarry/client';

/** Adds texts to a datastore, and waits until they are indexed. @returns the ids of their datasources */
export async function addTexts(
  client: QuarryClient,
  datastoreId: string,
  documents: readonly { readonly name: string; readonly text: string }[],
): Promise<readonly string[]> {
  const { ids } = await client.upsertDocuments(datastoreId, [...documents]);
  for (const id of ids) await client.untilSettled(id);
  return ids;
}
