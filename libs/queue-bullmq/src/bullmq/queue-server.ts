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
  /** Called with the ids of jobs that another process runs now or will run soon. */
  onLocksLost(ids: readonly string[]): void;
}

/** Describes a server that BullMQ runs on, Redis or PostgreSQL, connected and migrated. */
export interface QueueServer {
  readonly pacing: Pacing;
  readonly consumers: ConsumerRegistry;
  /** Minimum number of jobs for which one batch costs the server less than single additions. */
  readonly batchFrom: number;
  queue(name: string, onError: (error: Error) => void): BullQueue;
  worker(name: string, process: Processor, settings: WorkerSettings, events: WorkerEvents): BullWorker;
  ping(): Promise<void>;
  /** Closes the connections. Queues and workers must be closed before. */
  close(): Promise<void>;
}
