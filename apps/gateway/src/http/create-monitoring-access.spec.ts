import { beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, TEST_SETTINGS, METRICS_TOKEN, type TestGateway } from '../testing/start-test-gateway.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const used = setUpTenant({ settings: { ...TEST_SETTINGS, refusalsPerMinute: 3 } });

describe('the metrics of a gateway', () => {
  it('metrics and readiness details are served to requests with the metrics token or with a key that has the scope `operate`', async () => {
    const { key: operatorKey } = await used.tenant.addKey({ scopes: ['operate'] });
    for (const key of [METRICS_TOKEN, operatorKey]) {
      const response = await used.test.createApi(key).get('/metrics');
      expect(response.text).toContain('quarry_dependency_up{dependency="database",service="gateway"} 1');
      const ready = await used.test.createApi(key).get('/health/ready');
      expect(ready.body).toMatchObject({ status: 'ready', dependencies: { query: { available: true } } });
    }
  });

  it('metrics and readiness details are refused to keys without the scope `operate`', async () => {
    const { key } = await used.tenant.addKey({ scopes: ['query', 'ingest', 'manage'] });
    for (const path of ['/metrics', '/health/ready']) {
      expect((await used.test.createApi(key).get(path)).body).toMatchObject({
        status: 403,
        code: 'insufficient_scope',
      });
    }
  });

  it('requests for metrics without valid credentials are refused with 401, and with 429 after three requests from one address', async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1)
      statuses.push((await used.test.createApi().get('/metrics')).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await used.test.createApi('guess').get('/health/ready')).status).toBe(429);
    expect((await used.test.createApi().get('/health/ready')).body).toEqual({ status: 'ready' });
  });
});

describe('a gateway without a metrics token', () => {
  let test: TestGateway;
  beforeAll(async () => {
    test = await startTestGateway({ metricsToken: undefined });
    return () => test.close();
  });

  it('a gateway without a metrics token serves metrics only to keys with the scope `operate`', async () => {
    for (const key of [METRICS_TOKEN, 'undefined'])
      expect((await test.createApi(key).get('/metrics')).status).toBe(401);
    const { api } = await test.createTenant();
    expect((await api.get('/metrics')).status).toBe(200);
  });
});
