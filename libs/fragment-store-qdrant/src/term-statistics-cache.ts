import type { TermStatistics } from './term-statistics.js';

const MIB = 2 ** 20;

/** Describes the limits of the cache of term statistics. */
export interface StatisticsLimits {
  readonly bytes: number;
  /**
   * Interval in milliseconds after which the fragments of a scope are counted again. The count is compared with the
   * number of fragments at the time when the statistics were read.
   */
  readonly checkAfterMs: number;
  /** Time in milliseconds after which the statistics of a scope are read again even if its number of fragments is the same. */
  readonly maxAgeMs: number;
}

export const DEFAULT_LIMITS: StatisticsLimits = { bytes: 64 * MIB, checkAfterMs: 5_000, maxAgeMs: 3_600_000 };

/**
 * Share of the fragments of a scope, in [0, 1]. The statistics are read again if the number of fragments has changed by
 * more than this share. If additions and removals cancel out, the statistics are read again only after `maxAgeMs`.
 */
const CHANGED_SHARE = 0.05;
/** Estimated size of a cache entry without its terms, in bytes. */
const ENTRY_BYTES = 1_024;

/** Reads the statistics of a scope. */
export interface StatisticsSource {
  /** Reads the term statistics. Returns undefined if the scope has no fragments. */
  readStatistics(): Promise<TermStatistics | undefined>;
  countFragments(): Promise<number>;
}

interface Entry {
  readonly statistics: Promise<TermStatistics | undefined>;
  readonly readAt: number;
  bytes: number;
  checkedAt: number;
}

/**
 * Caches the term statistics of the most recently searched scopes. Only the first search of a scope waits for the
 * statistics of the scope. The statistics are renewed in the background.
 */
export class TermStatisticsCache {
  /** Holds the entries, keyed by scope, the least recently used one first. */
  readonly #entries = new Map<string, Entry>();
  readonly #limits: StatisticsLimits;
  readonly #report: (error: unknown) => void;
  #bytes = 0;
  /**
   * Resolves when all background checks have ended. The checks run one at a time, so that they do not delay searches.
   */
  #background: Promise<void> = Promise.resolve();

  /** @param report receives the error of each failed background check; a later search repeats the check */
  constructor(report: (error: unknown) => void, limits: StatisticsLimits = DEFAULT_LIMITS) {
    this.#report = report;
    this.#limits = limits;
  }

  /** Returns the statistics of the scope with the given key. Returns undefined if the scope has no fragments. */
  async getStatistics(key: string, source: StatisticsSource): Promise<TermStatistics | undefined> {
    const entry = this.#entries.get(key) ?? this.#addEntry(key, source);
    this.#markAsUsed(key, entry);
    if (performance.now() - entry.checkedAt >= this.#limits.checkAfterMs) this.#planCheck(key, entry, source);
    return entry.statistics;
  }

  /** Waits until the background checks have ended. */
  waitUntilIdle(): Promise<void> {
    return this.#background;
  }

  #addEntry(key: string, source: StatisticsSource): Entry {
    const now = performance.now();
    const statistics = source.readStatistics();
    const entry: Entry = { statistics, readAt: now, bytes: 0, checkedAt: now };
    this.#replaceEntry(key, entry);
    statistics.then(
      (read) => {
        if (read === undefined) this.#removeEntry(key, entry);
        else this.#recordSize(key, entry, read);
      },
      () => {
        this.#removeEntry(key, entry);
      },
    );
    return entry;
  }

  #planCheck(key: string, entry: Entry, source: StatisticsSource): void {
    entry.checkedAt = performance.now();
    this.#background = this.#background.then(() => this.#checkEntry(key, entry, source)).catch(this.#report);
  }

  async #checkEntry(key: string, entry: Entry, source: StatisticsSource): Promise<void> {
    if (this.#entries.get(key) !== entry) return;
    const { fragments = 0 } = (await entry.statistics) ?? {};
    const changed = Math.abs((await source.countFragments()) - fragments);
    const isOld = performance.now() - entry.readAt >= this.#limits.maxAgeMs;
    if (!isOld && changed <= fragments * CHANGED_SHARE) return;
    const now = performance.now();
    const read = await source.readStatistics();
    if (this.#entries.get(key) !== entry) return;
    if (read === undefined) {
      this.#removeEntry(key, entry);
      return;
    }
    const renewed: Entry = { statistics: Promise.resolve(read), readAt: now, bytes: 0, checkedAt: now };
    this.#replaceEntry(key, renewed);
    this.#recordSize(key, renewed, read);
  }

  #markAsUsed(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }

  #replaceEntry(key: string, entry: Entry): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.set(key, entry);
  }

  #removeEntry(key: string, entry: Entry): void {
    if (this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }

  #recordSize(key: string, entry: Entry, { byteLength }: TermStatistics): void {
    if (this.#entries.get(key) !== entry) return;
    entry.bytes = byteLength + ENTRY_BYTES;
    this.#bytes += entry.bytes;
    for (const [oldest, old] of this.#entries) {
      if (this.#bytes <= this.#limits.bytes) return;
      this.#removeEntry(oldest, old);
    }
  }
}
