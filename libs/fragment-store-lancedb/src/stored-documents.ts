import type { Table } from '@lancedb/lancedb';
import { decodeDocumentProfile, type DocumentProfile, type StoredDocument } from '@quarry/fragment-store';
import { buildInCondition } from './filters.js';
import { getNumberColumn, getOptionalTextColumn, fetchRows, getTextColumn, type FoundRow } from './found-rows.js';
import { buildSlotId } from './rows.js';
import { hasColumn } from './table-columns.js';

const COLUMNS = ['document_id', 'id', 'generation', 'content_hash', 'document_fragments', 'document_tokens'];

/**
 * Returns the stored versions of documents, keyed by document id. Reads only the first row of each document, because
 * every row describes the whole document.
 */
export async function readStoredDocuments(table: Table, ids: readonly string[]): Promise<Map<string, StoredDocument>> {
  const firstSlots = ids.map((id) => buildSlotId(id, 0));
  const rows = await fetchRows(table.query().where(buildInCondition('slot', firstSlots)).select(COLUMNS));
  return new Map(rows.map((row) => [getTextColumn(row, 'document_id'), parseStoredDocument(row)]));
}

function parseStoredDocument(row: FoundRow): StoredDocument {
  return {
    generation: getNumberColumn(row, 'generation'),
    firstFragmentId: getTextColumn(row, 'id'),
    contentHash: getTextColumn(row, 'content_hash'),
    fragments: getNumberColumn(row, 'document_fragments'),
    tokens: getNumberColumn(row, 'document_tokens'),
  };
}

/** Contains the profile of a document, and the hash of the content that the profile describes. */
interface StoredProfile {
  readonly documentId: string;
  readonly contentHash: string;
  /** Profile of the document. Empty if an earlier version of Quarry stored the document. */
  readonly profile: DocumentProfile;
}

/**
 * Returns the profiles of the documents' current versions. Returns none if the table is of an earlier version of
 * Quarry.
 */
export async function readProfiles(table: Table, ids: ReadonlySet<string>): Promise<readonly StoredProfile[]> {
  if (ids.size === 0 || !(await hasColumn(table, 'profile'))) return [];
  const firstSlots = Array.from(ids, (id) => buildSlotId(id, 0));
  const query = table.query().where(buildInCondition('slot', firstSlots));
  const rows = await fetchRows(query.select(['document_id', 'content_hash', 'profile']));
  return rows.map((row) => ({
    documentId: getTextColumn(row, 'document_id'),
    contentHash: getTextColumn(row, 'content_hash'),
    profile: decodeDocumentProfile(getOptionalTextColumn(row, 'profile') ?? ''),
  }));
}
