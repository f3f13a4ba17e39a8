import { UsageDaysQuery, UsageDaysResponse, UsageResponse } from '@quarry/contracts';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildOkReply } from '../http/reply.js';
import { describeJsonResponse, createObjectSchema } from '../http/responses.js';
import { loadUsageResponse, loadUsageDaysResponse } from '../organizations/usage-responses.js';

/**
 * Lists the operations that return the usage of the whole organization. These operations refuse API keys that are
 * limited to agents or datastores.
 */
export const USAGE_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'getUsage',
    method: 'get',
    path: '/usage',
    tag: 'Usage',
    summary: 'Get the usage',
    description:
      'Returns the queries of the current month and the stored tokens, with the limits that the operator of the installation has set.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    responses: { 200: describeJsonResponse('The current usage and its limits.', createObjectSchema(UsageResponse)) },
    handle: async ({ gateway, caller }) =>
      buildOkReply(await loadUsageResponse(gateway.db, caller.organizationId, gateway.clock())),
  }),

  defineOperation({
    id: 'getDailyUsage',
    method: 'get',
    path: '/usage/days',
    tag: 'Usage',
    summary: 'Get the usage by day',
    description:
      'Returns the queries, the stored tokens and the stored documents of each day in UTC, by default of the last 30 days. Usage is deleted after 24 months.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    query: UsageDaysQuery,
    responses: { 200: describeJsonResponse('The usage of each day.', createObjectSchema(UsageDaysResponse)) },
    handle: async ({ gateway, caller, query }) =>
      buildOkReply(await loadUsageDaysResponse(gateway, caller.organizationId, query)),
  }),
];
