/**
 * Lists the HTTP statuses of temporary failures besides 5xx: timeout, too early, too many requests (RFC 9110, RFC 8470,
 * RFC 6585).
 */
const TEMPORARY_STATUSES = new Set([408, 425, 429]);

/** Reports that the hub responded with a temporary status. */
class HubUnavailable extends Error {
  constructor(status: number) {
    super(`expected a file of the model from the hub, found status ${status}`);
    this.name = 'HubUnavailable';
  }
}

/**
 * Requests a file from the hub. Replaces the `fetch` of transformers.js, whose errors for temporary statuses differ from
 * its other errors only in their messages.
 *
 * @throws HubUnavailable for a temporary status; the errors of `fetch`
 */
export const fetchFromHub: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (!TEMPORARY_STATUSES.has(response.status) && response.status < 500) return response;
  await response.body?.cancel();
  throw new HubUnavailable(response.status);
};

/** Returns true if loading a model failed because the hub is unavailable, so that a later attempt may succeed. */
export function isHubUnavailable(error: unknown): boolean {
  // For connections that fail or break, `fetch` throws TypeErrors with a cause.
  return error instanceof HubUnavailable || (error instanceof TypeError && error.cause !== undefined);
}
