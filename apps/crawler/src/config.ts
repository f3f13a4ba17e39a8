import { VERSION } from '@quarry/contracts';
import { readGatewayAddress, type GatewayAddress } from '@quarry/run-reporting';
import {
  ConfigurationError,
  parseEnvironment,
  readBlobConfig,
  readConfigParts,
  readQueueUrl,
  createServiceConfigReader,
  type BlobConfig,
  type ServiceConfig,
} from '@quarry/service-kit';
import type { RenderingSettings } from './rendering/render-in-browser.js';
import { BooleanFromText, IntegerFromText, IsOptional, Matches } from '@quarry/validation';

const MEGABYTE = 1024 * 1024;

/** Declares the environment variables of a crawler that runs as a service or inside another process. */
class CrawlEnvironment {
  /**
   * Contact of the operator of this crawler: a URL or an email address, sent to web sites in the `User-Agent` header.
   */
  @IsOptional()
  @Matches(/^[\x21-\x7e]{1,200}$/, { message: 'must be a URL or an email address without spaces' })
  readonly QUARRY_CRAWLER_CONTACT?: string;

  /** Maximum number of concurrent jobs. */
  @IntegerFromText({ min: 1, max: 1_000 })
  readonly QUARRY_CRAWLER_CONCURRENCY: number = 10;

  @IntegerFromText({ min: 1, max: 32 })
  readonly QUARRY_CRAWLER_REQUESTS_PER_HOST: number = 2;

  /** Minimum time between the starts of two consecutive requests to the same host, in milliseconds. */
  @IntegerFromText({ min: 0, max: 60_000 })
  readonly QUARRY_CRAWLER_DELAY_MS: number = 200;

  /** Maximum number of pages of a crawl from a root URL, unless its job sets another maximum. */
  @IntegerFromText({ min: 1, max: 100_000 })
  readonly QUARRY_CRAWLER_MAX_PAGES: number = 10_000;

  @IntegerFromText({ min: 0, max: 100 })
  readonly QUARRY_CRAWLER_MAX_DEPTH: number = 20;

  /**
   * Path of a Chromium executable, such as `/usr/bin/chromium`, that renders pages whose text is created by scripts. If
   * absent, such pages are not rendered.
   */
  @IsOptional()
  @Matches(/^\S/, { message: 'must be the path of a program' })
  readonly QUARRY_CHROMIUM?: string;

  /**
   * Enables the sandbox of Chromium. The default is true, except for the user `root`, for whom the sandbox does not
   * work.
   */
  @BooleanFromText()
  readonly QUARRY_CHROMIUM_SANDBOX: boolean = process.getuid?.() !== 0;

  /** Allows requests to 127.0.0.1, for tests and local development. Rejected when `NODE_ENV` is `production`. */
  @BooleanFromText()
  readonly QUARRY_CRAWLER_ALLOW_LOOPBACK: boolean = false;
}

/** Holds the settings of a crawler. Times are in milliseconds, sizes in bytes, except for `memoryMb`. */
export interface CrawlSettings {
  /** The name by which robots.txt files and robots meta tags of web sites address this crawler. */
  readonly productToken: string;
  readonly userAgent: string;
  /** Maximum number of concurrent jobs. */
  readonly concurrency: number;
  readonly requestsPerHost: number;
  readonly delayMs: number;
  readonly maxCrawlDelayMs: number;
  readonly maxPages: number;
  readonly maxDepth: number;
  readonly maxPageBytes: number;
  readonly maxFileBytes: number;
  /** Limits for the extraction of text from HTML pages: number of threads, and time and memory per page. */
  readonly reading: { readonly threads: number; readonly timeoutMs: number; readonly memoryMb: number };
  /** Settings of the browser that renders pages whose text is created by scripts. Undefined disables rendering. */
  readonly rendering: Omit<RenderingSettings, 'userAgent' | 'maxBytes'> | undefined;
  /** Delay before the first retry of a request. Each further delay is four times the previous one. */
  readonly retryDelayMs: number;
  /**
   * Maximum duration of a crawl of a site. After this time, the crawl ends, and the pages that it has fetched are
   * indexed.
   */
  readonly maxRunMs: number;
  readonly allowLoopback: boolean;
}

export interface CrawlerConfig extends ServiceConfig {
  readonly queueUrl: string;
  readonly blobs: BlobConfig;
  readonly gateway: GatewayAddress;
  readonly crawl: CrawlSettings;
}

const DEFAULT_PORT = 3003;
const PRODUCT_TOKEN = 'QuarryBot';

/** Reads the configuration of the service. @throws ConfigurationError with all problems at once */
export function readConfig(environment: NodeJS.ProcessEnv): CrawlerConfig {
  const { service, ...parts } = readConfigParts(environment, {
    service: createServiceConfigReader(DEFAULT_PORT),
    queueUrl: readQueueUrl,
    blobs: readBlobConfig,
    gateway: readGatewayAddress,
    crawl: readCrawlSettings,
  });
  return { ...service, ...parts };
}

/**
 * Reads the settings that control crawling. A crawler inside another process needs only these settings.
 *
 * @throws ConfigurationError with all problems at once
 */
export function readCrawlSettings(environment: NodeJS.ProcessEnv): CrawlSettings {
  const variables = parseEnvironment(CrawlEnvironment, environment);
  const allowLoopback = variables.QUARRY_CRAWLER_ALLOW_LOOPBACK;
  if (allowLoopback && environment['NODE_ENV'] === 'production') {
    throw new ConfigurationError(['QUARRY_CRAWLER_ALLOW_LOOPBACK must not be true when NODE_ENV is production']);
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
    rendering: readRenderingSettings(variables),
    retryDelayMs: 2_000,
    maxRunMs: 24 * 60 * 60_000,
    allowLoopback,
  };
}

function readRenderingSettings(variables: CrawlEnvironment): CrawlSettings['rendering'] {
  const { QUARRY_CHROMIUM: executable, QUARRY_CHROMIUM_SANDBOX: sandbox } = variables;
  return executable === undefined ? undefined : { executable, sandbox, timeoutMs: 30_000 };
}
