import { createQueryParts, type QueryParts } from '../query-parts.js';
import { queryContext, type ContextParts } from './query-context.js';

/** Creates the parts that answer requests, from an in-memory context. */
export async function createInMemoryQueryParts(parts: ContextParts = {}): Promise<QueryParts> {
  return createQueryParts(await queryContext(parts));
}
