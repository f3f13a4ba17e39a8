import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@quarry/queue-bullmq/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startServers, type Servers } from './quarry/servers.js';
import { createServicesStack } from './quarry/services-stack.js';
import type { Variables } from './quarry/stack.js';

const SCRIPT = fileURLToPath(new URL('../../../scripts/start-services.mjs', import.meta.url));

const { buildServiceUrl } = (await import(new URL('../../../scripts/build-service-url.mjs', import.meta.url).href)) as {
  buildServiceUrl: (address: string, port: number) => string;
}; // a script without types

const { readVariable, selectDefaults } = (await import(
  new URL('../../../scripts/environment-variables.mjs', import.meta.url).href
)) as {
  readVariable: (name: string, environment: Variables) => string | undefined;
  selectDefaults: (defaults: Variables, environment: Variables) => Variables;
}; // a script without types

interface StartedScript {
  readonly child: ChildProcess;
  readonly output: () => string;
}

function startScript(variables: Variables): StartedScript {
  const child = spawn(process.execPath, [SCRIPT], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  return { child, output: () => output };
}

/** Settings with addresses at which no server listens. The tested script exits before it connects to them. */
const ADDRESSES = {
  DATABASE_URL: 'postgres://quarry@127.0.0.1:1/quarry',
  QUARRY_QUEUE_URL: 'redis://127.0.0.1:1',
  QDRANT_URL: 'http://127.0.0.1:1',
  QUARRY_BLOB_URL: 'file:///tmp',
  QUARRY_ROOT_KEY: 'the-root-key-of-the-tests',
  QUARRY_SEALING_KEY: Buffer.alloc(32).toString('base64'),
};

describe('buildServiceUrl', () => {
  it.each([
    ['0.0.0.0', 'http://127.0.0.1:3000'],
    ['::', 'http://[::1]:3000'],
    ['10.0.0.5', 'http://10.0.0.5:3000'],
    ['fd00::5', 'http://[fd00::5]:3000'],
    ['quarry.local', 'http://quarry.local:3000'],
  ])('buildServiceUrl returns the URL at which a service with the address %s is reachable', (address, url) => {
    expect(buildServiceUrl(address, 3_000)).toBe(url);
  });
});

describe('the environment variables of scripts', () => {
  it('scripts treat an empty variable or file as absent, and prefer a variable to the file that `<name>_FILE` names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quarry-variables-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [file, empty] = [join(folder, 'token'), join(folder, 'empty')];
    await writeFile(file, 'from-a-file\n');
    await writeFile(empty, '\n');
    const environment = { A: '', B: 'set', B_FILE: file, C_FILE: file, D_FILE: empty };
    expect(['A', 'B', 'C', 'D', 'E'].map((name) => readVariable(name, environment))).toEqual([
      undefined,
      'set',
      'from-a-file',
      undefined,
      undefined,
    ]);
    expect(selectDefaults({ A: '1', B: '2', C: '3', D: '4' }, environment)).toEqual({ A: '1', D: '4' });
  });
});

describe('npm run start:services', () => {
  it.each(['99999', 'x', '65532'])('npm run start:services refuses the value %s of QUARRY_PORT', async (port) => {
    const { child, output } = startScript({ ...ADDRESSES, QUARRY_PORT: port });
    await once(child, 'close');
    expect(child.exitCode).toBe(1);
    expect(output()).toContain('QUARRY_PORT must be a whole number from 1 to 65531, found ');
  });

  it('npm run start:services lists the environment variables that are missing', async () => {
    const { child, output } = startScript({ QUARRY_QUEUE_URL: 'redis://localhost:6379' });
    await once(child, 'close');
    expect(child.exitCode).toBe(1);
    expect(output()).toMatch(
      /DATABASE_URL[^]*QDRANT_URL or QUARRY_LANCEDB_DIR[^]*QUARRY_BLOB_URL[^]*QUARRY_ROOT_KEY[^]*QUARRY_SEALING_KEY/,
    );
    expect(output()).not.toContain('QUARRY_QUEUE_URL');
  });

  it('if ports are in use, npm run start:services lists these ports, names QUARRY_PORT as the variable to change, and starts no service', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // a TCP server has this form of address
    const { child, output } = startScript({ ...ADDRESSES, QUARRY_HOST: '127.0.0.1', QUARRY_PORT: String(port - 4) });
    await once(child, 'close');
    server.close();
    expect(child.exitCode).toBe(1);
    expect(output().trim().split('\n')).toEqual([
      expect.stringMatching(new RegExp(`in use: (\\d+, )*${port}\\b.*QUARRY_PORT`)),
    ]);
  });
});

const { missing } = createServicesStack();
describe.skipIf(missing !== undefined)(
  `the five services${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let servers: Servers;
    let started: StartedScript | undefined;
    beforeEach(async () => {
      servers = await startServers();
    });
    afterEach(async () => {
      started?.child.kill('SIGKILL');
      await servers.stop();
    });

    it('npm run start:services connects the five services to the configured servers, and runs them until it is stopped', async () => {
      const port = await findFreePort();
      started = startScript({ ...servers.variables, QUARRY_PORT: String(port) });
      const { child, output } = started;
      await expect
        .poll(() => output(), { timeout: 100_000 })
        .toContain(`Quarry is ready at http://127.0.0.1:${port}/api`);
      const response = await fetch(`http://127.0.0.1:${port}/api/datastores`);
      expect(response.status).toBe(401);
      child.kill('SIGTERM');
      await once(child, 'close');
      expect({ code: child.exitCode, output: output() }).toMatchObject({ code: 0 });
    });
  },
);
