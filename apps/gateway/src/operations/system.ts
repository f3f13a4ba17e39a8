import { SystemResponse } from '@quarry/contracts';
import type { Operation } from '../http/declaration.js';
import { defineOperation } from '../http/define-operation.js';
import { buildOkReply } from '../http/reply.js';
import { createObjectSchema, describeJsonResponse } from '../http/responses.js';

/** Lists the operations with which the operator of an installation observes it. */
export const SYSTEM_OPERATIONS: readonly Operation[] = [
  defineOperation({
    id: 'getSystem',
    method: 'get',
    path: '/system',
    tag: 'Service',
    summary: 'Get the state of the installation',
    description:
      'Returns the services with their versions, dependencies and configured components, the queues, the jobs that wait for a place, and the database. A part that does not respond within about 2 seconds is `unavailable`, with its reason. Requests within 2 seconds receive the same values.',
    scopes: ['operate'],
    responses: { 200: describeJsonResponse('The state.', createObjectSchema(SystemResponse)) },
    handle: async ({ gateway }) => buildOkReply(await gateway.system.read()),
  }),
];
