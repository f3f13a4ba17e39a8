import type { ModelProvider } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { modelConnections } from '../database/tables/model-connections.js';

export type ConnectionRow = typeof modelConnections.$inferSelect;

export async function listConnections(db: Queries): Promise<readonly ConnectionRow[]> {
  return db.select().from(modelConnections).orderBy(modelConnections.provider);
}

export async function findConnection(db: Queries, provider: ModelProvider): Promise<ConnectionRow | undefined> {
  const [row] = await db.select().from(modelConnections).where(eq(modelConnections.provider, provider));
  return row;
}

/** Creates or replaces the stored connection to a model provider. */
export async function saveConnection(db: Queries, row: ConnectionRow): Promise<void> {
  await db.insert(modelConnections).values(row).onConflictDoUpdate({ target: modelConnections.provider, set: row });
}

/** Deletes the stored connection to a model provider. @returns false if there was no such connection */
export async function deleteConnection(db: Queries, provider: ModelProvider): Promise<boolean> {
  const deleted = await db
    .delete(modelConnections)
    .where(eq(modelConnections.provider, provider))
    .returning({ provider: modelConnections.provider });
  return deleted.length > 0;
}
