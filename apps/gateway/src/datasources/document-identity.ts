import { createHash } from 'node:crypto';
import type { DatasourceType } from '@quarry/contracts';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queries } from '../database/database.js';
import { type DatasourceRow, datasources } from '../database/tables/datasources.js';

/** Identifies a document in its datastore. A new document replaces the stored document with an equal identity. */
export type DocumentIdentity =
  | { readonly kind: 'document'; readonly id: string }
  | { readonly kind: 'document'; readonly source: string }
  | { readonly kind: 'document' | 'file'; readonly customId: string | null; readonly name: string }
  | { readonly kind: 'document'; readonly customId: string | null; readonly textHash: string }
  | { readonly kind: 'file'; readonly fileId: string }
  | { readonly kind: 'document'; readonly datasourceId: string };

/**
 * Contains those fields of an upserted text that can identify the text. Null: the request does not contain the field.
 */
export interface UpsertedIdentity {
  readonly id: string | null;
  readonly source: string | null;
  readonly customId: string | null;
  readonly name: string | null;
  readonly text: string;
}

/**
 * Determines the identity of an upserted text. The identity is the first of these values that the request contains: the
 * id, the source, the name with the custom id, or the text with the custom id. A custom id alone identifies no
 * document, because clients give the same custom id to a group of documents, such as those of one customer.
 */
export function determineTextIdentity({ id, source, customId, name, text }: UpsertedIdentity): DocumentIdentity {
  if (id !== null) return { kind: 'document', id };
  if (source !== null) return { kind: 'document', source };
  if (name !== null) return { kind: 'document', customId, name };
  return { kind: 'document', customId, textHash: computeSha256(text) };
}

/** Determines the identity of an uploaded file: its custom id and name. */
export function determineFileIdentity(customId: string | null, name: string): DocumentIdentity {
  return { kind: 'file', customId, name };
}

/**
 * Returns the id that a client gave to an upserted text. Returns null for a text without such an id, and for
 * datasources of other types.
 */
export function getClientDocumentId({ config }: Pick<DatasourceRow, 'config'>): string | null {
  const { documentId } = config;
  return typeof documentId === 'string' ? documentId : null;
}

/**
 * Returns the name that a client gave to an upserted text. A later change of the datasource's name does not change it.
 * Returns null if the client gave no name, and for datasources of other types.
 */
export function getGivenName({
  identity,
  customId,
  name,
  config,
}: Pick<DatasourceRow, 'identity' | 'customId' | 'name' | 'config'>): string | null {
  const { givenName } = config;
  if (typeof givenName === 'string') return givenName;
  // Earlier versions did not store the given name. In their rows, it is the name if the identity contains the name.
  return identity === computeIdentityKey({ kind: 'document', customId, name }) ? name : null;
}

/**
 * Computes the key under which an identity is stored: a SHA-256 in base64url (43 characters). Different identities have
 * different keys.
 */
export function computeIdentityKey(identity: DocumentIdentity): string {
  return computeSha256(JSON.stringify(Object.entries(identity).sort()));
}

/** Describes an identity in an error message, such as `the id "7"`. */
export function describeIdentity(identity: DocumentIdentity): string {
  if ('fileId' in identity) return `the file ${identity.fileId}`;
  if ('datasourceId' in identity) return `the id of the datasource ${identity.datasourceId}`;
  if ('id' in identity) return `the id ${JSON.stringify(identity.id)}`;
  if ('source' in identity) return `the source ${JSON.stringify(identity.source)} and no id`;
  const group = identity.customId === null ? 'no custom id' : `the custom id ${JSON.stringify(identity.customId)}`;
  if ('name' in identity) return `${group}, the name ${JSON.stringify(identity.name)}, no id and no source`;
  return `${group}, the same text, no id, no source and no name`;
}

function computeSha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Contains the fields from which earlier versions, which stored no identities, derived a text's document key. */
interface LegacyKeyFields {
  readonly id: string | null;
  readonly customId: string | null;
  readonly name: string | null;
  readonly text: string;
}

/**
 * Describes a document in a request. Its fields suffice to find the row in which an earlier version of Quarry may have
 * stored the document, without an identity.
 */
export interface LegacyCandidate {
  readonly type: Extract<DatasourceType, 'file' | 'document'>;
  readonly identity: DocumentIdentity;
  /** The document key that earlier Quarry versions, which stored no identities, gave to this document. */
  readonly legacyKey: string;
  /** The name of the document in the request. Null: the request contains no name. */
  readonly givenName: string | null;
  /** The displayed name of the document. If the request contains no name, it is derived from other fields. */
  readonly name: string;
  readonly customId: string | null;
  readonly source: string | null;
}

