import type { BrowserContext } from 'playwright-core';

/** Matches the messages that the browser logs for failed requests, which many tests cause intentionally. */
const EXPECTED = /^Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_)/;

export interface WatchOptions {
  /** Origin of the console. A request to any other origin is a problem. */
  readonly origin: string;
  /** Matches an error that the test expects in the log of the page. */
  readonly expectedError?: RegExp | undefined;
}

/**
 * Adds the problems of all pages in a browser context to `problems`: script errors, logged errors, and requests to
 * other origins. Browsers log violations of the Content-Security-Policy as errors.
 */
export function collectPageProblems(
  context: BrowserContext,
  { origin, expectedError }: WatchOptions,
  problems: string[],
): void {
  context.on('weberror', (error) => problems.push(`error: ${error.error().stack ?? error.error().message}`));
  context.on('console', (message) => {
    if (message.type() !== 'error' || EXPECTED.test(message.text())) return;
    if (expectedError?.test(message.text()) !== true) problems.push(`console: ${message.text()}`);
  });
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.origin !== origin) problems.push(`request to ${url.href}`);
  });
}
