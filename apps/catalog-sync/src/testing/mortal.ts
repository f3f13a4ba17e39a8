import type { BlobStore } from '@quarry/blob-store';
import type { JobPayloads } from '@quarry/contracts';
import type { Producer } from '@quarry/queue-bullmq';

/** A process that is killed when it has written so often: what it does from then on fails, and changes nothing. */
export class Mortal {
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

  /** Of several jobs at once, half are added before it is killed over them, and then the others. */
  producer<Jobs extends JobPayloads>(queue: Producer<Jobs>): Producer<Jobs> {
    return {
      add: (...job) => this.#writing(() => queue.add(...job)),
      addAll: async (jobs) => {
        await this.#writing(() => queue.addAll(jobs.slice(0, jobs.length / 2)));
        return this.#writing(() => queue.addAll(jobs));
      },
    };
  }

  async #writing<T>(act: () => Promise<T>): Promise<T> {
    if (this.isDead) throw new Error('the process is dead');
    const result = await act();
    this.#live();
    return result;
  }

  #live(): void {
    this.#writesLeft -= 1;
    if (this.isDead) throw new Error('the process was killed');
  }
}
