import { describe, expect, it } from 'vitest';
import { runCampaign } from './campaign.js';
import type { FragileStack } from './faults.js';
import { findMissingRequirement, startFragileServices } from './fragile-services.js';
import { startFragileMachine } from './one-machine.js';
import type { Variables } from '../quarry/stack.js';

/** A failure contains its seed; `QUARRY_TEST_SEED` repeats it. `npm run bench -- faults` injects a thousand faults. */
const SEED = Number(process.env['QUARRY_TEST_SEED'] ?? 1);
const FAULTS_PER_ROUND = 4;
const LIMIT_MS = 30 * 60_000;

const missing = findMissingRequirement();

describe('a campaign of faults', { timeout: LIMIT_MS }, () => {
  const injectFaults = async (
    faults: number,
    start: (variables: Variables) => Promise<FragileStack>,
  ): Promise<number> => (await runCampaign({ seed: SEED, faults, faultsPerRound: FAULTS_PER_ROUND, start })).faults;

  it('Quarry on one machine loses, duplicates and restores no document under faults, and leaves no work unfinished', async () => {
    expect(await injectFaults(30, startFragileMachine)).toBe(30);
  });

  it.skipIf(missing !== undefined)(
    `five services with two replicas each lose, duplicate and restore no document under faults${missing === undefined ? '' : ` (skipped: ${missing})`}`,
    async () => {
      expect(await injectFaults(20, startFragileServices)).toBe(20);
    },
  );
});
