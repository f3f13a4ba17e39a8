import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openFragmentStore } from './open-fragment-store.js';

const log = { warn: () => undefined };
const LAYOUT = { shards: 1, tenantShards: false, replicas: 1, quantized: false };

describe('openFragmentStore', () => {
  it('openFragmentStore locks a LanceDB folder if `isWriter` is true, but not if `isWriter` is false', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'quarry-fragments-'));
    const address = { kind: 'lancedb', directory, cacheBytes: undefined } as const;
    const writer = await openFragmentStore(address, { log, isWriter: true });
    const reader = await openFragmentStore(address, { log, isWriter: false });
    await expect(openFragmentStore(address, { log, isWriter: true })).rejects.toThrow(directory);
    await reader.close();
    await writer.close();
    await rm(directory, { recursive: true });
  });

  it('openFragmentStore sends the API key to the Qdrant server', async () => {
    const keys: (string | string[] | undefined)[] = [];
    const server = createServer((request, response) => {
      keys.push(request.headers['api-key']);
      response.writeHead(401).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo; // a TCP server's address is always of this form
    const address = { kind: 'qdrant', url: `http://127.0.0.1:${port}`, apiKey: 'k', layout: LAYOUT } as const;
    const store = await openFragmentStore(address, { log, isWriter: false });
    await expect(store.ping()).rejects.toThrow();
    await store.close();
    expect(new Set(keys)).toEqual(new Set(['k']));
  });
});
