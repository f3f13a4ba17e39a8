import { getNormalizedPath } from '../urls/path-pattern.js';

/** Describes a page that declares another URL as its canonical URL. */
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

  /** Adds a page. @returns the document key of an earlier page with the same content, else undefined */
  add(documentKey: string, contentHash: string): string | undefined {
    const first = this.#firstByContentHash.get(contentHash);
    if (first !== undefined && first !== documentKey) return first;
    this.#firstByContentHash.set(contentHash, documentKey);
    this.#contentHashes.set(documentKey, contentHash);
    return undefined;
  }

  /** Defers the decision about a page until its canonical page is settled. */
  defer(page: DeferredPage): void {
    this.#deferred.set(page.documentKey, page);
  }

  /** Returns the deferred pages in order. */
  get deferred(): Iterable<DeferredPage> {
    return this.#deferred.values();
  }

  /**
   * Resolves a deferred page. Follows canonical URLs, also through other deferred pages, to a page of the crawl; otherwise
   * compares the content.
   *
   * @returns the document key of the page that represents it; undefined if it is indexed itself
   */
  resolve({ documentKey, canonical, contentHash }: DeferredPage): string | undefined {
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
    if (targetHash !== undefined && target !== documentKey && (isSameContent || !isHomePage(target))) return target;
    return this.add(documentKey, contentHash);
  }
}

/** Returns whether a page is the home page. Many templates wrongly declare it as the canonical URL of every page. */
function isHomePage(documentKey: string): boolean {
  return getNormalizedPath(documentKey) === '/';
}
