import { rm } from 'node:fs/promises';
import { createClient, type Organization, type QuarryClient } from '@quarry/client';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { makeDataFolder } from '../quarry/data-folder.js';
import { ROOT_KEY, startQuarry, type QuarryProcess } from '../quarry/quarry-process.js';
import { watchPage } from './watch-page.js';

/** The console of a Quarry on one machine, in a Chromium. */
export interface ConsoleUnderTest {
  /** Base URL of the console, such as `http://127.0.0.1:43125/`. */
  readonly baseUrl: string;
  /** A client with the root key. */
  readonly operator: QuarryClient;
  readonly quarry: QuarryProcess;
  /** Path of the folder with the data of the Quarry. */
  readonly dataDirectory: string;
  /** Opens a page of a new organization, signed in. The page has its own storage. */
  open(path?: string, options?: OpenOptions): Promise<OpenedConsole>;
  /** Closes all pages. Fails if one has logged errors, violated its Content-Security-Policy or requested another origin. */
  closePages(): Promise<void>;
  stop(): Promise<void>;
}

export interface OpenOptions {
  /** Scopes of the key. Default: those of an organization’s first key. */
  readonly scopes?: readonly ('query' | 'ingest' | 'manage' | 'operate')[];
  /** Prepares the organization before the page is opened. */
  readonly prepare?: (client: QuarryClient) => Promise<unknown>;
  /** False: the page is not signed in. */
  readonly isSignedIn?: boolean;
  /** True: the page is signed in with the root key, which has the scope `operate`. */
  readonly isOperator?: boolean;
  /** Opens the console at another address, such as that of a proxy. */
  readonly baseUrl?: string;
  readonly width?: number;
  readonly height?: number;
  /** An expected error in the log of the page. */
  readonly expectedError?: RegExp;
}

/** An opened page with its organization. */
export interface OpenedConsole {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly organization: Organization;
  /** The key of the session. */
  readonly apiKey: string;
  /** A client with the first key of the organization. */
  readonly client: QuarryClient;
}

/** Variables that allow sites, listings and receivers of webhooks on this machine. */
const VARIABLES = {
  QUARRY_CRAWLER_ALLOW_LOOPBACK: 'true',
  QUARRY_CATALOG_ALLOW_LOOPBACK: 'true',
  QUARRY_WEBHOOKS_ALLOW_LOOPBACK: 'true',
};

/** Starts a Quarry and a Chromium. */
export async function startConsole(executablePath: string): Promise<ConsoleUnderTest> {
  const dataDirectory = await makeDataFolder();
  const quarry = await startQuarry(dataDirectory, VARIABLES);
  // As root, as in containers, the browser's own sandbox does not work.
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
      const tenant = await createTenant(operator, quarry.baseUrl, options);
      const context = await createContext(browser, options);
      contexts.add(context);
      const { baseUrl: pageUrl = baseUrl } = options;
      watchPage(context, { origin: new URL(pageUrl).origin, expectedError: options.expectedError }, problems);
      const key = options.isOperator === true ? ROOT_KEY : tenant.apiKey;
      if (options.isSignedIn !== false) await signIn(context, quarry.baseUrl, key);
      const page = await context.newPage();
      await page.goto(new URL(path, pageUrl).href);
      return { page, context, ...tenant };
    },
    closePages: async () => {
      await Promise.all([...contexts].map(async (context) => context.close()));
      contexts.clear();
      const found = problems.splice(0);
      if (found.length > 0) throw new Error(`the pages of the console have problems:\n${found.join('\n')}`);
    },
    stop: async () => {
      await browser.close();
      await quarry.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Maximum time for a change of the page that a test waits for. */
const DEADLINE_MS = 30_000;

let organizations = 0;

async function createTenant(
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

async function createContext(browser: Browser, { width = 1280, height = 800 }: OpenOptions): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'light',
    // Without animations, a picture or an audit never catches a half-transparent dialog.
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(DEADLINE_MS);
  return context;
}

async function signIn(context: BrowserContext, apiUrl: string, apiKey: string): Promise<void> {
  const response = await context.request.post(`${apiUrl}/session`, { data: { apiKey } });
  if (!response.ok()) throw new Error(`sign-in failed: ${response.status()} ${await response.text()}`);
}
