import { createHash } from 'node:crypto';
import type { DatasourceType } from '@quarry/contracts';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queries } from '../database/database.js';
import { type DatasourceRow, datasources } from '../database/tables/datasources.js';

/** Identifies a document in its datastore. A document with an equal identity replaces the earlier one. */
export type DocumentIdentity =
  | { readonly kind: 'document'; readonly id: string }
  | { readonly kind: 'document'; readonly source: string }
  | { readonly kind: 'document' | 'file'; readonly customId: string | null; readonly name: string }
  | { readonly kind: 'document'; readonly customId: string | null; readonly textHash: string };

export interface UpsertedIdentity {
  readonly id: string | null;
  readonly source: string | null;
  readonly customId: string | null;
  readonly name: string | null;
  readonly text: string;
}

/**
 * Returns the identity of an upserted text: its id, else its source, else its custom id and name, else its custom id and text. A
 * custom id alone identifies no document, because it names a group, such as all documents of a tenant.
 */
export function identifyUpsert({ id, source, customId, name, text }: UpsertedIdentity): DocumentIdentity {
  if (id !== null) return { kind: 'document', id };
  if (source !== null) return { kind: 'document', source };
  if (name !== null) return { kind: 'document', customId, name };
  return { kind: 'document', customId, textHash: sha256(text) };
}

export function identifyFile(customId: string | null, name: string): DocumentIdentity {
  return { kind: 'file', customId, name };
}

/** Returns a key of 43 characters that is equal for equal identities and for no others. */
export function computeIdentityKey(identity: DocumentIdentity): string {
  return sha256(JSON.stringify(Object.entries(identity).sort()));
}

/** Describes an identity for people, such as `the id "7"`. */
export function describeIdentity(identity: DocumentIdentity): string {
  if ('id' in identity) return `the id ${JSON.stringify(identity.id)}`;
  if ('source' in identity) return `the source ${JSON.stringify(identity.source)} and no id`;
  const group = identity.customId === null ? 'no custom id' : `the custom id ${JSON.stringify(identity.customId)}`;
  if ('name' in identity) return `${group}, the name ${JSON.stringify(identity.name)}, no id and no source`;
  return `${group}, the same text, no id, no source and no name`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** The fields from which versions without identities derived the key of a document. */
interface LegacyKeyFields {
  readonly id: string | null;
  readonly customId: string | null;
  readonly name: string | null;
  readonly text: string;
}

/** A document of a request that may be stored in a row of a version without identities. */
export interface LegacyCandidate {
  readonly type: Extract<DatasourceType, 'file' | 'document'>;
  readonly identity: DocumentIdentity;
  /** The key that versions without identities gave to it. */
  readonly legacyKey: string;
  /** The name in the request, which may be missing. `name` is the displayed name. */
  readonly givenName: string | null;
  readonly name: string;
  readonly customId: string | null;
  readonly source: string | null;
}

/** Returns the key that versions without identities gave to an upserted text. */
export function buildLegacyKey({ id, customId, name, text }: LegacyKeyFields): string {
  return id ?? customId ?? name ?? `text:${createHash('sha256').update(text).digest('base64url')}`;
}

/** Returns the key that versions without identities gave to an uploaded file. */
export function buildLegacyFileKey(customId: string | null, name: string): string {
  return customId === null ? name : JSON.stringify([customId, name]);
}

/**
 * Assigns the identities of these documents to the rows of earlier versions that contain the same documents. A row alone does not
 * show from which fields its key was derived. The next request for the document shows it, and the document is replaced instead of
 * stored twice.
 */
export async function adoptLegacyDocuments(
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

function isSameDocument(
  row: DatasourceRow,
  { type, legacyKey, identity, givenName, ...document }: LegacyCandidate,
): boolean {
  if (row.type !== type || row.documentKey !== legacyKey) return false;
  if ('id' in identity || identity.kind === 'file') return true;
  if ('source' in identity) return row.source === identity.source;
  // The name of a text without a name was its custom id.
  return row.customId === document.customId && row.name === (givenName ?? document.customId ?? document.name);
}

/** Sets the identity of a row, unless another row already has it. */
async function setIdentity(tx: Queries, { id, datastoreId }: DatasourceRow, identity: string): Promise<void> {
  const other = alias(datasources, 'other');
  const sameIdentity = tx
    .select({ one: sql`1` })
    .from(other)
    .where(and(eq(other.datastoreId, datastoreId), eq(other.identity, identity)));
  await tx
    .update(datasources)
    .set({ identity })
    .where(and(eq(datasources.id, id), sql`not exists ${sameIdentity}`));
}
