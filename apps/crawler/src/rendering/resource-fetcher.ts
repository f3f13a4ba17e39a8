import { decodeLocationAsUtf8 } from '@quarry/safe-fetch';
import { HostBusy } from '../politeness/host-rate-limiter.js';
import { BodyTooLarge, type PoliteClient, readBodyUpToLimit } from '../politeness/polite-client.js';

/** Holds the response to a request that a page sends while it is rendered. */
export interface Resource {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/**
 * Fetches a script or data for a page that is rendered. Returns undefined if robots.txt forbids the request, or if the
 * resource is too large or unavailable.
 */
export type FetchResource = (
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Resource | undefined>;

const MAX_REDIRECTS = 5;
/** Lists the response headers that scripts receive. Excludes cookies. */
const FORWARDED_HEADERS = ['content-type', 'access-control-allow-origin', 'access-control-allow-credentials'];

/**
 * Creates a function that fetches scripts and data by the same rules as pages: only from public addresses, only what
 * robots.txt allows, and within the rate limit of the host.
 */
export function createResourceFetcher(client: PoliteClient, maxBytes: number): FetchResource {
  return async (startUrl, headers, signal) => {
    let url = startUrl;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const answer = await fetchResource(client, url, { headers, signal }, maxBytes);
      const location = answer?.location;
      if (location === undefined) return answer?.resource;
      url = location;
    }
    return undefined;
  };
}

interface FetchedResource {
  readonly resource: Resource;
  readonly location: string | undefined;
}

async function fetchResource(
  client: PoliteClient,
  url: string,
  request: Parameters<PoliteClient['fetch']>[1],
  maxBytes: number,
): Promise<FetchedResource | undefined> {
  try {
    const reply = await client.fetch(url, request, async (response): Promise<FetchedResource> => {
      const { status, headers } = response;
      const isRedirect = status >= 300 && status < 400;
      const location = isRedirect
        ? URL.parse(decodeLocationAsUtf8(headers.get('location') ?? ''), url)?.href
        : undefined;
      const bytes = await readBodyUpToLimit(response, maxBytes);
      const forwarded = FORWARDED_HEADERS.flatMap((name) => {
        const value = headers.get(name);
        return value === undefined ? [] : [[name, value] as const];
      });
      return { location, resource: { status, headers: Object.fromEntries(forwarded), bytes } };
    });
    return reply.kind === 'response' ? reply.value : undefined;
  } catch (error) {
    // This request has no maximum wait, but can share a request for robots.txt with a job that has one. The shared
    // request can throw HostBusy.
    if (error instanceof BodyTooLarge || error instanceof HostBusy) return undefined;
    throw error;
  }
}
