import type { Express } from 'express';
import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { monitorDependencies } from '../dependencies/dependency-monitor.js';
import { admitMetricsToken, createLog, createMetrics, serviceApp, type Dependency } from '../index.js';

const TOKEN = 'a-token-of-metrics';
const WITH_TOKEN = { Authorization: `Bearer ${TOKEN}` };

function dependency(name: string, more: Partial<Dependency> = {}): Dependency {
  return { name, required: false, neededBy: [`what ${name} does`], check: () => Promise.resolve(), ...more };
}

const refused = { check: () => Promise.reject(new Error('connect ECONNREFUSED')) };

function appWith(dependencies: readonly Dependency[] = [], token: string | undefined = TOKEN): Express {
  return serviceApp({
    log: createLog('test', 'silent'),
    metrics: createMetrics('test', { process: false }),
    dependencies,
    monitoring: admitMetricsToken(token),
    routes: [],
  });
}

describe('GET /health/ready', () => {
  it('answers 200 while all dependencies are available', async () => {
    const response = await request(appWith([dependency('store', { required: true })])).get('/health/ready');
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 200,
      body: { status: 'ready' },
    });
    expect(response.headers['quarry-degraded']).toBeUndefined();
  });

  it('answers 200 while the replica can serve without an unavailable dependency, and names it', async () => {
    const app = appWith([
      dependency('store', { required: true }),
      dependency('queue', refused),
      dependency('blobs', refused),
    ]);
    const response = await request(app).get('/health/ready');
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 200,
      body: { status: 'ready' },
    });
    expect(response.headers['quarry-degraded']).toBe('queue, blobs');
  });

  it('answers 503 while a required dependency is unavailable', async () => {
    const app = appWith([dependency('store', { required: true, ...refused }), dependency('queue')]);
    const response = await request(app).get('/health/ready');
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 503,
      body: { status: 'not_ready' },
    });
    expect(response.headers['quarry-degraded']).toBe('store');
  });

  it('shows the details of each dependency to requests with the token', async () => {
    const app = appWith([dependency('store', { required: true }), dependency('queue', { delays: 'jobs', ...refused })]);
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

  it('refuses a wrong token, and shows the status without details when no token can be checked', async () => {
    const wrong = await request(appWith()).get('/health/ready').set('Authorization', 'Bearer another-token');
    expect(wrong.body).toMatchObject({ status: 401, code: 'unauthorized' });
    const app = serviceApp({
      log: createLog('test', 'silent'),
      metrics: createMetrics('test', { process: false }),
      dependencies: [dependency('store', { required: true, ...refused })],
      monitoring: () => Promise.reject(new Error('connect ECONNREFUSED')),
      routes: [],
    });
    const unchecked = await request(app).get('/health/ready').set(WITH_TOKEN);
    expect(unchecked.body).toEqual({ status: 'not_ready' });
  });

  it('names the reason of each of several addresses that refuse', async () => {
    const reasons = new AggregateError([new Error('refused at ::1'), new Error('refused at 127.0.0.1')]);
    const app = appWith([dependency('queue', { check: () => Promise.reject(reasons) })]);
    const response = await request(app).get('/health/ready').set(WITH_TOKEN);
    expect(response.body).toMatchObject({ dependencies: { queue: { error: 'refused at ::1, refused at 127.0.0.1' } } });
  });
});

describe('GET /health/live', () => {
  it('answers 200 whatever the state of the dependencies', async () => {
    const app = appWith([dependency('store', { required: true, ...refused })]);
    expect((await request(app).get('/health/live')).status).toBe(200);
  });
});

describe('GET /metrics', () => {
  it('is refused without the token', async () => {
    const response = await request(appWith()).get('/metrics');
    expect(response.body).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(response.headers['www-authenticate']).toBe('Bearer');
  });

  it('is refused to every request while no token is set, and names the variable that sets it', async () => {
    for (const authorization of ['Bearer undefined', 'Bearer ', '']) {
      const response = await request(appWith([], undefined)).get('/metrics').set('Authorization', authorization);
      expect(response.body).toMatchObject({
        status: 401,
        detail: expect.stringContaining('QUARRY_METRICS_TOKEN') as unknown,
      });
    }
  });

  it('shows the availability of each dependency', async () => {
    const app = appWith([dependency('store'), dependency('queue', refused)]);
    const { text } = await request(app).get('/metrics').set(WITH_TOKEN);
    expect(text).toContain('quarry_dependency_up{dependency="store",service="test"} 1');
    expect(text).toContain('quarry_dependency_up{dependency="queue",service="test"} 0');
  });
});

describe('a monitor of dependencies', () => {
  it('checks once for all calls within a second', async () => {
    let checks = 0;
    let now = 0;
    const counted = dependency('store', { check: () => Promise.resolve(void (checks += 1)) });
    const monitor = monitorDependencies([counted], () => now);
    await Promise.all([monitor.check(), monitor.check()]);
    now = 999;
    await monitor.check();
    expect(checks).toBe(1);
    now = 1_000;
    await monitor.check();
    expect(checks).toBe(2);
  });
});
