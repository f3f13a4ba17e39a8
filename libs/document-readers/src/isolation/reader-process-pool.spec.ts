import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ReaderRequest } from './reader-messages.js';
import type { ReaderProcessHandle } from './reader-process-handle.js';
import { type PooledProcess, ReaderProcessPool } from './reader-process-pool.js';

const IDLE_MS = 1_000;
const REQUEST = {} as ReaderRequest; // the processes of these tests ignore the request

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Stands for a reader process that reads each document at once, and that a test can end. */
class FakeProcess {
  isAlive = true;
  readonly residentMb = 1;
  readDocument = async (): Promise<readonly never[]> => Promise.resolve([]);
  unrefProcess = (): void => undefined;
  killProcess = (): void => {
    this.isAlive = false;
  };
}

function createPool(): ReaderProcessPool {
  return new ReaderProcessPool({
    ...{ documentsPerProcess: 100, idleMs: IDLE_MS, timeoutMs: 1_000, memoryMb: 100 },
    startProcess: () => new FakeProcess() as unknown as ReaderProcessHandle, // has all members that the pool uses
  });
}

async function readWith(pool: ReaderProcessPool, ...processes: readonly PooledProcess[]): Promise<void> {
  for (const process of processes) await pool.readDocument(process, REQUEST, {});
}

it('the pool reuses an idle process, and ends a process that has been idle for `idleMs`', async () => {
  const pool = createPool();
  const first = pool.acquireProcess();
  await readWith(pool, first);
  expect(pool.acquireProcess()).toBe(first);
  await readWith(pool, first);
  vi.advanceTimersByTime(IDLE_MS);
  expect(first.process.isAlive).toBe(false);
  expect(pool.acquireProcess()).not.toBe(first);
});

it('when a process that has exited reaches its maximum idle time, the pool removes no other process', async () => {
  const pool = createPool();
  const [exited, healthy] = [pool.acquireProcess(), pool.acquireProcess()];
  await readWith(pool, exited);
  exited.process.killProcess();
  vi.advanceTimersByTime(IDLE_MS / 2);
  pool.acquireProcess();
  await readWith(pool, healthy);
  vi.advanceTimersByTime(IDLE_MS / 2);
  expect(pool.acquireProcess()).toBe(healthy);
});
