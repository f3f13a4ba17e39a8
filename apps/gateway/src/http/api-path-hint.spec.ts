import { createLog, createMetrics, createMetricsTokenCheck, createServiceApp } from '@quarry/service-kit';
import request from 'supertest';
import { expect, it } from 'vitest';
import { OPERATIONS } from '../operations/operations.js';
import { createApiPathHint } from './api-path-hint.js';

const app = createServiceApp({
  log: createLog('test', 'silent'),
  metrics: createMetrics('test', { process: false }),
  dependencies: [],
  monitoring: createMetricsTokenCheck(undefined),
  routes: [createApiPathHint(OPERATIONS)],
});

it.each([
  ['get', '/datastores'],
  ['delete', '/datasources/d1'],
] as const)('the error of %s %s, an operation without /api, contains the right path', async (method, path) => {
  const response = await request(app)[method](path);
  expect(response.status).toBe(404);
  expect(response.text).toContain(`send ${method.toUpperCase()} /api${path}."`);
});

it('the error of a path that no operation has contains no hint', async () => {
  const response = await request(app).get('/nowhere');
  expect(response.body).toMatchObject({ detail: 'There is no GET /nowhere.' });
});
