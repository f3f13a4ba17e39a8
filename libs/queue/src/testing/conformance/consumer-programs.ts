import { GiveUp } from '@quarry/contracts';
import type { Queues } from '../../queues.js';
import { createSampleQueue } from './sample-queue.js';

/**
 * Starts consumers whose jobs never end, so that a test can kill the process during the jobs.
 *
 * @param names the names of three queues: the handlers of the first two hang, and `onFailed` of the third hangs
 */
export function consumeAndHang(queues: Queues, names: readonly string[]): void {
  const [hanging = '', alsoHanging = '', failing = ''] = names;
  const hangForever = async (): Promise<void> => {
    process.stdout.write('hanging\n');
    await new Promise(() => undefined);
  };
  const throwGiveUp = async (): Promise<void> => {
    throw new GiveUp<'permanent_failure'>('permanent_failure', 'the test job fails permanently');
  };
  for (const name of [hanging, alsoHanging])
    queues.startConsumer(createSampleQueue(name), { note: hangForever, memo: hangForever }, { concurrency: 1 });
  queues.startConsumer(
    createSampleQueue(failing),
    { note: throwGiveUp, memo: throwGiveUp },
    { concurrency: 1, onFailed: hangForever },
  );
  setInterval(() => undefined, 60_000);
}

/**
 * Starts a consumer whose jobs run until their signals abort, so that a test can pause and continue the process during
 * a job.
 */
export function consumeUntilAborted(queues: Queues, [name = '']: readonly string[]): void {
  const runUntilAborted = async (_payload: object, { signal }: { readonly signal: AbortSignal }): Promise<void> => {
    process.stdout.write('running\n');
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve);
    });
    process.stdout.write('aborted\n');
  };
  queues.startConsumer(createSampleQueue(name), { note: runUntilAborted, memo: runUntilAborted }, { concurrency: 1 });
}
