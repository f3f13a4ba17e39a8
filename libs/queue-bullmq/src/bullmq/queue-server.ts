import type { Job, Queue, Worker, WorkerOptions } from 'bullmq';
import type { Pacing } from '@quarry/queue';
import type { ConsumerRegistry } from './consumer-registry.js';

export type BullJob = Pick<
  Job<unknown>,
  | 'id'
  | 'name'
  | 'data'
  | 'attemptsMade'
  | 'attemptsStarted'
  | 'stalledCounter'
  | 'timestamp'
  | 'progress'
  | 'updateProgress'
  | 'moveToDelayed'
  | 'moveToWait'
>;
export type BullQueue = Pick<
  Queue,
  'add' | 'addBulk' | 'getJobCounts' | 'getJobs' | 'getJobState' | 'getRanges' | 'clean' | 'close'
>;
export type BullWorker = Pick<Worker, 'pause' | 'close'>;

export type Processor = (job: BullJob, token: string | undefined) => Promise<void>;

export type WorkerSettings = Pick<
  WorkerOptions,
  'concurrency' | 'lockDuration' | 'stalledInterval' | 'maxStalledCount' | 'runRetryDelay' | 'settings'
>;

export interface WorkerEvents {
  onError(error: Error): void;
  /**
   * Receives the ids of the jobs whose locks this process has lost. Another process runs these jobs now or will run
   * them soon.
   */
  onLocksLost(ids: readonly string[]): void;
}

/** Describes the connection to the Redis or PostgreSQL server in which BullMQ stores its jobs. */
export interface QueueServer {
  readonly pacing: Pacing;
  readonly consumers: ConsumerRegistry;
  /**
   * Minimum number of jobs for which adding all jobs in one batch costs the server less than adding them one by one.
   */
  readonly batchFrom: number;
  openQueue(name: string, onError: (error: Error) => void): BullQueue;
  startWorker(name: string, process: Processor, settings: WorkerSettings, events: WorkerEvents): BullWorker;
  ping(): Promise<void>;
  /** Closes the connections to the server. Close the queues and the workers first. */
  close(): Promise<void>;
}
