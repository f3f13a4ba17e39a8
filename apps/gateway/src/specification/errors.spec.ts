import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { REASONS, RUN_NOTE_CODES } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { PROBLEMS } from '../problems.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const used = setUpTenant();

async function readErrorsPage(): Promise<string> {
  return readFile(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
}

/**
 * Sends a raw HTTP request that no client library would send. @returns the response as text, with status line and
 * headers
 */
async function sendRaw(head: readonly string[], body = ''): Promise<string> {
  const socket = connect(Number(new URL(used.test.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const auth = `Authorization: Bearer ${used.tenant.key}`;
  socket.write([...head, 'Host: x', 'Connection: close', auth, '', body].join('\r\n'));
  return text(socket);
}

describe('Errors', () => {
  it('docs/errors.md lists exactly the problem codes, statuses and titles that the source code defines', async () => {
    const page = await readErrorsPage();
    const rows = [...page.matchAll(/^\| `(\w+)` +\| (\d+) +\| (.+?) +\|$/gm)].map(([, ...row]) => row);
    const known = Object.entries(PROBLEMS).map(([code, { status, title }]) => [code, String(status), title]);
    expect(rows).toEqual(known);
  });

  it('docs/errors.md lists exactly the error codes of runs and documents that the source code defines', async () => {
    const rows = [...(await readErrorsPage()).matchAll(/^\| `(\w+)` +\| ([^|]+?) +\|$/gm)].map(([, ...row]) => row);
    expect(rows).toEqual(Object.entries(REASONS));
  });

  it('docs/errors.md lists exactly the codes of run notes that the source code defines', async () => {
    const [, section = ''] = (await readErrorsPage()).split('## Notes on runs');
    const entries = [...section.matchAll(/^- ([^:]+):/gm)].map(([, names = '']) => names);
    expect(entries.flatMap((names) => [...names.matchAll(/`(\w+)`/g)].map(([, code]) => code))).toEqual(RUN_NOTE_CODES);
  });

  it('a 405 response lists the allowed methods of the path', async () => {
    for (const [method, path, allowed] of [
      ['put', '/api/agents', 'GET, HEAD, POST'],
      ['put', `/api/agents/${used.agent}`, 'DELETE, GET, HEAD, PATCH'],
      ['delete', '/api/datasources', 'GET, HEAD, POST'],
      ['get', `/api/agents/${used.agent}/query`, 'POST'],
      ['patch', `/api/datastores/upsert/${used.datastore}`, 'POST'],
    ] as const) {
      const response = await used.tenant.api[method](path);
      expect([path, response.status, response.headers['allow']]).toEqual([path, 405, allowed]);
      expect(response.body).toMatchObject({ code: 'method_not_allowed' });
    }
  });

  it('a request without an API key returns 401, even for an unknown path or method', async () => {
    expect((await used.test.createApi().put('/api/agents')).status).toBe(401);
    expect((await used.test.createApi().get('/api/nowhere')).status).toBe(401);
  });

  it('an unknown path returns 404', async () => {
    for (const path of ['/nowhere', '/api/nowhere', '/api/agents/a/b/c', '/api//agents', '/api/metrics']) {
      expect((await used.tenant.api.get(path)).body).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  it('a path that supports GET also supports HEAD', async () => {
    const response = await used.tenant.api.head('/api/agents');
    expect([response.status, response.type, response.text]).toEqual([200, 'application/json', undefined]);
  });

  it.each(['/api/agents/%', '/api/agents/%E0%A4%A', '/api/agents/%00', '/api/datastores/%ff'])(
    'the path %s, which cannot be decoded, returns 400 or 404',
    async (path) => {
      const answer = await sendRaw([`GET ${path} HTTP/1.1`]);
      expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
      expect(answer).toContain('application/problem+json');
    },
  );

  it('a request with too large headers returns 431, and a request whose Content-Length is not a number returns 400', async () => {
    expect(await sendRaw(['GET /api/agents HTTP/1.1', `X-Large: ${'x'.repeat(40_000)}`])).toMatch(/^HTTP\/1\.1 431 /);
    expect(await sendRaw(['POST /api/agents HTTP/1.1', 'Content-Length: many'])).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('a body with an unknown encoding or charset returns 415', async () => {
    const postEmptyAgent = (headers: Record<string, string>) =>
      used.tenant.api.post('/api/agents').set('Content-Type', 'application/json').set(headers).send('{}');
    for (const headers of [{ 'Content-Encoding': 'x' }, { 'Content-Type': 'application/json; charset=x' }]) {
      expect((await postEmptyAgent(headers)).body).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    }
  });
});
