/** A server that queues can be opened on, empty at first. */
export interface QueueServerUnderTest {
  readonly url: string;
  /** Cuts every connection that clients have to it now. */
  cutConnections(): Promise<void>;
  close(): Promise<void>;
}
