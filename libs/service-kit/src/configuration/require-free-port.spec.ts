import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { requireFreePort } from './require-free-port.js';

async function openPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port; // a TCP server's address is always of this form
}

describe('requireFreePort', () => {
  it('requireFreePort throws an error of one line that names QUARRY_PORT if the port is in use', async () => {
    const port = await openPort();
    const error: unknown = await requireFreePort({ host: '127.0.0.1', port }).catch((reason: unknown) => reason);
    expect(String(error)).toMatch(
      new RegExp(`port ${port} of 127\\.0\\.0\\.1 is used by another program.*QUARRY_PORT.*$`),
    );
    expect(String(error)).not.toContain('\n');
  });

  it('requireFreePort throws an error that names QUARRY_HOST if the address does not belong to this machine', async () => {
    await expect(requireFreePort({ host: '192.0.2.1', port: 0 })).rejects.toThrow(
      /cannot listen at 192\.0\.2\.1.*QUARRY_HOST/,
    );
  });

  it('requireFreePort accepts port 0, and rejects a port that is in use', async () => {
    await requireFreePort({ host: '127.0.0.1', port: 0 });
    const port = await openPort();
    await expect(requireFreePort({ host: '127.0.0.1', port })).rejects.toThrow('QUARRY_PORT');
  });
});
