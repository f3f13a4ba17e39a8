import { detectDocumentLanguage } from '@quarry/text-analysis';
import { getCollectionName } from './collection-name.js';
import type { Collection, DocumentVersion } from './fragment-store.js';
import type { FragmentScope } from './fragment-scope.js';

/**
 * Minimum share of the fragments in a frequent language, among all fragments of a datastore with a detected language.
 */
const MIN_SHARE = 0.1;
/** Maximum number of datastores whose languages are cached. */
const MAX_CACHED = 10_000;
/**
 * Maximum number of datastores of a scope whose languages are counted, because each count costs a request. Datastores
 * after the first 64 are ignored.
 */
const MAX_COUNTED = 64;
/** Milliseconds until a datastore's languages are counted again, because other processes may have written to it. */
const RECOUNT_AFTER_MS = 60_000;
/**
 * Milliseconds after which the languages of a small datastore are counted again. A count of few fragments is cheap, and
 * one new document changes the shares.
 */
const RECOUNT_SMALL_AFTER_MS = 2_000;
const SMALL = 1_000;
/**
 * The languages of a datastore are counted again if this process has written more than this share of the datastore's
 * fragments since the last count.
 */
const GROWTH = 0.1;

/** Maps ISO 639-1 codes to numbers of fragments. Fragments of an unclear language are not counted. */
export type LanguageCounts = ReadonlyMap<string, number>;

/** Counts the fragments of each language in a datastore. */
export type CountLanguages = (datastoreId: string) => Promise<LanguageCounts>;

/** Returns the main language of a document version as an ISO 639-1 code, or null if the language is unclear. */
export function detectVersionLanguage({ fragments }: Pick<DocumentVersion, 'fragments'>): string | null {
  return detectDocumentLanguage(fragments.map(({ text }) => text)) ?? null;
}

/** Returns the languages of at least a tenth of the fragments whose language was detected. */
export function selectFrequentLanguages(counts: LanguageCounts): readonly string[] {
  const total = sumCounts(counts);
  return [...counts].filter(([, count]) => count >= MIN_SHARE * total).map(([language]) => language);
}

interface CachedCounts {
  readonly counts: LanguageCounts;
  readonly countedAt: number;
  /** Number of fragments that this process had written to the datastore before the count started. */
  readonly written: number;
}

/**
 * Caches the languages of datastores. Counts the languages again in the background after a minute, or after two seconds
 * for a small datastore. If this process has written more than a tenth of a datastore's fragments since the last count,
 * the next search waits for a new count.
 */
export class DocumentLanguages {
  readonly #cached = new Map<string, CachedCounts>();
  readonly #counting = new Map<string, Promise<LanguageCounts>>();
  readonly #written = new Map<string, number>();
  readonly #now: () => number;

  /** @param now returns a monotonic time in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Returns the frequent languages of the scope's datastores as ISO 639-1 codes. Returns an empty list if the languages
   * are unclear or could not be counted. With an empty list, a search applies the word forms of every language.
   */
  async findLanguages(
    collection: Collection,
    { organizationId, datastoreIds }: Pick<FragmentScope, 'organizationId' | 'datastoreIds'>,
    countLanguages: CountLanguages,
  ): Promise<readonly string[]> {
    const found = await Promise.all(
      datastoreIds
        .slice(0, MAX_COUNTED)
        .map((datastoreId) =>
          this.#getCounts(createDatastoreKey(collection, organizationId, datastoreId), () =>
            countLanguages(datastoreId),
          ),
        ),
    );
    return [...new Set(found.flatMap(selectFrequentLanguages))].toSorted();
  }

  /**
   * Adds the fragments of a completed write to the number of written fragments, which decides when the languages are
   * counted again.
   */
  recordWrite(collection: Collection, { organizationId, datastoreId, fragments }: DocumentVersion): void {
    const key = createDatastoreKey(collection, organizationId, datastoreId);
    this.#written.set(key, this.#getWrittenCount(key) + fragments.length);
    removeOldestAboveLimit(this.#written);
  }

  async #getCounts(key: string, count: () => Promise<LanguageCounts>): Promise<LanguageCounts> {
    const cached = this.#cached.get(key);
    if (cached === undefined || this.#hasGrown(key, cached)) return this.#shareRunningCount(key, count);
    const interval = sumCounts(cached.counts) < SMALL ? RECOUNT_SMALL_AFTER_MS : RECOUNT_AFTER_MS;
    // The current search uses the previous counts, because counting the fragments of a large datastore takes long.
    if (this.#now() - cached.countedAt >= interval) void this.#shareRunningCount(key, count);
    return cached.counts;
  }

  #hasGrown(key: string, { counts, written }: CachedCounts): boolean {
    return this.#getWrittenCount(key) - written > GROWTH * Math.max(sumCounts(counts), written);
  }

  #getWrittenCount(key: string): number {
    return this.#written.get(key) ?? 0;
  }

  #shareRunningCount(key: string, count: () => Promise<LanguageCounts>): Promise<LanguageCounts> {
    const counting = this.#counting.get(key) ?? this.#countAndCache(key, count);
    this.#counting.set(key, counting);
    return counting;
  }

  async #countAndCache(key: string, count: () => Promise<LanguageCounts>): Promise<LanguageCounts> {
    const written = this.#getWrittenCount(key);
    // A failure changes only the quality of a search. If the store is unavailable, the search itself reports it.
    const counts = await count().catch(
      (): LanguageCounts => this.#cached.get(key)?.counts ?? new Map<string, number>(),
    );
    this.#counting.delete(key);
    this.#cached.delete(key);
    this.#cached.set(key, { counts, countedAt: this.#now(), written });
    removeOldestAboveLimit(this.#cached);
    return counts;
  }
}

function createDatastoreKey(collection: Collection, organizationId: string, datastoreId: string): string {
  return JSON.stringify([getCollectionName(collection), organizationId, datastoreId]);
}

function sumCounts(counts: LanguageCounts): number {
  return Array.from(counts.values()).reduce((sum, count) => sum + count, 0);
}

function removeOldestAboveLimit(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (map.size > MAX_CACHED && oldest !== undefined) map.delete(oldest);
}
