import { and, eq, inArray } from 'drizzle-orm';
import { isId } from '../database/id.js';
import type { Queries } from '../database/database.js';
import { datasources } from '../database/tables/datasources.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import { getClientDocumentId } from '../datasources/document-identity.js';
import { refuseDuplicateIdentities, type UpsertedDocument } from './parse-upsert-request.js';

/**
 * Replaces the identity of each document whose `id` is a datasource id that an earlier upsert returned. Such a document
 * replaces the text of that datasource. The datasource keeps its name and metadata unless the document contains new
 * ones.
 *
 * @throws Problem 400 if two documents replace the same datasource
 */
export async function resolveDatasourceIds(
  db: Queries,
  { organizationId, id: datastoreId }: Pick<DatastoreRow, 'organizationId' | 'id'>,
  documents: readonly UpsertedDocument[],
): Promise<readonly UpsertedDocument[]> {
  const ids = documents.flatMap(({ identity }) => ('id' in identity && isId(identity.id) ? [identity.id] : []));
  if (ids.length === 0) return documents;
  const rows = await db
    .select()
    .from(datasources)
    .where(
      and(
        eq(datasources.organizationId, organizationId),
        eq(datasources.datastoreId, datastoreId),
        eq(datasources.type, 'document'),
        inArray(datasources.id, ids),
      ),
    );
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  const resolved = documents.map((document): UpsertedDocument => {
    const { identity } = document;
    const row = 'id' in identity ? rowsById.get(identity.id.toLowerCase()) : undefined;
    if (row?.identity == null) return document;
    const unchanged =
      document.metadata === null ? { customId: row.customId, source: row.source, metadata: row.metadata } : {};
    const name = document.givenName ?? row.name;
    const identified = {
      id: getClientDocumentId(row),
      identity: { kind: 'document', storedKey: row.identity },
    } as const;
    return { ...document, ...unchanged, ...identified, name };
  });
  refuseDuplicateIdentities(resolved);
  return resolved;
}
