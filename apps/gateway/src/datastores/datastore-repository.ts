import {
  type CreateDatastoreRequest,
  DEFAULT_SPLITTING,
  type EmbeddingSettings,
  type UpdateDatastoreRequest,
} from '@quarry/contracts';
import { and, desc, eq, inArray, isNull, lt, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { preparePerDatabase, UNNAMED_STATEMENT } from '../database/prepare-per-database.js';
import { type DatastoreRow, datastores } from '../database/tables/datastores.js';
import type { PageRequest } from '../paging/pages.js';
import { notFound, requireId } from '../checks/require-id.js';
import { type Caller, canReachDatastore } from '../access/caller.js';

/** Identifies a datastore of an organization. */
export type DatastoreKey = Pick<DatastoreRow, 'organizationId' | 'id'>;

/**
 * Returns the embedding settings of a new datastore: those of the request, else the default. Null in the request disables
 * embedding.
 */
function chooseEmbedding(
  { embedding: requested }: CreateDatastoreRequest,
  defaultEmbedding: EmbeddingSettings | undefined,
): EmbeddingSettings | null {
  if (requested === undefined) return defaultEmbedding ?? null;
  if (requested === null) return null;
  const { model, dimensions, distance } = requested;
  return { model, dimensions, distance: distance ?? 'cosine' };
}

/** Inserts a datastore. @param embedding the default embedding settings, for a request without its own */
export async function insertDatastore(
  db: Queries,
  organizationId: string,
  request: CreateDatastoreRequest,
  embedding: EmbeddingSettings | undefined,
): Promise<DatastoreRow> {
  const [row] = await db
    .insert(datastores)
    .values({
      id: newId(),
      organizationId,
      name: request.name,
      description: request.description ?? null,
      embedding: chooseEmbedding(request, embedding),
      splitting: request.splitting ?? DEFAULT_SPLITTING,
    })
    .returning();
  if (row === undefined) throw new Error('expected the inserted datastore, found no row');
  return row;
}

/** Updates the fields that the request contains. @throws Problem 404 */
export async function updateDatastore(
  db: Queries,
  { organizationId, id }: DatastoreKey,
  { name, description, splitting }: UpdateDatastoreRequest,
  now: Date,
): Promise<DatastoreRow> {
  const [row] = await db
    .update(datastores)
    .set({
      updatedAt: now,
      ...(name === undefined || name === null ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(splitting === undefined || splitting === null ? {} : { splitting }),
    })
    .where(hasId(organizationId, id))
    .returning();
  if (row === undefined) throw notFound('datastore', id);
  return row;
}

/** Returns a datastore. @throws Problem 404 */
export async function findDatastore(db: Queries, organizationId: string, id: string): Promise<DatastoreRow> {
  const [row] = await datastoreById(db).execute({ organizationId, id });
  if (row === undefined) throw notFound('datastore', id);
  return row;
}

const datastoreById = preparePerDatabase((db) =>
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

/** Returns a datastore and prevents its removal until the transaction ends. @throws Problem 404 */
export async function lockDatastore(tx: Queries, organizationId: string, id: string): Promise<DatastoreRow> {
  const [row] = await tx.select().from(datastores).where(hasId(organizationId, id)).for('key share');
  if (row === undefined) throw notFound('datastore', id);
  return row;
}

/** Returns the datastores that exist, in no particular order. */
export async function findDatastores(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly DatastoreRow[]> {
  return ids.length === 0 ? [] : datastoresById(db).execute({ organizationId, ids });
}

const datastoresById = preparePerDatabase((db) =>
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
 * @param only the ids that a limited key can access; undefined: no limit
 * @returns one more than the page size, when there are more
 */
export async function listDatastores(
  db: Queries,
  organizationId: string,
  page: PageRequest,
  only: readonly string[] | undefined,
): Promise<readonly DatastoreRow[]> {
  return db
    .select()
    .from(datastores)
    .where(
      and(
        eq(datastores.organizationId, organizationId),
        isNull(datastores.removedAt),
        page.before === undefined ? undefined : lt(datastores.id, page.before),
        only === undefined ? undefined : inArray(datastores.id, [...only]),
      ),
    )
    .orderBy(desc(datastores.id))
    .limit(page.limit + 1);
}

/** Matches a datastore that is not being removed. */
function hasId(organizationId: string, id: string): SQL | undefined {
  return and(eq(datastores.organizationId, organizationId), eq(datastores.id, id), isNull(datastores.removedAt));
}

/** Returns a datastore that the caller can access. @throws Problem 404 */
export async function requireDatastore(db: Queries, caller: Caller, id: string): Promise<DatastoreRow> {
  return findDatastore(db, caller.organizationId, requireDatastoreAccess(caller, id));
}

/**
 * Returns the id in lower case if the caller's key can access that datastore. Does not check that the datastore exists.
 *
 * @throws Problem 404
 */
export function requireDatastoreAccess(caller: Caller, id: string): string {
  const known = requireId('datastore', id);
  if (!canReachDatastore(caller, known)) throw notFound('datastore', id);
  return known;
}

/** Returns datastores in the order of `ids`. @throws Problem 404 with the first id that is unknown or not accessible */
export async function requireDatastores(
  db: Queries,
  caller: Caller,
  ids: readonly string[],
): Promise<readonly DatastoreRow[]> {
  const knownIds = ids.map((id) => requireId('datastore', id));
  const found = new Map((await findDatastores(db, caller.organizationId, knownIds)).map((row) => [row.id, row]));
  return knownIds.map((id) => {
    const row = found.get(id);
    if (row === undefined || !canReachDatastore(caller, row.id)) throw notFound('datastore', id);
    return row;
  });
}
