import type { BlobStore } from '@quarry/blob-store';
import type { RunGateway } from '@quarry/contracts';

/** Names those methods of `Port` that return a promise. */
type AsyncMethod<Port> = {
  [Name in keyof Port]: Port[Name] extends (...args: never[]) => Promise<unknown> ? Name : never;
}[keyof Port];

export interface WrappedMethods<Port> {
  /** Names the methods that change data outside the process. */
  readonly writes: readonly AsyncMethod<Port>[];
  readonly reads?: readonly AsyncMethod<Port>[];
}

export interface Faults {
  /**
   * Number of calls of `WrappedMethods.writes` after which the process is killed. Absent: only `kill` kills the
   * process.
   */
  readonly killedAfter?: number;
  /**
   * Called before each call of a wrapped method takes effect. `call` is the number of the call among the calls of all
   * wrapped methods, from 1.
   */
  readonly beforeCall?: (call: number) => Promise<void>;
}

/**
 * Simulates a process that can be killed. A killed process makes no further calls, and the promises of its pending
 * calls never settle. The write after which `killedAfter` kills the process takes effect, but its promise never
 * settles, either.
 */
export class CrashableProcess {
  readonly #death = Promise.withResolvers<undefined>();
  readonly #beforeCall: Faults['beforeCall'];
  #isDead = false;
  #writesLeft: number;
  #calls = 0;

  constructor({ killedAfter = Infinity, beforeCall }: Faults = {}) {
    this.#writesLeft = killedAfter;
    this.#beforeCall = beforeCall;
  }

  kill(): void {
    this.#isDead = true;
    this.#death.resolve(undefined);
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Returns a promise that resolves when the process is killed. */
  get death(): Promise<undefined> {
    return this.#death.promise;
  }

  /** Returns the number of calls of wrapped methods so far. Calls after the process was killed do not count. */
  get callCount(): number {
    return this.#calls;
  }

  /**
   * Wraps the methods of a port that `writes` and `reads` name. Calls of these methods count as calls of this process,
   * and stop when this process is killed. Other methods are unchanged.
   */
  wrapPort<Port extends object>(port: Port, { writes, reads = [] }: WrappedMethods<Port>): Port {
    const isWrite = new Set<unknown>(writes);
    const isRead = new Set<unknown>(reads);
    return new Proxy(port, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function' || !(isWrite.has(name) || isRead.has(name))) return method;
        return async (...args: readonly unknown[]): Promise<unknown> => {
          const callMethod = async (): Promise<unknown> => Reflect.apply(method, target, args) as unknown;
          return isWrite.has(name) ? this.#countWrite(callMethod) : this.#countCall(callMethod);
        };
      },
    });
  }

  wrapBlobStore(store: BlobStore): BlobStore {
    return this.wrapPort(store, { writes: ['write', 'remove', 'removeAll'], reads: ['read'] });
  }

  wrapGateway(gateway: RunGateway): RunGateway {
    return this.wrapPort(gateway, {
      writes: ['recordDocuments', 'enqueueDocument'],
      reads: ['readRunStates', 'openRun', 'readIndexedVersions'],
    });
  }

  async #countCall<Result>(act: () => Promise<Result>): Promise<Result> {
    if (this.#isDead) return new Promise<never>(() => undefined);
    this.#calls += 1;
    await this.#beforeCall?.(this.#calls);
    const result = await act();
    return this.isDead ? new Promise<never>(() => undefined) : result;
  }

  async #countWrite<Result>(act: () => Promise<Result>): Promise<Result> {
    return this.#countCall(async () => {
      this.#writesLeft -= 1;
      const isLast = this.#writesLeft === 0;
      const result = await act();
      if (isLast) this.kill();
      return result;
    });
  }
}
