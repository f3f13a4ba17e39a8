import { Describe, IsArray, IsBoolean, IsOptional, IsString, OrNull, Type, ValidateNested } from '@quarry/validation';
import { listAgents } from '../../agents/agent-repository.js';
import { listDatastores } from '../../datastores/datastore-repository.js';
import { buildPage, parsePageRequest, formatCursor } from '../../paging/pages.js';
import type { McpCall } from '../mcp-call.js';
import { getAllowedDatastoreIds } from '../tool-datastores.js';
import { BudgetedInput, createTokenBudget } from '../token-budget.js';
import { defineTool, type Tool } from '../tool.js';

class ListInput extends BudgetedInput {
  @IsOptional()
  @IsString()
  readonly cursor?: string | null;
}

class NamedResource {
  @IsString()
  readonly id: string;

  @IsString()
  readonly name: string;

  @IsOptional()
  @IsString()
  readonly description?: string;
}

class ListOutput {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => NamedResource)
  readonly datastores: readonly NamedResource[];

  @Describe('An id for the tool ask. First page only.')
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => NamedResource)
  readonly agents: readonly NamedResource[];

  @Describe('True if further agents exist, which the key can ask but the page does not list.')
  @IsBoolean()
  readonly agentsTruncated: boolean;

  @OrNull()
  @IsString()
  readonly nextCursor: string | null;
}

/** Maximum number of agents that the tool lists. */
const MAX_AGENTS = 20;

/**
 * Lists the datastores and the agents that the key can list, newest first. A key with the scope `query` lists agents
 * only.
 */
export const LIST_DATASTORES_TOOL: Tool = defineTool({
  name: 'list_datastores',
  description: 'Lists the datastores to search and the agents to ask.',
  operations: ['listDatastores', 'listAgents'],
  input: ListInput,
  output: ListOutput,
  isReadOnly: true,
  run: async (call, { cursor, maxTokens }) => {
    const { gateway, caller } = call;
    const budget = createTokenBudget(maxTokens);
    const agents = cursor === undefined || cursor === null ? await listAccessibleAgents(call) : [];
    const shownAgents = agents
      .slice(0, MAX_AGENTS)
      .map(buildNamedResource)
      .filter((agent) => budget.trySubtract(agent));
    const listed = { agents: shownAgents, agentsTruncated: shownAgents.length < agents.length };
    const page = parsePageRequest(cursor === undefined || cursor === null ? {} : { cursor });
    const rows = call.canUseOperation('listDatastores')
      ? await listDatastores(gateway.db, caller.organizationId, page, getAllowedDatastoreIds(call))
      : [];
    const { items, next_cursor: nextCursor } = buildPage(rows, page, buildNamedResource);
    const excess = items.findIndex((item) => !budget.trySubtract(item));
    if (excess === -1) return { datastores: items, ...listed, nextCursor };
    // At least one datastore is listed, so that the cursor advances.
    const fitting = items.slice(0, Math.max(1, excess));
    const last = fitting.at(-1);
    return { datastores: fitting, ...listed, nextCursor: last === undefined ? null : formatCursor(last.id) };
  },
});

/** Lists the agents that the key can ask, at most one more than the tool lists. */
async function listAccessibleAgents({
  gateway,
  caller,
  agent,
  canUseOperation,
}: McpCall): Promise<readonly NamedRow[]> {
  if (agent !== undefined) return [agent];
  if (!canUseOperation('listAgents')) return [];
  const page = { limit: MAX_AGENTS, before: undefined };
  return listAgents(gateway.db, caller.organizationId, page, caller.limits?.agentIds);
}

interface NamedRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
}

const MAX_DESCRIPTION = 200;

function buildNamedResource({ id, name, description }: NamedRow): NamedResource {
  return {
    id,
    name,
    ...(description === null ? {} : { description: description.slice(0, MAX_DESCRIPTION).toWellFormed() }),
  };
}
