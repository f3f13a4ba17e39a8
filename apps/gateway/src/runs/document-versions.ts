import type { IndexedVersionsRequest } from '@quarry/contracts';
import { and, eq, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { documents } from '../database/tables/documents.js';
import { buildDocumentKeyCondition } from './document-rows.js';
import type { LockedRun } from './run-in-progress.js';

/**
 * Finds the confirmed versions of indexed documents, in the order of `documentKeys`. Null: no version is confirmed. With
 * `includeInvalid`, finds the latest version instead for documents whose latest version is invalid.
 */
export async function findIndexedVersions(
  db: Queries,
  { datasourceId, documentKeys: keys, includeInvalid = false }: IndexedVersionsRequest,
): Promise<readonly (string | null)[]> {
  if (keys.length === 0) return [];
  const { documentKey, version, foundVersion } = documents;
  const known = sql<string | null>`case when ${IS_INVALID} then ${foundVersion} else ${version} end`;
  const rows = await db
    .select({ key: documentKey, version: includeInvalid ? known : version })
    .from(documents)
    .where(and(eq(documents.datasourceId, datasourceId), buildDocumentKeyCondition(keys)));
  const versionsByKey = new Map(rows.map(({ key, version }) => [key, version]));
  return keys.map((key) => versionsByKey.get(key) ?? null);
}

/** Selects documents whose latest version is invalid. Other failed documents can be valid, and are indexed again. */
const IS_INVALID = sql`${documents.outcome} = 'failed' and ${documents.code} = 'item_invalid' and ${documents.foundVersion} is not null`;

/** Finds the versions in which a run has found its settled documents, keyed by document key. */
export async function findSettledVersions(
  tx: Queries,
  { row, run }: LockedRun,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await tx
    .select({ key: documents.documentKey, version: documents.foundVersion })
    .from(documents)
    .where(and(eq(documents.datasourceId, row.id), eq(documents.runId, run.id), buildDocumentKeyCondition(keys)));
  return new Map(rows.map(({ key, version }) => [key, version]));
}

/**
 * Clears the versions of documents that will be replaced. The indexed version is unknown until the document settles.
 */
export async function clearDocumentVersions(tx: Queries, datasourceId: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await tx
    .update(documents)
    .set({ version: null })
    .where(
      and(
        eq(documents.datasourceId, datasourceId),
        buildDocumentKeyCondition(keys),
        sql`${documents.version} is not null`,
      ),
    );
}
