import type { Table } from '@lancedb/lancedb';
import type { StoredDocument } from '@quarry/fragment-store';
import { buildInCondition } from './filters.js';
import { readNumber, readText, type FoundRow } from './found-rows.js';
import { slotOf } from './rows.js';

const COLUMNS = ['document_id', 'id', 'generation', 'content_hash', 'document_fragments', 'document_tokens'];

/**
 * Returns what is stored of the documents, by document id. It reads first rows only, because every row describes its
 * document.
 */
export async function readStoredDocuments(table: Table, ids: readonly string[]): Promise<Map<string, StoredDocument>> {
  const firstSlots = ids.map((id) => slotOf(id, 0));
  // The driver types its rows as any.
  const rows = (await table
    .query()
    .where(buildInCondition('slot', firstSlots))
    .select(COLUMNS)
    .toArray()) as FoundRow[];
  return new Map(rows.map((row) => [readText(row, 'document_id'), parseStoredDocument(row)]));
}

function parseStoredDocument(row: FoundRow): StoredDocument {
  return {
    generation: readNumber(row, 'generation'),
    firstFragmentId: readText(row, 'id'),
    contentHash: readText(row, 'content_hash'),
    fragments: readNumber(row, 'document_fragments'),
    tokens: readNumber(row, 'document_tokens'),
  };
}
