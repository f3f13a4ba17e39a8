import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import { isId } from '../database/id.js';
import type { Queries } from '../database/database.js';
import { type DatasourceRow, datasources } from '../database/tables/datasources.js';
import {
  determineTextIdentity,
  getClientDocumentId,
  getGivenName,
  setReplacedIdentities,
} from '../datasources/document-identity.js';
import { type DatastoreKey, lockDatastore } from '../datastores/datastore-repository.js';
import { refuseDuplicateIdentities, type UpsertedDocument } from './parse-upsert-request.js';

/**
 * Finds the documents whose `id` is a datasource id that an earlier upsert returned. Such a document replaces the text
 * of that datasource. The datasource keeps its name and metadata unless the document contains new ones. Its new
 * identity is the identity of a document with the resulting fields. The transaction that saves the documents must call
 * this function first, because the function locks the datastore exclusively if it finds such a document.
 *
 * @returns the documents with the identities that their datasources now have
 * @throws Problem 400 if two documents replace the same datasource, or one of them has the identity of another document
 */
export async function resolveDatasourceIds<Document extends UpsertedDocument>(
  tx: Queries,
  { organizationId, id: datastoreId }: DatastoreKey,
  documents: readonly Document[],
): Promise<readonly Document[]> {
  const ids = documents.flatMap(({ identity }) => ('id' in identity && isId(identity.id) ? [identity.id] : []));
  if (ids.length === 0) return documents;
  const isReplaced = and(
    eq(datasources.organizationId, organizationId),
    eq(datasources.datastoreId, datastoreId),
    eq(datasources.type, 'document'),
    isNotNull(datasources.identity),
    inArray(datasources.id, ids),
  );
  const found = await tx.select({ id: datasources.id }).from(datasources).where(isReplaced).limit(1);
  if (found.length === 0) return documents;
  await lockDatastore(tx, organizationId, datastoreId, 'update');
  const rows = await tx.select().from(datasources).where(isReplaced).orderBy(datasources.id).for('update');
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  const resolved = documents.map((document) => {
    const row = 'id' in document.identity ? rowsById.get(document.identity.id.toLowerCase()) : undefined;
    return row === undefined ? document : replaceText(row, document);
  });
  refuseDuplicateIdentities(resolved);
  return setReplacedIdentities(tx, rowsById, resolved);
}

/** Builds the document that replaces the text of a datasource, with the fields of the datasource that do not change. */
function replaceText<Document extends UpsertedDocument>(row: DatasourceRow, document: Document): Document {
  const id = getClientDocumentId(row);
  const { text, customId, source, metadata } = document.metadata === null ? { ...row, text: document.text } : document;
  const givenName = document.givenName ?? getGivenName(row);
  const identity = determineTextIdentity({ id, source, customId, name: givenName, text });
  const name = document.givenName ?? row.name;
  return { ...document, id, customId, source, metadata, identity, givenName, name, replacedId: row.id };
}
