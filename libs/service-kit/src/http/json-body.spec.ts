import { Router, type Express } from 'express';
import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { admitMetricsToken, createLog, createMetrics, jsonBody, MAX_JSON_DEPTH, serviceApp } from '../index.js';

function appWith(parse?: (text: string) => unknown): Express {
  const routes = Router();
  routes.post('/echo', jsonBody(1_000_000, parse), (incoming, response) => {
    response.json({ body: incoming.body as unknown });
  });
  return serviceApp({
    log: createLog('test', 'silent'),
    metrics: createMetrics('test', { process: false }),
    dependencies: [],
    monitoring: admitMetricsToken(undefined),
    routes: [routes],
  });
}

async function send(body: string, type = 'application/json', app = appWith()): Promise<request.Response> {
  return request(app).post('/echo').set('Content-Type', type).send(body);
}

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('a JSON body', () => {
  it.each([3_000, 100_000, MAX_JSON_DEPTH + 1])('is refused at %i levels, before any recursion', async (levels) => {
    const response = await send(nested(levels));
    expect(response.type).toBe('application/problem+json');
    expect(response.body).toMatchObject({
      status: 400,
      code: 'malformed_request',
      detail: 'The body may nest 64 levels of arrays and objects, found more.',
    });
  });

  it('is accepted at the maximum number of levels', async () => {
    const response = await send(nested(MAX_JSON_DEPTH));
    expect(response.text).toBe(`{"body":${nested(MAX_JSON_DEPTH)}}`);
  });

  it('keeps fields that have the names of object members', async () => {
    const body = '{"__proto__":{"a":1},"constructor":{"b":2},"toString":3}';
    expect((await send(body)).text).toBe(`{"body":${body}}`);
  });

  it('is an empty object when it is announced and empty, and undefined when there is none', async () => {
    expect((await send('')).body).toEqual({ body: {} });
    expect((await request(appWith()).post('/echo')).body).toEqual({});
  });

  it.each([
    'application/json; charset',
    'application/json; charset="utf-8"',
    'application/merge-patch+json',
    'application/json;;;',
  ])('is read as %s', async (type) => {
    expect((await send('{"a":"é"}', type)).body).toEqual({ body: { a: 'é' } });
  });

  it.each(['text/plain', 'application/json; charset=utf-16le', 'application/jsonp', 'json'])(
    'is refused as %s',
    async (type) => {
      expect((await send('{"a":1}', type)).body).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    },
  );

  it('is refused with a problem when its parser throws', async () => {
    const broken = appWith(() => {
      throw new RangeError('Maximum call stack size exceeded');
    });
    expect((await send('{}', 'application/json', broken)).body).toMatchObject({ status: 500, code: 'internal_error' });
  });
});