/** Builds the document key that earlier Quarry versions, which stored no identities, gave to an upserted text. */
export function buildLegacyTextKey({ id, customId, name, text }: LegacyKeyFields): string {
  return id ?? customId ?? name ?? `text:${createHash('sha256').update(text).digest('base64url')}`;
}

/** Builds the document key that earlier Quarry versions, which stored no identities, gave to an uploaded file. */
export function buildLegacyFileKey(customId: string | null, name: string): string {
  return customId === null ? name : JSON.stringify([customId, name]);
}

/**
 * Sets the identities of rows that earlier versions stored without an identity, if they contain documents of this
 * request. The request then replaces the stored documents, instead of storing them twice. A migration cannot set the
 * identities, because a row does not show which fields identified its document.
 */
export async function setLegacyIdentities(
  tx: Queries,
  datastoreId: string,
  documents: readonly LegacyCandidate[],
): Promise<void> {
  const keys = documents.map(({ legacyKey }) => legacyKey);
  if (keys.length === 0) return;
  const ofDatastore = eq(datasources.datastoreId, datastoreId);
  const isLegacy = and(ofDatastore, isNull(datasources.identity), inArray(datasources.documentKey, keys));
  const rows = await tx.select().from(datasources).where(isLegacy).orderBy(datasources.id).for('update');
  for (const row of rows) {
    const document = documents.find((each) => isSameDocument(row, each));
    if (document !== undefined) await setIdentity(tx, row, computeIdentityKey(document.identity));
  }
}

/** Returns true if a row that an earlier version stored contains the given document of the request. */
function isSameDocument(
  row: DatasourceRow,
  { type, legacyKey, identity, givenName, ...document }: LegacyCandidate,
): boolean {
  if (row.type !== type || row.documentKey !== legacyKey) return false;
  if ('id' in identity || identity.kind === 'file') return true;
  if ('source' in identity) return row.source === identity.source;
  // For a text without a name, earlier versions stored the custom id as the name.
  return row.customId === document.customId && row.name === (givenName ?? document.customId ?? document.name);
}

/** Contains the fields of a document of a request that identify the row to replace. */
interface ReplacingDocument {
  readonly identity: DocumentIdentity;
  /** The id of the datasource that the document replaces, whatever its identity. Absent: the identity decides. */
  readonly replacedId?: string;
}

/**
 * Gives the identities of documents to the datasources that these documents replace by id. If another datasource
 * already has such an identity, only its own id identifies the replaced datasource.
 *
 * @param tx a transaction that has locked the datastore exclusively, so that no other transaction adds an identity
 * @param rowsById the replaced datasources, which the transaction has locked
 * @returns the documents with the identities that their datasources now have
 */
export async function setReplacedIdentities<Document extends ReplacingDocument>(
  tx: Queries,
  rowsById: ReadonlyMap<string, DatasourceRow>,
  documents: readonly Document[],
): Promise<readonly Document[]> {
  const changed = new Map<Document, DatasourceRow>();
  for (const document of documents) {
    const row = rowsById.get(document.replacedId ?? '');
    if (row !== undefined && row.identity !== computeIdentityKey(document.identity)) changed.set(document, row);
  }
  if (changed.size === 0) return documents;
  // All changed identities are cleared first, because a request can exchange the identities of two datasources.
  const isChanged = inArray(
    datasources.id,
    Array.from(changed.values(), ({ id }) => id),
  );
  await tx.update(datasources).set({ identity: null }).where(isChanged);
  const withIdentities: Document[] = [];
  for (const document of documents) {
    const row = changed.get(document);
    withIdentities.push(
      row === undefined ? document : { ...document, identity: await changeIdentity(tx, row, document) },
    );
  }
  return withIdentities;
}

/** Sets the identity of a row to the identity of a document, or to the id of the row if another row has the former. */
async function changeIdentity(
  tx: Queries,
  row: DatasourceRow,
  { identity }: ReplacingDocument,
): Promise<DocumentIdentity> {
  if (await setIdentity(tx, row, computeIdentityKey(identity))) return identity;
  // A client cannot choose this identity for another text, unlike the identity with the field `id`.
  const ownIdentity = { kind: 'document', datasourceId: row.id } as const;
  await setIdentity(tx, row, computeIdentityKey(ownIdentity));
  return ownIdentity;
}

/** Sets the identity of a row, unless another row already has this identity. @returns whether it was set */
async function setIdentity(tx: Queries, { id, datastoreId }: DatasourceRow, identity: string): Promise<boolean> {
  const other = alias(datasources, 'other');
  const sameIdentity = tx
    .select({ one: sql`1` })
    .from(other)
    .where(and(eq(other.datastoreId, datastoreId), eq(other.identity, identity)));
  const { rowCount } = await tx
    .update(datasources)
    .set({ identity })
    .where(and(eq(datasources.id, id), sql`not exists ${sameIdentity}`));
  return rowCount === 1;
}
