import { randomUUID } from 'node:crypto';
import { hasResolvedWithin } from '@quarry/cancellation';
import type { JobPayloads, QueueContract } from '@quarry/contracts';
import type { Handlers, JobWatch, QueueLog, Consumer, ConsumerOptions } from '@quarry/queue';
import type { AnnouncedConsumer } from './consumer-registry.js';
import { createRateLimitedErrorLogger } from './error-log.js';
import { NO_LIMIT } from './job-options.js';
import type { BullQueue, BullWorker, QueueServer } from './queue-server.js';
import { RetriedAttempt, RunningJobs } from './running-jobs.js';

export interface ConsumerSettings {
  readonly server: QueueServer;
  readonly queue: BullQueue;
  readonly log: QueueLog;
  readonly watch: JobWatch | undefined;
  /** Maximum time in milliseconds until another process takes over the job of a process that died. */
  readonly takeoverMs: number;
  readonly maxStalls: number;
}

const HOOK_RETRY_MS = 5_000;
/** Delay in milliseconds after which a worker requests jobs again if the server was unavailable. */
const RECONNECT_MS = 1_000;
const SWEEP_MS = 10 * 60_000;
/** Maximum duration in milliseconds of each step that closes a consumer after the wait for running jobs. */
const GRACE_MS = 1_000;

export function createBullmqConsumer<Jobs extends JobPayloads>(
  settings: ConsumerSettings,
  contract: QueueContract<Jobs>,
  handlers: Handlers<Jobs>,
  { concurrency, onFailed, onRetry }: ConsumerOptions<Jobs>,
): Consumer {
  const { server, queue, log, watch, takeoverMs, maxStalls } = settings;
  const hookRetryMs = Math.min(HOOK_RETRY_MS, takeoverMs);
  const runner = { contract, handlers, onFailed, onRetry, maxStalls, hookRetryMs };
  const jobs = new RunningJobs(runner, log, { concurrency, watch });
  const worker = server.startWorker(
    contract.name,
    (job, token) => jobs.runFetchedJob(job, token),
    {
      concurrency,
      ...computeLockSettings(takeoverMs),
      maxStalledCount: NO_LIMIT,
      runRetryDelay: RECONNECT_MS,
      settings: { backoffStrategy: (_attempt, _type, error) => getRetryDelayMs(error) },
    },
    {
      onError: createRateLimitedErrorLogger(log),
      onLocksLost(ids) {
        for (const id of ids) jobs.abortLostJob(id);
      },
    },
  );
  const removeExpiredJobs = (): void =>
    void removeJobsPastRetention(queue, contract).catch(createRateLimitedErrorLogger(log));
  const sweeping = setInterval(removeExpiredJobs, SWEEP_MS).unref();
  removeExpiredJobs();
  const withdraw = keepConsumerAnnounced(settings, { queue: contract.name, id: randomUUID(), concurrency });

  let closePromise: Promise<void> | undefined;
  return {
    close(deadlineMs) {
      clearInterval(sweeping);
      closePromise ??= closeWorkerWithin(server, worker, jobs, deadlineMs).then(() => withdraw());
      return closePromise;
    },
  };
}

/**
 * Announces the consumer in the registry repeatedly. Returns a function that stops the announcements and removes the
 * consumer from the registry.
 */
function keepConsumerAnnounced(
  { server, log, takeoverMs }: ConsumerSettings,
  consumer: AnnouncedConsumer,
): () => Promise<void> {
  const logError = createRateLimitedErrorLogger(log);
  const sendAnnouncement = (): void => void server.consumers.announce(consumer, takeoverMs).catch(logError);
  const sending = setInterval(sendAnnouncement, takeoverMs / 3).unref();
  sendAnnouncement();
  return async () => {
    clearInterval(sending);
    await hasResolvedWithin(server.consumers.withdraw(consumer).catch(logError), GRACE_MS);
  };
}

/**
 * Computes the settings of BullMQ for takeovers: the duration of a lock, and the interval of checks for expired locks.
 * Their sum is `takeoverMs`, the maximum time until a takeover.
 */
function computeLockSettings(takeoverMs: number): { readonly lockDuration: number; readonly stalledInterval: number } {
  return { lockDuration: Math.round((takeoverMs * 2) / 3), stalledInterval: Math.round(takeoverMs / 3) };
}

function getRetryDelayMs(error: Error | undefined): number {
  return error instanceof RetriedAttempt ? error.delayMs : RECONNECT_MS;
}

/**
 * Closes a worker. Waits at most `deadlineMs` milliseconds for running jobs, and at most `GRACE_MS` in each later step.
 * `close` of BullMQ would wait without a limit for running jobs and for an unavailable server. With `force`, `close`
 * cuts the connections: a job that is being fetched is then taken over when its lock expires.
 */
async function closeWorkerWithin<Jobs extends JobPayloads>(
  server: QueueServer,
  worker: BullWorker,
  jobs: RunningJobs<Jobs>,
  deadlineMs: number,
): Promise<void> {
  jobs.stopAccepting();
  await worker.pause(true);
  const ended = (await hasResolvedWithin(jobs.waitUntilIdle(), deadlineMs)) || (await abortJobs(jobs));
  if (!ended) await hasResolvedWithin(jobs.returnAllToQueue(), GRACE_MS);
  const force = !ended || !(await isServerReachable(server));
  await hasResolvedWithin(worker.close(force), GRACE_MS);
}

async function isServerReachable(server: QueueServer): Promise<boolean> {
  return hasResolvedWithin(server.ping(), GRACE_MS).catch(() => false);
}

/** Aborts the running jobs, and waits at most `GRACE_MS` for them. Returns true if all of them have ended. */
async function abortJobs<Jobs extends JobPayloads>(jobs: RunningJobs<Jobs>): Promise<boolean> {
  jobs.abortAll(new Error('this process must end: another process repeats this job'));
  return hasResolvedWithin(jobs.waitUntilIdle(), GRACE_MS);
}

const MAX_PER_CALL = 10_000;

/** Removes finished jobs whose retention has expired. BullMQ removes such jobs only when another job finishes. */
async function removeJobsPastRetention<Jobs extends JobPayloads>(
  queue: BullQueue,
  { keepCompletedSeconds, keepFailedSeconds }: QueueContract<Jobs>,
): Promise<void> {
  await queue.clean(keepCompletedSeconds * 1000, MAX_PER_CALL, 'completed');
  await queue.clean(keepFailedSeconds * 1000, MAX_PER_CALL, 'failed');
}
