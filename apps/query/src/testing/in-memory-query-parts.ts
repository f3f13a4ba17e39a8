import { createQueryParts, type QueryParts } from '../query-parts.js';
import { createQueryContext, type ContextParts } from './query-context.js';

/** Creates the dependencies of a query service with in-memory stores. */
export async function createInMemoryQueryParts(parts: ContextParts = {}): Promise<QueryParts> {
  return createQueryParts(await createQueryContext(parts));
}
