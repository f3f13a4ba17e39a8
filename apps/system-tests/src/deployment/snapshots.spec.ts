import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describeWithNewQdrant } from '@quarry/fragment-store-qdrant/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../../../docker/snapshots.mjs', import.meta.url));

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-snapshots-'));
});

afterEach(() => rm(folder, { recursive: true }));

/** Runs `docker/snapshots.mjs` with the server at `url`, and returns its output. */
async function runScript(command: 'save' | 'load', url: string): Promise<string> {
  const key = join(folder, 'key');
  await writeFile(key, 'a-key\n');
  const env = { ...process.env, QDRANT_URL: url, QDRANT_API_KEY_FILE: key };
  return (await promisify(execFile)(process.execPath, [SCRIPT, command, folder], { env })).stdout;
}

/** Starts a server on a free port of 127.0.0.1 until the test ends, and returns its URL. */
async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

await describeWithNewQdrant('docker/snapshots.mjs with Qdrant', { PATH: process.env['PATH'] }, {}, (url) => {
  /** Sends a request to Qdrant, and returns the field `result` of its response. */
  async function request(method: string, path: string, body?: object): Promise<unknown> {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${url()}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as { result: unknown }).result;
  }

  it('`snapshots.mjs load` restores the points that `snapshots.mjs save` saved, and no snapshot remains on the server', async () => {
    await request('PUT', '/collections/quarry', { vectors: { size: 2, distance: 'Dot' } });
    const points = [{ id: 1, vector: [1, 0], payload: { text: 'Slate' } }];
    await request('PUT', '/collections/quarry/points?wait=true', { points });

    expect(await runScript('save', url())).toMatch(/^saved quarry, \d+ bytes\n$/);
    expect(await request('GET', '/collections/quarry/snapshots')).toEqual([]);
    await request('DELETE', '/collections/quarry');
    expect(await runScript('load', url())).toBe('restored quarry\n');

    const found = await request('POST', '/collections/quarry/points/scroll', { with_vector: true });
    expect(found).toMatchObject({ points });
  });
});

describe('docker/snapshots.mjs', () => {
  it('`snapshots.mjs save` deletes the snapshot from the server even if the download of the snapshot fails', async () => {
    const requests: string[] = [];
    const url = await startServer((request, response) => {
      const { method, url: path } = request;
      requests.push(`${method} ${path}`);
      if (path === '/collections') response.end(JSON.stringify({ result: { collections: [{ name: 'quarry' }] } }));
      else if (method === 'GET') response.writeHead(500).end('the disk failed');
      else response.end(JSON.stringify({ result: { name: 'first.snapshot', size: 3 } }));
    });

    await expect(runScript('save', url)).rejects.toThrow(/first\.snapshot, found 500: the disk failed/);
    expect(requests.at(-1)).toBe('DELETE /collections/quarry/snapshots/first.snapshot');
  });

  it('`snapshots.mjs load` uploads the snapshot of each collection as a form, and reports the response of a server that refuses the upload', async () => {
    await writeFile(join(folder, 'quarry.snapshot'), 'the points');
    let body = '';
    const url = await startServer((request, response) => {
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => response.writeHead(400).end('not a snapshot'));
    });

    await expect(runScript('load', url)).rejects.toThrow(/found 400: not a snapshot/);
    expect(body).toMatch(/name="snapshot"; filename="snapshot"\r\n\r\nthe points\r\n--/);
  });
});
