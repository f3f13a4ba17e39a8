import { setTimeout } from 'node:timers/promises';
import type { QuarryClient } from '@quarry/client';
import type { Page, Response } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addOneResourceOfEachKind } from './add-one-resource-of-each-kind.js';
import type { Appearance } from './appearances.js';
import type { ConsoleUnderTest } from './console-under-test.js';

/**
 * Maximum cumulative layout shift of a page. If the text of a heading is loaded late, the shift is smaller. Google
 * rates values up to 0.1 as good. Source: https://web.dev/articles/cls
 */
const MAX_LAYOUT_SHIFT = 0.01;
/** Minimum size in bytes of the text files that the server must compress. */
const MIN_COMPRESSED_BYTES = 1_400;
/** Maximum size of a script that delays the first paint, in bytes. The script that chooses the theme is smaller. */
const MAX_BLOCKING_SCRIPT_BYTES = 1_000;
/** Maximum number of elements in a document. Source: the audit “dom-size” of Lighthouse. */
const MAX_ELEMENTS = 800;
/** Maximum number of API requests that a screen sends before it is completely loaded. */
const MAX_API_REQUESTS = 10;
/**
 * Maximum number of requests, to the API and for files together, that a screen sends before it is completely loaded.
 */
const MAX_REQUESTS = 50;
/** Maximum total size of the scripts of a screen, compressed, in bytes. */
const MAX_SCRIPT_BYTES = 200_000;

/**
 * Position of the first API request of a screen that is not delayed, starting at 1. Each earlier request is delayed by
 * `DELAY_STEP_MS` more than the request after it.
 */
const DELAYED_RESPONSES = 5;
const DELAY_STEP_MS = 60;

/**
 * Matches the URLs of the lists that a screen requests again when its stream of live events opens. The first responses
 * may lack changes that were made before the stream opened.
 */
const RELOADED = /\/api\/datasources(\?|\/[^/]+\/runs\?)/;

/** Minimum time in milliseconds after which a screen may repeat an API request to refresh its data. */
const MIN_REFRESH_MS = 1_000;

const OPERATOR_PATHS = ['system', 'organizations', 'models'];

interface Window extends Appearance {
  readonly width: number;
}

/** The windows in which each screen is opened. They cover each language, theme and layout. */
const WINDOWS: readonly Window[] = [
  { theme: 'light', language: 'en', width: 1_280 },
  { theme: 'dark', language: 'de', width: 390 },
];
const HEIGHT = 800;

/**
 * Tests what Lighthouse checks in its categories “performance” and “best practices”, except times, which depend on the
 * machine. The other suites audit the accessibility of the screens with axe.
 */
export function testPageQuality(running: () => ConsoleUnderTest): void {
  describe('the quality of the pages', () => {
    it('every screen passes the checks of the layout, scripts, requests, files, links and controls', async () => {
      let paths: readonly string[] = [];
      const prepare = async (client: QuarryClient): Promise<void> => {
        paths = await addOneResourceOfEachKind(client);
      };
      const newcomer = await visitPathsInEachWindow((await running().open('')).page, ['']);
      const tenant = await visitPathsInEachWindow((await running().open('', { prepare })).page, paths);
      const operator = await visitPathsInEachWindow(
        (await running().open('', { isOperator: true })).page,
        OPERATOR_PATHS,
      );
      const visits = [...newcomer, ...tenant, ...operator];
      expect(visits).toHaveLength(WINDOWS.length * (1 + paths.length + OPERATOR_PATHS.length));
      // The issues are one text, because the report of a failed comparison of arrays omits their elements.
      expect(visits.flatMap(({ path, issues }) => issues.map((issue) => `${path}: ${issue}`)).join('\n')).toBe('');
    });
  });
}

