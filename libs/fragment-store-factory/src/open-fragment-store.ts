import type { FragmentStore } from '@quarry/fragment-store';
import type { CollectionLayout } from '@quarry/fragment-store-qdrant';

/** Describes the address of a fragment store. */
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
      /** Size of the index cache in bytes. Undefined: the default of the adapter. */
      readonly cacheBytes: number | undefined;
    };

export interface FragmentStoreOptions {
  /** Receives warnings about background work that failed and will be retried. */
  readonly log: { warn(details: object, message: string): void };
  /**
   * True for the one service that writes. Opening the store then upgrades data of earlier versions of Quarry, and locks
   * the store if it supports only one writer.
   */
  readonly isWriter: boolean;
}

/**
 * Opens the fragment store at an address. Loads only the required adapter, because the adapter of LanceDB has a binary
 * of 200 MB.
 *
 * @throws Error when the store cannot be used
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
