import { property } from './property.js';

/**
 * An answer of Google's that is no success: its status, and its words. A wait that the body asks for (`google.rpc.RetryInfo`)
 * stands in the headers as if it had been asked for there.
 */
export class RefusedByProvider extends Error {
  readonly status: number;
  readonly headers: Headers;

  constructor(status: number, headers: Headers, body: string) {
    const error = property(parsed(body), 'error');
    const message = property(error, 'message');
    super(`${status} ${typeof message === 'string' ? message : body}`);
    this.name = 'RefusedByProvider';
    this.status = status;
    this.headers = new Headers(headers);
    const delay = retryDelay(property(error, 'details'));
    if (delay !== undefined && !this.headers.has('retry-after')) this.headers.set('retry-after', delay);
  }
}

/** Seconds, of a duration such as `34.07s`. */
function retryDelay(details: unknown): string | undefined {
  if (!Array.isArray(details)) return undefined;
  const delays = details.map((detail) => property(detail, 'retryDelay'));
  const delay = delays.find((given) => typeof given === 'string');
  return typeof delay === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1] : undefined;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
