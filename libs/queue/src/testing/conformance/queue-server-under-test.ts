import type { Queues } from '../../queues.js';

/** Describes a server for queues, empty at the start. */
export interface QueueServerUnderTest {
  /** Opens queues on the server. Jobs are taken over after `TAKEOVER_MS`. @param maxStalls default: 10 */
  open(maxStalls?: number): Promise<Queues>;
  readonly consumerProgram: ConsumerProgram;
  /** Cuts all current connections of clients. */
  cutConnections(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Describes a TypeScript program that opens queues on the server. It runs in a separate process with `args`, then
 * `hang` or `until-aborted`, then names of queues, and calls `consumeAndHang` or `consumeUntilAborted`.
 */
export interface ConsumerProgram {
  readonly file: string;
  readonly args: readonly string[];
}
