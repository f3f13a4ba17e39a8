import { Router, type Express } from 'express';
import request from 'supertest';
import { describe, expect, it } from 'vitest';
import {
  createMetricsTokenCheck,
  createLog,
  createMetrics,
  parseJsonBody,
  MAX_JSON_DEPTH,
  createServiceApp,
} from '../index.js';

function createApp(parse?: (text: string) => unknown): Express {
  const routes = Router();
  routes.post('/echo', parseJsonBody(1_000_000, parse), (incoming, response) => {
    response.json({ body: incoming.body as unknown });
  });
  return createServiceApp({
    log: createLog('test', 'silent'),
    metrics: createMetrics('test', { process: false }),
    dependencies: [],
    monitoring: createMetricsTokenCheck(undefined),
    routes: [routes],
  });
}

async function postBody(body: string, type = 'application/json', app = createApp()): Promise<request.Response> {
  return request(app).post('/echo').set('Content-Type', type).send(body);
}

const createNestedJson = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('parsing a JSON body', () => {
  it.each([3_000, 100_000, MAX_JSON_DEPTH + 1])(
    'a JSON body of %i nested levels is refused before a recursive function reads the body',
    async (levels) => {
      const response = await postBody(createNestedJson(levels));
      expect(response.type).toBe('application/problem+json');
      expect(response.body).toMatchObject({
        status: 400,
        code: 'malformed_request',
        detail: 'The body must have at most 64 levels of nested arrays and objects, found more.',
      });
    },
  );

  it('a JSON body with the maximum number of levels is accepted', async () => {
    const response = await postBody(createNestedJson(MAX_JSON_DEPTH));
    expect(response.text).toBe(`{"body":${createNestedJson(MAX_JSON_DEPTH)}}`);
  });

  it('a JSON body can contain fields with the names of built-in object members, such as `__proto__`', async () => {
    const body = '{"__proto__":{"a":1},"constructor":{"b":2},"toString":3}';
    expect((await postBody(body)).text).toBe(`{"body":${body}}`);
  });

  it('an empty JSON body is parsed as an empty object, and a missing body as undefined', async () => {
    expect((await postBody('')).body).toEqual({ body: {} });
    expect((await request(createApp()).post('/echo')).body).toEqual({});
  });

  it.each([
    'application/json; charset',
    'application/json; charset="utf-8"',
    'application/merge-patch+json',
    'application/json;;;',
  ])('a JSON body with the content type %s is parsed', async (type) => {
    expect((await postBody('{"a":"é"}', type)).body).toEqual({ body: { a: 'é' } });
  });

  it.each(['text/plain', 'application/json; charset=utf-16le', 'application/jsonp', 'json'])(
    'a JSON body with the content type %s is refused',
    async (type) => {
      expect((await postBody('{"a":1}', type)).body).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    },
  );

  it.each(['content-length', 'transfer-encoding'])(
    'a body without a content type, which the header %s announces, is refused',
    async (header) => {
      const sent = request(createApp()).post('/echo');
      // The client adds `Transfer-Encoding: chunked` to a body that it receives in parts.
      if (header === 'content-length') void sent.set('Content-Length', '7');
      void sent.unset('Content-Type').write('{"a":1}');
      expect((await sent).body).toMatchObject({
        status: 415,
        code: 'unsupported_media_type',
        detail: 'The body must be application/json, found no content type.',
      });
    },
  );

  it('an empty body without a content type is treated as a missing body', async () => {
    expect((await request(createApp()).post('/echo').set('Content-Length', '0')).body).toEqual({});
  });

  it('if the given parser of a JSON body throws an unexpected error, the response is the problem `internal_error`', async () => {
    const broken = createApp(() => {
      throw new RangeError('Maximum call stack size exceeded');
    });
    expect((await postBody('{}', 'application/json', broken)).body).toMatchObject({
      status: 500,
      code: 'internal_error',
    });
  });
});
