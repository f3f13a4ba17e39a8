import { MODEL_NAMES, type ModelName } from '@quarry/contracts';
import { Problem } from '@quarry/service-kit';
import type { Caller } from '../../../access/caller.js';
import { listAgentNames, requireAgentAccess } from '../../../agents/agent-repository.js';
import { type AgentWithDatastores, findAgentWithDatastores } from '../../../agents/agent-with-datastores.js';
import { isId } from '../../../database/id.js';
import type { Gateway } from '../../../gateway.js';
import { openAiProblem } from '../protocol/error-body.js';

/** The name with which a request selects the default model, which also answers for agents without a model setting. */
export const DEFAULT_MODEL = 'default';

const AGENT_PREFIX = 'agent:';

/** Identifies what the model name of a request selects: an agent, or a configured model without datastores. */
export type ChatTarget =
  | { readonly kind: 'agent'; readonly agent: AgentWithDatastores }
  /** `name` is undefined for the default model. */
  | { readonly kind: 'model'; readonly name: ModelName | undefined };

/** Returns the model name of an agent, such as `agent:0192…`. */
export function formatAgentModelName(id: string): string {
  return `${AGENT_PREFIX}${id}`;
}

/**
 * Finds the agent or the configured model that a model name selects: `default`, a model name of the API, `agent:<id>`,
 * or the slug of one agent. The slug of an agent that equals the name of a model needs the prefix `agent:`. Does not
 * record a use of the agent's datastores, because the request may only read or delete the agent.
 *
 * @throws Problem 404 for another name and for the embedding model, 400 for a slug of several agents
 */
export async function resolveModel(
  gateway: Pick<Gateway, 'db' | 'embedding' | 'queryService' | 'storedConnections'>,
  caller: Caller,
  name: string,
  signal: AbortSignal,
): Promise<ChatTarget> {
  const { db, embedding } = gateway;
  const configured = ([DEFAULT_MODEL, ...MODEL_NAMES] as const).find((model) => model === name);
  if (configured !== undefined) return requireConfiguredModel(gateway, caller, configured, signal);
  if (name === embedding?.model) throw createUnknownModelProblem(name);
  const isPrefixed = name.startsWith(AGENT_PREFIX);
  const agentName = isPrefixed ? name.slice(AGENT_PREFIX.length) : name;
  if (isPrefixed && isId(agentName)) return { kind: 'agent', agent: await requireAgentOfModel(db, caller, agentName) };
  const id = await findAgentBySlug(db, caller, agentName);
  if (id === undefined) throw createUnknownModelProblem(name);
  return { kind: 'agent', agent: await findAgentWithDatastores(db, caller.organizationId, id) };
}

/** Returns a model without an agent. @throws Problem 404 if it is not configured, or if the key is limited */
async function requireConfiguredModel(
  gateway: Pick<Gateway, 'queryService' | 'storedConnections'>,
  caller: Caller,
  name: ModelName | typeof DEFAULT_MODEL,
  signal: AbortSignal,
): Promise<ChatTarget> {
  // A key that is limited to certain agents cannot use a model without an agent.
  const names = caller.limits === undefined ? await listConfiguredModelNames(gateway, signal) : [];
  if (!names.includes(name)) throw createUnknownModelProblem(name);
  return { kind: 'model', name: name === DEFAULT_MODEL ? undefined : name };
}

/** Lists the names of the models whose provider is configured. If there are any, the first name is `default`. */
export async function listConfiguredModelNames(
  { queryService, storedConnections }: Pick<Gateway, 'queryService' | 'storedConnections'>,
  signal: AbortSignal,
): Promise<readonly (ModelName | typeof DEFAULT_MODEL)[]> {
  const connections = await storedConnections.read();
  const { models, defaultModel } = await queryService.listModels({ connections }, signal);
  return defaultModel === null ? models : [DEFAULT_MODEL, ...models];
}

/** Returns the agent whose id a model name contains. @throws Problem 404 with the code `model_not_found` */
async function requireAgentOfModel(db: Gateway['db'], caller: Caller, id: string): Promise<AgentWithDatastores> {
  try {
    return await findAgentWithDatastores(db, caller.organizationId, requireAgentAccess(caller, id));
  } catch (error) {
    throw error instanceof Problem && error.code === 'not_found'
      ? createUnknownModelProblem(formatAgentModelName(id))
      : error;
  }
}

/** Creates the problem of an unknown model, with the code that clients of OpenAI's API recognize. */
export function createUnknownModelProblem(name: string): Error {
  const message = `The model ${JSON.stringify(name)} does not exist, or this key cannot access it.`;
  return openAiProblem('model_not_found', `${message} GET /v1/models lists the models.`, {
    errors: [{ path: 'model', message }],
  });
}

/** Returns the slug of an agent: its name in lower case, with hyphens between its words. */
export function buildAgentSlug(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Mark}\p{Number}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}

/**
 * Returns the id of the only agent with a slug, or undefined if no agent has this slug.
 *
 * @throws Problem 400 if there are several
 */
async function findAgentBySlug(db: Gateway['db'], caller: Caller, slug: string): Promise<string | undefined> {
  const found = (await listAgentNames(db, caller)).filter(({ name }) => buildAgentSlug(name) === slug);
  if (found.length <= 1) return found[0]?.id;
  const ids = found.map(({ id }) => formatAgentModelName(id)).join(', ');
  const message = `is the slug of ${found.length} agents. Send one of ${ids}`;
  throw openAiProblem('unsupported_value', `model ${message}.`, { errors: [{ path: 'model', message }] });
}
