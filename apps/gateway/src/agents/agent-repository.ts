import type { CreateAgentRequest, UpdateAgentRequest } from '@quarry/contracts';
import { and, desc, eq, getTableColumns, inArray, lt, sql, type SQL } from 'drizzle-orm';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { prepared, UNNAMED } from '../database/prepared.js';
import { agentDatastores, agents, type AgentRow } from '../database/tables/agents.js';
import type { PageRequest } from '../paging/pages.js';
import { unknown } from '../checks/require-id.js';
import { changes, generationOf } from './agent-settings.js';

/** An agent, and the datastores it answers from in the order they were given. */
export type Agent = AgentRow & { readonly datastoreIds: readonly string[] };

/** @param request its datastores are the organization's: the caller has checked */
export async function insertAgent(db: Queries, organizationId: string, request: CreateAgentRequest): Promise<Agent> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(agents)
      .values({
        id: newId(),
        organizationId,
        name: request.name,
        description: request.description ?? null,
        generation: generationOf(request),
        systemPrompt: request.systemPrompt ?? null,
        userPrompt: request.userPrompt ?? null,
        restrictToKnowledge: request.restrictToKnowledge ?? true,
        citationMarks: request.citationMarks ?? false,
      })
      .returning();
    if (row === undefined) throw new Error('the agent was not written');
    await attachDatastores(tx, row, request.datastoreIds);
    return { ...row, datastoreIds: request.datastoreIds };
  });
}

/** @throws Problem 404 */
export async function findAgent(db: Queries, organizationId: string, id: string): Promise<Agent> {
  const [row] = await agentById(db).execute({ organizationId, id });
  if (row === undefined) throw unknown('agent', id);
  return row;
}

/** @param only the ids a limited key reaches @returns one more than the page holds, when there is more */
export async function listAgents(
  db: Queries,
  organizationId: string,
  page: PageRequest,
  only: readonly string[] | undefined,
): Promise<readonly Agent[]> {
  const which = and(
    eq(agents.organizationId, organizationId),
    page.before === undefined ? undefined : lt(agents.id, page.before),
    only === undefined ? undefined : inArray(agents.id, [...only]),
  );
  return selectAgents(db, which, page.limit + 1);
}

/** Changes what the request names: what is null there goes back to its default. */
export async function updateAgent(db: Queries, agent: Agent, request: UpdateAgentRequest, now: Date): Promise<Agent> {
  const { organizationId, id } = agent;
  const isThis = and(eq(agents.organizationId, organizationId), eq(agents.id, id));
  return db.transaction(async (tx) => {
    await tx
      .update(agents)
      .set({ ...changes(agent, request), updatedAt: now })
      .where(isThis);
    const { datastoreIds } = request;
    if (datastoreIds !== undefined && datastoreIds !== null) {
      await tx.delete(agentDatastores).where(eq(agentDatastores.agentId, id));
      await attachDatastores(tx, agent, datastoreIds);
    }
    return findAgent(tx, organizationId, id);
  });
}

/** Its conversations go with it. */
export async function removeAgent(db: Queries, organizationId: string, id: string): Promise<void> {
  await db.delete(agents).where(and(eq(agents.organizationId, organizationId), eq(agents.id, id)));
}

const agentById = prepared((db) =>
  selectAgents(
    db,
    and(eq(agents.organizationId, sql.placeholder('organizationId')), eq(agents.id, sql.placeholder('id'))),
  ).prepare(UNNAMED),
);

// The builder has a type of its vendor's that only inference can name.
function selectAgents(db: Queries, which: SQL | undefined, limit = 1) {
  const datastoreIds = sql<string[]>`array(
    select ${agentDatastores.datastoreId} from ${agentDatastores}
    where ${agentDatastores.agentId} = ${agents.id} order by ${agentDatastores.position})::text[]`;
  return db
    .select({ ...getTableColumns(agents), datastoreIds })
    .from(agents)
    .where(which)
    .orderBy(desc(agents.id))
    .limit(limit);
}

async function attachDatastores(tx: Queries, agent: AgentRow, datastoreIds: readonly string[]): Promise<void> {
  if (datastoreIds.length === 0) return;
  const { organizationId, id: agentId } = agent;
  await tx
    .insert(agentDatastores)
    .values(datastoreIds.map((datastoreId, position) => ({ organizationId, agentId, datastoreId, position })));
}
