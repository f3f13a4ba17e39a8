import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRequestCountStores, type OpenCounts } from '../testing/count-stores.js';
import { expectEventually } from '../testing/expect-eventually.js';
import { expectDocumented } from '../testing/expect-documented.js';
import { startTestGateway, TEST_SETTINGS, type TestGateway } from '../testing/start-test-gateway.js';

const LIMIT = 3;
const now = new Date('2026-06-01T12:00:00Z');
let test: TestGateway;

describeRequestCountStores('the request limit, counted in', (open) => {
  let store: OpenCounts;
  beforeAll(async () => {
    store = await open();
    test = await startTestGateway({
      settings: { ...TEST_SETTINGS, requestsPerMinute: LIMIT },
      clock: () => now,
      requestCounts: store.counts,
    });
  }, 60_000);
  afterAll(async () => {
    await test.close();
    await test.gateway.rateLimiter?.close();
    await store.stop();
  });

  it('every response to a request with a valid API key, including an error, contains the `RateLimit-*` headers', async () => {
    const { api } = await test.createTenant();
    const found = await api.get('/api/agents');
    expect(found.headers).toMatchObject({
      'ratelimit-policy': '3;w=60',
      'ratelimit-limit': '3',
      'ratelimit-remaining': '2',
      'ratelimit-reset': '60',
    });
    const missing = await api.get('/api/nowhere');
    expect([missing.status, missing.headers['ratelimit-remaining']]).toEqual([404, '1']);
    expect((await test.createApi().get('/api/agents')).headers).not.toHaveProperty('ratelimit-limit');
  });

  it('requests above the request limit are refused with 429 and the header `Retry-After`', async () => {
    const { api } = await test.createTenant();
    for (let sent = 0; sent < LIMIT; sent += 1) expect((await api.get('/api/agents')).status).toBe(200);
    const refused = await api.post('/api/agents').send({ name: 'a', datastoreIds: [] });
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toMatch(/^(60|5\d)$/);
    expect(refused.headers['ratelimit-remaining']).toBe('0');
    expect(refused.body).toMatchObject({ code: 'rate_limited', error: 'RATE_LIMITED' });
    expect((refused.body as { detail: string }).detail).toContain('3 requests per minute');
    expectDocumented(refused, 'post', '/agents');
  });

  it('the request limit applies to each API key separately, and does not apply to health checks and documentation', async () => {
    const tenant = await test.createTenant();
    const other = await tenant.addKey({});
    for (let sent = 0; sent <= LIMIT; sent += 1) await tenant.api.get('/api/agents');
    expect((await tenant.api.get('/api/agents')).status).toBe(429);
    expect((await test.createApi(other.key).get('/api/agents')).status).toBe(200);
    for (let sent = 0; sent <= LIMIT; sent += 1) {
      expect((await test.createApi().get('/health/live')).status).toBe(200);
      expect((await test.createApi().get('/api/openapi.json')).status).toBe(200);
    }
  });

  it('the request limit applies to the sum of the requests to all gateways, after the gateways have exchanged their counts', async () => {
    const { key } = await test.createTenant();
    const other = await startTestGateway({ ...test.context });
    const getStatusOf = async (): Promise<number> => (await other.createApi(key).get('/api/me')).status;
    for (let sent = 0; sent < LIMIT; sent += 1) expect((await test.createApi(key).get('/api/me')).status).toBe(200);
    await expectEventually(getStatusOf).toBe(429);
    await other.gateway.rateLimiter?.close();
    await other.close();
  });

  it('web pages of other origins can read the `RateLimit-*` headers', async () => {
    const { api } = await test.createTenant();
    const response = await api.post('/api/datastores/x/query').send({ query: 'x' });
    expect(response.headers['access-control-expose-headers']).toContain('RateLimit-Remaining');
  });
});
