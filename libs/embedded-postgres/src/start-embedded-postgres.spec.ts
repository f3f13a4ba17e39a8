import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withClient } from './connection.js';
import { pidFileOf, readPostmaster } from './postmaster.js';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresSettings,
} from './start-embedded-postgres.js';
import { startTestPostgres } from './testing/index.js';

let parent: string;
let directory: string;
let servers: EmbeddedPostgres[];

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'quarry postgres '));
  await chmod(parent, 0o755);
  directory = join(parent, 'data');
  servers = [];
});

afterEach(async () => {
  for (const server of servers) await server.stop().catch(() => undefined);
  await rm(parent, { recursive: true, force: true });
});

async function start(settings: Partial<EmbeddedPostgresSettings> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ directory, ...settings });
  servers.push(server);
  return server;
}

async function ask(url: string, sql: string): Promise<unknown> {
  const { rows } = await withClient(url, (client) => client.query<readonly unknown[]>({ text: sql, rowMode: 'array' }));
  return rows[0]?.[0];
}

async function postmasterOf(server: EmbeddedPostgres): Promise<{ readonly pid: number }> {
  const found = await readPostmaster(join(server.home, 'cluster'));
  if (found.state !== 'running') throw new Error(`expected a running server in ${server.home}, found ${found.state}`);
  return found;
}

async function keep(server: EmbeddedPostgres, text: string): Promise<void> {
  await withClient(server.url, (client) => client.query(`CREATE TABLE kept AS SELECT '${text}' AS text`));
}

describe('startEmbeddedPostgres', () => {
  it('starts a server in UTF-8, on loopback alone, with checksums and a password', async () => {
    const server = await start();
    expect(await ask(server.url, 'SHOW server_encoding')).toBe('UTF8');
    expect(await ask(server.url, 'SHOW listen_addresses')).toBe('127.0.0.1');
    expect(await ask(server.url, 'SHOW unix_socket_directories')).toBe('');
    expect(await ask(server.url, 'SHOW data_checksums')).toBe('on');
    expect(await ask(server.url, 'SELECT current_database()')).toBe('quarry');
    expect(await ask(server.url, "SELECT upper('žluťoučký')")).toBe('ŽLUŤOUČKÝ');
    expect((await stat(join(server.home, 'password'))).mode & 0o777).toBe(0o600);
    const wrong = server.url.replace(/:[^:@]+@/, ':wrong@');
    await expect(ask(wrong, 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  it('keeps its data over a restart, and stops without a trace', async () => {
    const first = await start();
    await keep(first, 'before');
    await first.stop();
    expect(await readPostmaster(join(first.home, 'cluster'))).toEqual({ state: 'absent' });
    const second = await start();
    expect(await ask(second.url, 'SELECT text FROM kept')).toBe('before');
  });

  it('recovers when the server was killed', async () => {
    const first = await start();
    await keep(first, 'committed');
    process.kill((await postmasterOf(first)).pid, 'SIGKILL');
    const second = await start();
    expect(await ask(second.url, 'SELECT text FROM kept')).toBe('committed');
  });

  it('goes on with the server of a process that was killed, and stops it in the end', async () => {
    const child = spawn(
      process.execPath,
      [
        join(import.meta.dirname, 'testing', 'run-typescript.mjs'),
        join(import.meta.dirname, 'testing', 'hold-server.ts'),
        directory,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    const url = said.toString().trim();
    child.kill('SIGKILL');
    await once(child, 'exit');
    await withClient(url, (client) => client.query("CREATE TABLE kept AS SELECT 'orphan' AS text"));

    const server = await start();
    expect(server.url).toBe(url);
    expect(await ask(server.url, 'SELECT text FROM kept')).toBe('orphan');
    await server.stop();
    await expect(ask(url, 'SELECT 1')).rejects.toThrow();
  });

  it('shares the server between those who start it, and ends it with the last', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    expect(second.url).toBe(first.url);
    await first.stop();
    expect(await ask(second.url, 'SELECT 1')).toBe(1);
    await second.stop();
    await expect(ask(second.url, 'SELECT 1')).rejects.toThrow();
  });

  it('restarts a running server that refuses the password', async () => {
    const first = await start();
    await withClient(first.url, (client) => client.query("ALTER ROLE quarry PASSWORD 'another'"));
    const before = (await postmasterOf(first)).pid;
    await expect(start()).rejects.toThrow();
    expect(before).toBeGreaterThan(0);
  });

  it.each([
    ['is empty', ''],
    ['names a process that is not a server', `${process.pid}\n/elsewhere\n0\n1\n\n127.0.0.1\n0 0\nready\n`],
    ['names a process that is gone', '4194303\n/elsewhere\n0\n1\n\n127.0.0.1\n0 0\nready\n'],
  ])('starts when the process id file %s', async (_, content) => {
    const first = await start();
    await first.stop();
    await writeFile(pidFileOf(join(first.home, 'cluster')), content);
    const second = await start();
    expect(await ask(second.url, 'SELECT 1')).toBe(1);
  });

  it('begins again after an initialisation that was killed', async () => {
    const first = await start();
    await first.stop();
    await rm(join(first.home, 'cluster'), { recursive: true });
    await mkdir(join(first.home, 'unfinished-4194303-00'));
    const second = await start();
    expect(await ask(second.url, 'SELECT 1')).toBe(1);
    expect((await readdir(second.home)).filter((name) => name.startsWith('unfinished'))).toEqual([]);
  });

  it('says why the server did not start, in its own words', async () => {
    await expect(start({ serverSettings: { max_connections: 'plenty' } })).rejects.toThrow(/max_connections.*plenty/s);
  });

  it('makes the database that is asked for, whatever its name', async () => {
    const server = await start({ database: 'a "b"' });
    expect(await ask(server.url, 'SELECT current_database()')).toBe('a "b"');
  });

  it('stops twice as it stops once', async () => {
    const server = await start();
    await Promise.all([server.stop(), server.stop()]);
    await server.stop();
    expect(await readPostmaster(join(server.home, 'cluster'))).toEqual({ state: 'absent' });
  });

  it.skipIf(process.getuid?.() !== 0)(
    'puts what its account cannot reach where it can, and finds it again (as root)',
    async () => {
      await chmod(parent, 0o700);
      const reachableFolder = await mkdtemp(join(tmpdir(), 'quarry-reachable-'));
      await chmod(reachableFolder, 0o755);
      const lines: string[] = [];
      const log = (line: string): void => void lines.push(line);

      const first = await start({ reachableFolder, log });
      expect(first.home.startsWith(reachableFolder)).toBe(true);
      expect(lines.join('\n')).toContain(`cannot reach ${directory}`);
      await keep(first, 'moved');
      await first.stop();

      await chmod(parent, 0o755);
      const second = await start({ reachableFolder, log });
      expect(await ask(second.url, 'SELECT text FROM kept')).toBe('moved');
      await second.stop();
      await rm(reachableFolder, { recursive: true });
    },
  );
});

describe('startTestPostgres', () => {
  it('gives empty databases, and leaves nothing behind', async () => {
    const server = await startTestPostgres();
    const [one, two] = await Promise.all([server.createDatabase(), server.createDatabase()]);
    await withClient(one, (client) => client.query('CREATE TABLE only_here (n int)'));
    expect(await ask(one, "SELECT to_regclass('only_here') IS NOT NULL")).toBe(true);
    expect(await ask(two, "SELECT to_regclass('only_here') IS NULL")).toBe(true);
    await server.stop();
    await expect(ask(one, 'SELECT 1')).rejects.toThrow();
  });
});
