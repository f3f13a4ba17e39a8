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

/** Counts the failures of a site during a crawl, over all starts of its job in this process. */
export class SiteHealth {
  /** Number of failed requests since the last request that succeeded. */
  failedRequests = 0;
  /** Number of consecutive pages whose attempts all failed. */
  failedPages = 0;
  /** Number of pages that exceeded the time or memory limit of extraction. */
  unreadablePages = 0;
  readonly #attempts = new Map<string, number>();

  /** Records a failed request. @returns the number of failed requests for the page, including this one */
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
 * Holds the findings of a crawl, so that it can continue after its job returned to the queue. The state is in the
 * memory of one process. A start without it begins again, but skips the pages that have a record.
 */
export class SiteState {
  /**
   * True if another process may have worked on the run. It may have enqueued a page without storing the page's record.
   */
  isRestart: boolean;
  readonly retained = new RetainedPages();
  /** The document keys of pages that this run recorded without requesting them, such as pages above the page limit. */
  readonly unrequested = new Set<string>();
  readonly health = new SiteHealth();
  root: SiteRoot | undefined;
  /** The scopes of all sites whose pages the sitemap may list; undefined in a crawl from a root page. */
  scopes: SiteScope[] | undefined;
  crawl: SiteCrawl | undefined;
  sitemaps: SitemapProgress | undefined;
  /** Result of reading the sitemaps; undefined until all sitemaps are read. */
  sitemapPages: SitemapPages | undefined;
  /** Notes about unread sitemaps; undefined until the frontier contains all pages of the sitemaps. */
  notes: readonly RunNote[] | undefined;

  constructor(isRestart: boolean) {
    this.isRestart = isRestart;
  }
}

interface ParkedCrawl {
  readonly state: SiteState;
  /** Number of starts of the job, including the one that paused the crawl. */
  readonly starts: number;
}

/** Maximum number of paused crawls. Above it, the states of the crawls that were paused first are discarded. */
const MAX_CRAWLS = 500;
/** Maximum number of pages of all paused crawls together. Above it, states are discarded in the same way. */
const MAX_PAGES = 500_000;

/** Holds the states of paused crawls, whose jobs have returned to the queue. */
export class ParkedCrawls {
  readonly #crawls = new Map<string, ParkedCrawl>();

  /**
   * Removes and returns the state of a run that `parkState` stored. If there is none, creates a state.
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

/** Describes the result of a crawl after its end. */
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

/** Describes the progress of a crawl, which the gateway stores and from which another process can resume the crawl. */
class SiteCheckpointShape {
  /** The time of the first start of the run, in milliseconds since 1970. */
  @IsInt()
  readonly startedAt: number;

  /** Number of consecutive times that a failed request postponed the crawl without progress in between. */
  @IsOptional()
  @IsInt()
  readonly failures?: number;

  /** Maximum number of recorded pages and read sitemaps when a failed request postponed the crawl. */
  @IsOptional()
  @IsInt()
  readonly progressAtFailure?: number;

  /** The completeness, counts and notes of the crawl; absent until the crawl ends. */
  @IsOptional()
  @ValidateNested()
  @Type(() => CrawlEndShape)
  readonly end?: CrawlEnd;
}

type Plain<Shape> = { readonly [Field in keyof Shape]: Shape[Field] };
export type CrawlEnd = Plain<CrawlEndShape>;
export type SiteCheckpoint = Plain<SiteCheckpointShape>;

/**
 * Parses a checkpoint. Returns undefined if its format is not supported. The crawl then starts from the beginning, but
 * skips the pages that have a record.
 */
export function readCheckpoint(checkpoint: unknown): SiteCheckpoint | undefined {
  try {
    return checkpoint === undefined ? undefined : parse(SiteCheckpointShape, checkpoint, 'ignore');
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
    throw error;
  }
}
