import { type EventStreamLimits, limitEventSizes, shortenErrorBody } from '@quarry/http-responses';

/** The limits of a provider's response. An event with one token has a few hundred bytes. */
export const RESPONSE_LIMITS: EventStreamLimits = { maxEventBytes: 1024 * 1024, maxBytes: 128 * 1024 * 1024 };

/**
 * Sends a request of a provider's client. The response fails if it exceeds `RESPONSE_LIMITS`, and long bodies of errors
 * are shortened. Follows no redirects, because they could lead to an address that was not checked.
 */
export async function fetchWithLimits(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  return response.ok ? limitEventSizes(response, RESPONSE_LIMITS) : shortenErrorBody(response);
}
