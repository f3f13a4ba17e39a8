import { readLimitedBody, TooLarge } from '../politeness/read-limited-body.js';
import type { PoliteClient } from '../politeness/polite-client.js';

/** What a page asked for on its own. */
export interface Resource {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** @returns undefined for what the page does not get: refused by the guard or by robots.txt, too large, or not to be had */
export type FetchResource = (
  address: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Resource | undefined>;

const MAX_REDIRECTS = 5;
/** What scripts need to be told. Cookies and the like are kept from them. */
const PASSED_ON = ['content-type', 'access-control-allow-origin', 'access-control-allow-credentials'];

/** Fetches what pages ask for as the pages themselves are fetched: public addresses alone, by robots.txt, at the host's pace. */
export function resourcesThrough(client: PoliteClient, maxBytes: number): FetchResource {
  return async (first, headers, signal) => {
    let address = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const answer = await askOnce(client, address, { headers, signal }, maxBytes);
      const location = answer?.location;
      if (location === undefined) return answer?.resource;
      address = location;
    }
    return undefined;
  };
}

interface Asked {
  readonly resource: Resource;
  readonly location: string | undefined;
}

async function askOnce(
  client: PoliteClient,
  address: string,
  ask: Parameters<PoliteClient['ask']>[1],
  maxBytes: number,
): Promise<Asked | undefined> {
  try {
    const reply = await client.ask(address, ask, async (response): Promise<Asked> => {
      const { status, headers } = response;
      const isRedirect = status >= 300 && status < 400;
      const location = isRedirect ? URL.parse(headers.get('location') ?? '', address)?.href : undefined;
      const bytes = await readLimitedBody(response, maxBytes);
      const passedOn = PASSED_ON.flatMap((name) => {
        const value = headers.get(name);
        return value === undefined ? [] : [[name, value] as const];
      });
      return { location, resource: { status, headers: Object.fromEntries(passedOn), bytes } };
    });
    return reply.kind === 'answer' ? reply.value : undefined;
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
}
