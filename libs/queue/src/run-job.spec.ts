import { AttemptFailed, GiveUp, TryLater, ingestionQueue, type IngestionJobs } from '@quarry/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Handlers, JobContext, QueueLog } from './handlers.js';
import type { ConsumerOptions } from './queues.js';
import { runJob, type Outcome } from './run-job.js';

let logged: { readonly level: string; readonly fields: object; readonly message: string }[];
beforeEach(() => {
  logged = [];
});

function createLogFunction(level: string): (fields: object, message: string) => void {
  return (fields, message) => logged.push({ level, fields, message });
}

const log: QueueLog = {
  info: createLogFunction('info'),
  warn: createLogFunction('warn'),
  error: createLogFunction('error'),
  child: () => log,
};

const NOT_FOUND = 'The host shop.test was not found.';

/** Runs a job whose handler throws `error`. */
async function runFailingJob(
  error: Error,
  more: Partial<JobContext> = {},
  onRetry?: ConsumerOptions<IngestionJobs>['onRetry'],
): Promise<Outcome> {
  const rejectJob = (): Promise<void> => Promise.reject(error);
  const handlers: Handlers<IngestionJobs> = {
    'index-document': rejectJob,
    'remove-document': rejectJob,
    'remove-datasource': rejectJob,
    'remove-datastore': rejectJob,
  };
  return runJob(
    { contract: ingestionQueue, handlers, onFailed: undefined, onRetry, maxStalls: 1, hookRetryMs: 1 },
    {
      name: 'remove-datastore',
      data: { organizationId: 'o', datastoreId: 'd' },
      stalls: 0,
      failure: undefined,
      storeFailure: async () => Promise.resolve(),
    },
    { id: 'job', attempt: 2, lastAttempt: false, starts: 3, signal: new AbortController().signal, log, ...more },
  );
}

describe('runJob', () => {
  it('runJob logs the error of an attempt that is retried', async () => {
    const error = new Error('the store is down');
    await expect(runFailingJob(error)).resolves.toMatchObject({ kind: 'retry' });
    expect(logged).toEqual([
      {
        level: 'warn',
        fields: { err: error, attempt: 2 },
        message: 'an attempt of the job failed; the job will be retried',
      },
    ]);
  });

  it('runJob logs a TryLater only if the TryLater was caused by an error', async () => {
    const error = new TryLater(5_000, 'the gateway does not answer', { cause: new Error('ECONNREFUSED') });
    await expect(runFailingJob(error)).resolves.toEqual({ kind: 'later', delayMs: 5_000 });
    expect(logged).toMatchObject([{ level: 'warn', fields: { err: error, delayMs: 5_000 } }]);
    await runFailingJob(new TryLater(5_000, 'the host asks for a pause'));
    expect(logged).toHaveLength(1);
  });

  it.each([
    ['TryLater', (cause: Error) => new TryLater(5_000, NOT_FOUND, { cause, code: 'listing_timeout' })],
    ['AttemptFailed', (cause: Error) => new AttemptFailed('listing_timeout', NOT_FOUND, { cause })],
  ])('for a %s with a code, runJob logs no stack, and logs each message of its causes once', async (_name, create) => {
    await runFailingJob(create(new Error(NOT_FOUND, { cause: new Error('getaddrinfo ENOTFOUND') })));
    expect(logged).toMatchObject([
      { fields: { code: 'listing_timeout', reason: `${NOT_FOUND}: getaddrinfo ENOTFOUND` } },
    ]);
    expect(logged[0]?.fields).not.toHaveProperty('err');
  });

  it('if a TryLater contains `failures`, runJob passes this number to onRetry as the number of the attempt', async () => {
    const attempts: number[] = [];
    const onRetry = async (_retry: unknown, { attempt }: JobContext): Promise<void> => void attempts.push(attempt);
    await runFailingJob(new TryLater(1, 'busy', { code: 'listing_timeout', failures: 7 }), {}, onRetry);
    await runFailingJob(new TryLater(1, 'busy', { code: 'listing_timeout' }), {}, onRetry);
    expect(attempts).toEqual([7, 2]);
  });

  it('runJob does not log a GiveUp, because onFailed receives the reason', async () => {
    await expect(runFailingJob(new GiveUp('file_empty', 'It is empty.'))).resolves.toMatchObject({ kind: 'failed' });
    expect(logged).toEqual([]);
  });

  it('runJob logs the error of the last attempt', async () => {
    const error = new Error('the secret cannot be decrypted');
    await expect(runFailingJob(error, { lastAttempt: true })).resolves.toMatchObject({ kind: 'failed' });
    expect(logged).toMatchObject([{ level: 'warn', fields: { err: error, attempt: 2 } }]);
  });
});
