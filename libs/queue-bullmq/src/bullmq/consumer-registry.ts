/**
 * Records the running consumers of all processes that share the queue server, and adds up their concurrency per queue.
 */
export interface ConsumerRegistry {
  /** Records a running consumer for `forMs` milliseconds. Another call for the same consumer extends this time. */
  announce(consumer: AnnouncedConsumer, forMs: number): Promise<void>;

  /** Removes a consumer that has stopped accepting jobs. */
  withdraw(consumer: Pick<AnnouncedConsumer, 'queue' | 'id'>): Promise<void>;

  /** Returns the sum of `concurrency` of the recorded consumers of a queue. */
  getCapacity(queue: string): Promise<number>;
}

export interface AnnouncedConsumer {
  readonly queue: string;
  readonly id: string;
  readonly concurrency: number;
}
