import { readErrorText } from '@quarry/http-headers';

/** Describes the part of `fetch` that is used. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface ProviderFetchOptions {
  /** Headers that authenticate the caller. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Creates a `fetch` that aborts with the caller's signal or after `timeoutMs`, including the body. It replaces all headers:
 * OpenAI's client would add an organization, a project and more from environment variables that may belong to another server. It
 * shortens long bodies of errors, because the clients read them whole.
 */
export function createProviderFetch(send: Fetch, { headers, timeoutMs, signal }: ProviderFetchOptions): Fetch {
  const allHeaders = { 'content-type': 'application/json', accept: 'application/json', ...headers };
  return async (input, init) => {
    const signals = [signal, init?.signal].filter((present) => present !== undefined && present !== null);
    const response = await send(input, {
      ...init,
      headers: allHeaders,
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...signals]),
    });
    return response.ok ? response : shortenBody(response);
  };
}

async function shortenBody(response: Response): Promise<Response> {
  // A status without a body, such as 304, must not get one.
  if (response.body === null) return response;
  return new Response(await readErrorText(response.body), response);
}
