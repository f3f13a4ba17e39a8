import type { Express } from 'express';
import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { createDependencyMonitor } from '../dependencies/dependency-monitor.js';
import { createLog, createMetrics, createMetricsTokenCheck, createServiceApp, type Dependency } from '../index.js';

const TOKEN = 'a-token-of-metrics';
const WITH_TOKEN = { Authorization: `Bearer ${TOKEN}` };

function createDependency(name: string, more: Partial<Dependency> = {}): Dependency {
  return { name, required: false, neededBy: [`what ${name} does`], check: () => Promise.resolve(), ...more };
}

const refused = { check: () => Promise.reject(new Error('connect ECONNREFUSED')) };

function createApp(dependencies: readonly Dependency[] = [], token: string | undefined = TOKEN): Express {
  return createServiceApp({
    log: createLog('test', 'silent'),
    metrics: createMetrics('test', { process: false }),
    dependencies,
    monitoring: createMetricsTokenCheck(token),
    routes: [],
  });
}

describe('GET /health/ready', () => {
  it('GET /health/ready responds with 200 while all dependencies are available', async () => {
    const response = await request(createApp([createDependency('store', { required: true })])).get('/health/ready');
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 200,
      body: { status: 'ready' },
    });
    expect(response.headers['quarry-degraded']).toBeUndefined();
  });

  it('while optional dependencies are unavailable, GET /health/ready responds with 200 and names them in `Quarry-Degraded`', async () => {
    const app = createApp([
      createDependency('store', { required: true }),
      createDependency('queue', refused),
      createDependency('blobs', refused),
    ]);
    const response = await request(app).get('/health/ready');
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 200,
      body: { status: 'ready' },
    });
    expect(response.headers['quarry-degraded']).toBe('queue, blobs');
  });

  it('GET /health/ready responds with 503 while a required dependency is unavailable', async () => {
    const app = createApp([createDependency('store', { required: true, ...refused }), createDependency('queue')]);
    const response = await request(app).get('/health/ready');
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 503,
      body: { status: 'not_ready' },
    });
    expect(response.headers['quarry-degraded']).toBe('store');
  });

  it('GET /health/ready returns the details of each dependency to a request with the metrics token', async () => {
    const app = createApp([
      createDependency('store', { required: true }),
      createDependency('queue', { delays: 'jobs', ...refused }),
    ]);
    const response = await request(app).get('/health/ready').set(WITH_TOKEN);
    expect(response.body).toEqual({
      status: 'ready',
      dependencies: {
        store: { available: true, required: true, neededBy: ['what store does'] },
        queue: {
          available: false,
          required: false,
          error: 'connect ECONNREFUSED',
          neededBy: ['what queue does'],
          delays: 'jobs',
        },
      },
    });
  });

  it('GET /health/ready refuses a wrong token, and returns the status without details if tokens cannot be checked', async () => {
    const wrong = await request(createApp()).get('/health/ready').set('Authorization', 'Bearer another-token');
    expect(wrong.body).toMatchObject({ status: 401, code: 'unauthorized' });
    const app = createServiceApp({
      log: createLog('test', 'silent'),
      metrics: createMetrics('test', { process: false }),
      dependencies: [createDependency('store', { required: true, ...refused })],
      monitoring: () => Promise.reject(new Error('connect ECONNREFUSED')),
      routes: [],
    });
    const unchecked = await request(app).get('/health/ready').set(WITH_TOKEN);
    expect(unchecked.body).toEqual({ status: 'not_ready' });
  });

  it('GET /health/ready returns the errors of all addresses of a dependency that refuses connections', async () => {
    const reasons = new AggregateError([new Error('refused at ::1'), new Error('refused at 127.0.0.1')]);
    const app = createApp([createDependency('queue', { check: () => Promise.reject(reasons) })]);
    const response = await request(app).get('/health/ready').set(WITH_TOKEN);
    expect(response.body).toMatchObject({ dependencies: { queue: { error: 'refused at ::1, refused at 127.0.0.1' } } });
  });
});

describe('GET /health/live', () => {
  it('GET /health/live responds with 200 whatever the state of the dependencies', async () => {
    const app = createApp([createDependency('store', { required: true, ...refused })]);
    expect((await request(app).get('/health/live')).status).toBe(200);
  });
});

describe('GET /metrics', () => {
  it('GET /metrics refuses a request without the metrics token', async () => {
    const response = await request(createApp()).get('/metrics');
    expect(response.body).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(response.headers['www-authenticate']).toBe('Bearer');
  });

  it('GET /metrics refuses all requests while no token is set, and the problem names the variable that sets a token', async () => {
    for (const authorization of ['Bearer undefined', 'Bearer ', '']) {
      const response = await request(createApp([], undefined)).get('/metrics').set('Authorization', authorization);
      expect(response.body).toMatchObject({
        status: 401,
        detail: expect.stringContaining('QUARRY_METRICS_TOKEN') as unknown,
      });
    }
  });

  it('GET /metrics returns the availability of each dependency', async () => {
    const app = createApp([createDependency('store'), createDependency('queue', refused)]);
    const { text } = await request(app).get('/metrics').set(WITH_TOKEN);
    expect(text).toContain('quarry_dependency_up{dependency="store",service="test"} 1');
    expect(text).toContain('quarry_dependency_up{dependency="queue",service="test"} 0');
  });
});

describe('a monitor of dependencies', () => {
  it('the dependency monitor checks each dependency only once for all calls within a second', async () => {
    let checks = 0;
    let now = 0;
    const counted = createDependency('store', { check: () => Promise.resolve(void (checks += 1)) });
    const monitor = createDependencyMonitor([counted], () => now);
    await Promise.all([monitor.checkDependencies(), monitor.checkDependencies()]);
    now = 999;
    await monitor.checkDependencies();
    expect(checks).toBe(1);
    now = 1_000;
    await monitor.checkDependencies();
    expect(checks).toBe(2);
  });
});
