import type { JobPayloads, QueueContract } from '@quarry/contracts';
import type { Handlers, JobWatch, QueueLog, Consumer, ConsumerOptions } from '@quarry/queue';
import { errorLog } from './error-log.js';
import { WITHOUT_LIMIT } from './job-options.js';
import type { BullQueue, BullWorker, QueueServer } from './queue-server.js';
import { RetriedAttempt, RunningJobs } from './running-jobs.js';

const CLEAN_BATCH_SIZE = 10_000;

export interface ConsumerSettings {
  readonly server: QueueServer;
  readonly queue: BullQueue;
  readonly log: QueueLog;
  readonly watch: JobWatch | undefined;
  /** How long a job of a process that died waits to be taken over, at most. */
  readonly takeoverMs: number;
  readonly maxStalls: number;
}

const HOOK_RETRY_MS = 5_000;
/** How soon a worker looks again after the server was away. */
const RECONNECT_MS = 1_000;
const SWEEP_MS = 10 * 60_000;
/** For handlers to end when their signal is aborted, and for the last words to the server. */
const GRACE_MS = 1_000;

export function bullmqConsumer<Jobs extends JobPayloads>(
  settings: ConsumerSettings,
  contract: QueueContract<Jobs>,
  handlers: Handlers<Jobs>,
  { concurrency, onFailed, onRetry }: ConsumerOptions<Jobs>,
): Consumer {
  const { server, queue, log, watch, takeoverMs, maxStalls } = settings;
  const hookRetryMs = Math.min(HOOK_RETRY_MS, takeoverMs);
  const jobs = new RunningJobs({ contract, handlers, onFailed, onRetry, maxStalls, hookRetryMs }, log, watch);
  const worker = server.worker(
    contract.name,
    (job, token) => jobs.process(job, token),
    {
      concurrency,
      ...locks(takeoverMs),
      maxStalledCount: WITHOUT_LIMIT,
      runRetryDelay: RECONNECT_MS,
      settings: { backoffStrategy: (_attempt, _type, error) => delayOf(error) },
    },
    {
      onError: errorLog(log),
      onLocksLost(ids) {
        for (const id of ids) jobs.lockLost(id);
      },
    },
  );
  const sweep = (): void => void removeExpired(queue, contract).catch(errorLog(log));
  const sweeping = setInterval(sweep, SWEEP_MS).unref();
  sweep();

  let closing: Promise<void> | undefined;
  return {
    close(deadlineMs) {
      clearInterval(sweeping);
      return (closing ??= closeWorker(server, worker, jobs, deadlineMs));
    },
  };
}

/** A dead process's job is marked by one check for stalled jobs and taken by a later one that finds its lock expired. */
function locks(takeoverMs: number): { readonly lockDuration: number; readonly stalledInterval: number } {
  return { lockDuration: Math.round((takeoverMs * 2) / 3), stalledInterval: Math.round(takeoverMs / 3) };
}

function delayOf(error: Error | undefined): number {
  return error instanceof RetriedAttempt ? error.delayMs : RECONNECT_MS;
}

/**
 * BullMQ's own closing waits without a limit for the jobs that run, and for a server that is away. Forced, it cuts the
 * connections: a job that is being fetched then is taken over when its lock runs out.
 */
async function closeWorker<Jobs extends JobPayloads>(
  server: QueueServer,
  worker: BullWorker,
  jobs: RunningJobs<Jobs>,
  deadlineMs: number,
): Promise<void> {
  jobs.refuse();
  await worker.pause(true);
  const ended = (await endsWithin(jobs.idle(), deadlineMs)) || (await abort(jobs));
  if (!ended) await endsWithin(jobs.handBackAll(), GRACE_MS);
  const force = !ended || !(await answers(server));
  await endsWithin(worker.close(force), GRACE_MS);
}

async function answers(server: QueueServer): Promise<boolean> {
  return endsWithin(server.ping(), GRACE_MS).catch(() => false);
}

async function abort<Jobs extends JobPayloads>(jobs: RunningJobs<Jobs>): Promise<boolean> {
  jobs.abortAll(new Error('the process must end: another one goes on with this job'));
  return endsWithin(jobs.idle(), GRACE_MS);
}

/** Returns true if the promise resolves within the time. @throws the reason of a rejection within the time */
async function endsWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, Math.max(ms, 0), false);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Removes finished jobs after their retention time. BullMQ itself removes them only when another job finishes. */
async function removeExpired<Jobs extends JobPayloads>(
  queue: BullQueue,
  { keepCompletedSeconds, keepFailedSeconds }: QueueContract<Jobs>,
): Promise<void> {
  await queue.clean(keepCompletedSeconds * 1000, CLEAN_BATCH_SIZE, 'completed');
  await queue.clean(keepFailedSeconds * 1000, CLEAN_BATCH_SIZE, 'failed');
}
