import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 10;
/** Maximum time to wait for the last output of a process that has ended, in milliseconds. */
const LAST_OUTPUT_MS = 1_000;

/** Returns whether a process has ended, by itself or by a signal. */
export function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/**
 * Waits until a standalone Quarry has printed its address and is ready. Kills the process if it is not ready in time.
 *
 * @param readOutput returns the output of the process so far
 * @returns the origin of the address, such as `http://127.0.0.1:43125`
 * @throws Error with the output if the process ends, or is not ready within `timeoutMs`
 */
export async function waitUntilReady(
  child: ChildProcess,
  readOutput: () => string,
  timeoutMs: number,
): Promise<string> {
  const closed = new Promise((resolve) => child.once('close', resolve));
  const late = AbortSignal.timeout(timeoutMs);
  while (!late.aborted && !hasExited(child)) {
    const address = /http:\/\/127\.0\.0\.1:\d+(?=\/api)/.exec(readOutput())?.[0];
    if (address !== undefined && (await isReady(address, late))) return address;
    await pause(POLL_MS);
  }
  const found = hasExited(child) ? `its end (${child.signalCode ?? `code ${child.exitCode}`})` : 'that it is late';
  child.kill('SIGKILL');
  await Promise.race([closed, pause(LAST_OUTPUT_MS)]);
  throw new Error(
    `expected Quarry to be ready within ${timeoutMs} ms, found ${found} with this output:\n${readOutput()}`,
  );
}

async function isReady(address: string, signal: AbortSignal): Promise<boolean> {
  const response = await fetch(`${address}/health/ready`, { signal }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok === true;
}
