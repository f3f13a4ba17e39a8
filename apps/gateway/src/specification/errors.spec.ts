import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { REASONS } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { PROBLEMS } from '../problems.js';
import { useTenant } from '../testing/use-tenant.js';

const used = useTenant();

async function errorsPage(): Promise<string> {
  return readFile(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
}

/** Sends what no client library would. @returns all that is answered */
async function raw(head: readonly string[], body = ''): Promise<string> {
  const socket = connect(Number(new URL(used.test.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const auth = `Authorization: Bearer ${used.tenant.key}`;
  socket.write([...head, 'Host: x', 'Connection: close', auth, '', body].join('\r\n'));
  return text(socket);
}

describe('Errors', () => {
  it('are in one table, which is what the code says', async () => {
    const page = await errorsPage();
    const rows = [...page.matchAll(/^\| `(\w+)` +\| (\d+) +\| (.+?) +\|$/gm)].map(([, ...row]) => row);
    const known = Object.entries(PROBLEMS).map(([code, { status, title }]) => [code, String(status), title]);
    expect(rows).toEqual(known);
  });

  it('of runs and documents are in one table, too', async () => {
    const rows = [...(await errorsPage()).matchAll(/^\| `(\w+)` +\| ([^|]+?) +\|$/gm)].map(([, ...row]) => row);
    expect(rows).toEqual(Object.entries(REASONS));
  });

  it('405 says which methods a path takes', async () => {
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

  it('401 comes before 404 and 405', async () => {
    expect((await used.test.api().put('/api/agents')).status).toBe(401);
    expect((await used.test.api().get('/api/nowhere')).status).toBe(401);
  });

  it('404 for what no route takes', async () => {
    for (const path of ['/nowhere', '/api/nowhere', '/api/agents/a/b/c', '/api//agents', '/api/metrics']) {
      expect((await used.tenant.api.get(path)).body).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  it('HEAD answers as GET does, without a body', async () => {
    const response = await used.tenant.api.head('/api/agents');
    expect([response.status, response.type, response.text]).toEqual([200, 'application/json', undefined]);
  });

  it.each(['/api/agents/%', '/api/agents/%E0%A4%A', '/api/agents/%00', '/api/datastores/%ff'])(
    'a path that cannot be read is refused: %s',
    async (path) => {
      const answer = await raw([`GET ${path} HTTP/1.1`]);
      expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
      expect(answer).toContain('application/problem+json');
    },
  );

  it('headers that are too large are 431, and a length that is no number is 400', async () => {
    expect(await raw(['GET /api/agents HTTP/1.1', `X-Large: ${'x'.repeat(40_000)}`])).toMatch(/^HTTP\/1\.1 431 /);
    expect(await raw(['POST /api/agents HTTP/1.1', 'Content-Length: many'])).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('a body in an encoding or a charset that is not known is 415', async () => {
    const post = (headers: Record<string, string>) =>
      used.tenant.api.post('/api/agents').set('Content-Type', 'application/json').set(headers).send('{}');
    for (const headers of [{ 'Content-Encoding': 'x' }, { 'Content-Type': 'application/json; charset=x' }]) {
      expect((await post(headers)).body).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    }
  });
});
