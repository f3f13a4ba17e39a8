import type { BlobStore } from '@quarry/blob-store';
import type { JobPayloads, RunGateway } from '@quarry/contracts';
import type { Producer } from '@quarry/queue-bullmq';

/** A process that is killed after a number of writes: every later call fails, and changes nothing. */
export class CrashableProcess {
  #writesLeft: number;

  constructor(writes: number) {
    this.#writesLeft = writes;
  }

  get isDead(): boolean {
    return this.#writesLeft <= 0;
  }

  blobs(store: BlobStore): BlobStore {
    return {
      ...store,
      write: (key, content) => this.#writing(() => store.write(key, content)),
      remove: (key) => this.#writing(() => store.remove(key)),
      removeAll: (prefix) => this.#writing(() => store.removeAll(prefix)),
    };
  }

  gateway(gateway: RunGateway): RunGateway {
    return { ...gateway, recordDocuments: (request) => this.#writing(() => gateway.recordDocuments(request)) };
  }

  producer<Jobs extends JobPayloads>(queue: Producer<Jobs>): Pick<Producer<Jobs>, 'add'> {
    return { add: (...job) => this.#writing(() => queue.add(...job)) };
  }

  async #writing<T>(act: () => Promise<T>): Promise<T> {
    if (this.isDead) throw new Error('the process is dead');
    const result = await act();
    this.#countWrite();
    return result;
  }

  #countWrite(): void {
    this.#writesLeft -= 1;
    if (this.isDead) throw new Error('the process was killed');
  }
}
