import { parse, IsString } from '@quarry/validation';
import { json, Router, type Express } from 'express';
import request from 'supertest';
import { describe, expect, it } from 'vitest';
import {
  createMetricsTokenCheck,
  basicProblem,
  createLog,
  createMetrics,
  createInternalTokenCheck,
  createServiceApp,
  type ServiceAppParts,
} from '../index.js';

const TOKEN = 'the-metrics-token';

class Body {
  @IsString()
  readonly text: string;
}

function createApp(): Express {
  const routes = Router();
  routes.use(json({ limit: 100 }));
  routes.post('/echo', (incoming, response) => {
    response.json(parse(Body, incoming.body, 'refuse'));
  });
  routes.get('/away', () => {
    throw basicProblem('dependency_unavailable', 'The store is away.', { headers: { 'Retry-After': '3' } });
  });
  routes.get('/broken', () => {
    throw new Error('secret insides');
  });
  routes.get('/internal', createInternalTokenCheck('s3cret'), (_request, response) => {
    response.json({ ok: true });
  });
  return createServiceApp({ ...createParts(), routes: [routes] });
}

function createParts(): Omit<ServiceAppParts, 'routes'> {
  return {
    log: createLog('test', 'silent'),
    metrics: createMetrics('test', { process: false }),
    dependencies: [],
    monitoring: createMetricsTokenCheck(TOKEN),
  };
}

async function readMetrics(app: Express): Promise<string> {
  return (await request(app).get('/metrics').set('Authorization', `Bearer ${TOKEN}`)).text;
}

describe('an app of the service kit', () => {
  it('a service app responds to a body that is not JSON with a problem', async () => {
    const response = await request(createApp()).post('/echo').set('Content-Type', 'application/json').send('{"text":');
    expect(response.status).toBe(400);
    expect(response.type).toBe('application/problem+json');
    expect(response.body).toMatchObject({ status: 400, code: 'malformed_request', error: 'MALFORMED_REQUEST' });
  });

  it.each(['gzip', 'deflate', 'br', 'zstd'])(
    'a service app refuses a body that is not compressed as its Content-Encoding %s states',
    async (encoding) => {
      const response = await request(createApp())
        .post('/echo')
        .set({ 'Content-Type': 'application/json', 'Content-Encoding': encoding })
        .send('{"text":"plain"}');
      const detail: unknown = expect.stringMatching(
        /^The body cannot be decompressed with its Content-Encoding: .+\.$/,
      );
      expect(response.body).toMatchObject({ status: 400, code: 'malformed_request', detail });
    },
  );

  it.each([
    ['Content-Type', 'application/json; charset=latin1', 'The body must be in UTF-8, found charset latin1.'],
    ['Content-Encoding', 'compress', 'Content-Encoding must be identity, gzip, deflate, br or zstd, found compress.'],
  ])(
    'a service app refuses a request with the header %s: %s, and lists the allowed values',
    async (header, value, detail) => {
      const headers = { 'Content-Type': 'application/json', [header]: value };
      const response = await request(createApp()).post('/echo').set(headers).send('{"text":"plain"}');
      expect(response.body).toMatchObject({ status: 415, code: 'unsupported_media_type', detail });
    },
  );

  it('a service app names each invalid field of a body', async () => {
    const response = await request(createApp()).post('/echo').send({ text: 7 });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'text', message: 'must be a string, found 7' }],
    });
  });

  it('a service app refuses a body that is too large, and names the limit and the size', async () => {
    const response = await request(createApp())
      .post('/echo')
      .send({ text: 'x'.repeat(200) });
    expect(response.status).toBe(413);
    expect(response.body).toMatchObject({ detail: 'The body is over the limit of 100 bytes, found 211.' });
  });

  it('a service app responds to an unknown path with 404', async () => {
    const response = await request(createApp()).get('/nowhere');
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({ code: 'not_found', detail: 'There is no GET /nowhere.' });
  });

  it('a service app sends the response headers of a problem', async () => {
    const response = await request(createApp()).get('/away');
    expect(response.status).toBe(503);
    expect(response.headers['retry-after']).toBe('3');
  });

  it('a service app responds without internal details if a handler throws an unexpected error', async () => {
    const response = await request(createApp()).get('/broken');
    expect(response.status).toBe(500);
    expect(response.text).not.toContain('secret insides');
  });

  it('a service app responds with the request id that it received, or with a new id if the received id is invalid', async () => {
    const given = await request(createApp()).get('/nowhere').set('X-Request-Id', 'caller-4711');
    expect(given.headers['x-request-id']).toBe('caller-4711');
    expect(given.body).toMatchObject({ instance: 'urn:quarry:request:caller-4711' });
    const hostile = await request(createApp()).get('/nowhere').set('X-Request-Id', 'a b\tc');
    expect(hostile.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  });

  it('a service app accepts requests to internal routes only with the internal token', async () => {
    const app = createApp();
    const without = await request(app).get('/internal');
    expect(without.status).toBe(401);
    expect(without.headers['www-authenticate']).toBe('Bearer');
    expect((await request(app).get('/internal').set('Authorization', 'Bearer other')).status).toBe(401);
    expect((await request(app).get('/internal').set('Authorization', 'Bearer s3cret')).status).toBe(200);
  });

  it('a service app counts each request, even a refused one, by the whole route pattern, including the path of the router', async () => {
    const inner = Router();
    inner.get('/agents/:id/answer', (incoming, response) => {
      if (incoming.params.id === 'good') response.json({});
      else throw basicProblem(incoming.params.id === 'bad' ? 'not_found' : 'internal_error', 'No.');
    });
    const routes = Router().use('/api', inner);
    const app = createServiceApp({ ...createParts(), routes: [routes] });
    for (const id of ['good', 'bad', 'broken', 'bad'])
      await request(app).get(`/API/agents/${id}/answer?a=/agents/x/answer`);
    const text = await readMetrics(app);
    const counted = [...text.matchAll(/_count\{.*route="([^"]*)",status="(\d+)"/g)].map(([, ...labels]) => labels);
    expect(counted).toEqual([
      ['/api/agents/:id/answer', '200'],
      ['/api/agents/:id/answer', '404'],
      ['/api/agents/:id/answer', '500'],
    ]);
  });

  it('a service app counts requests by route pattern, not by URL', async () => {
    const app = createApp();
    await request(app).get('/away');
    await request(app).get('/nowhere/with/an/id');
    const text = await readMetrics(app);
    expect(text).toContain('route="/away",status="503"');
    expect(text).not.toContain('with/an/id');
  });
});
