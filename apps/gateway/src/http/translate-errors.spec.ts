import { createLog, createMetrics, createMetricsTokenCheck, createServiceApp } from '@quarry/service-kit';
import { Router } from 'express';
import request from 'supertest';
import { expect, it } from 'vitest';
import { openDatabase } from '../database/database.js';
import { createAuthenticationHandler } from './authenticate.js';
import { NotificationListener } from '../database/notification-listener.js';
import { createKeyCache } from '../keys/key-cache.js';
import { createRefusalCounter } from '../keys/refusal-counter.js';
import { translateErrors } from './translate-errors.js';

it('the gateway responds with 503 while the database is unavailable, and does not log the parameters of the SQL statement', async () => {
  const logged: string[] = [];
  const database = openDatabase({
    url: 'postgres://nobody@127.0.0.1:1/none',
    connections: 2,
    onConnectionLost: () => undefined,
  });
  const routes = Router();
  const notifications = new NotificationListener({ ...database, log: createLog('test', 'silent') });
  const keys = createKeyCache(database.db, notifications);
  routes.use(
    createAuthenticationHandler({ db: database.db, keys, clock: () => new Date(), refusals: createRefusalCounter(0) }),
  );
  routes.use(translateErrors);
  const app = createServiceApp({
    log: createLog('test', 'info', { write: (line) => logged.push(line) }),
    metrics: createMetrics('test', { process: false }),
    dependencies: [],
    monitoring: createMetricsTokenCheck(undefined),
    routes: [routes],
  });
  const response = await request(app).get('/').set('Authorization', 'Bearer qk_some_key');
  await notifications.close();
  await database.close();
  expect(response.status).toBe(503);
  expect(response.body).toMatchObject({ code: 'dependency_unavailable' });
  expect(response.headers['retry-after']).toBe('2');
  expect(logged.join('')).toContain('ECONNREFUSED');
  expect(logged.join('')).not.toMatch(/params|[\da-f]{64}/);
});
