import { createFieldProblem } from '../../../checks/field-problem.js';
import type { DatastoreRow } from '../../../database/tables/datastores.js';
import { requireDatastore } from '../../../datastores/datastore-repository.js';
import type { Call } from '../../../http/call.js';
import { type ChunkingStrategy, buildSplittingSettings } from './vector-store-shapes.js';

interface StoreCall extends Pick<Call, 'gateway' | 'caller'> {
  readonly params: { readonly vector_store_id: string };
}

/** Finds the datastore of the vector store whose id the path contains. @throws Problem 404 if there is none */
export async function findVectorStore({ gateway, caller, params }: StoreCall): Promise<DatastoreRow> {
  return requireDatastore(gateway.db, caller, params.vector_store_id);
}

/**
 * Refuses a chunking strategy that differs from that of the vector store, which applies to all files of the store.
 *
 * @throws Problem 400
 */
export function requireSameChunkingStrategy({ splitting }: DatastoreRow, strategy: ChunkingStrategy | undefined): void {
  const asked = buildSplittingSettings(strategy);
  if (asked === undefined) return;
  const { maxTokens, overlapTokens } = splitting;
  if (asked.maxTokens === maxTokens && asked.overlapTokens === overlapTokens) return;
  const message = `must be absent or the strategy of the vector store: ${maxTokens} tokens with an overlap of ${overlapTokens}`;
  throw createFieldProblem('chunking_strategy', message);
}
