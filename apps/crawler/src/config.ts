import { ConfigurationError, LOG_LEVELS, parseEnvironment, type LogLevel } from '@quarry/service-kit';
import { BooleanFromText, IntegerFromText, IsIn, IsNotEmpty, IsOptional, IsString, Matches } from '@quarry/validation';

const MEGABYTE = 1024 * 1024;

/** How the crawler behaves, wherever it runs. */
class CrawlEnvironment {
  /** An address or a mail address, for those who find the crawler in their logs. */
  @IsOptional()
  @Matches(/^[\x21-\x7e]{1,200}$/, { message: 'must be an address without spaces' })
  readonly QUARRY_CRAWLER_CONTACT?: string;

  /** Jobs at the same time: pages and sites. */
  @IntegerFromText({ min: 1, max: 1_000 })
  readonly QUARRY_CRAWLER_CONCURRENCY: number = 10;

  @IntegerFromText({ min: 1, max: 32 })
  readonly QUARRY_CRAWLER_REQUESTS_PER_HOST: number = 2;

  /** Between the starts of two requests to one host. */
  @IntegerFromText({ min: 0, max: 60_000 })
  readonly QUARRY_CRAWLER_DELAY_MS: number = 200;

  /** Pages of a site that is crawled from its root, where the job does not say. */
  @IntegerFromText({ min: 1, max: 100_000 })
  readonly QUARRY_CRAWLER_MAX_PAGES: number = 10_000;

  @IntegerFromText({ min: 0, max: 100 })
  readonly QUARRY_CRAWLER_MAX_DEPTH: number = 20;

  /** Reaches 127.0.0.1. For tests and local development; refused where NODE_ENV is production. */
  @BooleanFromText()
  readonly QUARRY_CRAWLER_ALLOW_LOOPBACK: boolean = false;
}

class Environment extends CrawlEnvironment {
  /** Of health and metrics. */
  @IntegerFromText({ min: 0, max: 65_535 })
  readonly QUARRY_PORT: number = 3003;

  @IsString()
  @IsNotEmpty()
  readonly QUARRY_HOST: string = '0.0.0.0';

  @IsIn(LOG_LEVELS)
  readonly QUARRY_LOG_LEVEL: LogLevel = 'info';

  @Matches(/^(rediss?|postgres(ql)?):\/\//, { message: 'must be a redis:// or postgres:// address' })
  readonly QUARRY_QUEUE_URL: string;

  /** The folder of the blob store, which all services share. */
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_BLOB_DIR: string;
}

/** How the crawler behaves. Times in milliseconds, sizes in bytes. */
export interface CrawlSettings {
  /** Its name in robots.txt files and meta tags. */
  readonly productToken: string;
  /** How it introduces itself to servers. */
  readonly userAgent: string;
  /** Jobs at the same time. */
  readonly concurrency: number;
  readonly requestsPerHost: number;
  readonly delayMs: number;
  readonly maxCrawlDelayMs: number;
  readonly maxPages: number;
  readonly maxDepth: number;
  readonly maxPageBytes: number;
  readonly maxFileBytes: number;
  /** Reading one page of HTML. */
  readonly reading: { readonly threads: number; readonly timeoutMs: number; readonly memoryMb: number };
  /** Before a request that failed is made again, the first time; four times as long each further time. */
  readonly retryDelayMs: number;
  /** A site that takes longer is indexed as far as it was crawled. */
  readonly maxRunMs: number;
  readonly allowLoopback: boolean;
}

export interface CrawlerConfig {
  readonly host: string;
  readonly port: number;
  readonly logLevel: LogLevel;
  readonly queueUrl: string;
  readonly blobDirectory: string;
  readonly crawl: CrawlSettings;
}

const PRODUCT_TOKEN = 'QuarryBot';
const VERSION = '0.1';

/** @throws ConfigurationError with all problems at once */
export function readConfig(environment: NodeJS.ProcessEnv): CrawlerConfig {
  const variables = parseEnvironment(Environment, environment);
  return {
    host: variables.QUARRY_HOST,
    port: variables.QUARRY_PORT,
    logLevel: variables.QUARRY_LOG_LEVEL,
    queueUrl: variables.QUARRY_QUEUE_URL,
    blobDirectory: variables.QUARRY_BLOB_DIR,
    crawl: readCrawlSettings(environment),
  };
}

/**
 * What of the environment says how to crawl: all that a crawler inside another process needs.
 *
 * @throws ConfigurationError with all problems at once
 */
export function readCrawlSettings(environment: NodeJS.ProcessEnv): CrawlSettings {
  const variables = parseEnvironment(CrawlEnvironment, environment);
  const allowLoopback = variables.QUARRY_CRAWLER_ALLOW_LOOPBACK;
  if (allowLoopback && environment['NODE_ENV'] === 'production') {
    throw new ConfigurationError(['QUARRY_CRAWLER_ALLOW_LOOPBACK must not be true where NODE_ENV is production']);
  }
  const contact = variables.QUARRY_CRAWLER_CONTACT;
  return {
    productToken: PRODUCT_TOKEN,
    userAgent: `${PRODUCT_TOKEN}/${VERSION}${contact === undefined ? '' : ` (+${contact})`}`,
    concurrency: variables.QUARRY_CRAWLER_CONCURRENCY,
    requestsPerHost: variables.QUARRY_CRAWLER_REQUESTS_PER_HOST,
    delayMs: variables.QUARRY_CRAWLER_DELAY_MS,
    maxCrawlDelayMs: 60_000,
    maxPages: variables.QUARRY_CRAWLER_MAX_PAGES,
    maxDepth: variables.QUARRY_CRAWLER_MAX_DEPTH,
    maxPageBytes: 10 * MEGABYTE,
    maxFileBytes: 25 * MEGABYTE,
    reading: { threads: 2, timeoutMs: 30_000, memoryMb: 512 },
    retryDelayMs: 2_000,
    maxRunMs: 24 * 60 * 60_000,
    allowLoopback,
  };
}
