import { IsArray, IsInt, IsOptional, IsString, IsUrl, Max, Min } from '@quarry/validation';
import { STANDARD_RETENTION, STANDARD_RETRY, type QueueContract } from './queue-contract.js';
import { SyncJob, syncJobId } from './sync-job.js';

const WEB_ADDRESS = { protocols: ['http', 'https'], require_protocol: true, require_tld: false };

/** Fetch one page, and hand it to ingestion. */
export class CrawlPage extends SyncJob {
  @IsUrl(WEB_ADDRESS)
  readonly url: string;
}

/** Find the pages of a site, by its sitemap or from its root, and hand each to ingestion. */
export class CrawlSite extends SyncJob {
  /** Exactly one of `sitemap` and `rootUrl` is given. */
  @IsOptional()
  @IsUrl(WEB_ADDRESS)
  readonly sitemap?: string;

  @IsOptional()
  @IsUrl(WEB_ADDRESS)
  readonly rootUrl?: string;

  /** Paths with `*`, as in robots.txt: only pages that match one are taken. Absent: all of the site's. */
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly include?: readonly string[];

  /** Paths with `*`: pages that match one are left out. */
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly exclude?: readonly string[];

  /** Links from the root to a page, at most. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(100)
  readonly maxDepth?: number;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100_000)
  readonly maxPages?: number;
}

export type CrawlJobs = { readonly 'crawl-page': CrawlPage; readonly 'crawl-site': CrawlSite };

export const crawlQueue: QueueContract<CrawlJobs> = {
  name: 'crawl',
  jobs: {
    'crawl-page': { payload: CrawlPage, id: syncJobId, ...STANDARD_RETRY },
    'crawl-site': { payload: CrawlSite, id: syncJobId, ...STANDARD_RETRY },
  },
  ...STANDARD_RETENTION,
};
