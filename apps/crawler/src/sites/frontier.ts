import { normalizeUrl } from '@quarry/contracts';
import { isHomePageUrl } from '../urls/page-url.js';

/** Describes a URL that a page or sitemap contains. */
export interface FrontierLink {
  /** The URL to request, exactly as it was found. */
  readonly requestUrl: string;
  /** Number of links from the root page to the URL, or the fixed depth that the crawl assigns to pages of sitemaps. */
  readonly depth: number;
  /** Number of redirects that led to the URL. */
  readonly redirects: number;
  /** The modification date as the sitemap contains it, not parsed. */
  readonly sitemapModified?: string | undefined;
}

/** Describes a page that a crawl has found. */
export interface FrontierEntry extends FrontierLink {
  /** The normalized URL of the page. All spellings of the page's URL have this normalized form. */
  readonly documentKey: string;
}

export function createFrontierEntry(link: FrontierLink): FrontierEntry {
  return { ...link, documentKey: normalizeUrl(link.requestUrl) };
}

export interface FrontierLimits {
  readonly maxPages: number;
  readonly maxDepth: number;
}

/** Maximum number of pages above the page limit whose document keys are stored, to report them to users. */
const MAX_OVER_LIMIT = 100;

/** Queues the pages of a crawl: each page once, in breadth-first order from the root page. */
export class Frontier {
  readonly #limits: FrontierLimits;
  readonly #known = new Set<string>();
  readonly #waiting: FrontierEntry[] = [];
  #next = 0;
  #repeated = 0;
  readonly #overLimit = new Set<string>();

  constructor(limits: FrontierLimits) {
    this.#limits = limits;
  }

  /** Adds a page if it is new and within the limits. @returns whether the crawl now includes the page */
  addPage(link: FrontierLink): boolean {
    const entry = createFrontierEntry(link);
    if (this.#known.has(entry.documentKey)) return true;
    if (entry.depth > this.#limits.maxDepth) return false;
    if (this.#known.size >= this.#limits.maxPages) {
      if (this.#overLimit.size < MAX_OVER_LIMIT) this.#overLimit.add(entry.documentKey);
      return false;
    }
    this.#known.add(entry.documentKey);
    this.#waiting.push(entry);
    return true;
  }

  /**
   * Removes and returns the next page in breadth-first order. Pages that `repeatPage` has added come last.
   *
   * @returns undefined when the queue is empty
   */
  dequeuePage(): FrontierEntry | undefined {
    const entry = this.#waiting[this.#next];
    if (entry !== undefined) this.#next += 1;
    return entry;
  }

  /**
   * Puts pages back at the front of the queue, in the given order.
   *
   * @param entries the last pages that `dequeuePage` has returned
   */
  putBackPages(entries: readonly FrontierEntry[]): void {
    this.#next -= entries.length;
    this.#waiting.splice(this.#next, entries.length, ...entries);
  }

  /** Appends a page that `dequeuePage` has returned, to request it again after all other pages. */
  repeatPage(entry: FrontierEntry): void {
    this.#waiting.push(entry);
    this.#repeated += 1;
  }

  /** Returns whether the frontier contains a page. @param requestUrl any spelling of the page's URL */
  hasPage(requestUrl: string): boolean {
    return this.#known.has(normalizeUrl(requestUrl));
  }

  /** Returns the number of dequeued pages, except those that were put back or must be repeated. */
  get dequeuedCount(): number {
    return this.#next - this.#repeated;
  }

  /** Returns the number of pages that the crawl has found and includes, dequeued or not. */
  get pageCount(): number {
    return this.#known.size;
  }

  /** Returns the document keys of the first 100 pages that exceeded the page limit. */
  get keysOverLimit(): ReadonlySet<string> {
    return this.#overLimit;
  }
}

/** Describes a page that declares another URL as its canonical URL. It is settled after all other pages. */
export interface DeferredPage {
  readonly documentKey: string;
  readonly canonical: string;
  readonly contentHash: string;
}

/** Detects duplicate pages of a site by their content and by their canonical URLs. */
export class DuplicatePages {
  readonly #firstByContentHash = new Map<string, string>();
  readonly #contentHashes = new Map<string, string>();
  readonly #deferred = new Map<string, DeferredPage>();

  /** Adds a page. @returns the document key of an earlier page with the same content, otherwise undefined */
  addPage(documentKey: string, contentHash: string): string | undefined {
    const first = this.#firstByContentHash.get(contentHash);
    if (first !== undefined && first !== documentKey) return first;
    this.#firstByContentHash.set(contentHash, documentKey);
    this.#contentHashes.set(documentKey, contentHash);
    return undefined;
  }

  /** Defers the decision whether to index a page until `resolveOriginal` is called. */
  deferPage(page: DeferredPage): void {
    this.#deferred.set(page.documentKey, page);
  }

  /** Returns the deferred pages in the order in which they were deferred. */
  get deferredPages(): Iterable<DeferredPage> {
    return this.#deferred.values();
  }

  /**
   * Resolves a deferred page. Follows canonical URLs, also through other deferred pages, to a page of the crawl with
   * content. If they lead to none, searches for a page that was added before with the same content.
   *
   * @returns the document key of the page that is indexed instead of the deferred page; undefined if the deferred page
   * is indexed itself
   */
  resolveOriginal({ documentKey, canonical, contentHash }: DeferredPage): string | undefined {
    const seen = new Set([documentKey]);
    let target = canonical;
    for (let next = this.#deferred.get(target); next !== undefined && !seen.has(target);) {
      if (this.#contentHashes.has(target)) break;
      seen.add(target);
      target = next.canonical;
      next = this.#deferred.get(target);
    }
    const targetHash = this.#contentHashes.get(target);
    const isSameContent = targetHash === contentHash;
    // Many templates wrongly declare the home page as the canonical URL of every page.
    if (targetHash !== undefined && target !== documentKey && (isSameContent || !isHomePageUrl(target))) return target;
    return this.addPage(documentKey, contentHash);
  }
}
