import { setTimeout as pause } from 'node:timers/promises';
import {
  Worker,
  type ConnectionOptions,
  type IQueueBackend,
  type Job,
  type JobProgress,
  type RedisQueueBackend,
} from 'bullmq';

/** How soon a job is asked for again after the server failed to give one. */
const RETRY_MS = 500;

/** A worker that pauses when its server cannot give it a job. BullMQ's own asks again at once after most errors. */
export class SteadyWorker<
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
