import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { createNotFoundProblem } from '../checks/require-id.js';
import { shareCalls } from '../concurrency/share-calls.js';
import type { Queries } from '../database/database.js';
import { preparePerDatabase, UNNAMED_STATEMENT } from '../database/prepare-per-database.js';
import { type AgentRow, agents } from '../database/tables/agents.js';
import { recordUse } from '../datastores/datastore-expiry.js';
import { type SearchTarget, TARGETS_OF_AGENT } from '../searching/search-target.js';

/** An agent with the datastores that its questions search, read by one statement. */
export interface AskedAgent extends AgentRow {
  readonly datastores: readonly SearchTarget[];
}

/** Returns an agent of an organization with its datastores, and records that they are used. @throws Problem 404 if there is none */
export async function findAskedAgent(db: Queries, organizationId: string, id: string): Promise<AskedAgent> {
  const agent = await findUnaskedAgent(db, organizationId, id);
  await recordUse(db, agent.datastores);
  return agent;
}

/** Returns an agent of an organization with its datastores, without a use of them. @throws Problem 404 if there is none */
export async function findUnaskedAgent(db: Queries, organizationId: string, id: string): Promise<AskedAgent> {
  const row = await loadSharedAgent(db)({ organizationId, id });
  if (row === undefined) throw createNotFoundProblem('agent', id);
  return row;
}

/** Loads an agent. Concurrent calls for the same one share a statement. */
const loadSharedAgent = preparePerDatabase((db) =>
  shareCalls(
    ({ organizationId, id }: Pick<AskedAgent, 'organizationId' | 'id'>) => `${organizationId} ${id}`,
    async ({ organizationId, id }): Promise<AskedAgent | undefined> =>
      (await selectAskedAgent(db).execute({ organizationId, id }))[0],
  ),
);

const selectAskedAgent = preparePerDatabase((db) =>
  db
    .select({ ...getTableColumns(agents), datastores: TARGETS_OF_AGENT.as('datastores') })
    .from(agents)
    .where(and(eq(agents.organizationId, sql.placeholder('organizationId')), eq(agents.id, sql.placeholder('id'))))
    .prepare(UNNAMED_STATEMENT),
);
