import { NO_COUNTERS } from '@quarry/contracts';
import { expect, it } from 'vitest';
import { fieldsForEarlierGateways } from './earlier-gateways.js';

const ONE = { ...NO_COUNTERS, discovered: 1, fetched: 1 };

it.each([
  [{ outcome: 'indexed' }, { status: 'synched', counters: { ...ONE, indexed: 1 } }],
  [{ outcome: 'unchanged' }, { status: 'synched', counters: { ...ONE, unchanged: 1 } }],
  [{ outcome: 'skipped' }, { status: 'synched', counters: { ...ONE, skipped: 1 } }],
  [
    { outcome: 'failed', code: 'file_empty' },
    { status: 'error', counters: { ...ONE, failed: 1 } },
  ],
  [
    { outcome: 'failed', code: 'usage_limit_reached' },
    { status: 'usage_limit_reached', counters: { ...ONE, failed: 1 } },
  ],
  [{ outcome: 'read_failed', code: 'listing_not_found' }, { status: 'error' }],
] as const)('an earlier gateway receives the status and the counters of %j', (end, fields) => {
  expect(fieldsForEarlierGateways(end)).toEqual(fields);
});
