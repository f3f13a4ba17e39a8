import type { QueueContract } from '@quarry/contracts';
import { onTestFinished, vi } from 'vitest';
import type { Consumer, QueueDepth, Queues } from '../../queues.js';
import type { Recorder } from './recorder.js';
import { createSampleQueue, type NoteJobs } from './sample-queue.js';

/** Takeover time in milliseconds: short, so that tests are fast, but long enough to renew locks on a busy machine. */
export const TAKEOVER_MS = 1_500;
const CHECK_TIMEOUT_MS = 20_000;

/** Repeats a check until it does not throw. @throws the error of the check after 20 seconds */
export async function waitUntilCheckPasses(check: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(check, { timeout: CHECK_TIMEOUT_MS, interval: 10 });
}

export interface TestQueue {
  readonly contract: QueueContract<NoteJobs>;
  addNote(key: string, text?: string): Promise<string>;
  startConsumer(recorded: Recorder, concurrency?: number): Consumer;
  countJobs(): Promise<QueueDepth>;
}

/** Opens a queue for one test. The consumers of the queue are closed after the test. */
export function openTestQueue(queues: Queues, contract = createSampleQueue()): TestQueue {
  const producer = queues.createProducer(contract);
  return {
    contract,
    addNote: (key, text) => producer.add('note', { key, ...(text === undefined ? {} : { text }) }),
    startConsumer(recorded, concurrency = 1) {
      const consumer = queues.startConsumer(contract, recorded.handlers, {
        concurrency,
        onFailed: (failure) => recorded.onFailed(failure),
        onRetry: (retry) => recorded.onRetry(retry),
      });
      onTestFinished(() => consumer.close(0));
      return consumer;
    },
    countJobs: () => queues.countJobs(contract),
  };
}
