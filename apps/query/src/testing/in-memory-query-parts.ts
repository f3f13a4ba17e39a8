import { createQueryParts, type QueryParts } from '../query-parts.js';
import { createQueryContext, type ContextParts } from './query-context.js';

/** Creates the parts that the request handlers of a query service share, with an in-memory fragment store. */
export async function createInMemoryQueryParts(parts: ContextParts = {}): Promise<QueryParts> {
  return createQueryParts(await createQueryContext(parts));
}
