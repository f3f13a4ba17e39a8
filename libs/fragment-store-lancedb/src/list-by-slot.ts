import type { Table } from '@lancedb/lancedb';
import {
  computeDocumentId,
  selectListedRanges,
  type FragmentListing,
  type ListedRange,
  type StoredDocument,
  type StoredFragment,
} from '@quarry/fragment-store';
import { buildEqualsCondition, buildInCondition, joinConditions } from './filters.js';
import type { FragmentOfDocument } from './fragment-column.js';
import { buildFragmentSelection, getFragment, fetchRows, getTextColumn, type FoundRow } from './found-rows.js';
import { buildSlotId } from './rows.js';
import { readStoredDocuments } from './stored-documents.js';

/**
 * Maximum number of attempts of `listFragmentsBySlot`. Another attempt is needed if a document was replaced between the
 * two reads of an attempt.
 */
const MAX_ATTEMPTS = 5;

/**
 * Lists fragments by their slots (document and position), which are indexed. One query reads the number of fragments of
 * each document. A second query reads exactly the slots of the requested fragments.
 */
export async function listFragmentsBySlot(table: Table, listing: FragmentListing): Promise<readonly StoredFragment[]> {
  const { documentKeys, limit } = listing;
  if (documentKeys.length === 0 || limit < 1) return [];
  const ids = documentKeys.map((documentKey) => computeDocumentId({ ...listing, documentKey }));
  for (let attempt = 1; ; attempt += 1) {
    const ranges = selectListedRanges(listing, await readStoredDocuments(table, ids));
    if (ranges.length === 0) return [];
    const found = await readFragmentsOfSlots(table, listing, ranges);
    if (attempt === MAX_ATTEMPTS || belongToListedVersions(found, ranges)) return found.map(({ fragment }) => fragment);
  }
}

/** Reads the fragments of all ranges from one version of the table, in the order of the ranges. */
async function readFragmentsOfSlots(
  table: Table,
  { organizationId, datasourceId }: FragmentListing,
  ranges: readonly ListedRange<StoredDocument>[],
): Promise<readonly FragmentOfDocument[]> {
  const slots = ranges.flatMap(({ documentId, from, to }) =>
    Array.from({ length: to - from }, (_, at) => buildSlotId(documentId, from + at)),
  );
  const condition = joinConditions(
    buildInCondition('slot', slots),
    buildEqualsCondition('organization_id', organizationId),
    buildEqualsCondition('datasource_id', datasourceId),
  );
  const selection = await buildFragmentSelection(table, ['slot']);
  const rows = await fetchRows(table.query().where(condition).select(selection));
  const positions = new Map(slots.map((slot, at) => [slot, at]));
  const getListPosition = (row: FoundRow): number => positions.get(getTextColumn(row, 'slot')) ?? 0;
  return rows.toSorted((a, b) => getListPosition(a) - getListPosition(b)).map(getFragment);
}

/** Returns true if the fragments belong to the document versions for which the ranges were selected. */
function belongToListedVersions(
  found: readonly FragmentOfDocument[],
  ranges: readonly ListedRange<StoredDocument>[],
): boolean {
  const hashes = new Map(ranges.map(({ documentId, document }) => [documentId, document.contentHash]));
  return found.every(({ documentId, fragment }) => hashes.get(documentId) === fragment.version);
}
