import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runWithClient } from './database-client.js';
import { mountSmallDisk } from './fixtures/small-disk.js';
import {
  queryFirstValue,
  writeStoredText,
  readStoredText,
  createTemporaryFolder,
  readPostmasterPid,
  removeTemporaryFolder,
  startServerForTest,
} from './fixtures/test-server.js';
import { readPostmasterState } from './postmaster.js';

const POLL = { timeout: 60_000 };

let folder: string;

beforeAll(async () => {
  folder = await createTemporaryFolder();
});

afterAll(async () => {
  await removeTemporaryFolder(folder);
});

describe('an embedded PostgreSQL server that crashes', () => {
  it('a server that crashes several times restarts each time at the same address and with all committed data', async () => {
    const warnings: string[] = [];
    const log = { info: () => undefined, warn: (line: string) => void warnings.push(line) };
    const server = await startServerForTest({ directory: join(folder, 'killed'), log });
    for (const text of ['first', 'second', 'third']) {
      await writeStoredText(server.url, text);
      process.kill(await readPostmasterPid(server), 'SIGKILL');
      await expect.poll(() => readStoredText(server.url).catch(() => undefined), POLL).toBe(text);
    }
    const outages = warnings.filter((line) => line === 'PostgreSQL stopped running and is being restarted');
    expect(outages).toHaveLength(3);
  });

  it('if a backend process of a server crashes, the supervision restarts the server, and PostgreSQL itself does not', async () => {
    const warnings: string[] = [];
    const log = { info: () => undefined, warn: (line: string) => void warnings.push(line) };
    const server = await startServerForTest({ directory: join(folder, 'crashed-process'), log });
    await writeStoredText(server.url, 'committed');
    const before = await readPostmasterPid(server);
    const selectPid = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'";
    process.kill(Number(await queryFirstValue(server.url, selectPid)), 'SIGKILL');
    await expect.poll(() => warnings, POLL).toContain('PostgreSQL stopped running and is being restarted');
    await expect.poll(() => readStoredText(server.url).catch(() => undefined), POLL).toBe('committed');
    expect(await readPostmasterPid(server)).not.toBe(before);
  });

  it('stop() ends the supervision, so a crashed server is not restarted afterwards', async () => {
    const server = await startServerForTest({ directory: join(folder, 'stopped') });
    process.kill(await readPostmasterPid(server), 'SIGKILL');
    await server.stop();
    expect((await readPostmasterState(join(server.home, 'cluster'))).state).not.toBe('running');
    await expect(queryFirstValue(server.url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('if a crashed server cannot be restarted within the timeout, the promise `givenUp` resolves with an error that contains the server log', async () => {
    const server = await startServerForTest({ directory: join(folder, 'broken'), restartTimeoutMs: 2_000 });
    const control = join(server.home, 'cluster', 'global', 'pg_control');
    await rename(control, `${control}-away`);
    process.kill(await readPostmasterPid(server), 'SIGKILL');
    const { message } = await server.givenUp;
    expect(message).toMatch(/could not be restarted within 2 s.*did not start in .*broken.*pg_control/s);
  });

  it('a server that crashed on a full disk restarts as soon as the disk has free space', async ({ skip }) => {
    const disk = await mountSmallDisk(join(folder, 'small-disk'));
    if (disk === undefined) return skip('this process may not mount a file system');
    // Runs after the server has stopped, because hooks run in reverse order.
    onTestFinished(() => disk.remove());
    const warnings: string[] = [];
    const log = { info: () => undefined, warn: (line: string) => void warnings.push(line) };
    const server = await startServerForTest({ directory: join(disk.folder, 'data'), log });
    await writeStoredText(server.url, 'committed');

    await disk.fill();
    const fillDisk = (): Promise<unknown> =>
      runWithClient(server.url, (client) =>
        client.query('CREATE TABLE filler AS SELECT repeat(md5(n::text), 50) FROM generate_series(1, 100000) AS n'),
      );
    await expect(fillDisk()).rejects.toThrow();
    process.kill(await readPostmasterPid(server), 'SIGKILL');
    await expect.poll(() => warnings.join('\n'), POLL).toMatch(/could not be restarted; next attempt in \d+ ms/);

    await disk.free();
    await expect.poll(() => readStoredText(server.url).catch(() => undefined), POLL).toBe('committed');
    await writeStoredText(server.url, 'after');
    expect(await readStoredText(server.url)).toBe('after');
  });
});
