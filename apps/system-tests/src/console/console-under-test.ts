import { rm } from 'node:fs/promises';
import { createClient, type Organization, type QuarryClient } from '@quarry/client';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { createDataFolder } from '../quarry/data-folder.js';
import { ROOT_KEY, startQuarry, type QuarryProcess } from '../quarry/quarry-process.js';
import { collectPageProblems } from './collect-page-problems.js';

/** Controls a running standalone Quarry, and a Chromium that opens pages of its console. */
export interface ConsoleUnderTest {
  /** Base URL of the console, such as `http://127.0.0.1:43125/`. */
  readonly baseUrl: string;
  /** API client that uses the root key, with the rights of the installation's operator. */
  readonly operator: QuarryClient;
  readonly quarry: QuarryProcess;
  /** Path of Quarry's data folder. */
  readonly dataDirectory: string;
  /**
   * Creates an organization, and opens a page of the console that is signed in to it. The page has its own storage and
   * cookies. `path` is relative to the console's base URL.
   */
  open(path?: string, options?: OpenOptions): Promise<OpenedConsole>;
  /** Returns the address and the visible text of each open page, for the report of a failed test. */
  describePages(): Promise<string>;
  /**
   * Closes all pages.
   *
   * @throws Error if a page has logged errors, violated its Content-Security-Policy or requested another origin
   */
  closePages(): Promise<void>;
  stop(): Promise<void>;
}

export interface OpenOptions {
  /** Scopes of the API key with which the page is signed in. Default: the scopes of an organization’s first key. */
  readonly scopes?: readonly ('query' | 'ingest' | 'manage' | 'operate')[];
  /** Adds content to the organization before the page is opened. */
  readonly prepare?: (client: QuarryClient) => Promise<unknown>;
  /** False if the page is opened without a sign-in. Default: true. */
  readonly isSignedIn?: boolean;
  /** True if the page is signed in with the root key, which has the scope `operate`. Default: false. */
  readonly isOperator?: boolean;
  /** Base URL at which the page opens the console, such as the URL of a proxy. Default: the URL of Quarry. */
  readonly baseUrl?: string;
  readonly width?: number;
  readonly height?: number;
  /** Matches an error that the test expects in the log of the page. */
  readonly expectedError?: RegExp;
}

/** Holds an opened page of the console, with the organization that was created for it. */
export interface OpenedConsole {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly organization: Organization;
  /** API key of the organization. The page is signed in with this key, unless `OpenOptions` specify otherwise. */
  readonly apiKey: string;
  /** API client that uses the organization's first API key. */
  readonly client: QuarryClient;
}

/** Environment variables that allow Quarry to call web sites, listings and webhook receivers at loopback addresses. */
const VARIABLES = {
  QUARRY_CRAWLER_ALLOW_LOOPBACK: 'true',
  QUARRY_CATALOG_ALLOW_LOOPBACK: 'true',
  QUARRY_WEBHOOKS_ALLOW_LOOPBACK: 'true',
};

/** Starts a standalone Quarry and a Chromium. @param executablePath path of the executable of Chromium */
export async function startConsole(executablePath: string): Promise<ConsoleUnderTest> {
  const dataDirectory = await createDataFolder();
  const quarry = await startQuarry(dataDirectory, VARIABLES);
  // Chromium's sandbox does not work for root, which runs the tests in containers.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath, args });
  const baseUrl = new URL('/', quarry.baseUrl).href;
  const operator = createClient({ baseUrl: quarry.baseUrl, apiKey: ROOT_KEY });
  const problems: string[] = [];
  const contexts = new Set<BrowserContext>();
  return {
    baseUrl,
    operator,
    quarry,
    dataDirectory,
    open: async (path = '', options = {}) => {
      const tenant = await createTestOrganization(operator, quarry.baseUrl, options);
      const context = await createBrowserContext(browser, options);
      contexts.add(context);
      const { baseUrl: pageUrl = baseUrl } = options;
      collectPageProblems(context, { origin: new URL(pageUrl).origin, expectedError: options.expectedError }, problems);
      const key = options.isOperator === true ? ROOT_KEY : tenant.apiKey;
      if (options.isSignedIn !== false) await signIn(context, quarry.baseUrl, key);
      const page = await context.newPage();
      await page.goto(new URL(path, pageUrl).href);
      return { page, context, ...tenant };
    },
    describePages: async () => {
      const pages = [...contexts].flatMap((context) => context.pages());
      const texts = pages.map(async (page) => `${page.url()}\n${await page.locator('body').innerText()}`);
      return (await Promise.all(texts)).join('\n\n');
    },
    closePages: async () => {
      await Promise.all([...contexts].map(async (context) => context.close()));
      contexts.clear();
      const found = problems.splice(0);
      if (found.length > 0) throw new Error(`expected pages without errors, found:\n${found.join('\n')}`);
    },
    stop: async () => {
      await browser.close();
      await quarry.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Time in milliseconds for which Playwright waits for an element or a change of a page before the test fails. */
const DEADLINE_MS = 30_000;

let organizations = 0;

async function createTestOrganization(
  operator: QuarryClient,
  apiUrl: string,
  { scopes, prepare }: OpenOptions,
): Promise<Pick<OpenedConsole, 'organization' | 'apiKey' | 'client'>> {
  organizations += 1;
  const created = await operator.createOrganization({ name: `Granite Works ${organizations}` });
  const client = createClient({ baseUrl: apiUrl, apiKey: created.apiKey });
  await prepare?.(client);
  const { organization } = await client.getMe();
  if (scopes === undefined) return { organization, apiKey: created.apiKey, client };
  const { key } = await client.createApiKey({ name: 'Browser', scopes: [...scopes] });
  return { organization, apiKey: key, client };
}

async function createBrowserContext(
  browser: Browser,
  { width = 1280, height = 800 }: OpenOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'light',
    // Without animations, no screenshot or audit contains a half-transparent dialog.
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(DEADLINE_MS);
  return context;
}

async function signIn(context: BrowserContext, apiUrl: string, apiKey: string): Promise<void> {
  const response = await context.request.post(`${apiUrl}/session`, { data: { apiKey } });
  if (!response.ok())
    throw new Error(`expected the sign-in to succeed, found status ${response.status()}: ${await response.text()}`);
}
