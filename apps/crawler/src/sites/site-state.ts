import { RunNote } from '@quarry/contracts';
import {
  IsArray,
  IsBoolean,
  IsInt,
  IsOptional,
  IsString,
  parse,
  Type,
  ValidateNested,
  ValidationError,
} from '@quarry/validation';
import type { SiteScope } from '../urls/site-scope.js';
import type { LookUpResult } from './look-up-page.js';
import { RetainedPages } from './retained-pages.js';
import type { SiteCrawl } from './settle-page.js';
import type { SitemapPages, SitemapProgress } from './site-sitemaps.js';

/** Counts the failures of a site over all starts of its crawl in one process. */
export class SiteHealth {
  /** Number of failed requests since the last one that succeeded. */
  failedRequests = 0;
  /** Number of consecutive pages for which all attempts failed. */
  failedPages = 0;
  /** Number of pages that exceeded the limits of extraction. */
  unreadablePages = 0;
  readonly #attempts = new Map<string, number>();

  /** Records a failed request. @returns the number of failed requests for the page */
  recordFailure(documentKey: string): number {
    const attempts = (this.#attempts.get(documentKey) ?? 0) + 1;
    this.#attempts.set(documentKey, attempts);
    this.failedRequests += 1;
    return attempts;
  }

  recordSuccess(documentKey: string): void {
    this.#attempts.delete(documentKey);
    this.failedRequests = 0;
  }
}

/** Describes the root page of a site after redirects. */
export interface SiteRoot {
  readonly requestUrl: string;
  readonly result: LookUpResult;
  readonly scope: SiteScope;
}

/**
 * Holds the findings of a crawl, so that it can continue after its job returned to the queue. The state is a cache in
 * the memory of one process. Without this state, a start skips the pages that have a record.
 */
export class SiteState {
  /**
   * True if another process may have worked on the run. That process may have enqueued a page without storing its
   * record.
   */
  isRestart: boolean;
  readonly retained = new RetainedPages();
  /** The document keys of pages that were recorded without a request. */
  readonly unrequested = new Set<string>();
  readonly health = new SiteHealth();
  root: SiteRoot | undefined;
  /** The scopes of the sites whose pages the sitemap may list. */
  scopes: SiteScope[] | undefined;
  crawl: SiteCrawl | undefined;
  sitemaps: SitemapProgress | undefined;
  /** Result of reading the sitemaps; undefined until all sitemaps are read. */
  sitemapPages: SitemapPages | undefined;
  /** Notes about pages that the sitemaps did not list; undefined until the frontier contains all pages of the sitemaps. */
  notes: readonly RunNote[] | undefined;

  constructor(isRestart: boolean) {
    this.isRestart = isRestart;
  }
}

interface ParkedCrawl {
  readonly state: SiteState;
  /** Number of starts of the job when the crawl was parked. */
  readonly starts: number;
}

/** Maximum number of parked crawls. The oldest ones are dropped. */
const MAX_CRAWLS = 500;
/** Maximum number of pages of all parked crawls together. */
const MAX_PAGES = 500_000;

/** Keeps the states of crawls whose jobs have returned to the queue. */
export class ParkedCrawls {
  readonly #crawls = new Map<string, ParkedCrawl>();

  /**
   * Removes and returns the stored state of a run, or creates a new state.
   *
   * @param starts number of starts of the job, including this one
   */
  unparkState(runId: string, starts: number): SiteState {
    const parked = this.#crawls.get(runId);
    if (parked === undefined) return new SiteState(starts > 1);
    this.#crawls.delete(runId);
    if (parked.starts !== starts - 1) parked.state.isRestart = true;
    return parked.state;
  }

  parkState(runId: string, starts: number, state: SiteState): void {
    this.#crawls.set(runId, { state, starts });
    for (const [oldest] of this.#crawls) {
      if (this.#crawls.size <= MAX_CRAWLS && this.#countPages() <= MAX_PAGES) return;
      this.#crawls.delete(oldest);
    }
  }

  #countPages(): number {
    return [...this.#crawls.values()].reduce((sum, { state }) => sum + (state.crawl?.frontier.pageCount ?? 0), 0);
  }
}

/** Describes the end of a crawl. */
class CrawlEndShape {
  /** True if the crawl found all pages, so that pages that were not found no longer exist. */
  @IsBoolean()
  readonly complete: boolean;

  @IsInt()
  readonly discovered: number;

  @IsInt()
  readonly fetched: number;

  @IsOptional()
  @IsString()
  readonly note?: string;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => RunNote)
  readonly notes?: readonly RunNote[];
}

/** Describes the stored progress of a crawl, with which another process resumes it. */
class SiteCheckpointShape {
  /** The time of the first start of the run, in milliseconds since 1970. */
  @IsInt()
  readonly startedAt: number;

  /** Number of consecutive failures that postponed the crawl without a recorded page between them. */
  @IsOptional()
  @IsInt()
  readonly failures?: number;

  /** Number of recorded pages at the last failure that postponed the crawl. */
  @IsOptional()
  @IsInt()
  readonly recordedAtFailure?: number;

  /** The end of the crawl and its counts; absent until the crawl ends. */
  @IsOptional()
  @ValidateNested()
  @Type(() => CrawlEndShape)
  readonly end?: CrawlEnd;
}

type Plain<Shape> = { readonly [Field in keyof Shape]: Shape[Field] };
export type CrawlEnd = Plain<CrawlEndShape>;
export type SiteCheckpoint = Plain<SiteCheckpointShape>;

/**
 * Parses a checkpoint. Returns undefined for an unsupported format. The crawl then starts from the beginning and skips
 * the recorded pages.
 */
export function readCheckpoint(checkpoint: unknown): SiteCheckpoint | undefined {
  try {
    return checkpoint === undefined ? undefined : parse(SiteCheckpointShape, checkpoint, 'ignore');
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
    throw error;
  }
}
