import type { FragmentListRequest, FragmentResponse, ListedFragment, Page } from '@quarry/contracts';
import type { Caller } from '../access/caller.js';
import type { Gateway } from '../gateway.js';
import type { KeyPageRequest } from '../paging/sort-key-pages.js';
import { buildSearchScope, requireReadableDatastore } from '../searching/search-target.js';
import type { FoundDatasource } from '../datasources/datasource-repository.js';
import { listIndexedDocumentKeys } from '../datasources/document-repository.js';
import { getSingleDocumentKeys } from '../datasources/document-view.js';
import { type FragmentPosition, formatFragmentCursor } from './fragment-position.js';

/**
 * Maximum number of requests to the fragment store per page. More than one is needed only if fragments were removed
 * after their document keys were read. After the last request, the page may be too short. Its cursor then continues
 * after the documents that were read.
 */
const MAX_READS = 5;

/** Selects a page of the list of a datasource's fragments. */
export interface FragmentPageRequest extends Pick<KeyPageRequest, 'limit'> {
  /** The API's key of the document whose fragments are listed. Undefined: the fragments of all documents. */
  readonly documentKey: string | undefined;
  readonly first: FragmentPosition | undefined;
}

/**
 * Returns a page of the fragments of a datasource, sorted by document key and ordinal. PostgreSQL supplies the document
 * keys in this order, so that the fragment store reads only the fragments of the page.
 *
 * @throws the problem with which the query service refuses the request
 */
export async function listDatasourceFragments(
  { db, queryService }: Pick<Gateway, 'db' | 'queryService'>,
  caller: Caller,
  { found, page, signal }: { found: FoundDatasource; page: FragmentPageRequest; signal: AbortSignal },
): Promise<Page<FragmentResponse>> {
  const { datasource } = found;
  const target = await requireReadableDatastore(db, caller, datasource.datastoreId);
  const { datastores, excluded } = buildSearchScope(caller.organizationId, [target], undefined);
  const scope = {
    organizationId: caller.organizationId,
    datastore: datastores[0] ?? { id: target.id },
    datasourceId: datasource.id,
    ...(excluded === undefined ? {} : { excluded }),
  };
  const shownKey = getSingleDocumentKeys(found)?.shown;
  const items: ListedFragment[] = [];
  let first = page.first;
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const limit = page.limit + 1 - items.length;
    const { keys, next } = await selectDocumentKeys(db, found, { documentKey: page.documentKey, first, limit });
    if (keys.length > 0) {
      // The first document may have been removed since the previous page. The list then begins with the next document.
      const firstOrdinal = first?.documentKey === keys[0] ? (first?.ordinal ?? 0) : 0;
      const listing: FragmentListRequest = { ...scope, documentKeys: keys, firstOrdinal, limit };
      items.push(...(await queryService.listFragments(listing, signal)).fragments);
    }
    first = next;
    if (items.length > page.limit || next === undefined) break;
  }
  const extra = items.length > page.limit ? items.at(page.limit) : undefined;
  const after = extra === undefined ? first : { documentKey: extra.documentKey, ordinal: extra.ordinal };
  return {
    items: items.slice(0, page.limit).map((fragment) => buildFragmentResponse(fragment, shownKey)),
    next_cursor: after === undefined ? null : formatFragmentCursor(after),
  };
}

interface SelectedKeys {
  readonly keys: readonly string[];
  /** The position of the first fragment after the selected documents. Undefined if there are no further documents. */
  readonly next: FragmentPosition | undefined;
}

/** Selects the documents whose fragments can be on a page. Each selected document has at least one fragment. */
async function selectDocumentKeys(
  db: Gateway['db'],
  found: FoundDatasource,
  { documentKey, first, limit }: FragmentPageRequest,
): Promise<SelectedKeys> {
  const single = getSingleDocumentKeys(found);
  if (single !== undefined) {
    const isSelected = documentKey === undefined || documentKey === single.shown;
    return { keys: isSelected ? [single.stored] : [], next: undefined };
  }
  if (documentKey !== undefined) return { keys: [documentKey], next: undefined };
  const rows = await listIndexedDocumentKeys(db, found.datasource, { from: first?.documentKey, limit: limit + 1 });
  const following = rows[limit];
  return {
    keys: rows.slice(0, limit),
    next: following === undefined ? undefined : { documentKey: following, ordinal: 0 },
  };
}

function buildFragmentResponse(
  { fragmentId: id, ...fragment }: ListedFragment,
  shownKey: string | undefined,
): FragmentResponse {
  const { documentKey, ordinal, text, context, page, location, rectangles, tokens } = fragment;
  return { id, documentKey: shownKey ?? documentKey, ordinal, text, context, page, location, rectangles, tokens };
}
