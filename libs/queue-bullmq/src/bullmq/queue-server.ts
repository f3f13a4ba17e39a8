import type { Job, Queue, Worker, WorkerOptions } from 'bullmq';
import type { Pacing } from '@quarry/queue';

export type BullJob = Pick<
  Job<unknown>,
  | 'id'
  | 'name'
  | 'data'
  | 'attemptsMade'
  | 'attemptsStarted'
  | 'stalledCounter'
  | 'progress'
  | 'updateProgress'
  | 'moveToDelayed'
  | 'moveToWait'
>;
export type BullQueue = Pick<Queue, 'add' | 'addBulk' | 'getJobCounts' | 'getJobs' | 'getJobState' | 'clean' | 'close'>;
export type BullWorker = Pick<Worker, 'pause' | 'close'>;

export type Processor = (job: BullJob, token: string | undefined) => Promise<void>;

export type WorkerSettings = Pick<
  WorkerOptions,
  'concurrency' | 'lockDuration' | 'stalledInterval' | 'maxStalledCount' | 'runRetryDelay' | 'settings'
>;

export interface WorkerEvents {
  onError(error: Error): void;
  /** The jobs of these ids run elsewhere now, or soon will. */
  onLocksLost(ids: readonly string[]): void;
}

/** One of the two servers that BullMQ works on. It was reached, and what BullMQ needs there is there. */
export interface QueueServer {
  readonly pacing: Pacing;
  /** From so many jobs on, one batch of them costs the server less than one after the other. */
  readonly batchFrom: number;
  queue(name: string, onError: (error: Error) => void): BullQueue;
  worker(name: string, process: Processor, settings: WorkerSettings, events: WorkerEvents): BullWorker;
  ping(): Promise<void>;
  /** After the queues and workers are closed. */
  close(): Promise<void>;
}
