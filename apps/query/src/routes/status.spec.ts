import { SERVICE_REPORT_PATHS, ServiceReport } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import request from 'supertest';
import { expect, it } from 'vitest';
import { createQueryApp } from '../server.js';
import { createQueryContext, TOKEN } from '../testing/query-context.js';

const NEVER = new AbortController().signal;

it('GET /internal/status returns the state of the query service only to requests with the internal token', async () => {
  const app = createQueryApp(await createQueryContext(), NEVER);
  const asked = await request(app).get(SERVICE_REPORT_PATHS.status).set('Authorization', `Bearer ${TOKEN}`);
  expect(parse(ServiceReport, asked.body, 'refuse')).toMatchObject({
    name: 'query',
    dependencies: [{ name: 'fragments', required: true, reason: null, affects: ['searches', 'answers'] }],
    components: [{ kind: 'default_model', name: 'scripted' }],
  });
  expect((await request(app).get(SERVICE_REPORT_PATHS.status)).status).toBe(401);
});
