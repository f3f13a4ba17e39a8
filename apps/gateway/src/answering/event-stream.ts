/** A stream of server-sent events to a client. */
export interface EventStream {
  /** Waits while the client reads slower than is written. What is written after the client has left goes nowhere. */
  write(frames: string): Promise<void>;
  end(): void;
}
