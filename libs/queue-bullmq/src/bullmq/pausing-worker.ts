import { setTimeout as pause } from 'node:timers/promises';
import {
  Worker,
  type ConnectionOptions,
  type IQueueBackend,
  type Job,
  type JobProgress,
  type RedisQueueBackend,
} from 'bullmq';

/** Delay in milliseconds after a failed request for a job. */
const RETRY_MS = 500;

/**
 * Runs jobs like BullMQ's worker, but pauses after a failed request for a job. The worker of BullMQ retries immediately
 * after most errors.
 */
export class PausingWorker<
  Backend extends IQueueBackend = RedisQueueBackend,
  Connection = ConnectionOptions,
> extends Worker<unknown, unknown, string, Backend, JobProgress, Connection> {
  protected override async moveToActive(token: string, name?: string): Promise<Job<unknown, unknown>> {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      if (!this.isPaused()) await pause(RETRY_MS);
      throw error;
    }
  }
}
