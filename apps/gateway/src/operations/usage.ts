import { UsageResponse } from '@quarry/contracts';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildOkReply } from '../http/reply.js';
import { describeJsonResponse, createObjectSchema } from '../http/responses.js';
import { viewUsage } from '../organizations/view-usage.js';

/**
 * Lists the operations that return the usage of the whole organization. They refuse API keys that are limited to agents or
 * datastores.
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
      buildOkReply(await viewUsage(gateway.db, caller.organizationId, gateway.clock())),
  }),
];
