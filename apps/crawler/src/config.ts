import { VERSION } from '@quarry/contracts';
import { readGatewayAddress, type GatewayAddress } from '@quarry/run-reporting';
import {
  ConfigurationError,
  parseEnvironment,
  readBlobConfig,
  readParts,
  readQueueUrl,
  serviceConfig,
  type BlobConfig,
  type ServiceConfig,
} from '@quarry/service-kit';
import type { RenderingSettings } from './rendering/chromium-renderer.js';
import { BooleanFromText, IntegerFromText, IsOptional, Matches } from '@quarry/validation';

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

  /** The program of a Chromium, such as /usr/bin/chromium, for pages that are built by scripts. Absent: those are not rendered. */
  @IsOptional()
  @Matches(/^\S/, { message: 'must be the path of a program' })
  readonly QUARRY_CHROMIUM?: string;

  /** Chromium's sandbox. Root cannot have it: there it is off by default. */
  @BooleanFromText()
  readonly QUARRY_CHROMIUM_SANDBOX: boolean = process.getuid?.() !== 0;

  /** Reaches 127.0.0.1. For tests and local development; refused where NODE_ENV is production. */
  @BooleanFromText()
  readonly QUARRY_CRAWLER_ALLOW_LOOPBACK: boolean = false;
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
  /** Undefined: the scripts of pages are not run. */
  readonly rendering: Omit<RenderingSettings, 'userAgent'> | undefined;
  /** Before a request that failed is made again, the first time; four times as long each further time. */
  readonly retryDelayMs: number;
  /** A site that takes longer is indexed as far as it was crawled. */
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

/** @throws ConfigurationError with all problems at once */
export function readConfig(environment: NodeJS.ProcessEnv): CrawlerConfig {
  const { service, ...parts } = readParts(environment, {
    service: serviceConfig(DEFAULT_PORT),
    queueUrl: readQueueUrl,
    blobs: readBlobConfig,
    gateway: readGatewayAddress,
    crawl: readCrawlSettings,
  });
  return { ...service, ...parts };
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
    rendering: readRendering(variables),
    retryDelayMs: 2_000,
    maxRunMs: 24 * 60 * 60_000,
    allowLoopback,
  };
}

function readRendering(variables: CrawlEnvironment): CrawlSettings['rendering'] {
  const { QUARRY_CHROMIUM: executable, QUARRY_CHROMIUM_SANDBOX: sandbox } = variables;
  return executable === undefined ? undefined : { executable, sandbox, timeoutMs: 30_000 };
}
