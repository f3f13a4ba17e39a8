import { afterEach, describe, expect, it } from 'vitest';
import { generateApiKey } from './key-repository.js';
import { startTestGateway, TEST_SETTINGS, type TestGateway } from '../testing/start-test-gateway.js';

let test: TestGateway | undefined;
afterEach(async () => test?.close());

async function startGateway(settings: Partial<typeof TEST_SETTINGS>): Promise<TestGateway> {
  test = await startTestGateway({ settings: { ...TEST_SETTINGS, refusalsPerMinute: 3, ...settings } });
  return test;
}

/**
 * Sends a request.
 *
 * @param key the API key; undefined: none
 * @param forwardedFor the value of the header `X-Forwarded-For`
 * @returns the status
 */
async function sendRequest(gateway: TestGateway, key: string | undefined, forwardedFor: string): Promise<number> {
  return (await gateway.createApi(key).get('/api/datastores').set('X-Forwarded-For', forwardedFor)).status;
}

async function sendRepeatedly(
  times: number,
  ...[gateway, key, from]: Parameters<typeof sendRequest>
): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < times; sent += 1) statuses.push(await sendRequest(gateway, key, from));
  return statuses;
}

describe('an address without a valid key', () => {
  it('an address that exceeds the limit of requests without a valid key per minute is refused with 429 and Retry-After', async () => {
    const gateway = await startGateway({});
    expect(await sendRepeatedly(4, gateway, generateApiKey(), '192.0.2.1')).toEqual([401, 401, 401, 429]);
    const refused = await gateway.createApi().get('/api/datastores');
    expect(refused.body).toMatchObject({ status: 429, code: 'too_many_refusals' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('requests with a valid key succeed even if their address has exceeded the limit of requests without a valid key', async () => {
    const gateway = await startGateway({});
    const { key } = await gateway.createTenant();
    await sendRepeatedly(5, gateway, undefined, '192.0.2.1');
    expect(await sendRequest(gateway, key, '192.0.2.1')).toBe(200);
  });

  it('if no proxy is trusted, refused requests are counted by the address of the connection, whatever X-Forwarded-For contains', async () => {
    const gateway = await startGateway({});
    await sendRepeatedly(3, gateway, undefined, '192.0.2.1');
    expect(await sendRequest(gateway, undefined, '192.0.2.2')).toBe(429);
  });

  it('if a proxy is trusted, refused requests are counted by the client address that the proxy reports', async () => {
    const gateway = await startGateway({ trustedProxies: ['loopback'] });
    await sendRepeatedly(3, gateway, undefined, '192.0.2.1');
    // The proxy appends the address of the client to the addresses that the client has sent.
    expect(await sendRequest(gateway, undefined, '192.0.2.9, 192.0.2.1')).toBe(429);
    expect(await sendRequest(gateway, undefined, '192.0.2.2')).toBe(401);
  });

  it('refused requests from IPv6 addresses with the same first 64 bits are counted together', async () => {
    const gateway = await startGateway({ trustedProxies: 1 });
    for (const address of ['2001:db8::1', '2001:db8:0:0:ffff::2', '2001:0db8:0000:0000:1:2:3:4']) {
      expect(await sendRequest(gateway, undefined, address)).toBe(401);
    }
    expect(await sendRequest(gateway, undefined, '2001:db8::5')).toBe(429);
    expect(await sendRequest(gateway, undefined, '2001:db8:0:1::5')).toBe(401);
  });
});

it('every response forbids browsers to guess its content type (X-Content-Type-Options: nosniff)', async () => {
  const gateway = await startGateway({});
  const { api } = await gateway.createTenant();
  for (const path of ['/api/datastores', '/api/nowhere', '/health/live', '/openapi.json', '/docs']) {
    expect((await api.get(path)).headers['x-content-type-options']).toBe('nosniff');
  }
});
