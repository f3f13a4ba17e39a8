import {
  ApiKeyResponse,
  CreateApiKeyRequest,
  CreatedApiKeyResponse,
  PageQuery,
  UpdateApiKeyRequest,
} from '@quarry/contracts';
import { json, made, one, pageOf } from '../answers.js';
import type { Operation } from '../operation.js';

/** The keys of the organization that the asking key belongs to. */
export const API_KEY_OPERATIONS: readonly Operation[] = [
  {
    id: 'createApiKey',
    method: 'post',
    path: '/api-keys',
    tag: 'API keys',
    summary: 'Make an API key',
    description: 'Its text is shown this once. A key gives no scope that it does not have itself.',
    scopes: ['manage'],
    body: { json: { shapes: [CreateApiKeyRequest], unknownFields: 'refuse' } },
    answers: { 201: made('The key, and its text.', CreatedApiKeyResponse) },
    problems: ['key_limited', 'not_found'],
  },
  {
    id: 'listApiKeys',
    method: 'get',
    path: '/api-keys',
    tag: 'API keys',
    summary: 'List API keys',
    description: 'Newest first, revoked and expired ones too.',
    scopes: ['manage'],
    query: PageQuery,
    answers: { 200: json('A part of the list.', pageOf(ApiKeyResponse)) },
    problems: ['key_limited'],
  },
  {
    id: 'getApiKey',
    method: 'get',
    path: '/api-keys/{id}',
    tag: 'API keys',
    summary: 'Show an API key',
    scopes: ['manage'],
    answers: { 200: json('The key, but for its text.', one(ApiKeyResponse)) },
    problems: ['key_limited'],
  },
  {
    id: 'updateApiKey',
    method: 'patch',
    path: '/api-keys/{id}',
    tag: 'API keys',
    summary: 'Rename an API key',
    scopes: ['manage'],
    body: { json: { shapes: [UpdateApiKeyRequest], unknownFields: 'refuse' } },
    answers: { 200: json('The key as it is now.', one(ApiKeyResponse)) },
    problems: ['key_limited', 'root_key'],
  },
  {
    id: 'revokeApiKey',
    method: 'delete',
    path: '/api-keys/{id}',
    tag: 'API keys',
    summary: 'Revoke an API key',
    description: 'It stops working at once, and stays in the list.',
    scopes: ['manage'],
    answers: { 204: { description: 'It is revoked.' } },
    problems: ['key_limited', 'root_key'],
  },
];
