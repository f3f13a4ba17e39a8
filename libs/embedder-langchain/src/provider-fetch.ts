/** The part of `fetch` that a provider is reached through. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface ProviderFetchOptions {
  /** What tells the provider who asks. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * A `fetch` that ends with the caller's signal or after `timeoutMs`, body included, and whose headers are ours: OpenAI's client
 * would add an organization, a project and more from variables of the environment that were meant for another address.
 */
export function providerFetch(send: Fetch, { headers, timeoutMs, signal }: ProviderFetchOptions): Fetch {
  const sent = { 'content-type': 'application/json', accept: 'application/json', ...headers };
  return (input, init) => {
    const signals = [signal, init?.signal].filter((given) => given !== undefined && given !== null);
    return send(input, {
      ...init,
      headers: sent,
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...signals]),
    });
  };
}
