import type { AgentSettings, CreateAgentRequest, GenerationSettings, UpdateAgentRequest } from '@quarry/contracts';
import { and, desc, eq, getTableColumns, inArray, isNotNull, lt, notInArray, sql, type SQL } from 'drizzle-orm';
import { shareConcurrentCalls } from '../concurrency/share-concurrent-calls.js';
import type { Queries } from '../database/database.js';
import { newId } from '../database/id.js';
import { cacheStatementPerDatabase, UNNAMED_STATEMENT } from '../database/cache-statement-per-database.js';
import { datastores } from '../database/tables/datastores.js';
import { agentDatastores, type AgentRow, agents, type StoredGenerationSettings } from '../database/tables/agents.js';
import type { PageRequest } from '../paging/pages.js';
import { createNotFoundProblem, parseResourceId } from '../checks/parse-resource-id.js';
import { type Caller, canAccessAgent } from '../access/caller.js';

/** An agent with the ids of its datastores, in the order of the request that last set these ids. */
export type Agent = AgentRow & { readonly datastoreIds: readonly string[] };

/** Inserts an agent with its datastores. @param request its datastores must belong to the organization */
export async function insertAgent(db: Queries, organizationId: string, request: CreateAgentRequest): Promise<Agent> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(agents)
      .values({
        id: newId(),
        organizationId,
        name: request.name,
        description: request.description ?? null,
        generationSettings: pickGenerationSettings(request),
        systemPrompt: request.systemPrompt ?? null,
        userPrompt: request.userPrompt ?? null,
        restrictToKnowledge: request.restrictToKnowledge ?? true,
        citationMarks: request.citationMarks ?? false,
      })
      .returning();
    if (row === undefined) throw new Error('expected the inserted row of the agent, found none');
    return { ...row, datastoreIds: await attachDatastores(tx, row, request.datastoreIds) };
  });
}

/** Returns the agent of an organization with this id. @throws Problem 404 if there is none */
export async function findAgent(db: Queries, organizationId: string, id: string): Promise<Agent> {
  const [row] = await selectAgentById(db).execute({ organizationId, id });
  if (row === undefined) throw createNotFoundProblem('agent', id);
  return row;
}

/**
 * Returns a page of agents, newest first.
 *
 * @param accessibleIds the agents that a limited key can access; undefined: all agents of the organization
 * @returns at most `page.limit + 1` agents; the additional one shows that another page follows
 */
export async function listAgents(
  db: Queries,
  organizationId: string,
  page: PageRequest,
  accessibleIds: readonly string[] | undefined,
): Promise<readonly Agent[]> {
  const condition = and(
    eq(agents.organizationId, organizationId),
    page.before === undefined ? undefined : lt(agents.id, page.before),
    accessibleIds === undefined ? undefined : inArray(agents.id, [...accessibleIds]),
  );
  return selectAgents(db, condition, page.limit + 1);
}

/** The id, name and creation time of an agent, for lists in which people choose an agent. */
export type AgentName = Pick<AgentRow, 'id' | 'name' | 'createdAt'>;

/**
 * Returns the names of all agents that the caller can access, newest first. Concurrent calls share one database
 * statement.
 */
export async function listAgentNames(db: Queries, caller: Caller): Promise<readonly AgentName[]> {
  return listSharedAgentNames(db)(caller);
}

const listSharedAgentNames = cacheStatementPerDatabase((db) =>
  shareConcurrentCalls(
    ({ organizationId, limits }: Pick<Caller, 'organizationId' | 'limits'>) =>
      [organizationId, ...(limits === undefined ? ['all'] : limits.agentIds)].join(' '),
    async ({ organizationId, limits }): Promise<readonly AgentName[]> => {
      const accessibleIds = limits === undefined ? null : [...limits.agentIds];
      return selectAgentNames(db).execute({ organizationId, accessibleIds });
    },
  ),
);

const selectAgentNames = cacheStatementPerDatabase((db) => {
  const accessibleIds = sql`${sql.placeholder('accessibleIds')}::uuid[]`;
  return db
    .select({ id: agents.id, name: agents.name, createdAt: agents.createdAt })
    .from(agents)
    .where(
      and(
        eq(agents.organizationId, sql.placeholder('organizationId')),
        sql`(${accessibleIds} is null or ${agents.id} = any(${accessibleIds}))`,
      ),
    )
    .orderBy(desc(agents.id))
    .prepare(UNNAMED_STATEMENT);
});

/**
 * Updates those fields of an agent that the request contains. A null resets a field to its default. For the name and
 * the datastores, which have no default, a null changes nothing.
 */
export async function updateAgent(db: Queries, agent: Agent, request: UpdateAgentRequest, now: Date): Promise<Agent> {
  const { organizationId, id } = agent;
  const isThis = and(eq(agents.organizationId, organizationId), eq(agents.id, id));
  return db.transaction(async (tx) => {
    // A concurrent request may have changed the model settings, which are in one column, since the agent was read.
    const [current] = await tx.select().from(agents).where(isThis).for('update');
    if (current === undefined) throw createNotFoundProblem('agent', id);
    await tx
      .update(agents)
      .set({ ...buildAgentChanges(current, request), updatedAt: now })
      .where(isThis);
    const { datastoreIds } = request;
    if (datastoreIds !== undefined && datastoreIds !== null) {
      await tx.delete(agentDatastores).where(eq(agentDatastores.agentId, id));
      await attachDatastores(tx, agent, datastoreIds);
    }
    return findAgent(tx, organizationId, id);
  });
}

