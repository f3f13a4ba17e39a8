import { afterEach, describe, expect, it } from 'vitest';
import { newApiKey } from './api-key.js';
import { startTestGateway, TEST_SETTINGS, type TestGateway } from '../testing/start-test-gateway.js';

let test: TestGateway | undefined;
afterEach(async () => test?.close());

async function startWith(settings: Partial<typeof TEST_SETTINGS>): Promise<TestGateway> {
  test = await startTestGateway({ settings: { ...TEST_SETTINGS, refusalsPerMinute: 3, ...settings } });
  return test;
}

/** Sends a request with a key from an address, as the nearest proxy reports it. @returns its status */
async function ask(gateway: TestGateway, key: string | undefined, forwardedFor: string): Promise<number> {
  return (await gateway.api(key).get('/api/datastores').set('X-Forwarded-For', forwardedFor)).status;
}

async function askTimes(times: number, ...[gateway, key, from]: Parameters<typeof ask>): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let turn = 0; turn < times; turn += 1) statuses.push(await ask(gateway, key, from));
  return statuses;
}

describe('an address that has no valid key', () => {
  it('is refused with 429 and Retry-After after too many refusals in a minute', async () => {
    const gateway = await startWith({});
    expect(await askTimes(4, gateway, newApiKey(), '192.0.2.1')).toEqual([401, 401, 401, 429]);
    const refused = await gateway.api().get('/api/datastores');
    expect(refused.body).toMatchObject({ status: 429, code: 'too_many_refusals' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('does not lock out valid keys at the same address', async () => {
    const gateway = await startWith({});
    const { key } = await gateway.tenant();
    await askTimes(5, gateway, undefined, '192.0.2.1');
    expect(await ask(gateway, key, '192.0.2.1')).toBe(200);
  });

  it('is that of the connection where no proxy is trusted: clients cannot choose another', async () => {
    const gateway = await startWith({});
    await askTimes(3, gateway, undefined, '192.0.2.1');
    expect(await ask(gateway, undefined, '192.0.2.2')).toBe(429);
  });

  it('is the one that trusted proxies report', async () => {
    const gateway = await startWith({ trustedProxies: ['loopback'] });
    await askTimes(3, gateway, undefined, '192.0.2.1');
    // What a client adds itself stands before what the proxy adds.
    expect(await ask(gateway, undefined, '192.0.2.9, 192.0.2.1')).toBe(429);
    expect(await ask(gateway, undefined, '192.0.2.2')).toBe(401);
  });

  it('has the whole of its IPv6 network', async () => {
    const gateway = await startWith({ trustedProxies: 1 });
    for (const address of ['2001:db8::1', '2001:db8:0:0:ffff::2', '2001:0db8:0000:0000:1:2:3:4']) {
      expect(await ask(gateway, undefined, address)).toBe(401);
    }
    expect(await ask(gateway, undefined, '2001:db8::5')).toBe(429);
    expect(await ask(gateway, undefined, '2001:db8:0:1::5')).toBe(401);
  });
});

it('every answer forbids browsers to guess another type', async () => {
  const gateway = await startWith({});
  const { api } = await gateway.tenant();
  for (const path of ['/api/datastores', '/api/nowhere', '/health/live', '/openapi.json', '/docs']) {
    expect((await api.get(path)).headers['x-content-type-options']).toBe('nosniff');
  }
});
