import { Problem } from '@quarry/service-kit';
import { type AgentName, listAgentNames, removeAgent } from '../../../agents/agent-repository.js';
import type { Caller } from '../../../access/caller.js';
import type { Gateway } from '../../../gateway.js';
import type { Operation } from '../../../http/declaration.js';
import { defineOperation } from '../../../http/define-operation.js';
import { buildOkReply } from '../../../http/reply.js';
import { createObjectSchema, describeJsonResponse } from '../../../http/responses.js';
import { openAiProblem } from '../protocol/error-body.js';
import { DeletedModel, ModelList, ModelObject } from './model-shapes.js';
import {
  createUnknownModelProblem,
  DEFAULT_MODEL,
  formatAgentModelName,
  listConfiguredModelNames,
  resolveModel,
} from '../answers/resolve-model.js';

const MILLISECONDS = 1_000;
/**
 * Timeout of the request for the configured models. Shorter than the 10 seconds after which Open WebUI stops waiting
 * for the list.
 */
const CONFIGURED_MODELS_TIMEOUT_MS = 5_000;

/** Accepts every text as a model name, because each operation looks the model up by its name. */
const acceptModelName = (text: string): string => text;

/** Lists the operations on models: the agents, the configured models and the embedding model. */
export const MODEL_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'listModels',
    method: 'get',
    path: '/models',
    tag: 'OpenAI-compatible',
    summary: 'List the models',
    description:
      'Lists the agents, newest first, then the configured models and the embedding model. While the query service is unavailable, the configured models are missing, and `notes` reports it.',
    scopes: ['manage', 'query'],
    allowsOtherOrigins: true,
    responses: { 200: describeJsonResponse('The models.', createObjectSchema(ModelList)) },
    handle: async ({ gateway, caller, signal }) => {
      const agents = await listAgentNames(gateway.db, caller);
      // A key that is limited to certain agents or datastores cannot use configured models.
      const configured = caller.limits === undefined ? await listConfiguredModels(gateway, signal) : [];
      const data = [
        ...agents.map(buildAgentModelObject),
        ...(configured ?? []),
        ...listEmbeddingModels(gateway, caller),
      ];
      const notes = configured === undefined ? (['configured_models_unavailable'] as const) : [];
      return buildOkReply({ object: 'list' as const, data, notes });
    },
  }),

  defineOperation({
    id: 'retrieveModel',
    method: 'get',
    path: '/models/{model}',
    tag: 'OpenAI-compatible',
    summary: 'Get a model',
    scopes: ['manage', 'query'],
    allowsOtherOrigins: true,
    params: { model: acceptModelName },
    responses: { 200: describeJsonResponse('The model.', createObjectSchema(ModelObject)) },
    handle: async ({ gateway, caller, params, signal }) => {
      const embedding = listEmbeddingModels(gateway, caller).find(({ id }) => id === params.model);
      if (embedding !== undefined) return buildOkReply(embedding);
      const target = await resolveModel(gateway, caller, params.model, signal);
      return buildOkReply(
        target.kind === 'agent'
          ? buildAgentModelObject(target.agent)
          : buildServiceModelObject(target.name ?? DEFAULT_MODEL),
      );
    },
  }),

  defineOperation({
    id: 'deleteModel',
    method: 'delete',
    path: '/models/{model}',
    tag: 'OpenAI-compatible',
    summary: 'Delete an agent',
    description: 'Also deletes its conversations. A configured model cannot be deleted.',
    scopes: ['manage'],
    allowsOtherOrigins: true,
    params: { model: acceptModelName },
    responses: { 200: describeJsonResponse('The deleted agent.', createObjectSchema(DeletedModel)) },
    handle: async ({ gateway, caller, params, signal }) => {
      if (listEmbeddingModels(gateway, caller).some(({ id }) => id === params.model))
        throw createUndeletableModelProblem(params.model);
      const target = await resolveModel(gateway, caller, params.model, signal);
      if (target.kind === 'model') throw createUndeletableModelProblem(params.model);
      const { id } = target.agent;
      await removeAgent(gateway.db, caller.organizationId, id);
      return buildOkReply({ id: formatAgentModelName(id), object: 'model' as const, deleted: true });
    },
  }),
];

/** Returns the configured models, or undefined while the query service, which has their names, is unavailable. */
async function listConfiguredModels(gateway: Gateway, signal: AbortSignal): Promise<ModelObject[] | undefined> {
  const timeout = AbortSignal.timeout(CONFIGURED_MODELS_TIMEOUT_MS);
  try {
    return (await listConfiguredModelNames(gateway, AbortSignal.any([signal, timeout]))).map(buildServiceModelObject);
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted || (error instanceof Problem && error.code === 'dependency_unavailable')) return undefined;
    throw error;
  }
}

function listEmbeddingModels({ embedding }: Pick<Gateway, 'embedding'>, { limits }: Caller): ModelObject[] {
  return embedding === undefined || limits !== undefined ? [] : [buildServiceModelObject(embedding.model)];
}

function buildAgentModelObject({ id, name, createdAt }: AgentName): ModelObject {
  const created = Math.floor(createdAt.getTime() / MILLISECONDS);
  return {
    id: formatAgentModelName(id),
    object: 'model',
    created,
    owned_by: 'organization',
    shutdown_date: null,
    name,
  };
}

function buildServiceModelObject(name: string): ModelObject {
  return { id: name, object: 'model', created: 0, owned_by: 'quarry', shutdown_date: null, name };
}

function createUndeletableModelProblem(name: string): Error {
  if (name === '') return createUnknownModelProblem(name);
  const message = 'is a configured model, which cannot be deleted';
  return openAiProblem('unsupported_value', `model ${message}.`, { errors: [{ path: 'model', message }] });
}
