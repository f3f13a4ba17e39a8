import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { waitUntilReady } from './wait-until-ready.js';

/**
 * Time limit for `waitUntilReady` in milliseconds. A test that waits for this limit fails, because its own timeout is
 * shorter.
 */
const NEVER_MS = 600_000;

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts Node with a script, and collects the output of the process. */
function startScript(script: string): { readonly child: ChildProcess; readonly readOutput: () => string } {
  const child = spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return { child, readOutput: () => output };
}

/**
 * Returns a script that starts an HTTP server and prints its address. The server responds to all requests with
 * `status`.
 */
const createServerScript = (status: number): string => `
  const server = require('node:http').createServer((_, response) => response.writeHead(${status}).end());
  server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port + '/api'));`;

it('waitUntilReady returns the origin of the address that the process has printed, when the process is ready', async () => {
  const { child, readOutput } = startScript(createServerScript(200));
  const address = await waitUntilReady(child, readOutput, NEVER_MS);
  expect(readOutput()).toBe(`${address}/api\n`);
});

it('waitUntilReady rejects with the output of the process if a signal ends the process before it is ready', async () => {
  const { child, readOutput } = startScript(createServerScript(503));
  const waiting = waitUntilReady(child, readOutput, NEVER_MS);
  await once(child.stdout ?? child, 'data');
  child.kill('SIGKILL');
  await expect(waiting).rejects.toThrow(/found its end \(SIGKILL\) with this output:\nhttp:/);
});

it('waitUntilReady rejects with the output of the process if the process exits before it prints an address', async () => {
  const { child, readOutput } = startScript(`console.log('the port is in use'); process.exitCode = 1;`);
  await expect(waitUntilReady(child, readOutput, NEVER_MS)).rejects.toThrow(
    'found its end (code 1) with this output:\nthe port is in use',
  );
});

it('waitUntilReady kills a process that accepts connections but is not ready within the time limit', async () => {
  const { child, readOutput } = startScript(`
    const server = require('node:net').createServer((socket) => socket.resume());
    server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port + '/api'));`);
  await once(child.stdout ?? child, 'data');
  await expect(waitUntilReady(child, readOutput, 20)).rejects.toThrow('found that it is late');
  await expect.poll(() => child.signalCode).toBe('SIGKILL');
});
