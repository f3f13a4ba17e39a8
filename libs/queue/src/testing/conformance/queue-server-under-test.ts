import type { Queues } from '../../queues.js';

/** Describes a queue server on which a suite runs. The server contains no jobs at the start of the suite. */
export interface QueueServerUnderTest {
  /**
   * Opens the queues of the server, with a takeover time of `TAKEOVER_MS`.
   *
   * @param maxStalls maximum number of takeovers; default: 10
   */
  open(maxStalls?: number): Promise<Queues>;
  readonly consumerProgram: ConsumerProgram;
  /** Cuts all current connections of clients. */
  cutConnections(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Describes a TypeScript program that runs in a child process and opens the queues of the server. The program receives
 * `args`, then `hang` or `until-aborted`, then names of queues. For `hang`, the program calls `consumeAndHang`. For
 * `until-aborted`, it calls `consumeUntilAborted`.
 */
export interface ConsumerProgram {
  readonly file: string;
  readonly args: readonly string[];
}
