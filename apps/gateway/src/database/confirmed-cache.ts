import type { ChangeTopic, NotificationListener } from './notification-listener.js';

/** Time in milliseconds after which a cached value is read again, even if no change was reported. */
const MAX_AGE_MS = 30_000;

interface CachedValue<Value> {
  readonly value: Value;
  readonly readAt: number;
}

/**
 * Caches values that are read from the database. Each reported change of the topic empties the whole cache, because
 * such changes are rare. `get` returns cached values only while the listener confirms that no change was missed. So a
 * value is at most a second old.
 */
export class ConfirmedCache<Value> {
  readonly #listener: NotificationListener;
  readonly #maxValues: number;
  readonly #values = new Map<string, CachedValue<Value>>();
  #changes = 0;

  constructor(listener: NotificationListener, topic: ChangeTopic, maxValues: number) {
    this.#listener = listener;
    this.#maxValues = maxValues;
    listener.listen(topic, () => {
      this.clear();
    });
  }

  /** Returns the cached value of a key, or undefined if there is none or if it may be outdated. */
  get(key: string): Value | undefined {
    const isCurrent = this.#listener.isCurrent();
    const cached = this.#values.get(key);
    return isCurrent && cached !== undefined && performance.now() - cached.readAt < MAX_AGE_MS
      ? cached.value
      : undefined;
  }

  /**
   * Returns the values that `read` reads, and caches them. If a change is reported while `read` is in progress, does
   * not cache them, because they may be older than the change.
   */
  async readAndStore(read: () => Promise<ReadonlyMap<string, Value>>): Promise<ReadonlyMap<string, Value>> {
    const readAt = performance.now();
    const changesBefore = this.#changes;
    const values = await read();
    if (this.#changes !== changesBefore) return values;
    for (const [key, value] of values) {
      if (this.#values.size >= this.#maxValues) this.#values.clear();
      this.#values.set(key, { value, readAt });
    }
    return values;
  }

  /** Changes the cached value of a key, if there is one. Does not extend the time for which the value is cached. */
  update(key: string, change: (value: Value) => Value): void {
    const cached = this.#values.get(key);
    if (cached !== undefined) this.#values.set(key, { ...cached, value: change(cached.value) });
  }

  /** Empties the cache. Called when a change is reported, and after this gateway has changed values. */
  clear(): void {
    this.#changes += 1;
    this.#values.clear();
  }
}
