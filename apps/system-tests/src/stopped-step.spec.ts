import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SCRIPTS = fileURLToPath(new URL('../../../scripts/', import.meta.url));

/** A program that connects to the test, and ignores the signals by which it should end. */
const STUBBORN = `for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
require('node:net').connect(Number(process.env.TEST_PORT), '127.0.0.1').on('close', () => process.exit());`;
/** The same with a child process, such as the installation script of a package. */
const COMMAND = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(STUBBORN)}]);${STUBBORN}`;
const PROGRAM = `import { runStep } from ${JSON.stringify(join(SCRIPTS, 'run-step.mjs'))};
await runStep('Installing', [process.execPath, '-e', ${JSON.stringify(COMMAND)}], {});`;

describe.skipIf(process.platform === 'win32')('a step of npm start', () => {
  const server = createServer();
  let sockets: Socket[];
  beforeEach(async () => {
    sockets = [];
    server.on('connection', (socket) => sockets.push(socket.on('error', () => undefined)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    server.removeAllListeners('connection').close();
  });

  /** Starts a program whose step runs a command with a child process. Resolves when both have connected. */
  async function startStep(command: string, args: readonly string[]) {
    const { port } = server.address() as AddressInfo; // a TCP server has this form of address
    const env = { PATH: process.env['PATH'], TEST_PORT: String(port), npm_lifecycle_event: 'start', PROGRAM };
    const program = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    while (sockets.length < 2) await once(server, 'connection');
    return { program, ends: Promise.all(sockets.map((socket) => once(socket.resume(), 'close'))) };
  }

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    'at %s, a step kills its command with its child processes, and exits with code %i',
    async (signal, code) => {
      const { program, ends } = await startStep(process.execPath, ['--input-type=module', '-e', PROGRAM]);
      let output = '';
      program.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
      program.kill(signal);
      expect(await once(program, 'close')).toEqual([code, null]);
      await ends;
      expect(output).toMatch(/Installing … stopped after \d+ s\n$/);
    },
  );

  it('a step kills its command when npm, its parent process, was killed', async () => {
    const { program, ends } = await startStep('sh', [
      '-c',
      `"${process.execPath}" --input-type=module -e "$PROGRAM"; :`,
    ]);
    program.kill('SIGKILL');
    await expect(ends).resolves.toHaveLength(2);
  });
});

it('if the package registry does not respond, npm start fails with the reason and advice', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-offline-'));
  const registry = 'http://127.0.0.1:1'; // port 1 is reserved, so that no server listens there
  const project = { name: 'offline', version: '1.0.0', dependencies: { absent: '1.0.0' } };
  const absent = { version: '1.0.0', resolved: `${registry}/absent/-/absent-1.0.0.tgz` };
  const packages = { '': project, 'node_modules/absent': absent };
  const lockfile = { ...project, lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockfile));
  cpSync(SCRIPTS, join(folder, 'scripts'), { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'scripts', 'start.mjs')], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder, npm_config_registry: registry },
  });
  rmSync(folder, { recursive: true });
  expect(status).toBe(1);
  expect(stderr).toMatch(/\nThe package registry cannot be reached \(ECONNREFUSED\), .*\nCheck the network connection/);
});
