import type { FragmentStore } from '@quarry/fragment-store';
import type { CollectionLayout } from '@quarry/fragment-store-qdrant';

/** Where fragments are. */
export type FragmentStoreAddress =
  | {
      readonly kind: 'qdrant';
      readonly url: string;
      readonly apiKey: string | undefined;
      readonly layout: CollectionLayout;
    }
  | {
      readonly kind: 'lancedb';
      readonly directory: string;
      /** Undefined: the adapter's default. */
      readonly cacheBytes: number | undefined;
    };

export interface FragmentStoreOptions {
  /** Receives the failures of work in the background, which is repeated. */
  readonly log: { warn(details: object, message: string): void };
  /** For the one service that writes: locks the store where it allows one writer, and upgrades what an earlier version made. */
  readonly isWriter: boolean;
}

/**
 * Opens the fragment store at an address. Loads the one adapter that is needed: LanceDB's alone has a binary of 200 MB.
 *
 * @throws when the store cannot be used
 */
export async function openFragmentStore(
  address: FragmentStoreAddress,
  { log, isWriter }: FragmentStoreOptions,
): Promise<FragmentStore> {
  if (address.kind === 'lancedb') {
    const { directory, cacheBytes } = address;
    const { openLanceDbFragmentStore } = await import('@quarry/fragment-store-lancedb');
    return openLanceDbFragmentStore({ directory, cacheBytes, upgrade: isWriter, log });
  }
  const { url, apiKey, layout } = address;
  const { openQdrantFragmentStore } = await import('@quarry/fragment-store-qdrant');
  return openQdrantFragmentStore({ url, layout, upgrade: isWriter, log, ...(apiKey === undefined ? {} : { apiKey }) });
}
