import {
  DEFAULT_SPLITTING,
  type CreateDatastoreRequest,
  type EmbeddingSettings,
  type UpdateDatastoreRequest,
} from '@quarry/contracts';
import { and, desc, eq, inArray, lt, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { prepared, UNNAMED } from '../database/prepared.js';
import { datastores, type DatastoreRow } from '../database/tables/datastores.js';
import type { PageRequest } from '../paging/pages.js';
import { unknown } from '../checks/require-id.js';

/** Identifies a datastore of an organization. */
export type DatastoreKey = Pick<DatastoreRow, 'organizationId' | 'id'>;

/** What the installation embeds with, unless the request names something else; null in the request: nothing. */
function chosenEmbedding(
  { embedding: chosen }: CreateDatastoreRequest,
  installed: EmbeddingSettings | undefined,
): EmbeddingSettings | null {
  if (chosen === undefined) return installed ?? null;
  if (chosen === null) return null;
  const { model, dimensions, distance } = chosen;
  return { model, dimensions, distance: distance ?? 'cosine' };
}

/** @param embedding what the installation embeds with, where the request does not say; null in the request: nothing */
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
      embedding: chosenEmbedding(request, embedding),
      splitting: request.splitting ?? DEFAULT_SPLITTING,
    })
    .returning();
  if (row === undefined) throw new Error('the datastore was not written');
  return row;
}

/** Changes what the request names. @throws Problem 404 */
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
    .where(oneOf(organizationId, id))
    .returning();
  if (row === undefined) throw unknown('datastore', id);
  return row;
}

/** @throws Problem 404 */
export async function findDatastore(db: Queries, organizationId: string, id: string): Promise<DatastoreRow> {
  const [row] = await datastoreById(db).execute({ organizationId, id });
  if (row === undefined) throw unknown('datastore', id);
  return row;
}

const datastoreById = prepared((db) =>
  db
    .select()
    .from(datastores)
    .where(
      and(eq(datastores.organizationId, sql.placeholder('organizationId')), eq(datastores.id, sql.placeholder('id'))),
    )
    .prepare(UNNAMED),
);

/** The same, and nobody removes it until the transaction ends. @throws Problem 404 */
export async function lockDatastore(tx: Queries, organizationId: string, id: string): Promise<DatastoreRow> {
  const [row] = await tx.select().from(datastores).where(oneOf(organizationId, id)).for('key share');
  if (row === undefined) throw unknown('datastore', id);
  return row;
}

/** @returns those that there are, in no order */
export async function findDatastores(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly DatastoreRow[]> {
  return ids.length === 0 ? [] : datastoresById(db).execute({ organizationId, ids });
}

const datastoresById = prepared((db) =>
  db
    .select()
    .from(datastores)
    .where(
      and(
        eq(datastores.organizationId, sql.placeholder('organizationId')),
        sql`${datastores.id} = any(${sql.placeholder('ids')}::uuid[])`,
      ),
    )
    .prepare(UNNAMED),
);

/** @param only the ids a limited key reaches @returns one more than the page holds, when there is more */
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
        page.before === undefined ? undefined : lt(datastores.id, page.before),
        only === undefined ? undefined : inArray(datastores.id, [...only]),
      ),
    )
    .orderBy(desc(datastores.id))
    .limit(page.limit + 1);
}

function oneOf(organizationId: string, id: string): SQL | undefined {
  return and(eq(datastores.organizationId, organizationId), eq(datastores.id, id));
}
