import type { FragmentResponse } from '@quarry/contracts';
import type { Caller } from '../access/caller.js';
import type { FoundDatasource } from '../datasources/datasource-repository.js';
import type { Gateway } from '../gateway.js';
import { parseFragmentCursor } from './fragment-position.js';
import { type FragmentPageRequest, listDatasourceFragments } from './list-datasource-fragments.js';

/**
 * Yields the fragments of a datasource, sorted by document key and ordinal, beginning with those of a page. Loads each
 * further page when its first fragment is needed.
 *
 * @throws the problem with which the query service refuses a request
 */
export async function* readDatasourceFragments(
  gateway: Pick<Gateway, 'db' | 'queryService'>,
  caller: Caller,
  { found, page, signal }: { found: FoundDatasource; page: FragmentPageRequest; signal: AbortSignal },
): AsyncGenerator<FragmentResponse, void> {
  let { first } = page;
  do {
    const loaded = await listDatasourceFragments(gateway, caller, { found, page: { ...page, first }, signal });
    yield* loaded.items;
    first = parseFragmentCursor(loaded.next_cursor ?? undefined);
  } while (first !== undefined);
}
