import { parseRetryAfter } from '@quarry/http-headers';
import { isFetchError, type FetchError, type SafeResponse } from '@quarry/safe-fetch';
import type { Clock } from './clock.js';
import { NO_RULES, parseRobots, type RobotsRules } from './robots-rules.js';

/** What a host's robots.txt says; when it cannot be had although it may be there, nothing of the host may be fetched. */
export type RobotsAnswer =
  | { readonly reachable: true; readonly rules: RobotsRules }
  | {
      readonly reachable: false;
      readonly message: string;
      readonly error?: FetchError;
      /** When the host wants to be asked again. */
      readonly retryAfterMs?: number | undefined;
    };

export interface RobotsSource {
  /** @param origin such as `https://example.com` */
  of(origin: string): Promise<RobotsAnswer>;
}

export interface RobotsParts {
  readonly clock: Clock;
  readonly productToken: string;
  /** Runs one request and reads its answer, in the host's turn. Redirects are followed. */
  open(
    address: string,
    signal: AbortSignal,
    read: (response: SafeResponse) => Promise<RobotsAnswer>,
  ): Promise<RobotsAnswer>;
}

/** RFC 9309 section 2.5: what is after this may be ignored. */
const MAX_BYTES = 500 * 1024;
/** RFC 9309 section 2.4: not longer than 24 hours. */
const KEEP_MS = 60 * 60_000;
/** So that a host that is back is noticed by the next attempt. */
const KEEP_UNREACHABLE_MS = 20_000;
/** Waiting for the host's turn included. */
const MAX_WAIT_MS = 6 * 60_000;
const MOST_HOSTS = 2_000;

interface Kept {
  readonly answer: Promise<RobotsAnswer>;
  until: number;
}

/** Keeps each host's robots.txt for an hour, and fetches it once however many ask. */
export function robotsSource(parts: RobotsParts): RobotsSource {
  const kept = new Map<string, Kept>();
  return {
    of: (origin) => {
      const known = kept.get(origin);
      if (known !== undefined && known.until > parts.clock.now()) return known.answer;
      kept.delete(origin);
      if (kept.size >= MOST_HOSTS) kept.delete(kept.keys().next().value ?? origin);
      const entry: Kept = { answer: fetchRobots(parts, origin), until: parts.clock.now() + KEEP_MS };
      kept.set(origin, entry);
      entry.answer.then(
        (answer) => {
          if (answer.reachable) return;
          // Who said when to come back has the host held for as long: nobody comes earlier, and then the answer is over.
          entry.until = parts.clock.now() + (answer.retryAfterMs === undefined ? KEEP_UNREACHABLE_MS : 0);
        },
        () => kept.delete(origin),
      );
      return entry.answer;
    },
  };
}

/** RFC 9309 section 2.3.1 */
async function fetchRobots(parts: RobotsParts, origin: string): Promise<RobotsAnswer> {
  // Several jobs may wait for it, so it is none of theirs that can end it.
  const signal = AbortSignal.timeout(MAX_WAIT_MS);
  try {
    return await parts.open(`${origin}/robots.txt`, signal, (response) => readRobots(parts, response));
  } catch (error) {
    if (!isFetchError(error) || error.code === 'aborted') throw error;
    if (error.code === 'too_many_redirects' || error.code === 'redirect_loop')
      return { reachable: true, rules: NO_RULES };
    return { reachable: false, message: error.message, error };
  }
}

async function readRobots(parts: RobotsParts, response: SafeResponse): Promise<RobotsAnswer> {
  const { status } = response;
  if (status >= 500 || status === 429) {
    await response.discard();
    const retryAfter = parseRetryAfter(response.headers.get('retry-after'), parts.clock.now());
    const message = `expected robots.txt or none, found the status ${status}`;
    return { reachable: false, message, retryAfterMs: retryAfter };
  }
  if (status < 200 || status >= 300) {
    await response.discard();
    return { reachable: true, rules: NO_RULES };
  }
  return { reachable: true, rules: parseRobots(await firstBytes(response), parts.productToken) };
}

async function firstBytes(response: SafeResponse): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_BYTES) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MAX_BYTES));
}
