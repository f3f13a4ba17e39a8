import { AgentResponse, CreateAgentRequest, PageQuery, UpdateAgentRequest } from '@quarry/contracts';
import {
  type Agent,
  insertAgent,
  listAgents,
  removeAgent,
  requireAgent,
  updateAgent,
} from '../agents/agent-repository.js';
import { requireDatastores } from '../datastores/datastore-repository.js';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildCreatedReply, buildEmptyReply, buildOkReply } from '../http/reply.js';
import { describeJsonBody } from '../http/request-body.js';
import {
  describeCreatedResponse,
  DELETED,
  describeJsonResponse,
  createObjectSchema,
  createPageSchema,
} from '../http/responses.js';
import { buildPage, parsePageRequest } from '../paging/pages.js';

export const AGENT_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'createAgent',
    method: 'post',
    path: '/agents',
    tag: 'Agents',
    summary: 'Create an agent',
    description: 'Creates an agent that answers questions from the given datastores.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    body: describeJsonBody(CreateAgentRequest, { unknownFields: 'refuse' }),
    idempotency: 'transaction',
    responses: { 201: describeCreatedResponse('The new agent.', AgentResponse) },
    problems: ['not_found'],
    handle: async ({ caller, body, runOnce }) =>
      runOnce(async (tx) => {
        await requireDatastores(tx, caller, body.datastoreIds);
        const agent = await insertAgent(tx, caller.organizationId, body);
        return buildCreatedReply(`/agents/${agent.id}`, buildAgentResponse(agent));
      }),
  }),

  defineOperation({
    id: 'listAgents',
    method: 'get',
    path: '/agents',
    tag: 'Agents',
    summary: 'List agents',
    description: 'Sorted by creation time, newest first.',
    scopes: ['manage', 'query'],
    query: PageQuery,
    responses: { 200: describeJsonResponse('One page of agents.', createPageSchema(AgentResponse)) },
    handle: async ({ gateway, caller, query }) => {
      const page = parsePageRequest(query);
      const rows = await listAgents(gateway.db, caller.organizationId, page, caller.limits?.agentIds);
      return buildOkReply(buildPage(rows, page, buildAgentResponse));
    },
  }),

  defineOperation({
    id: 'getAgent',
    method: 'get',
    path: '/agents/{id}',
    tag: 'Agents',
    summary: 'Get an agent',
    description: 'Returns the settings of an agent.',
    scopes: ['manage', 'query'],
    params: { id: 'agent' },
    responses: { 200: describeJsonResponse('The agent.', createObjectSchema(AgentResponse)) },
    handle: async ({ gateway, caller, params }) =>
      buildOkReply(buildAgentResponse(await requireAgent(gateway.db, caller, params.id))),
  }),

  defineOperation({
    id: 'updateAgent',
    method: 'patch',
    path: '/agents/{id}',
    tag: 'Agents',
    summary: 'Update an agent',
    description: 'Changes the fields in the body. A field with the value null gets its default.',
    scopes: ['manage'],
    params: { id: 'agent' },
    body: describeJsonBody(UpdateAgentRequest, { unknownFields: 'refuse' }),
    responses: { 200: describeJsonResponse('The updated agent.', createObjectSchema(AgentResponse)) },
    find: async ({ gateway, caller, params }) => requireAgent(gateway.db, caller, params.id),
    handle: async ({ gateway: { db, clock }, caller, found: agent, body }) => {
      await requireDatastores(db, caller, body.datastoreIds ?? []);
      return buildOkReply(buildAgentResponse(await updateAgent(db, agent, body, clock())));
    },
  }),

  defineOperation({
    id: 'deleteAgent',
    method: 'delete',
    path: '/agents/{id}',
    tag: 'Agents',
    summary: 'Delete an agent',
    description: 'Also deletes its conversations.',
    scopes: ['manage'],
    params: { id: 'agent' },
    responses: { 204: DELETED },
    handle: async ({ gateway: { db }, caller, params }) => {
      const { id } = await requireAgent(db, caller, params.id);
      await removeAgent(db, caller.organizationId, id);
      return buildEmptyReply();
    },
  }),
];

/** Builds the API response of an agent. */
function buildAgentResponse(agent: Agent): AgentResponse {
  return {
    id: agent.id,
    name: agent.name,
    description: agent.description,
    datastoreIds: agent.datastoreIds,
    ...agent.generationSettings,
    systemPrompt: agent.systemPrompt,
    userPrompt: agent.userPrompt,
    restrictToKnowledge: agent.restrictToKnowledge,
    citationMarks: agent.citationMarks,
    createdAt: agent.createdAt.toISOString(),
    updatedAt: agent.updatedAt.toISOString(),
  };
}
