import {
  ApiKeyResponse,
  CreateApiKeyRequest,
  CreatedApiKeyResponse,
  PageQuery,
  UpdateApiKeyRequest,
} from '@quarry/contracts';
import type { Operation } from '../http/declaration.js';
import { operation } from '../http/operation.js';
import { created, noContent, ok } from '../http/reply.js';
import { jsonBody } from '../http/request-body.js';
import { createdResponse, emptyResponse, jsonResponse, objectOf, pageOf } from '../http/responses.js';
import { findKey, listKeys, renameKey, revokeKey } from '../keys/key-repository.js';
import { createKey } from '../keys/create-key.js';
import { requireChangeableKey } from '../keys/require-changeable-key.js';
import { viewKey } from '../keys/view-key.js';
import { parsePageRequest, buildPage } from '../paging/pages.js';

/** Lists the operations on the API keys of the caller's organization. */
export const API_KEY_OPERATIONS: readonly Operation[] = [
  operation({
    id: 'createApiKey',
    method: 'post',
    path: '/api-keys',
    tag: 'API keys',
    summary: 'Create an API key',
    description:
      'The response contains the text of the key, which is not shown again. The new key can only have scopes of the key that creates it.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    body: jsonBody(CreateApiKeyRequest, { unknownFields: 'refuse' }),
    idempotency: 'transaction',
    responses: { 201: createdResponse('The new key, with its text in `key`.', CreatedApiKeyResponse) },
    problems: ['not_found'],
    handle: async ({ gateway, caller, body, once }) =>
      once(async (tx) => {
        const { row, key } = await createKey(tx, caller, body, gateway.clock());
        return created(`/api-keys/${row.id}`, Object.assign(viewKey(row), { key }));
      }),
  }),

  operation({
    id: 'listApiKeys',
    method: 'get',
    path: '/api-keys',
    tag: 'API keys',
    summary: 'List API keys',
    description: 'Sorted by creation time, newest first. Includes revoked and expired keys.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    query: PageQuery,
    responses: { 200: jsonResponse('One page of API keys.', pageOf(ApiKeyResponse)) },
    handle: async ({ gateway, caller, query }) => {
      const page = parsePageRequest(query);
      return ok(buildPage(await listKeys(gateway.db, caller.organizationId, page), page, viewKey));
    },
  }),

  operation({
    id: 'getApiKey',
    method: 'get',
    path: '/api-keys/{id}',
    tag: 'API keys',
    summary: 'Get an API key',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    params: { id: 'API key' },
    responses: { 200: jsonResponse('The key, without its text.', objectOf(ApiKeyResponse)) },
    handle: async ({ gateway, caller, params }) =>
      ok(viewKey(await findKey(gateway.db, caller.organizationId, params.id))),
  }),

  operation({
    id: 'updateApiKey',
    method: 'patch',
    path: '/api-keys/{id}',
    tag: 'API keys',
    summary: 'Rename an API key',
    scopes: ['manage'],
    params: { id: 'API key' },
    body: jsonBody(UpdateApiKeyRequest, { unknownFields: 'refuse' }),
    responses: { 200: jsonResponse('The updated key.', objectOf(ApiKeyResponse)) },
    problems: ['key_limited', 'root_key'],
    find: async ({ gateway, caller, params }) => requireChangeableKey(gateway.db, caller, params.id),
    handle: async ({ gateway, caller, found: { id }, body: { name } }) =>
      ok(viewKey(await renameKey(gateway.db, caller.organizationId, id, name))),
  }),

  operation({
    id: 'revokeApiKey',
    method: 'delete',
    path: '/api-keys/{id}',
    tag: 'API keys',
    summary: 'Revoke an API key',
    description: 'The key stops working immediately. It remains in the list of keys.',
    scopes: ['manage'],
    params: { id: 'API key' },
    responses: { 204: emptyResponse('Revoked.') },
    problems: ['key_limited', 'root_key'],
    handle: async ({ gateway: { db, clock }, caller, params }) => {
      const { id } = await requireChangeableKey(db, caller, params.id);
      await revokeKey(db, caller.organizationId, id, clock());
      return noContent();
    },
  }),
];
