import {
  parsePageRectangles,
  type FragmentListRequest,
  type FragmentListResponse,
  type ListedFragment,
} from '@quarry/contracts';
import { createDocumentRef, type StoredFragment } from '@quarry/fragment-store';
import { rejectOnAbort } from '@quarry/cancellation';
import { countTokens } from '@quarry/text-analysis/tokens';
import { problem } from '../query-problems.js';
import type { RetrievalParts } from './retrieve.js';
import { createCollectionSearches } from './search-texts.js';

/** Maximum time, in milliseconds, in which the fragment store must return the requested fragments. */
const LISTING_TIMEOUT_MS = 15_000;

/**
 * Returns stored fragments of the requested documents of a datasource, in the order of `documentKeys`.
 *
 * @throws Problem `dependency_unavailable` if the fragment store fails
 * @throws the signal's reason when it aborts
 */
export async function listFragments(
  { fragmentStore }: Pick<RetrievalParts, 'fragmentStore'>,
  { datastore, documentKeys, firstOrdinal, limit, ...request }: FragmentListRequest,
  signal: AbortSignal,
): Promise<FragmentListResponse> {
  const { organizationId, datasourceId } = request;
  const [search] = createCollectionSearches({ ...request, datastores: [datastore] });
  if (search === undefined) return { fragments: [] };
  const { collection, scope } = search;
  const owner = { organizationId, datasourceId, datastoreId: datastore.id };
  const toStoredKey = (documentKey: string): string => createDocumentRef({ ...owner, documentKey }).documentKey;
  const keys = new Map(documentKeys.map((documentKey) => [toStoredKey(documentKey), documentKey]));
  const listing = { ...owner, documentKeys: [...keys.keys()], firstOrdinal, limit };
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(LISTING_TIMEOUT_MS)]);
  try {
    const excluded = scope.excluded === undefined ? {} : { excluded: scope.excluded };
    const found = await rejectOnAbort(fragmentStore.listFragments(collection, { ...listing, ...excluded }), deadline);
    return { fragments: found.map((one) => toListedFragment(one, keys.get(one.documentKey) ?? one.documentKey)) };
  } catch (error) {
    signal.throwIfAborted();
    throw problem('dependency_unavailable', 'The fragments are unavailable. Retry in a few seconds.', {
      cause: error,
      headers: { 'Retry-After': '2' },
    });
  }
}

/**
 * Converts a stored fragment to the form in which the gateway receives it.
 *
 * @param documentKey the key that the request used for the document, which differs from the stored key
 */
function toListedFragment(fragment: StoredFragment, documentKey: string): ListedFragment {
  const { id: fragmentId, ordinal, text, context, page, location } = fragment;
  const rectangles = parsePageRectangles(fragment.rectangles);
  return { fragmentId, documentKey, ordinal, text, context, page, location, rectangles, tokens: countTokens(text) };
}
