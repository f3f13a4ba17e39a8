import { pathOf } from '../addresses/path-pattern.js';

/** A page that names another address as the one to keep. */
export interface Deferred {
  readonly address: string;
  readonly canonical: string;
  readonly contentHash: string;
}

/** Knows which pages of a site are the same: by what they hold, and by what they say. */
export class Copies {
  readonly #byContent = new Map<string, string>();
  readonly #contentOf = new Map<string, string>();
  readonly #deferred = new Map<string, Deferred>();

  /** Keeps the page, unless one that holds the same is kept already. @returns the address of that one */
  keep(address: string, contentHash: string): string | undefined {
    const first = this.#byContent.get(contentHash);
    if (first !== undefined && first !== address) return first;
    this.#byContent.set(contentHash, address);
    this.#contentOf.set(address, contentHash);
    return undefined;
  }

  /** Puts off what is to be done with a page until it is known what came of its canonical address. */
  defer(page: Deferred): void {
    this.#deferred.set(page.address, page);
  }

  /** The pages that were put off, in their order. */
  get deferred(): Iterable<Deferred> {
    return this.#deferred.values();
  }

  /**
   * Decides on a page that was put off: by its canonical address where that is kept, directly or by way of others that were put
   * off, and by what it holds where that led nowhere.
   *
   * @returns the address of the page to keep in its place; undefined when it is kept itself
   */
  decide({ address, canonical, contentHash }: Deferred): string | undefined {
    const seen = new Set([address]);
    let target = canonical;
    for (let next = this.#deferred.get(target); next !== undefined && !seen.has(target);) {
      if (this.#contentOf.has(target)) break;
      seen.add(target);
      target = next.canonical;
      next = this.#deferred.get(target);
    }
    const kept = this.#contentOf.get(target);
    if (kept !== undefined && target !== address && (kept === contentHash || !isRoot(target))) return target;
    return this.keep(address, contentHash);
  }
}

/** A template that names the home page as the canonical address of every page is a frequent mistake. */
function isRoot(address: string): boolean {
  return pathOf(address) === '/';
}