/** A script that records the layout shifts that no user input caused, with the elements that moved. */
const RECORD_LAYOUT_SHIFTS = `
  window.layoutShifts = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries()) {
      const moved = sources.map(({ node }) => node?.className || node?.nodeName).join(', ');
      if (!hadRecentInput) window.layoutShifts.push({ value, moved });
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

interface Visit {
  readonly path: string;
  readonly issues: readonly string[];
}

/** Loads each path in each window. Returns the issues of each visit. */
async function visitPathsInEachWindow(page: Page, paths: readonly string[]): Promise<readonly Visit[]> {
  const issues: string[] = [];
  page.on('response', (response) => issues.push(...findResponseIssues(response)));
  const requestedAt = new Map<string, number>();
  page.on('request', (request) => {
    const name = `${request.method()} ${request.url()}`;
    // Only requests to the API are checked: the browser itself may request a file twice, such as the icon.
    if (!name.includes('/api/')) return;
    const elapsedMs = Date.now() - (requestedAt.get(name) ?? -Infinity);
    if (elapsedMs < MIN_REFRESH_MS && !RELOADED.test(name)) issues.push(`the page sends the request ${name} twice`);
    requestedAt.set(name, Date.now());
  });
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) issues.push(`the console reports ${message.text()}`);
  });
  // Reports the issues of the browser's developer tools, such as deprecated features, cookie problems and quirks mode.
  const session = await page.context().newCDPSession(page);
  session.on('Audits.issueAdded', ({ issue }) => issues.push(`the browser reports ${JSON.stringify(issue)}`));
  await session.send('Audits.enable');
  await page.addInitScript(RECORD_LAYOUT_SHIFTS);
  const restartDelays = await delayFirstResponses(page);
  const { origin } = new URL(page.url());
  const visits: Visit[] = [];
  for (const window of WINDOWS) {
    await page.setViewportSize({ width: window.width, height: HEIGHT });
    await page.emulateMedia({ colorScheme: window.theme });
    await page.evaluate(`localStorage.setItem('quarry.language', '${window.language}')`);
    for (const path of paths) {
      // Closes the previous screen first, because its late requests would count as requests of the next screen.
      await page.goto('about:blank');
      issues.length = 0;
      requestedAt.clear();
      restartDelays();
      await page.goto(new URL(path, origin).href);
      const name = `${path} (${window.language}, ${window.theme}, ${window.width} pixels)`;
      await waitUntilScreenIsComplete(page, name);
      visits.push({ path: name, issues: [...issues, ...(await findPageIssues(page, window))] });
    }
  }
  return visits;
}

/**
 * Delays the first API responses of a screen, so that the first request is answered last. Layout shifts then occur on
 * fast machines too.
 *
 * @returns a function to call before each screen, which restarts the count of responses
 */
async function delayFirstResponses(page: Page): Promise<() => void> {
  let requests = 0;
  await page.route('**/api/**', async (route) => {
    requests += 1;
    await setTimeout(Math.max(0, DELAYED_RESPONSES - requests) * DELAY_STEP_MS);
    // The request fails if the page was closed or has navigated meanwhile.
    await route.continue().catch(() => undefined);
  });
  return () => {
    requests = 0;
  };
}

async function waitUntilScreenIsComplete(page: Page, name: string): Promise<void> {
  await page.locator('h1').waitFor();
  const options = { message: `${name} is busy`, timeout: 30_000 };
  await expect.poll(async () => page.locator('[aria-busy=true]').count(), options).toBe(0);
  // The browser reports layout shifts after the next frame.
  await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))`);
}

/**
 * Checks the type, the compression and the caching of a file of the console. Returns its issues; empty for an API
 * response.
 */
function findResponseIssues(response: Response): readonly string[] {
  const { pathname } = new URL(response.url());
  const headers = response.headers();
  const type = headers['content-type'] ?? '';
  if (pathname.startsWith('/api/')) return [];
  const issues: string[] = [];
  const isHashed = pathname.startsWith('/assets/');
  const cacheControl = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
  if (headers['cache-control'] !== cacheControl)
    issues.push(`${pathname} has Cache-Control ${headers['cache-control']}, expected ${cacheControl}`);
  const isLarge = Number(headers['content-length'] ?? Infinity) >= MIN_COMPRESSED_BYTES;
  const isText = /^(text|application\/json|image\/svg)/.test(type);
  if (isText && isLarge && headers['content-encoding'] === undefined) issues.push(`${pathname} is not compressed`);
  if (type.startsWith('text/') && !/charset=utf-8/i.test(type))
    issues.push(`${pathname} has the content type ${type}, expected charset=utf-8`);
  return issues;
}