/** Deletes an agent with its conversations. */
export async function removeAgent(db: Queries, organizationId: string, id: string): Promise<void> {
  await db.delete(agents).where(and(eq(agents.organizationId, organizationId), eq(agents.id, id)));
}

const selectAgentById = cacheStatementPerDatabase((db) =>
  selectAgents(
    db,
    and(eq(agents.organizationId, sql.placeholder('organizationId')), eq(agents.id, sql.placeholder('id'))),
  ).prepare(UNNAMED_STATEMENT),
);

// The return type is inferred, because Drizzle does not export the type of a query.
function selectAgents(db: Queries, condition: SQL | undefined, limit = 1) {
  const removed = db.select({ id: datastores.id }).from(datastores).where(isNotNull(datastores.removedAt));
  const isNotRemoved = notInArray(agentDatastores.datastoreId, removed);
  const datastoreIds = sql<string[]>`array(
    select ${agentDatastores.datastoreId} from ${agentDatastores}
    where ${agentDatastores.agentId} = ${agents.id} and ${isNotRemoved} order by ${agentDatastores.position})::text[]`;
  return db
    .select({ ...getTableColumns(agents), datastoreIds })
    .from(agents)
    .where(condition)
    .orderBy(desc(agents.id))
    .limit(limit);
}

/** Attaches datastores to an agent. @returns their ids in lower case, as they are stored, without duplicates */
async function attachDatastores(tx: Queries, agent: AgentRow, ids: readonly string[]): Promise<readonly string[]> {
  const datastoreIds = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (datastoreIds.length === 0) return datastoreIds;
  const { organizationId, id: agentId } = agent;
  await tx
    .insert(agentDatastores)
    .values(datastoreIds.map((datastoreId, position) => ({ organizationId, agentId, datastoreId, position })));
  return datastoreIds;
}

/** Returns the agent with this id. @throws Problem 404 if it does not exist or the caller cannot access it */
export async function requireAgent(db: Queries, caller: Caller, id: string): Promise<Agent> {
  return findAgent(db, caller.organizationId, requireAgentAccess(caller, id));
}

/**
 * Checks that the caller's key can access an agent. Does not check that the agent exists.
 *
 * @returns the id in lower case, as ids are stored
 * @throws Problem 404 if the key cannot access the agent
 */
export function requireAgentAccess(caller: Caller, id: string): string {
  const known = parseResourceId('agent', id);
  if (!canAccessAgent(caller, known)) throw createNotFoundProblem('agent', id);
  return known;
}

/**
 * Returns agents in the order of `ids`.
 *
 * @throws Problem 404 with the first id that is unknown or that the caller cannot access
 */
export async function requireAgents(db: Queries, caller: Caller, ids: readonly string[]): Promise<readonly Agent[]> {
  if (ids.length === 0) return [];
  const knownIds = ids.map((id) => parseResourceId('agent', id));
  const page = { limit: knownIds.length, before: undefined };
  const found = new Map((await listAgents(db, caller.organizationId, page, knownIds)).map((row) => [row.id, row]));
  return knownIds.map((id) => {
    const row = found.get(id);
    if (row === undefined || !canAccessAgent(caller, row.id)) throw createNotFoundProblem('agent', id);
    return row;
  });
}

const GENERATION_FIELDS = [
  'modelName',
  'temperature',
  'maxTokens',
  'presencePenalty',
  'frequencyPenalty',
  'topP',
] as const satisfies readonly (keyof GenerationSettings)[];

/**
 * Returns the model settings of an agent or request, such as `temperature`. Omits nulls, because some clients send null
 * for unset fields.
 */
export function pickGenerationSettings(settings: AgentSettings): StoredGenerationSettings {
  return Object.fromEntries(
    GENERATION_FIELDS.flatMap((name) => {
      const value: unknown = settings[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

/**
 * Returns the new values of those columns of an agent that a request changes. A null in the request resets a column to
 * its default. The name has no default, so a null name changes nothing.
 */
function buildAgentChanges(agent: AgentRow, request: UpdateAgentRequest): Partial<AgentRow> {
  const { name, description, systemPrompt, userPrompt, restrictToKnowledge, citationMarks } = request;
  const unchanged = Object.entries(agent.generationSettings).filter(
    ([setting]) => Reflect.get(request, setting) === undefined,
  );
  return {
    generationSettings: { ...Object.fromEntries(unchanged), ...pickGenerationSettings(request) },
    ...(name === undefined || name === null ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(userPrompt === undefined ? {} : { userPrompt }),
    ...(restrictToKnowledge === undefined ? {} : { restrictToKnowledge: restrictToKnowledge ?? true }),
    ...(citationMarks === undefined ? {} : { citationMarks: citationMarks ?? false }),
  };
}
