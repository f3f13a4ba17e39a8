import { describe, expect, it, vi } from 'vitest';
import { createClient } from './client.js';

/** A client of a Quarry that says these statuses, the last one again and again. */
function clientOf(statuses: string[]) {
  const fetched = vi.fn(() => {
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    return Promise.resolve(Response.json({ id: 'a', status }));
  });
  return { fetched, quarry: createClient({ baseUrl: 'http://quarry.test/api', apiKey: 'qk_1', fetch: fetched }) };
}

describe('a client that waits until a datasource is settled', () => {
  it.each(['synched', 'error', 'usage_limit_reached'])('gets it when it is %s', async (status) => {
    const { quarry, fetched } = clientOf(['unsynched', 'pending', 'running', status]);
    expect(await quarry.untilSettled('a')).toMatchObject({ status });
    expect(fetched).toHaveBeenCalledTimes(4);
  });

  it('waits no longer than it wants to', async () => {
    const { quarry } = clientOf(['running']);
    await expect(quarry.untilSettled('a', { signal: AbortSignal.timeout(10) })).rejects.toThrow(/timeout/);
  });
});
