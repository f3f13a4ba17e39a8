import { limitBodySize, shortenErrorBody } from '@quarry/http-responses';

/** Describes `fetch` with the parameters that the clients of providers pass. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface ProviderFetchOptions {
  /** Request headers that authenticate the caller to the provider. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Maximum size of a response, in bytes. */
  readonly maxBytes?: number;
}

/** Maximum size of a response in bytes: 2,048 vectors with 4,096 numbers of 30 characters each. */
const MAX_RESPONSE_BYTES = 256 * 1024 * 1024;

/**
 * Creates a `fetch` that aborts when `signal` aborts, or if the response with its body takes longer than `timeoutMs`.
 * The `fetch` replaces all headers, because OpenAI's client would add an organization and a project from environment
 * variables, which may be meant for another server. Clients read whole bodies. Therefore the `fetch` truncates a long
 * body of an unsuccessful response, and fails for a successful response above `maxBytes`.
 */
export function createProviderFetch(
  send: Fetch,
  { headers, timeoutMs, signal, maxBytes = MAX_RESPONSE_BYTES }: ProviderFetchOptions,
): Fetch {
  const allHeaders = { 'content-type': 'application/json', accept: 'application/json', ...headers };
  return async (input, init) => {
    const signals = [signal, init?.signal].filter((present) => present !== undefined && present !== null);
    const response = await send(input, {
      ...init,
      headers: allHeaders,
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...signals]),
    });
    return response.ok ? limitBodySize(response, maxBytes) : shortenErrorBody(response);
  };
}
