import type { Queues } from '../../queues.js';

/** A server that queues can be opened on, empty at first. */
export interface QueueServerUnderTest {
  /** Opens queues on the server whose jobs are taken over after `TAKEOVER_MS`. @param maxStalls 10 when absent */
  open(maxStalls?: number): Promise<Queues>;
  readonly consumerProgram: ConsumerProgram;
  /** Cuts every connection that clients have to it now. */
  cutConnections(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A TypeScript program that opens queues on the server as `open` does. It is started in a process of its own with `args`, then
 * `hang` or `until-aborted`, then the names of queues, and calls `consumeAndHang` or `consumeUntilAborted` with them.
 */
export interface ConsumerProgram {
  readonly file: string;
  readonly args: readonly string[];
}
