import { UsageResponse } from '@quarry/contracts';
import { json, one } from '../answers.js';
import type { Operation } from '../operation.js';

/** How the organization stands to its limits. */
export const USAGE_OPERATIONS: readonly Operation[] = [
  {
    id: 'getUsage',
    method: 'get',
    path: '/usage',
    tag: 'Usage',
    summary: 'Show what was used',
    description: 'In this month, and of what is stored, with the limits that the operator of the installation has set.',
    scopes: ['manage'],
    answers: { 200: json('As it is now.', one(UsageResponse)) },
    problems: ['key_limited'],
  },
];
