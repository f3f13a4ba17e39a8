import {
  type CreateDatastoreRequest,
  DEFAULT_SPLITTING,
  type EmbeddingSettings,
  type UpdateDatastoreRequest,
} from '@quarry/contracts';
import { and, desc, eq, inArray, isNotNull, isNull, lt, notInArray, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { cacheStatementPerDatabase, UNNAMED_STATEMENT } from '../database/cache-statement-per-database.js';
import { type DatastoreRow, datastores } from '../database/tables/datastores.js';
import { type IdWindow, buildWindowQuery, buildWindowRows, type WindowRows } from '../paging/id-window.js';
import type { PageRequest } from '../paging/pages.js';
import { createNotFoundProblem, parseResourceId } from '../checks/parse-resource-id.js';
import { type Caller, canAccessDatastore } from '../access/caller.js';
import type { buildExpiryColumns } from './datastore-expiry.js';
import { datasources } from '../database/tables/datasources.js';

/** Identifies a datastore by its organization and id. */
export type DatastoreKey = Pick<DatastoreRow, 'organizationId' | 'id'>;

/**
 * Returns the embedding settings of a new datastore: the settings in the request, otherwise the default settings. Null
 * in the request disables embedding, so that the datastore supports lexical search only.
 */
function chooseEmbeddingSettings(
  { embedding: requested }: CreateDatastoreRequest,
  defaultEmbedding: EmbeddingSettings | undefined,
): EmbeddingSettings | null {
  if (requested === undefined) return defaultEmbedding ?? null;
  if (requested === null) return null;
  const { model, dimensions, distance } = requested;
  return { model, dimensions, distance: distance ?? 'cosine' };
}

/** The additional settings of a datastore that the OpenAI-compatible API creates or updates as a vector store. */
export interface VectorStoreSettings {
  /** Texts that a client stores with the datastore, keyed by name. */
  readonly metadata?: Readonly<Record<string, string>> | null;
  /**
   * The new values of the expiry columns. Absent: a new datastore does not expire, and a stored datastore keeps its
   * expiry.
   */
  readonly expiry?: ReturnType<typeof buildExpiryColumns> | undefined;
}

/**
 * Inserts a datastore.
 *
 * @param embedding the embedding settings if the request contains none; undefined: no embedding
 */
export async function insertDatastore(
  db: Queries,
  organizationId: string,
  request: CreateDatastoreRequest & VectorStoreSettings,
  embedding: EmbeddingSettings | undefined,
): Promise<DatastoreRow> {
  const [row] = await db
    .insert(datastores)
    .values({
      id: newId(),
      organizationId,
      name: request.name,
      description: request.description ?? null,
      embedding: chooseEmbeddingSettings(request, embedding),
      splitting: request.splitting ?? DEFAULT_SPLITTING,
      ocrLanguages: request.ocrLanguages ?? null,
      metadata: request.metadata ?? null,
      ...request.expiry,
    })
    .returning();
  if (row === undefined) throw new Error('expected the inserted row of the datastore, found none');
  return row;
}

/** Updates those fields of a datastore that the request contains. @throws Problem 404 if there is none */
export async function updateDatastore(
  db: Queries,
  { organizationId, id }: DatastoreKey,
  { name, description, splitting, ocrLanguages, metadata, expiry }: UpdateDatastoreRequest & VectorStoreSettings,
  now: Date,
): Promise<DatastoreRow> {
  const [row] = await db
    .update(datastores)
    .set({
      updatedAt: now,
      ...(name === undefined || name === null ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(splitting === undefined || splitting === null ? {} : { splitting }),
      ...(ocrLanguages === undefined ? {} : { ocrLanguages }),
      ...(metadata === undefined ? {} : { metadata }),
      ...expiry,
    })
    .where(buildIdCondition(organizationId, id))
    .returning();
  if (row === undefined) throw createNotFoundProblem('datastore', id);
  return row;
}

/** Returns the datastore of an organization with this id. @throws Problem 404 if there is none */
export async function findDatastore(db: Queries, organizationId: string, id: string): Promise<DatastoreRow> {
  const [row] = await selectDatastoreById(db).execute({ organizationId, id });
  if (row === undefined) throw createNotFoundProblem('datastore', id);
  return row;
}

const selectDatastoreById = cacheStatementPerDatabase((db) =>
  db
    .select()
    .from(datastores)
    .where(
      and(
        eq(datastores.organizationId, sql.placeholder('organizationId')),
        eq(datastores.id, sql.placeholder('id')),
        isNull(datastores.removedAt),
      ),
    )
    .prepare(UNNAMED_STATEMENT),
);

/**
 * Returns a datastore and prevents its removal until the transaction ends.
 *
 * @param strength `update` also prevents other transactions from adding datasources until the transaction ends
 * @throws Problem 404 if it does not exist
 */
export async function lockDatastore(
  tx: Queries,
  organizationId: string,
  id: string,
  strength: 'key share' | 'update' = 'key share',
): Promise<DatastoreRow> {
  const [row] = await tx.select().from(datastores).where(buildIdCondition(organizationId, id)).for(strength);
  if (row === undefined) throw createNotFoundProblem('datastore', id);
  return row;
}

/** Returns the datastores with these ids, in no particular order. Omits ids that do not exist in the organization. */
export async function findDatastores(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly DatastoreRow[]> {
  return ids.length === 0 ? [] : selectDatastoresByIds(db).execute({ organizationId, ids });
}

const selectDatastoresByIds = cacheStatementPerDatabase((db) =>
  db
    .select()
    .from(datastores)
    .where(
      and(
        eq(datastores.organizationId, sql.placeholder('organizationId')),
        sql`${datastores.id} = any(${sql.placeholder('ids')}::uuid[])`,
        isNull(datastores.removedAt),
      ),
    )
    .prepare(UNNAMED_STATEMENT),
);

/**
 * Returns a page of datastores, newest first.
 *
 * @param accessibleIds the datastores that a limited key can access; undefined: all datastores of the organization
 * @returns at most `page.limit + 1` datastores; the additional one shows that another page follows
 */
export async function listDatastores(
  db: Queries,
  organizationId: string,
  page: PageRequest,
  accessibleIds: readonly string[] | undefined,
): Promise<readonly DatastoreRow[]> {
  return db
    .select()
    .from(datastores)
    .where(
      and(
        eq(datastores.organizationId, organizationId),
        isNull(datastores.removedAt),
        page.before === undefined ? undefined : lt(datastores.id, page.before),
        accessibleIds === undefined ? undefined : inArray(datastores.id, [...accessibleIds]),
      ),
    )
    .orderBy(desc(datastores.id))
    .limit(page.limit + 1);
}

/** Returns those datastores that the caller can access and whose ids are in a window (see `IdWindow`). */
export async function listDatastoresInWindow(
  db: Queries,
  { organizationId, limits }: Caller,
  window: IdWindow,
): Promise<WindowRows<DatastoreRow>> {
  const { where, by } = buildWindowQuery(datastores.id, window);
  const isAccessible = limits === undefined ? undefined : inArray(datastores.id, [...limits.datastoreIds]);
  const rows = await db
    .select()
    .from(datastores)
    .where(and(eq(datastores.organizationId, organizationId), isNull(datastores.removedAt), isAccessible, where))
    .orderBy(by)
    .limit(window.limit + 1);
  return buildWindowRows(rows, window);
}

/** Builds the condition that selects a datastore unless it is being removed. */
function buildIdCondition(organizationId: string, id: string): SQL | undefined {
  return and(eq(datastores.organizationId, organizationId), eq(datastores.id, id), isNull(datastores.removedAt));
}

/** Returns the datastore with this id. @throws Problem 404 if it does not exist or the caller cannot access it */
export async function requireDatastore(db: Queries, caller: Caller, id: string): Promise<DatastoreRow> {
  return findDatastore(db, caller.organizationId, requireDatastoreAccess(caller, id));
}

/**
 * Checks that the caller's key can access a datastore. Does not check that the datastore exists.
 *
 * @returns the id in lower case, as ids are stored
 * @throws Problem 404 if the key cannot access the datastore
 */
export function requireDatastoreAccess(caller: Caller, id: string): string {
  const known = parseResourceId('datastore', id);
  if (!canAccessDatastore(caller, known)) throw createNotFoundProblem('datastore', id);
  return known;
}

/**
 * Returns datastores in the order of `ids`.
 *
 * @throws Problem 404 with the first id that is unknown or that the caller cannot access
 */
export async function requireDatastores(
  db: Queries,
  caller: Caller,
  ids: readonly string[],
): Promise<readonly DatastoreRow[]> {
  const knownIds = ids.map((id) => parseResourceId('datastore', id));
  const found = new Map((await findDatastores(db, caller.organizationId, knownIds)).map((row) => [row.id, row]));
  return knownIds.map((id) => {
    const row = found.get(id);
    if (row === undefined || !canAccessDatastore(caller, row.id)) throw createNotFoundProblem('datastore', id);
    return row;
  });
}

/**
 * Builds the condition that selects datasources whose datastore is not being removed. PostgreSQL reads the list of
 * datastores in removal once per statement.
 */
export function buildPresentDatastoreCondition(): SQL {
  const removed = new QueryBuilder()
    .select({ id: datastores.id })
    .from(datastores)
    .where(isNotNull(datastores.removedAt));
  return notInArray(datasources.datastoreId, removed);
}
