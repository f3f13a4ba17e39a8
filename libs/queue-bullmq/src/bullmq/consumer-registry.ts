/** Counts the jobs that the consumers of each queue can run at once, in all processes that share the queue server. */
export interface ConsumerRegistry {
  /** Records a running consumer for a time. Repeated calls extend the time. */
  announce(consumer: AnnouncedConsumer, forMs: number): Promise<void>;

  /** Removes a consumer that has stopped to accept jobs. */
  withdraw(consumer: Pick<AnnouncedConsumer, 'queue' | 'id'>): Promise<void>;

  /** Returns the sum of `concurrency` of the recorded consumers of a queue. */
  capacity(queue: string): Promise<number>;
}

export interface AnnouncedConsumer {
  readonly queue: string;
  readonly id: string;
  readonly concurrency: number;
}
