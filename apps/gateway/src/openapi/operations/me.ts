import { MeResponse } from '@quarry/contracts';
import { json, one } from '../answers.js';
import type { Operation } from '../operation.js';

/** What every key may ask. */
export const ME_OPERATIONS: readonly Operation[] = [
  {
    id: 'getMe',
    method: 'get',
    path: '/me',
    tag: 'API keys',
    summary: 'Show who asks',
    description: 'The key that asks, what it may do and reach, and its organization.',
    scopes: [],
    answers: { 200: json('The key and its organization.', one(MeResponse)) },
  },
];
