import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import { shareConcurrentCalls } from '../concurrency/share-concurrent-calls.js';
import type { Queries } from '../database/database.js';
import { cacheStatementPerDatabase, UNNAMED_STATEMENT } from '../database/cache-statement-per-database.js';
import { type AgentRow, agents } from '../database/tables/agents.js';
import { recordDatastoreUse } from '../datastores/datastore-expiry.js';
import { type SearchTarget, TARGETS_OF_AGENT } from '../searching/search-target.js';

/** An agent with the datastores in which it searches. */
export interface AgentWithDatastores extends AgentRow {
  readonly datastores: readonly SearchTarget[];
}

/**
 * Returns an agent of an organization with its datastores. Records that the datastores are used, which postpones their
 * expiry.
 *
 * @throws Problem 404 if there is no such agent
 */
export async function findAgentAndRecordUse(
  db: Queries,
  organizationId: string,
  id: string,
): Promise<AgentWithDatastores> {
  const agent = await findAgentWithDatastores(db, organizationId, id);
  await recordDatastoreUse(db, agent.datastores);
  return agent;
}

/**
 * Returns an agent of an organization with its datastores. Does not record that the datastores are used.
 *
 * @throws Problem 404 if there is no such agent
 */
export async function findAgentWithDatastores(
  db: Queries,
  organizationId: string,
  id: string,
): Promise<AgentWithDatastores> {
  const row = await loadSharedAgent(db)({ organizationId, id });
  if (row === undefined) throw createNotFoundProblem('agent', id);
  return row;
}

/** Loads an agent with its datastores. Concurrent calls for the same agent share one database statement. */
const loadSharedAgent = cacheStatementPerDatabase((db) =>
  shareConcurrentCalls(
    ({ organizationId, id }: Pick<AgentWithDatastores, 'organizationId' | 'id'>) => `${organizationId} ${id}`,
    async ({ organizationId, id }): Promise<AgentWithDatastores | undefined> =>
      (await selectAgentWithDatastores(db).execute({ organizationId, id }))[0],
  ),
);

const selectAgentWithDatastores = cacheStatementPerDatabase((db) =>
  db
    .select({ ...getTableColumns(agents), datastores: TARGETS_OF_AGENT.as('datastores') })
    .from(agents)
    .where(and(eq(agents.organizationId, sql.placeholder('organizationId')), eq(agents.id, sql.placeholder('id'))))
    .prepare(UNNAMED_STATEMENT),
);
