import type { Caller } from '../../../access/caller.js';
import type { Queries } from '../../../database/database.js';
import { requireSearchTargets } from '../../../searching/search-target.js';
import type { FileSearchTool } from './response-request.js';
import { parseIdField } from '../protocol/resource-ids.js';
import type { ClientSearch } from '../answers/start-answer.js';

/**
 * Finds the datastores that the tool `file_search` of a request selects. Returns undefined if the request has no tool.
 *
 * @throws Problem 400 for an invalid id, 404 for a datastore that the caller cannot access
 */
export async function loadClientSearch(
  db: Queries,
  caller: Caller,
  tool: FileSearchTool | undefined,
): Promise<ClientSearch | undefined> {
  if (tool === undefined) return undefined;
  const { vector_store_ids: stores, filters, max_num_results: maxSources, ranking_options: ranking } = tool;
  const ids = stores.map((id, at) => parseIdField('vector store', `tools.0.vector_store_ids.${at}`, id));
  const minScore = ranking?.score_threshold;
  return {
    datastores: await requireSearchTargets(db, caller, [...new Set(ids)]),
    filters: filters === undefined ? undefined : { metadata: filters },
    limits: { ...(maxSources === undefined ? {} : { maxSources }), ...(minScore === undefined ? {} : { minScore }) },
  };
}
