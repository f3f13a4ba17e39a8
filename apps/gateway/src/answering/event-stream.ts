/** A stream of server-sent events to a client. */
export interface EventStream {
  /** Resolves when the client can receive more. After the client has disconnected, frames are dropped. */
  write(frames: string): Promise<void>;
  end(): void;
}