/** Returns the issues of the open page, such as layout shifts or a wrong title. */
async function findPageIssues(page: Page, { language, width }: Window): Promise<readonly string[]> {
  return page.evaluate<string[]>(`(() => {
    const issues = [];
    const expectThat = (isRight, issue) => isRight || issues.push(issue);
    const findAll = (selector) => [...document.querySelectorAll(selector)];
    const shift = window.layoutShifts.reduce((total, { value }) => total + value, 0);
    expectThat(shift <= ${MAX_LAYOUT_SHIFT}, 'the layout shifts by ' + shift + ': ' + JSON.stringify(window.layoutShifts));
    expectThat(document.compatMode === 'CSS1Compat', 'the doctype is missing');
    expectThat(document.characterSet === 'UTF-8', 'the charset is ' + document.characterSet);
    expectThat(document.documentElement.scrollWidth <= ${width}, 'the page is ' + document.documentElement.scrollWidth + ' pixels wide');
    expectThat(document.documentElement.scrollHeight <= innerHeight, 'the page is ' + document.documentElement.scrollHeight + ' pixels high and scrolls outside of its content');
    expectThat(document.documentElement.lang === '${language}', 'the language is ' + document.documentElement.lang);
    const heading = document.querySelector('h1').textContent;
    expectThat(document.title === heading + ' · Quarry', 'the title is ' + document.title + ', but the heading ' + heading);
    for (const name of ['viewport', 'description']) {
      expectThat(findAll('meta[name=' + name + '][content]').length === 1, 'the ' + name + ' is missing');
    }
    const loaded = performance.getEntriesByType('resource');
    const sent = loaded.filter(({ name }) => name.includes('/api/')).length;
    expectThat(sent <= ${MAX_API_REQUESTS}, sent + ' requests to the API');
    expectThat(loaded.length <= ${MAX_REQUESTS}, loaded.length + ' requests');
    const scripts = loaded.filter(({ name }) => name.endsWith('.js'));
    const size = scripts.reduce((total, { encodedBodySize }) => total + encodedBodySize, 0);
    expectThat(size <= ${MAX_SCRIPT_BYTES}, size + ' bytes of scripts');
    for (const cell of findAll('.table td')) {
      expectThat(cell.scrollWidth <= cell.clientWidth + 1, 'the text “' + cell.textContent + '” is wider than its column');
    }
    for (const button of findAll('.table .cell-actions button')) {
      expectThat(button.getBoundingClientRect().right <= ${width}, button.outerHTML + ' is outside of the window');
    }
    for (const { href } of findAll('link[rel=preload]')) {
      expectThat(loaded.some(({ name }) => name === href), href + ' is preloaded, but not used');
    }
    for (const { name, initiatorType, renderBlockingStatus, decodedBodySize } of loaded) {
      const isBlocking = initiatorType === 'script' && renderBlockingStatus === 'blocking';
      expectThat(!isBlocking || decodedBodySize <= ${MAX_BLOCKING_SCRIPT_BYTES}, name + ' delays the first paint');
    }
    for (const link of findAll('a')) {
      const name = (link.getAttribute('aria-label') ?? link.textContent).trim();
      expectThat(name !== '' && !/^(here|click here|link|more|this)$/i.test(name), 'the link ' + link.href + ' has the name “' + name + '”');
      expectThat(/^https?:/.test(link.href), name + ' opens ' + link.href);
      expectThat(link.target !== '_blank' || /noopener|noreferrer/.test(link.rel), name + ' opens a tab without noopener');
    }
    for (const control of findAll('input, select, textarea')) {
      expectThat(control.id !== '' || control.name !== '', control.outerHTML + ' has no id and no name');
    }
    for (const image of findAll('img')) {
      expectThat(image.hasAttribute('width') && image.hasAttribute('height'), image.src + ' has no size');
    }
    expectThat(findAll('*').length <= ${MAX_ELEMENTS}, findAll('*').length + ' elements');
    return issues;
  })()`);
}
