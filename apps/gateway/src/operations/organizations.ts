import {
  CreatedOrganizationResponse,
  CreateOrganizationRequest,
  OrganizationResponse,
  PageQuery,
  TENANT_SCOPES,
  UpdateOrganizationRequest,
  UsageDaysQuery,
  UsageDaysResponse,
  UsageResponse,
} from '@quarry/contracts';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildCreatedReply, buildEmptyReply, buildOkReply } from '../http/reply.js';
import { describeJsonBody } from '../http/request-body.js';
import {
  describeCreatedResponse,
  describeJsonResponse,
  createObjectSchema,
  createPageSchema,
  DELETED,
} from '../http/responses.js';
import { generateApiKey, insertKey } from '../keys/key-repository.js';
import {
  findOrganization,
  insertOrganization,
  listOrganizations,
  updateOrganization,
} from '../organizations/organization-repository.js';
import { buildOrganizationResponse } from '../organizations/organization-view.js';
import { removeOrganization } from '../organizations/remove-organization.js';
import { parsePageRequest, buildPage } from '../paging/pages.js';
import { loadUsageResponse, loadUsageDaysResponse } from '../organizations/usage-responses.js';

/**
 * Lists the operations with which the operator of an installation manages organizations, which are the tenants of the
 * installation.
 */
export const ORGANIZATION_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'createOrganization',
    method: 'post',
    path: '/organizations',
    tag: 'Organizations',
    summary: 'Create an organization',
    description: 'Also creates its first API key. The response contains the text of the key, which is not shown again.',
    scopes: ['operate'],
    body: describeJsonBody(CreateOrganizationRequest, { unknownFields: 'refuse' }),
    idempotency: 'transaction',
    responses: {
      201: describeCreatedResponse(
        'The new organization, with the text of its first key in `apiKey`.',
        CreatedOrganizationResponse,
      ),
    },
    handle: async ({ body, runOnce }) =>
      runOnce(async (tx) => {
        const apiKey = generateApiKey();
        const row = await insertOrganization(tx, body);
        await insertKey(tx, row.id, apiKey, { name: 'first', scopes: TENANT_SCOPES });
        return buildCreatedReply(`/organizations/${row.id}`, Object.assign(buildOrganizationResponse(row), { apiKey }));
      }),
  }),

  defineOperation({
    id: 'listOrganizations',
    method: 'get',
    path: '/organizations',
    tag: 'Organizations',
    summary: 'List organizations',
    description: 'Sorted by creation time, newest first.',
    scopes: ['operate'],
    query: PageQuery,
    responses: { 200: describeJsonResponse('One page of organizations.', createPageSchema(OrganizationResponse)) },
    handle: async ({ gateway, query }) => {
      const page = parsePageRequest(query);
      return buildOkReply(buildPage(await listOrganizations(gateway.db, page), page, buildOrganizationResponse));
    },
  }),

  defineOperation({
    id: 'getOrganization',
    method: 'get',
    path: '/organizations/{id}',
    tag: 'Organizations',
    summary: 'Get an organization',
    description: 'Returns an organization and its limits.',
    scopes: ['operate'],
    params: { id: 'organization' },
    responses: { 200: describeJsonResponse('The organization.', createObjectSchema(OrganizationResponse)) },
    handle: async ({ gateway, params }) =>
      buildOkReply(buildOrganizationResponse(await findOrganization(gateway.db, params.id))),
  }),

  defineOperation({
    id: 'getOrganizationUsage',
    method: 'get',
    path: '/organizations/{id}/usage',
    tag: 'Organizations',
    summary: 'Get the usage of an organization',
    description: 'Returns what `GET /usage` returns to a key of the organization.',
    scopes: ['operate'],
    params: { id: 'organization' },
    responses: { 200: describeJsonResponse('The current usage and its limits.', createObjectSchema(UsageResponse)) },
    handle: async ({ gateway, params }) =>
      buildOkReply(await loadUsageResponse(gateway.db, params.id, gateway.clock())),
  }),

  defineOperation({
    id: 'getOrganizationDailyUsage',
    method: 'get',
    path: '/organizations/{id}/usage/days',
    tag: 'Organizations',
    summary: 'Get the usage of an organization by day',
    description: 'Returns what `GET /usage/days` returns to a key of the organization.',
    scopes: ['operate'],
    params: { id: 'organization' },
    query: UsageDaysQuery,
    responses: { 200: describeJsonResponse('The usage of each day.', createObjectSchema(UsageDaysResponse)) },
    handle: async ({ gateway, params, query }) => buildOkReply(await loadUsageDaysResponse(gateway, params.id, query)),
  }),

  defineOperation({
    id: 'updateOrganization',
    method: 'patch',
    path: '/organizations/{id}',
    tag: 'Organizations',
    summary: 'Update an organization',
    description:
      'Changes the fields in the body. A limit with the value null is removed. After a higher limit of stored tokens, datasources with the status `usage_limit_reached` are synced again.',
    scopes: ['operate'],
    params: { id: 'organization' },
    body: describeJsonBody(UpdateOrganizationRequest, { unknownFields: 'refuse' }),
    responses: { 200: describeJsonResponse('The updated organization.', createObjectSchema(OrganizationResponse)) },
    find: async ({ gateway, params }) => findOrganization(gateway.db, params.id),
    handle: async ({ gateway: { db, clock }, found: { id }, body }) =>
      buildOkReply(buildOrganizationResponse(await updateOrganization(db, id, body, clock()))),
  }),

  defineOperation({
    id: 'deleteOrganization',
    method: 'delete',
    path: '/organizations/{id}',
    tag: 'Organizations',
    summary: 'Delete an organization',
    description:
      'Also deletes all its data. Its API keys stop working immediately. The default organization cannot be deleted.',
    scopes: ['operate'],
    params: { id: 'organization' },
    responses: { 204: DELETED },
    problems: ['default_organization'],
    handle: async ({ gateway, params }) => {
      await removeOrganization(gateway, params.id);
      gateway.keys.clear();
      gateway.changes.publish({ kind: 'organization', id: params.id });
      return buildEmptyReply();
    },
  }),
];
