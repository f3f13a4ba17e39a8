import type { BrowserContext } from 'playwright-core';

/** Matches errors that tests cause intentionally. The browser logs them as errors of the page. */
const EXPECTED = /^Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_)/;

export interface WatchOptions {
  /** Origin of the console. */
  readonly origin: string;
  /** An expected error in the log of the page. */
  readonly expectedError?: RegExp | undefined;
}

/** Collects script errors, violations of the Content-Security-Policy, and requests to other origins. */
export function watchPage(context: BrowserContext, { origin, expectedError }: WatchOptions, problems: string[]): void {
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
