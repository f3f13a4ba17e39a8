import type { BrowserContext } from 'playwright-core';

/** Responses that tests cause on purpose. The browser reports them as errors of the page. */
const EXPECTED = /^Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_)/;

export interface WatchOptions {
  /** Origin of the console. */
  readonly origin: string;
  /** An error that the test causes on purpose, as the page logs it. */
  readonly expectedError?: RegExp | undefined;
}

/** Collects errors of scripts, violations of the policy, and requests to other origins. */
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
