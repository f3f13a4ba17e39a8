import {
  CreatedOrganizationResponse,
  CreateOrganizationRequest,
  OrganizationResponse,
  PageQuery,
  TENANT_SCOPES,
  UpdateOrganizationRequest,
  UsageResponse,
} from '@quarry/contracts';
import type { Operation } from '../http/declaration.js';
import { operation } from '../http/operation.js';
import { created, noContent, ok } from '../http/reply.js';
import { json } from '../http/request-body.js';
import { createdResponse, jsonResponse, one, pageOf, REMOVED } from '../http/responses.js';
import { newApiKey } from '../keys/api-key.js';
import { insertKey } from '../keys/key-repository.js';
import {
  findOrganization,
  insertOrganization,
  listOrganizations,
  updateOrganization,
} from '../organizations/organization-repository.js';
import { viewOrganization } from '../organizations/organization-view.js';
import { removeOrganization } from '../organizations/remove-organization.js';
import { pageRequest, toPage } from '../paging/pages.js';
import { viewUsage } from '../organizations/view-usage.js';

/** Tenants, as the operator of an installation manages them. */
export const ORGANIZATION_OPERATIONS: readonly Operation[] = [
  operation({
    id: 'createOrganization',
    method: 'post',
    path: '/organizations',
    tag: 'Organizations',
    summary: 'Make an organization',
    description: 'With a first API key, which is shown this once.',
    scopes: ['operate'],
    body: json(CreateOrganizationRequest, { unknownFields: 'refuse' }),
    idempotency: 'transaction',
    responses: { 201: createdResponse('The organization and its first key.', CreatedOrganizationResponse) },
    handle: async ({ body, once }) =>
      once(async (tx) => {
        const apiKey = newApiKey();
        const row = await insertOrganization(tx, body);
        await insertKey(tx, row.id, apiKey, { name: 'first', scopes: TENANT_SCOPES });
        return created(`/organizations/${row.id}`, Object.assign(viewOrganization(row), { apiKey }));
      }),
  }),

  operation({
    id: 'listOrganizations',
    method: 'get',
    path: '/organizations',
    tag: 'Organizations',
    summary: 'List organizations',
    description: 'Newest first.',
    scopes: ['operate'],
    query: PageQuery,
    responses: { 200: jsonResponse('A part of the list.', pageOf(OrganizationResponse)) },
    handle: async ({ gateway, query }) => {
      const page = pageRequest(query);
      return ok(toPage(await listOrganizations(gateway.db, page), page, viewOrganization));
    },
  }),

  operation({
    id: 'getOrganization',
    method: 'get',
    path: '/organizations/{id}',
    tag: 'Organizations',
    summary: 'Show an organization',
    scopes: ['operate'],
    params: { id: 'organization' },
    responses: { 200: jsonResponse('The organization.', one(OrganizationResponse)) },
    handle: async ({ gateway, params }) => ok(viewOrganization(await findOrganization(gateway.db, params.id))),
  }),

  operation({
    id: 'getOrganizationUsage',
    method: 'get',
    path: '/organizations/{id}/usage',
    tag: 'Organizations',
    summary: 'Show what an organization has used',
    description: 'As `GET /usage` shows it to the organization itself.',
    scopes: ['operate'],
    params: { id: 'organization' },
    responses: { 200: jsonResponse('As it is now.', one(UsageResponse)) },
    handle: async ({ gateway, params }) => ok(await viewUsage(gateway.db, params.id, gateway.clock())),
  }),

  operation({
    id: 'updateOrganization',
    method: 'patch',
    path: '/organizations/{id}',
    tag: 'Organizations',
    summary: 'Change an organization',
    description:
      'What is absent stays as it is; a limit that is null is taken away. What waits for room among the stored tokens is synced when there may be more.',
    scopes: ['operate'],
    params: { id: 'organization' },
    body: json(UpdateOrganizationRequest, { unknownFields: 'refuse' }),
    responses: { 200: jsonResponse('The organization as it is now.', one(OrganizationResponse)) },
    find: async ({ gateway, params }) => findOrganization(gateway.db, params.id),
    handle: async ({ gateway: { db, clock }, found: { id }, body }) =>
      ok(viewOrganization(await updateOrganization(db, id, body, clock()))),
  }),

  operation({
    id: 'deleteOrganization',
    method: 'delete',
    path: '/organizations/{id}',
    tag: 'Organizations',
    summary: 'Remove an organization',
    description: 'With everything it has. Its keys stop working at once. The default organization cannot be removed.',
    scopes: ['operate'],
    params: { id: 'organization' },
    responses: { 204: REMOVED },
    problems: ['default_organization'],
    handle: async ({ gateway, params }) => {
      await removeOrganization(gateway, params.id);
      return noContent();
    },
  }),
];
