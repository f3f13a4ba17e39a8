/** The part of `fetch` that a provider is reached through. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` for OpenAI's client that ends with the caller's signal or after `timeoutMs`, body included, and whose headers are
 * ours: the client would add an organization, a project and more from variables of the environment that were meant for another address.
 */
export function providerFetch(
  send: Fetch,
  {
    apiKey,
    timeoutMs,
    signal,
  }: { readonly apiKey: string | undefined; readonly timeoutMs: number; readonly signal: AbortSignal },
): Fetch {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  return (input, init) => {
    const signals = [signal, AbortSignal.timeout(timeoutMs), ...(init?.signal ? [init.signal] : [])];
    return send(input, { ...init, headers, signal: AbortSignal.any(signals) });
  };
}
