import { createHash } from 'node:crypto';
import type { DatasourceType } from '@quarry/contracts';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queries } from '../database/database.js';
import { datasources, type DatasourceRow } from '../database/tables/datasources.js';
import { identityKey, type DocumentIdentity } from './document-identity.js';

/** What versions without identities knew of a document. */
export interface LegacyNames {
  readonly id: string | null;
  readonly customId: string | null;
  readonly name: string | null;
  readonly text: string;
}

/** A document that is sent, which a row of a version without identities may be. */
export interface LegacyCandidate {
  readonly type: Extract<DatasourceType, 'file' | 'document'>;
  readonly identity: DocumentIdentity;
  /** The key that versions without identities gave it. */
  readonly legacyKey: string;
  /** As the caller gave it; `name` is shown. */
  readonly givenName: string | null;
  readonly name: string;
  readonly customId: string | null;
  readonly source: string | null;
}

/** Returns the key that versions without identities gave to an upserted text. */
export function legacyKeyOf({ id, customId, name, text }: LegacyNames): string {
  return id ?? customId ?? name ?? `text:${createHash('sha256').update(text).digest('base64url')}`;
}

/** Returns the key that versions without identities gave to an uploaded file. */
export function legacyFileKey(customId: string | null, name: string): string {
  return customId === null ? name : JSON.stringify([customId, name]);
}

/**
 * Gives the rows of versions without identities the identities of these documents, where the row is the same document. The
 * row does not tell from what its key was made, so it waits for the document to be sent again: then that is known, and the
 * document is replaced as before instead of being stored twice.
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
    if (document !== undefined) await adopt(tx, row, identityKey(document.identity));
  }
}

function isSameDocument(
  row: DatasourceRow,
  { type, legacyKey, identity, givenName, ...now }: LegacyCandidate,
): boolean {
  if (row.type !== type || row.documentKey !== legacyKey) return false;
  if ('id' in identity || identity.kind === 'file') return true;
  if ('source' in identity) return row.source === identity.source;
  // A text without a name was shown under its custom id.
  return row.customId === now.customId && row.name === (givenName ?? now.customId ?? now.name);
}

/** Unless another row is that document already. */
async function adopt(tx: Queries, { id, datastoreId }: DatasourceRow, identity: string): Promise<void> {
  const other = alias(datasources, 'other');
  const taken = tx
    .select({ one: sql`1` })
    .from(other)
    .where(and(eq(other.datastoreId, datastoreId), eq(other.identity, identity)));
  await tx
    .update(datasources)
    .set({ identity })
    .where(and(eq(datasources.id, id), sql`not exists ${taken}`));
}
