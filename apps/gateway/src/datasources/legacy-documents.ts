import { createHash } from 'node:crypto';
import type { DatasourceType } from '@quarry/contracts';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { identityKey, type DocumentIdentity } from './document-identity.js';

/** The fields from which versions without identities derived the key of a document. */
export interface LegacyKeyFields {
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
export function legacyKeyOf({ id, customId, name, text }: LegacyKeyFields): string {
  return id ?? customId ?? name ?? `text:${createHash('sha256').update(text).digest('base64url')}`;
}

/** Returns the key that versions without identities gave to an uploaded file. */
export function legacyFileKey(customId: string | null, name: string): string {
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
    if (document !== undefined) await setIdentity(tx, row, identityKey(document.identity));
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
