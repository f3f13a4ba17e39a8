import { addressKey } from '../addresses/address-key.js';

/** An address that was found. */
export interface FrontierLink {
  /** As it was found, and as it is requested. */
  readonly request: string;
  /** Links from the root. */
  readonly depth: number;
  /** Redirects that led to it, one after the other. */
  readonly redirects: number;
  /** When the sitemap says that it was last changed, as it is written there. */
  readonly sitemapModified?: string | undefined;
}

/** A page that is to be looked up. */
export interface FrontierEntry extends FrontierLink {
  /** Its `addressKey`, which all its spellings share. */
  readonly address: string;
}

export function frontierEntry(link: FrontierLink): FrontierEntry {
  return { ...link, address: addressKey(link.request) };
}

export interface FrontierLimits {
  readonly maxPages: number;
  readonly maxDepth: number;
}

/** Kept of those that were turned away, to be named. */
const MOST_TURNED_AWAY = 100;

/** The pages of a crawl, each once, in the order they were found: breadth first. */
export class Frontier {
  readonly #limits: FrontierLimits;
  readonly #known = new Set<string>();
  readonly #waiting: FrontierEntry[] = [];
  #next = 0;
  readonly #turnedAway = new Set<string>();

  constructor(limits: FrontierLimits) {
    this.#limits = limits;
  }

  /** @returns whether the page is part of the crawl now, be it new or known */
  add(link: FrontierLink): boolean {
    const entry = frontierEntry(link);
    if (this.#known.has(entry.address)) return true;
    if (entry.depth > this.#limits.maxDepth) return false;
    if (this.#known.size >= this.#limits.maxPages) {
      if (this.#turnedAway.size < MOST_TURNED_AWAY) this.#turnedAway.add(entry.address);
      return false;
    }
    this.#known.add(entry.address);
    this.#waiting.push(entry);
    return true;
  }

  next(): FrontierEntry | undefined {
    const entry = this.#waiting[this.#next];
    if (entry !== undefined) this.#next += 1;
    return entry;
  }

  /** @param request any spelling of the page's address */
  has(request: string): boolean {
    return this.#known.has(addressKey(request));
  }

  /** How many addresses were taken out to be looked up. */
  get taken(): number {
    return this.#next;
  }

  /** How many addresses are part of the crawl. */
  get size(): number {
    return this.#known.size;
  }

  /** Pages beyond those that may be crawled: the first of them. */
  get turnedAway(): ReadonlySet<string> {
    return this.#turnedAway;
  }
}
