import { getFieldOrUndefined } from './get-field-or-undefined.js';

/**
 * Reports an unsuccessful response of Google, with its status and message. A delay in the body
 * (`google.rpc.RetryInfo`) is copied to the `retry-after` header.
 */
export class RefusedByProvider extends Error {
  readonly status: number;
  readonly headers: Headers;

  constructor(status: number, headers: Headers, body: string) {
    const error = getFieldOrUndefined(tryParseJson(body), 'error');
    const message = getFieldOrUndefined(error, 'message');
    super(`${status} ${typeof message === 'string' ? message : body}`);
    this.name = 'RefusedByProvider';
    this.status = status;
    this.headers = new Headers(headers);
    const delay = parseRetryDelay(getFieldOrUndefined(error, 'details'));
    if (delay !== undefined && !this.headers.has('retry-after')) this.headers.set('retry-after', delay);
  }
}

/**
 * Returns the retry delay, in seconds, from the details of an error, or undefined if they contain no delay. The details
 * contain a delay in a form such as `34.07s`.
 */
function parseRetryDelay(details: unknown): string | undefined {
  if (!Array.isArray(details)) return undefined;
  const delays = details.map((detail) => getFieldOrUndefined(detail, 'retryDelay'));
  const delay = delays.find((value) => typeof value === 'string');
  return typeof delay === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1] : undefined;
}

function tryParseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
