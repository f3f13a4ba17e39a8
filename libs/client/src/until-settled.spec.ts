import { describe, expect, it } from 'vitest';
import { createClient } from './client.js';

/** Creates a client of a server that responds with the given statuses in order, and repeats the last status. */
function createStubClient(statuses: string[]) {
  let requests = 0;
  const fetchStatus = (): Promise<Response> => {
    requests += 1;
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    return Promise.resolve(Response.json({ id: 'a', status }));
  };
  const quarry = createClient({ baseUrl: 'http://quarry.test/api', apiKey: 'qk_1', fetch: fetchStatus });
  return { quarry, countRequests: () => requests };
}

describe('untilSettled', () => {
  it.each(['synched', 'error', 'usage_limit_reached'])(
    'untilSettled returns the datasource when its status is %s',
    async (status) => {
      const { quarry, countRequests } = createStubClient(['unsynched', 'pending', 'running', status]);
      expect(await quarry.untilSettled('a')).toMatchObject({ status });
      expect(countRequests()).toBe(4);
    },
  );

  it('untilSettled stops waiting when the signal is aborted', async () => {
    const { quarry } = createStubClient(['running']);
    await expect(quarry.untilSettled('a', { signal: AbortSignal.timeout(10) })).rejects.toThrow(/timeout/);
  });
});

describe('untilEvaluated', () => {
  it.each(['done', 'cancelled', 'error'])(
    'untilEvaluated returns the evaluation when its status is %s',
    async (status) => {
      const { quarry, countRequests } = createStubClient(['waiting', 'running', status]);
      expect(await quarry.untilEvaluated('a')).toMatchObject({ status });
      expect(countRequests()).toBe(3);
    },
  );
});
