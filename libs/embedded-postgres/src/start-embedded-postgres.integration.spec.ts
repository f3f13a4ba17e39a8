import { once } from 'node:events';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runWithClient } from './database-client.js';
import { forkTypescript } from './fixtures/fork-typescript.js';
import {
  queryFirstValue,
  writeStoredText,
  readStoredText,
  createTemporaryFolder,
  readPostmasterPid,
  removeTemporaryFolder,
  startServerForTest,
} from './fixtures/test-server.js';
import { getPidFile, readPostmasterState } from './postmaster.js';

let folder: string;

beforeAll(async () => {
  folder = await createTemporaryFolder();
});

afterAll(async () => {
  await removeTemporaryFolder(folder);
});

describe('startEmbeddedPostgres on a new directory', () => {
  it('startEmbeddedPostgres creates one server for concurrent starts, and the last user of the server stops it', async () => {
    const directory = join(folder, 'new');
    const [first, second] = await Promise.all([startServerForTest({ directory }), startServerForTest({ directory })]);
    expect(second.url).toBe(first.url);
    await first.stop();
    expect(await queryFirstValue(second.url, 'SELECT 1')).toBe(1);
    await second.stop();
    await expect(queryFirstValue(second.url, 'SELECT 1')).rejects.toThrow();
  });

  it('if a concurrent start removes the lease of the caller, startEmbeddedPostgres still shares the running server', async () => {
    const directory = join(folder, 'leases');
    const first = await startServerForTest({ directory });
    const users = join(first.home, 'users');
    const [own] = await readdir(users);
    const starting = startServerForTest({ directory });
    const findLease = async (): Promise<string | undefined> => (await readdir(users)).find((name) => name !== own);
    await expect.poll(findLease, { interval: 1 }).toBeDefined();
    await rm(join(users, (await findLease()) ?? ''));
    const second = await starting;
    await first.stop();
    expect(await queryFirstValue(second.url, 'SELECT 1')).toBe(1);
  });

  it('if the process was killed while it initialized a new database, startEmbeddedPostgres initializes the database again', async () => {
    const directory = join(folder, 'killed');
    await mkdir(join(directory, 'unfinished-4194303-00'), { recursive: true });
    const server = await startServerForTest({ directory });
    expect(await queryFirstValue(server.url, 'SELECT 1')).toBe(1);
    expect((await readdir(directory)).filter((name) => name.startsWith('unfinished'))).toEqual([]);
  });
});

