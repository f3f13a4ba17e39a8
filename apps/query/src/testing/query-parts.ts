import { createQueryParts, type QueryParts } from '../query-parts.js';
import { queryContext, type ContextParts } from './query-context.js';

/** What answers requests, from a context in memory. */
export async function queryParts(parts: ContextParts = {}): Promise<QueryParts> {
  return createQueryParts(await queryContext(parts));
}
