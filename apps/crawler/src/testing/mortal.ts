import type { BlobStore } from '@quarry/blob-store';
import type { Queues } from '@quarry/queue-bullmq';

/** A process that can be killed: from then on, nothing that it does has any effect, and nothing that it waits for comes. */
export class Mortal {
  #dead = false;

  die(): void {
    this.#dead = true;
  }

  get isDead(): boolean {
    return this.#dead;
  }

  blobs(store: BlobStore): BlobStore {
    return {
      ...store,
      read: (key) => this.#unlessDead(() => store.read(key)),
      write: (key, content) => this.#unlessDead(() => store.write(key, content)),
    };
  }

  queues<Kind extends Queues>(queues: Kind): Kind {
    return {
      ...queues,
      producer: (contract: Parameters<Queues['producer']>[0]) => {
        const producer = queues.producer(contract);
        return {
          ...producer,
          add: (...job: Parameters<typeof producer.add>) => this.#unlessDead(() => producer.add(...job)),
        };
      },
    };
  }

  #unlessDead<T>(act: () => Promise<T>): Promise<T> {
    return this.#dead ? new Promise<never>(() => undefined) : act();
  }
}
