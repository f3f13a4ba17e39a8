import type { BlobStore } from '@quarry/blob-store';
import type { RunGateway } from '@quarry/contracts';
import type { Queues } from '@quarry/queue-bullmq';

/** A process that can be killed: from then on, nothing that it does has any effect, and nothing that it waits for comes. */
export class Mortal {
  readonly #death = Promise.withResolvers<undefined>();
  #dead = false;
  #writesLeft: number;

  /** @param writes to blobs and queues after which it is killed */
  constructor(writes = Infinity) {
    this.#writesLeft = writes;
  }

  die(): void {
    this.#dead = true;
    this.#death.resolve(undefined);
  }

  get isDead(): boolean {
    return this.#dead;
  }

  /** Settles when it is killed. */
  get death(): Promise<undefined> {
    return this.#death.promise;
  }

  blobs(store: BlobStore): BlobStore {
    return {
      ...store,
      read: (key, part) => this.#unlessDead(() => store.read(key, part)),
      write: (key, content) => this.#writing(() => store.write(key, content)),
      remove: (key) => this.#writing(() => store.remove(key)),
      removeAll: (prefix) => this.#writing(() => store.removeAll(prefix)),
    };
  }

  gateway(gateway: RunGateway): RunGateway {
    return {
      runStates: (runs) => this.#unlessDead(() => gateway.runStates(runs)),
      openRun: (run) => this.#unlessDead(() => gateway.openRun(run)),
      indexedVersions: (request) => this.#unlessDead(() => gateway.indexedVersions(request)),
      recordDocuments: (request) => this.#writing(() => gateway.recordDocuments(request)),
    };
  }

  queues<Kind extends Queues>(queues: Kind): Kind {
    return {
      ...queues,
      producer: (contract: Parameters<Queues['producer']>[0]) => {
        const producer = queues.producer(contract);
        return {
          ...producer,
          add: (...job: Parameters<typeof producer.add>) => this.#writing(() => producer.add(...job)),
          addAll: (...jobs: Parameters<typeof producer.addAll>) => this.#writing(() => producer.addAll(...jobs)),
        };
      },
    };
  }

  #unlessDead<T>(act: () => Promise<T>): Promise<T> {
    return this.#dead ? new Promise<never>(() => undefined) : act();
  }

  /** The last write is done, and nobody hears of it. */
  async #writing<T>(act: () => Promise<T>): Promise<T> {
    this.#writesLeft -= 1;
    if (this.#writesLeft > 0 || this.#dead) return this.#unlessDead(act);
    await act();
    this.die();
    return new Promise<never>(() => undefined);
  }
}
