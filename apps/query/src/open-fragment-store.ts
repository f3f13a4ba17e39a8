import type { FragmentStore } from '@quarry/fragment-store';
import { openLanceDbFragmentStore } from '@quarry/fragment-store-lancedb';
import type { Log } from '@quarry/service-kit';
import type { QueryConfig } from './config.js';

export function openFragmentStore(fragments: QueryConfig['fragments'], log: Log): Promise<FragmentStore> {
  return openLanceDbFragmentStore({ directory: fragments.directory, log });
}
