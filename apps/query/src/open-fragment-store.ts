import type { FragmentStore } from '@quarry/fragment-store';
import type { FragmentsConfig, Log } from '@quarry/service-kit';

/** Loads the one adapter that is needed: LanceDB's alone has a binary of 200 MB. */
export async function openFragmentStore(fragments: FragmentsConfig, log: Log): Promise<FragmentStore> {
  if (fragments.kind === 'lancedb') {
    const { directory, cacheBytes } = fragments;
    const { openLanceDbFragmentStore } = await import('@quarry/fragment-store-lancedb');
    return openLanceDbFragmentStore({ directory, cacheBytes, log });
  }
  const { openQdrantFragmentStore } = await import('@quarry/fragment-store-qdrant');
  const { url, apiKey } = fragments;
  return openQdrantFragmentStore({ url, log, ...(apiKey === undefined ? {} : { apiKey }) });
}
