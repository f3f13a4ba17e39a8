import {
  computeDocumentId,
  selectListedRanges,
  type FragmentListing,
  type ListedRange,
  type StoredFragment,
} from '@quarry/fragment-store';
import type { TenantCollections } from './collections.js';
import { readDocumentRecords, type DocumentRecord } from './document-record.js';
import { buildEqualsCondition, type Filter } from './filters.js';
import { FRAGMENT_FIELDS, parseStoredFragment } from './parse-found-fragment.js';
import type { QdrantConnection } from './qdrant-connection.js';

/**
 * Maximum number of attempts of `listFragmentsByCommit`. Another attempt is needed if fragments of a commit were
 * deleted while they were read.
 */
const MAX_ATTEMPTS = 6;

/**
 * Lists fragments of documents. Reads the record of each document, which names the current commit, and then the
 * fragments of the current commits. Commits are indexed, so the server examines only the fragments of the listed
 * documents.
 *
 * @throws Error if documents were replaced during every attempt
 */
export async function listFragmentsByCommit(
  connection: QdrantConnection,
  names: TenantCollections,
  listing: FragmentListing,
): Promise<readonly StoredFragment[]> {
  const { documentKeys, limit } = listing;
  if (documentKeys.length === 0 || limit < 1) return [];
  const ids = documentKeys.map((documentKey) => computeDocumentId({ ...listing, documentKey }));
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const records = await readDocumentRecords(connection, names.documents, ids);
    const current = new Map(
      [...records].filter(([, record]) => !record.isRemoved && record.datasourceId === listing.datasourceId),
    );
    const ranges = selectListedRanges(listing, current);
    if (ranges.length === 0) return [];
    const found = await readFragmentsOfRanges(connection, names, listing, ranges);
    if (found !== undefined) return found;
  }
  throw new Error(
    `expected to list fragments of collection ${names.fragments} within ${String(MAX_ATTEMPTS)} attempts, found that ` +
      'documents changed during each attempt: list the fragments again',
  );
}

/**
 * Reads the fragments of the ranges, in the order of the ranges.
 *
 * @returns undefined if a fragment was deleted after the ranges were determined
 */
async function readFragmentsOfRanges(
  connection: QdrantConnection,
  { fragments: name, shard }: TenantCollections,
  { organizationId, datasourceId }: FragmentListing,
  ranges: readonly ListedRange<DocumentRecord>[],
): Promise<readonly StoredFragment[] | undefined> {
  const expected = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  const filter: Filter = {
    must: [
      buildEqualsCondition('organization_id', organizationId),
      buildEqualsCondition('datasource_id', datasourceId),
    ],
    should: ranges.map(({ document, from, to }) => ({
      must: [buildEqualsCondition('commit', document.commit), { key: 'ordinal', range: { gte: from, lt: to } }],
    })),
  };
  const page = await connection.sendToExistingCollection(`list fragments of ${name}`, (client) =>
    client.scroll(name, { ...shard, filter, limit: expected, with_payload: FRAGMENT_FIELDS, with_vector: false }),
  );
  const fragments = (page?.points ?? []).map(({ payload }) => parseStoredFragment(payload ?? {}));
  const positions = new Map(ranges.map(({ document }, at) => [document.commit, at]));
  const sorted = fragments.toSorted(
    (a, b) => (positions.get(a.version) ?? 0) - (positions.get(b.version) ?? 0) || a.ordinal - b.ordinal,
  );
  return sorted.length === expected ? sorted : undefined;
}
