import { computeDocumentId, type DocumentRef, type FoundContent } from '@quarry/fragment-store';
import type { TenantCollections } from './collections.js';
import type { QdrantConnection } from './qdrant-connection.js';
import { hasAllFragments, readDocumentRecords, type DocumentRecord } from './document-record.js';
import { buildEqualsCondition, type Filter } from './filters.js';

/**
 * Raises the generation of a document's record to the generation of a run, if the record has the content that the run
 * found, and all fragments of the content exist.
 *
 * @returns the record, or undefined if the content is not stored completely
 */
export async function confirmDocument(
  connection: QdrantConnection,
  names: TenantCollections,
  document: DocumentRef,
  { generation, contentHash }: FoundContent,
): Promise<DocumentRecord | undefined> {
  const { documents } = names;
  const id = computeDocumentId(document);
  let completeCommit: string | undefined;
  for (;;) {
    const record = (await readDocumentRecords(connection, documents, [id])).get(id);
    if (record?.contentHash !== contentHash || record.isRemoved) return undefined;
    const { commit } = record;
    if (commit !== completeCommit && !(await hasAllFragments(connection, names, record))) return undefined;
    if (record.generation >= generation) return record;
    completeCommit = commit;
    const filter: Filter = {
      must: [
        { has_id: [id] },
        buildEqualsCondition('commit', commit),
        { key: 'generation', range: { lt: generation } },
      ],
    };
    // If a concurrent write stores the same content again before this request, the filter matches no record, and the
    // next attempt confirms the new record.
    await connection.sendToExistingCollection(`confirm ${document.documentKey} in ${documents}`, (client) =>
      client.setPayload(documents, { payload: { generation }, filter, ordering: 'medium', wait: true }),
    );
  }
}
