import type { DocumentOutcomeFound, DocumentSettled } from '@quarry/contracts';
import { and, eq, ne, sql } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { documents } from '../database/tables/documents.js';
import { settleDocumentTokens } from '../usage/settle-tokens.js';
import type { LockedRun } from './lock-run.js';

/**
 * Stores the outcome of a document of a run.
 *
 * @param foundVersion the version that the run has found; null when it recorded none
 * @returns false when the run has stored an outcome of this document before
 */
export async function storeOutcome(
  tx: Queries,
  { row, run }: LockedRun,
  settled: DocumentSettled,
  foundVersion: string | null,
): Promise<boolean> {
  const { documentKey, outcome, fragments, storedTokens } = settled;
  const version = settled.version ?? foundVersion;
  const isConfirmed = outcome === 'indexed' || outcome === 'unchanged';
  const identity = { organizationId: row.organizationId, datasourceId: row.id, documentKey };
  const written = {
    ...toOutcomeColumns(settled),
    ...{ runId: run.id, outcome, foundVersion: version, settledAt: new Date(settled.at) },
  };
  const numbers = { fragments: fragments ?? 0, storedTokens: storedTokens ?? 0 };
  const [stored] = await tx
    .insert(documents)
    .values({ ...identity, ...written, ...numbers, version: isConfirmed ? version : null })
    .onConflictDoUpdate({
      target: [documents.datasourceId, documents.documentKey],
      // A page that could not be read again keeps its fragments.
      set: {
        ...written,
        fragments: fragments ?? documents.fragments,
        storedTokens: storedTokens ?? documents.storedTokens,
        ...(outcome === 'indexed' || (outcome === 'unchanged' && version !== null) ? { version } : {}),
      },
      setWhere: ne(documents.runId, run.id),
    })
    .returning({ storedTokens: documents.storedTokens });
  if (stored === undefined) return false;
  await settleDocumentTokens(tx, identity, stored.storedTokens);
  return true;
}

/** Stores the outcomes of documents that a run has settled without ingestion. They must be new to the run. */
export async function storeFoundOutcomes(
  tx: Queries,
  locked: LockedRun,
  settled: readonly DocumentOutcomeFound[],
  at: Date,
): Promise<void> {
  const confirmed = await confirmUnchanged(tx, locked, settled.filter(isPlainlyUnchanged), at);
  const others = settled.filter(({ documentKey }) => !confirmed.has(documentKey));
  if (others.length === 0) return;
  const { row, run } = locked;
  const shared = { organizationId: row.organizationId, datasourceId: row.id, runId: run.id, settledAt: at };
  const none = { fragments: 0, storedTokens: 0 };
  const rows = others.map((one) => ({
    ...{ ...shared, ...none, documentKey: one.documentKey, outcome: one.outcome },
    ...toOutcomeColumns(one),
  }));
  await tx
    .insert(documents)
    .values(rows)
    .onConflictDoUpdate({
      target: [documents.datasourceId, documents.documentKey],
      set: {
        runId: run.id,
        outcome: sql`excluded.outcome`,
        code: sql`excluded.code`,
        message: sql`excluded.message`,
        name: sql`coalesce(excluded.name, ${documents.name})`,
        source: sql`coalesce(excluded.source, ${documents.source})`,
        foundVersion: sql`case when excluded.outcome = 'unchanged' then ${documents.version} end`,
        settledAt: at,
      },
    });
}

function isPlainlyUnchanged({ outcome, code, message, name, source }: DocumentOutcomeFound): boolean {
  return outcome === 'unchanged' && [code, message, name, source].every((value) => value === undefined);
}

/** Marks stored documents as unchanged, in one statement. @returns the keys of the documents that were stored */
async function confirmUnchanged(
  tx: Queries,
  { row, run }: LockedRun,
  unchanged: readonly DocumentOutcomeFound[],
  at: Date,
): Promise<ReadonlySet<string>> {
  if (unchanged.length === 0) return new Set();
  const keys = unchanged.map(({ documentKey }) => documentKey);
  const rows = await tx
    .update(documents)
    .set({
      ...{ runId: run.id, outcome: 'unchanged', code: null, message: null },
      ...{ foundVersion: documents.version, settledAt: at },
    })
    .where(and(eq(documents.datasourceId, row.id), hasKey(keys)))
    .returning({ key: documents.documentKey });
  return new Set(rows.map(({ key }) => key));
}

function hasKey(keys: readonly string[]) {
  return sql`${documents.documentKey} = any(${sql.param(keys)}::text[])`;
}

/** Clears the versions of documents that are about to be replaced. Until they settle, the version in the index is unknown. */
export async function clearVersions(tx: Queries, datasourceId: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await tx
    .update(documents)
    .set({ version: null })
    .where(and(eq(documents.datasourceId, datasourceId), hasKey(keys), sql`${documents.version} is not null`));
}

/** Returns the versions that the index has confirmed, in the order of the keys. */
export async function findIndexedVersions(
  db: Queries,
  datasourceId: string,
  keys: readonly string[],
): Promise<readonly (string | null)[]> {
  if (keys.length === 0) return [];
  const rows = await db
    .select({ key: documents.documentKey, version: documents.version })
    .from(documents)
    .where(and(eq(documents.datasourceId, datasourceId), hasKey(keys)));
  const versionOf = new Map(rows.map(({ key, version }) => [key, version]));
  return keys.map((key) => versionOf.get(key) ?? null);
}

/** Returns the versions with which a run has settled documents, by their keys. */
export async function findSettledVersions(
  tx: Queries,
  { row, run }: LockedRun,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await tx
    .select({ key: documents.documentKey, version: documents.foundVersion })
    .from(documents)
    .where(and(eq(documents.datasourceId, row.id), eq(documents.runId, run.id), hasKey(keys)));
  return new Map(rows.map(({ key, version }) => [key, version]));
}

function toOutcomeColumns({
  code,
  message,
  name,
  source,
}: Pick<DocumentSettled, 'code' | 'message' | 'name' | 'source'>) {
  return { code: code ?? null, message: message ?? null, name: name ?? null, source: source ?? null };
}
