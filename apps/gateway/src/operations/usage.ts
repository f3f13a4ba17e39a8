import { UsageResponse } from '@quarry/contracts';
import type { Operation } from '../http/declaration.js';
import { operation } from '../http/operation.js';
import { ok } from '../http/reply.js';
import { jsonResponse, one } from '../http/responses.js';
import { viewUsage } from '../organizations/view-usage.js';

/** The usage of the whole organization, so for keys that are not limited to a part of it. */
export const USAGE_OPERATIONS: readonly Operation[] = [
  operation({
    id: 'getUsage',
    method: 'get',
    path: '/usage',
    tag: 'Usage',
    summary: 'Show what was used',
    description: 'In this month, and of what is stored, with the limits that the operator of the installation has set.',
    scopes: ['manage'],
    refusesLimitedKeys: true,
    responses: { 200: jsonResponse('As it is now.', one(UsageResponse)) },
    handle: async ({ gateway, caller }) => ok(await viewUsage(gateway.db, caller.organizationId, gateway.clock())),
  }),
];
