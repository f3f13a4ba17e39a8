import {
  LocalModelsResponse,
  ModelConnectionRequest,
  ModelConnectionResponse,
  ModelConnectionsResponse,
  ModelConnectionTestResponse,
} from '@quarry/contracts';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildEmptyReply, buildOkReply } from '../http/reply.js';
import { describeJsonBody } from '../http/request-body.js';
import { createObjectSchema, DELETED, describeJsonResponse } from '../http/responses.js';
import {
  removeConnection,
  requireProvider,
  setConnection,
  testConnection,
} from '../model-connections/change-connections.js';
import { loadModelConnectionsResponse } from '../model-connections/load-model-connections-response.js';

const BODY = describeJsonBody(ModelConnectionRequest, { unknownFields: 'refuse' });

/** Lists the operations with which the operator connects providers of language models. */
export const MODEL_CONNECTION_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'getModelConnections',
    method: 'get',
    path: '/model-connections',
    tag: 'Models',
    summary: 'Get the model connections',
    description:
      'Returns the providers that the environment sets and the stored ones, without their keys, and the default model. The environment has precedence.',
    scopes: ['operate'],
    responses: { 200: describeJsonResponse('The connections.', createObjectSchema(ModelConnectionsResponse)) },
    problems: ['dependency_unavailable'],
    handle: async ({ gateway, signal }) => buildOkReply(await loadModelConnectionsResponse(gateway, signal)),
  }),

  defineOperation({
    id: 'setModelConnection',
    method: 'put',
    path: '/model-connections/{provider}',
    tag: 'Models',
    summary: 'Connect a model provider',
    description:
      'Creates or replaces the connection of a provider: `openai`, `openrouter`, `anthropic`, `google`, `deepseek` or `custom`. All gateways use it within 2 seconds. The key is stored encrypted.',
    scopes: ['operate'],
    params: { provider: 'model provider' },
    body: BODY,
    responses: { 200: describeJsonResponse('The connection.', createObjectSchema(ModelConnectionResponse)) },
    problems: ['dependency_unavailable', 'set_by_environment'],
    handle: async ({ gateway, params, body, signal }) =>
      buildOkReply(await setConnection(gateway, requireProvider(params.provider), body, signal)),
  }),

  defineOperation({
    id: 'deleteModelConnection',
    method: 'delete',
    path: '/model-connections/{provider}',
    tag: 'Models',
    summary: 'Disconnect a model provider',
    description: 'Deletes the stored connection with its key.',
    scopes: ['operate'],
    params: { provider: 'model provider' },
    responses: { 204: DELETED },
    problems: ['dependency_unavailable', 'set_by_environment'],
    handle: async ({ gateway, params, signal }) => {
      await removeConnection(gateway, requireProvider(params.provider), signal);
      return buildEmptyReply();
    },
  }),

  defineOperation({
    id: 'testModelConnection',
    method: 'post',
    path: '/model-connections/{provider}/test',
    tag: 'Models',
    summary: 'Test a model connection',
    description:
      'Calls a model of the provider with a minimal prompt, and stores nothing. The stored connection provides the fields that the body omits.',
    scopes: ['operate'],
    isReadOnly: true,
    params: { provider: 'model provider' },
    body: BODY,
    responses: { 200: describeJsonResponse('The model responded.', createObjectSchema(ModelConnectionTestResponse)) },
    problems: ['dependency_unavailable', 'model_connection_failed'],
    handle: async ({ gateway, params, body, signal }) =>
      buildOkReply(await testConnection(gateway, requireProvider(params.provider), body, signal)),
  }),

  defineOperation({
    id: 'findLocalModels',
    method: 'get',
    path: '/local-models',
    tag: 'Models',
    summary: 'Find the Ollama of this machine',
    description:
      'Requests the models of an Ollama on the machine of a one-machine installation. Use them in a connection of the provider `custom`.',
    scopes: ['operate'],
    responses: { 200: describeJsonResponse('The Ollama, if there is one.', createObjectSchema(LocalModelsResponse)) },
    handle: async ({ gateway }) => buildOkReply(await gateway.findLocalModels()),
  }),
];
