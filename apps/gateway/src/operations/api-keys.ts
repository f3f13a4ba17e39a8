import {
  ApiKeyResponse,
  CreateApiKeyRequest,
  CreatedApiKeyResponse,
  PageQuery,
  UpdateApiKeyRequest,
} from '@quarry/contracts';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildCreatedReply, buildEmptyReply, buildOkReply } from '../http/reply.js';
import { describeJsonBody } from '../http/request-body.js';
import {
  describeCreatedResponse,
  describeEmptyResponse,
  describeJsonResponse,
  createObjectSchema,
  createPageSchema,
} from '../http/responses.js';
import { findKey, listKeys, renameKey, revokeKey } from '../keys/key-repository.js';
import { createKey } from '../keys/create-key.js';
import { requireChangeableKey } from '../keys/require-changeable-key.js';
import { buildApiKeyResponse } from '../keys/build-api-key-response.js';
import { parsePageRequest, buildPage } from '../paging/pages.js';

/** Lists the operations on the API keys of the caller's organization. */
export const API_KEY_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'createApiKey',
    method: 'post',
    path: '/api-keys',
    tag: 'API keys',
    summary: 'Create an API key',
    description:
      'The response contains the text of the key, which is not shown again. The new key can only have scopes of the key that creates it.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    body: describeJsonBody(CreateApiKeyRequest, { unknownFields: 'refuse' }),
    idempotency: 'transaction',
    responses: { 201: describeCreatedResponse('The new key, with its text in `key`.', CreatedApiKeyResponse) },
    problems: ['not_found'],
    handle: async ({ gateway, caller, body, runOnce }) =>
      runOnce(async (tx) => {
        const { row, key } = await createKey(tx, caller, body, gateway.clock());
        return buildCreatedReply(`/api-keys/${row.id}`, Object.assign(buildApiKeyResponse(row), { key }));
      }),
  }),

  defineOperation({
    id: 'listApiKeys',
    method: 'get',
    path: '/api-keys',
    tag: 'API keys',
    summary: 'List API keys',
    description: 'Sorted by creation time, newest first. Includes revoked and expired keys.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    query: PageQuery,
    responses: { 200: describeJsonResponse('One page of API keys.', createPageSchema(ApiKeyResponse)) },
    handle: async ({ gateway, caller, query }) => {
      const page = parsePageRequest(query);
      return buildOkReply(
        buildPage(await listKeys(gateway.db, caller.organizationId, page), page, buildApiKeyResponse),
      );
    },
  }),

  defineOperation({
    id: 'getApiKey',
    method: 'get',
    path: '/api-keys/{id}',
    tag: 'API keys',
    summary: 'Get an API key',
    description: 'Returns an API key without its secret.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    params: { id: 'API key' },
    responses: { 200: describeJsonResponse('The key, without its text.', createObjectSchema(ApiKeyResponse)) },
    handle: async ({ gateway, caller, params }) =>
      buildOkReply(buildApiKeyResponse(await findKey(gateway.db, caller.organizationId, params.id))),
  }),

  defineOperation({
    id: 'updateApiKey',
    method: 'patch',
    path: '/api-keys/{id}',
    tag: 'API keys',
    summary: 'Rename an API key',
    description: 'Changes the name of an API key. Its scopes and limits are fixed.',
    scopes: ['manage'],
    params: { id: 'API key' },
    body: describeJsonBody(UpdateApiKeyRequest, { unknownFields: 'refuse' }),
    responses: { 200: describeJsonResponse('The updated key.', createObjectSchema(ApiKeyResponse)) },
    problems: ['key_limited', 'root_key'],
    find: async ({ gateway, caller, params }) => requireChangeableKey(gateway.db, caller, params.id),
    handle: async ({ gateway, caller, found: { id }, body: { name } }) =>
      buildOkReply(buildApiKeyResponse(await renameKey(gateway.db, caller.organizationId, id, name))),
  }),

  defineOperation({
    id: 'revokeApiKey',
    method: 'delete',
    path: '/api-keys/{id}',
    tag: 'API keys',
    summary: 'Revoke an API key',
    description: 'The key stops working within a second. It remains in the list of keys.',
    scopes: ['manage'],
    params: { id: 'API key' },
    responses: { 204: describeEmptyResponse('Revoked.') },
    problems: ['key_limited', 'root_key'],
    handle: async ({ gateway: { db, clock, changes, keys }, caller, params }) => {
      const { id } = await requireChangeableKey(db, caller, params.id);
      await revokeKey(db, caller.organizationId, id, clock());
      keys.clear();
      changes.publish({ kind: 'key', id });
      return buildEmptyReply();
    },
  }),
];
