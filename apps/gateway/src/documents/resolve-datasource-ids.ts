import { and, eq, inArray } from 'drizzle-orm';
import { isId } from '../database/id.js';
import type { Queries } from '../database/database.js';
import { type DatasourceRow, datasources } from '../database/tables/datasources.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import { computeIdentityKey, determineTextIdentity, getClientDocumentId } from '../datasources/document-identity.js';
import { refuseDuplicateIdentities, type UpsertedDocument } from './parse-upsert-request.js';

/**
 * Finds the documents whose `id` is a datasource id that an earlier upsert returned. Such a document replaces the text
 * of that datasource. The datasource keeps its name and metadata unless the document contains new ones. Its new
 * identity is the identity of a document with the resulting fields.
 *
 * @throws Problem 400 if two documents replace the same datasource or have the same resulting identity
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
    return replaceText(row, document);
  });
  refuseDuplicateIdentities(resolved);
  return resolved;
}

/** Builds the document that replaces the text of a datasource, with the fields of the datasource that do not change. */
function replaceText(row: DatasourceRow, document: UpsertedDocument): UpsertedDocument {
  const id = getClientDocumentId(row);
  const { text, customId, source, metadata } = document.metadata === null ? { ...row, text: document.text } : document;
  const givenName = document.givenName ?? (isIdentifiedByName(row) ? row.name : null);
  const identity = determineTextIdentity({ id, source, customId, name: givenName, text });
  const name = document.givenName ?? row.name;
  return { ...document, id, customId, source, metadata, identity, givenName, name, replacedId: row.id };
}

/** Returns true if the name of a text identifies the text. Other names may be derived from the text. */
function isIdentifiedByName({ identity, customId, name }: DatasourceRow): boolean {
  return identity === computeIdentityKey({ kind: 'document', customId, name });
}
