import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

const SCRIPTS = fileURLToPath(new URL('../../../scripts/', import.meta.url));

/**
 * Source of a program that connects to the test, ignores signals to stop, and exits when the test closes the
 * connection.
 */
const STUBBORN = `for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
require('node:net').connect(Number(process.env.TEST_PORT), '127.0.0.1').on('close', () => process.exit());`;
/**
 * Source of a program that behaves like `STUBBORN`, and has a child process with the source `STUBBORN`. It simulates
 * npm with the installation script of a package.
 */
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

  /** Starts a program whose step runs `COMMAND`. Resolves when `COMMAND` and its child process have connected. */
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
    'if a program receives %s, its step kills the command and the child processes of the command, and the program exits with code %i',
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

  it('if the parent process of a program, such as npm, is killed, the step of the program kills its command', async () => {
    const { program, ends } = await startStep('sh', [
      '-c',
      `"${process.execPath}" --input-type=module -e "$PROGRAM"; :`,
    ]);
    program.kill('SIGKILL');
    await expect(ends).resolves.toHaveLength(2);
  });
});

/** Runs `npm start` in an empty folder, with a package that only the registry provides. */
async function startWithRegistry(registry: string) {
  const folder = mkdtempSync(join(tmpdir(), 'quarry-offline-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const project = { name: 'offline', version: '1.0.0', dependencies: { absent: '1.0.0' } };
  const absent = { version: '1.0.0', resolved: `${registry}/absent/-/absent-1.0.0.tgz` };
  const packages = { '': project, 'node_modules/absent': absent };
  const lockfile = { ...project, lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockfile));
  cpSync(SCRIPTS, join(folder, 'scripts'), { recursive: true });
  const env = { PATH: process.env['PATH'], HOME: folder, npm_config_registry: registry };
  const script = join(folder, 'scripts', 'start.mjs');
  const program = spawn(process.execPath, [script], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [stderr] = await Promise.all([text(program.stderr), once(program, 'close')]);
  return { code: program.exitCode, stderr };
}

describe('if the package registry cannot be reached', () => {
  const failure = (code: string) =>
    new RegExp(`\\nThe package registry cannot be reached \\(${code}\\), .*\\nCheck the network connection`);

  it('npm start fails with the reason and advice if the package registry refuses connections', async () => {
    const registry = 'http://127.0.0.1:1'; // port 1 is reserved, so that no server listens there
    const { code, stderr } = await startWithRegistry(registry);
    expect(code).toBe(1);
    expect(stderr).toMatch(failure('ECONNREFUSED'));
  });

  it('npm start fails with the reason and advice if the package registry accepts connections but does not respond', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined));
    server.listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.close();
    });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // a TCP server has this form of address
    const { code, stderr } = await startWithRegistry(`http://127.0.0.1:${port}`);
    expect(code).toBe(1);
    expect(stderr).toMatch(failure('FETCH_ERROR'));
  });
});