describe('startEmbeddedPostgres', () => {
  let directory: string;

  beforeAll(() => {
    directory = join(folder, 'data');
  });

  it('startEmbeddedPostgres calls `onStarting` before a new server accepts connections, but not for a running server', async () => {
    const events: string[] = [];
    const onStarting = (): void => void events.push('starting');
    const server = await startServerForTest({ directory, onStarting });
    events.push('started');
    const second = await startServerForTest({ directory, onStarting });
    expect(events).toEqual(['starting', 'started']);
    await second.stop();
    await server.stop();
  });

  it('startEmbeddedPostgres starts a server with UTF-8, checksums and a password, on the loopback address and a Unix socket', async () => {
    const server = await startServerForTest({ directory });
    expect(await queryFirstValue(server.url, 'SHOW server_encoding')).toBe('UTF8');
    expect(await queryFirstValue(server.url, 'SHOW listen_addresses')).toBe('127.0.0.1');
    expect(await queryFirstValue(server.url, 'SHOW unix_socket_directories')).toBe(`"${server.home}"`);
    expect(await queryFirstValue(server.url, 'SELECT inet_server_addr() IS NULL')).toBe(true);
    const tcp = new URL(server.url);
    tcp.search = '';
    expect(await queryFirstValue(tcp.href, 'SELECT inet_server_addr()::text')).toBe('127.0.0.1/32');
    expect(await queryFirstValue(server.url, 'SHOW data_checksums')).toBe('on');
    expect(await queryFirstValue(server.url, 'SHOW max_connections')).toBe('300');
    expect(await queryFirstValue(server.url, 'SELECT current_database()')).toBe('quarry');
    expect(await queryFirstValue(server.url, "SELECT upper('žluťoučký')")).toBe('ŽLUŤOUČKÝ');
    expect((await stat(join(server.home, 'password'))).mode & 0o777).toBe(0o600);
    const wrong = server.url.replace(/:[^:@]+@/, ':wrong@');
    await expect(queryFirstValue(wrong, 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  it('an embedded server retains its data across restarts, and stop() ends it completely', async () => {
    const first = await startServerForTest({ directory });
    await writeStoredText(first.url, 'before');
    await Promise.all([first.stop(), first.stop()]);
    await first.stop();
    expect(await readPostmasterState(join(first.home, 'cluster'))).toEqual({ state: 'absent' });
    const second = await startServerForTest({ directory });
    expect(await readStoredText(second.url)).toBe('before');
  });

  it('after an embedded server was killed, the next start recovers its committed data', async () => {
    const first = await startServerForTest({ directory });
    await writeStoredText(first.url, 'committed');
    process.kill(await readPostmasterPid(first), 'SIGKILL');
    const second = await startServerForTest({ directory });
    expect(await readStoredText(second.url)).toBe('committed');
  });

  it('if a killed process left its server running, startEmbeddedPostgres uses this server, and stop() ends the server', async () => {
    const child = forkTypescript(join(import.meta.dirname, 'fixtures', 'hold-server.ts'), [directory]);
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    const url = said.toString().trim();
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await once(child, 'exit');
    await writeStoredText(url, 'by an orphan');

    const server = await startServerForTest({ directory });
    expect(server.url).toBe(url);
    expect(await readStoredText(server.url)).toBe('by an orphan');
    await server.stop();
    await expect(queryFirstValue(url, 'SELECT 1')).rejects.toThrow();
  });

  it.each([
    ['is empty', ''],
    ['names a process that is no server', `${process.pid}\n/elsewhere\n0\n1\n\n127.0.0.1\n0 0\nready\n`],
    ['names a process that has ended', '4194303\n/elsewhere\n0\n1\n\n127.0.0.1\n0 0\nready\n'],
  ])('startEmbeddedPostgres starts a server if the process id file of the database %s', async (_, content) => {
    await writeFile(getPidFile(join(directory, 'cluster')), content);
    const server = await startServerForTest({ directory });
    expect(await queryFirstValue(server.url, 'SELECT 1')).toBe(1);
  });

  it('startEmbeddedPostgres starts a server if the lock file of the socket names a process that is not a server', async () => {
    const first = await startServerForTest({ directory });
    const port = new URL(first.url).port;
    await first.stop();
    await writeFile(join(first.home, `.s.PGSQL.${port}.lock`), `${process.pid}\n/elsewhere\n0\n${port}\n`);
    const server = await startServerForTest({ directory });
    expect(server.url).toBe(first.url);
    expect(await queryFirstValue(server.url, 'SELECT 1')).toBe(1);
  });

  it('a server that cannot create its Unix socket listens only on the loopback address', async () => {
    const first = await startServerForTest({ directory });
    const { port } = new URL(first.url);
    await first.stop();
    const obstacle = join(first.home, `.s.PGSQL.${port}`);
    await mkdir(obstacle);
    const server = await startServerForTest({ directory });
    expect(new URL(server.url).search).toBe('');
    expect(await queryFirstValue(server.url, 'SELECT 1')).toBe(1);
    await server.stop();
    await rm(obstacle, { recursive: true });
  });

  it('a server whose folder has a long path creates no Unix socket, and listens only on the loopback address', async () => {
    const server = await startServerForTest({ directory: join(folder, 'long'.repeat(25)) });
    expect(new URL(server.url).search).toBe('');
    expect(await queryFirstValue(server.url, 'SHOW unix_socket_directories')).toBe('');
  });

  it('startEmbeddedPostgres creates the requested database, whatever characters its name contains', async () => {
    const server = await startServerForTest({ directory, database: 'a "b"' });
    expect(await queryFirstValue(server.url, 'SELECT current_database()')).toBe('a "b"');
  });

  it('startEmbeddedPostgres throws an error with the server log if the server does not start', async () => {
    const starting = startServerForTest({ directory, serverSettings: { max_connections: 'plenty' } });
    await expect(starting).rejects.toThrow(/did not start in .*max_connections.*plenty/s);
  });

  it('startEmbeddedPostgres throws an error if the stored password is wrong, and leaves no server running', async () => {
    const first = await startServerForTest({ directory });
    await runWithClient(first.url, (client) => client.query("ALTER ROLE quarry PASSWORD 'another'"));
    await first.stop();
    await expect(startServerForTest({ directory })).rejects.toThrow(/cannot be opened with the stored password/);
    expect(await readPostmasterState(join(directory, 'cluster'))).toEqual({ state: 'absent' });
    await rm(directory, { recursive: true });
  });
});
