import { IsArray, IsInt, IsOptional, IsString, IsUrl, Max, Min } from '@quarry/validation';
import { ORGANIZATION_SHARE, STANDARD_RETENTION, STANDARD_RETRY, type QueueContract } from './queue-contract.js';
import { SyncJob, formatSyncJobId } from './sync-job.js';

const WEB_ADDRESS = { protocols: ['http', 'https'], require_protocol: true, require_tld: false };

/** Describes the job that fetches one page and passes the page to ingestion. */
export class CrawlPage extends SyncJob {
  @IsUrl(WEB_ADDRESS)
  readonly url: string;
}

/**
 * Describes the job that finds the pages of a site, from the sitemap or the root page, and passes each page to
 * ingestion.
 */
export class CrawlSite extends SyncJob {
  /** Holds the URL of the sitemap. Exactly one of `sitemap` and `rootUrl` is present. */
  @IsOptional()
  @IsUrl(WEB_ADDRESS)
  readonly sitemap?: string;

  @IsOptional()
  @IsUrl(WEB_ADDRESS)
  readonly rootUrl?: string;

  /** Lists path patterns with `*`, as in robots.txt. Only matching pages are crawled. Absent: all pages of the site. */
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly include?: readonly string[];

  /** Lists path patterns with `*`. Matching pages are skipped. Absent: no page is skipped. */
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  readonly exclude?: readonly string[];

  /** Maximum number of links from the root to a page. Absent: the default of the crawler. */
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
    'crawl-page': { payload: CrawlPage, buildId: formatSyncJobId, ...STANDARD_RETRY },
    'crawl-site': { payload: CrawlSite, buildId: formatSyncJobId, ...STANDARD_RETRY },
  },
  ...STANDARD_RETENTION,
  ownerShare: ORGANIZATION_SHARE,
};
