import { createMemoryPacing } from '@quarry/queue/testing';
import { createSafeFetch, type SafeFetch } from '@quarry/safe-fetch';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startLocalSite, type LocalSite } from '../testing/local-site.js';
import { createManualClock, type ManualClock } from '../testing/manual-clock.js';
import { createHostPacing, type HostPacing } from './host-rate-limiter.js';
import { createPoliteClient, type PoliteClient } from './polite-client.js';

const signal = new AbortController().signal;
const POLITENESS = { productToken: 'QuarryBot', requestsPerHost: 2, delayMs: 100, maxCrawlDelayMs: 60_000 };

describe('createPoliteClient', () => {
  let site: LocalSite;
  let safeFetch: SafeFetch;
  let clock: ManualClock;
  let pacing: HostPacing;
  let client: PoliteClient;
  let robotsRequests: number;
  let robots: { status: number; body: string; retryAfter?: string };
  beforeEach(async () => {
    site = await startLocalSite();
    robotsRequests = 0;
    robots = { status: 404, body: '' };
    site.app.get('/robots.txt', (_request, response) => {
      robotsRequests += 1;
      if (robots.retryAfter !== undefined) response.set('retry-after', robots.retryAfter);
      response.status(robots.status).type('text').send(robots.body);
    });
    site.app.get('/{*path}', (_request, response) => void response.send('page'));
    safeFetch = createSafeFetch({ userAgent: 'QuarryBot/1', allowLoopback: true });
    clock = createManualClock();
    pacing = createHostPacing({ pacing: createMemoryPacing(clock.now), clock, log: { warn: () => undefined } });
    client = createClient();
  });
  afterEach(async () => {
    await safeFetch.close();
    await site.close();
  });

  const createClient = (): PoliteClient => createPoliteClient({ safeFetch, politeness: POLITENESS, pacing, clock });
  const fetchPath = async (path: string): Promise<string> => {
    const result = await client.fetch(site.origin + path, { signal }, (response) => response.text());
    return result.kind === 'response' ? result.value : result.kind;
  };

  it.each([
    [404, '', 'page'],
    [403, 'User-agent: *\nDisallow: /', 'page'],
    [200, '', 'page'],
    [200, 'User-agent: *\nDisallow: /', 'disallowed'],
    [200, 'User-agent: quarrybot\nDisallow: /a', 'disallowed'],
    [200, 'User-agent: otherbot\nDisallow: /', 'page'],
    [500, '', 'robots_unreachable'],
    [503, '', 'robots_unreachable'],
    [429, '', 'robots_unreachable'],
  ])(
    'if robots.txt has the status %i and the content %j, the polite client returns %s',
    async (status, body, expected) => {
      robots = { status, body };
      expect(await fetchPath('/a')).toBe(expected);
      expect(site.requests).toHaveLength(expected === 'page' ? 1 : 0);
    },
  );

  it('the polite client ignores what follows the first 500 KiB of a robots.txt', async () => {
    const filler = `${'# filler\n'.repeat(56_900)}\n`;
    robots = { status: 200, body: `User-agent: *\nDisallow: /early\n${filler}Disallow: /late\n` };
    expect([await fetchPath('/early'), await fetchPath('/late')]).toEqual(['disallowed', 'page']);
  });

  it('the polite client fetches the robots.txt of a host once per hour for all requests to the host', async () => {
    await Promise.all(['/a', '/b', '/c'].map(fetchPath));
    expect(robotsRequests).toBe(1);
    clock.advance(61 * 60_000);
    await fetchPath('/d');
    expect(robotsRequests).toBe(2);
  });

  it('if a request for robots.txt fails, the polite client repeats the request after a second, before the first retry of a page', async () => {
    robots.status = 500;
    expect([await fetchPath('/a'), await fetchPath('/a')]).toEqual(['robots_unreachable', 'robots_unreachable']);
    expect(robotsRequests).toBe(1);
    robots.status = 404;
    clock.advance(1_000);
    expect(await fetchPath('/a')).toBe('page');
  });

  it('if robots.txt fails with a Retry-After, the polite client sends no request to the host until the delay is over', async () => {
    robots = { status: 429, body: '', retryAfter: '90' };
    const startedAt = clock.now();
    const result = await client.fetch(`${site.origin}/a`, { signal }, (response) => response.text());
    expect(result).toMatchObject({ kind: 'robots_unreachable', retryAfterMs: 90_000 });
    robots = { status: 404, body: '' };
    expect(await fetchPath('/a')).toBe('page');
    expect(clock.now() - startedAt).toBe(90_000 + 100);
    expect(robotsRequests).toBe(2);
  });

  it('the polite client applies the limits of a request', async () => {
    const limits = { bodyBytes: 3 };
    const result = await client.fetch(`${site.origin}/a`, { signal, limits }, (response) => response.text());
    expect(result).toMatchObject({ kind: 'error', error: { code: 'too_large' } });
  });

  it.each([
    ['', 100],
    ['User-agent: *\nCrawl-delay: 3', 3_000],
    ['User-agent: *\nCrawl-delay: 0.01', 100],
    ['User-agent: *\nCrawl-delay: 86400', 60_000],
  ])('the polite client obeys the robots.txt %j, and waits %i ms between requests', async (body, expected) => {
    robots = { status: 200, body };
    await fetchPath('/a');
    const startedAt = clock.now();
    await fetchPath('/b');
    expect(clock.now() - startedAt).toBe(expected);
  });

  it('the polite client pauses a host for the delay in its Retry-After header', async () => {
    const other = await startLocalSite();
    other.app.get('/a', (_request, response) => void response.status(503).set('retry-after', '120').end());
    other.app.get('/b', (_request, response) => void response.send('b'));
    const result = await client.fetch(`${other.origin}/a`, { signal }, (response) => Promise.resolve(response.status));
    expect(result).toMatchObject({ kind: 'response', value: 503, retryAfterMs: 120_000 });
    const startedAt = clock.now();
    await client.fetch(`${other.origin}/b`, { signal }, (response) => response.text());
    expect(clock.now() - startedAt).toBe(120_000);
    await other.close();
  });

  it('if a host responds with 429 and Retry-After, the polite clients of all crawlers pause their requests to the host', async () => {
    const other = createClient();
    const busy = await startLocalSite();
    busy.app.get('/a', (_request, response) => void response.status(429).set('retry-after', '60').end());
    busy.app.get('/b', (_request, response) => void response.send('b'));
    await other.fetch(`${busy.origin}/b`, { signal }, (response) => response.text());
    const pausedAt = clock.now();
    await client.fetch(`${busy.origin}/a`, { signal }, (response) => response.text());
    await other.fetch(`${busy.origin}/b`, { signal }, (response) => response.text());
    expect(clock.now() - pausedAt).toBeGreaterThanOrEqual(60_000);
    await busy.close();
  });

  it('the polite client returns a redirect as the response, because robots.txt may have other rules for the target', async () => {
    const other = await startLocalSite();
    other.app.get('/a', (_request, response) => {
      response.redirect(`${site.origin}/secret`);
    });
    const result = await client.fetch(`${other.origin}/a`, { signal }, (response) => Promise.resolve(response.status));
    expect(result).toMatchObject({ kind: 'response', value: 302 });
    expect(site.requests).toEqual([]);
    await other.close();
  });

  it('the polite client returns the error address_not_public, not robots_unreachable, for a URL with a private address', async () => {
    const strictFetch = createSafeFetch({ userAgent: 'QuarryBot/1' });
    const result = await createPoliteClient({ safeFetch: strictFetch, politeness: POLITENESS, pacing, clock }).fetch(
      `${site.origin}/`,
      { signal },
      (response) => response.text(),
    );
    expect(result).toMatchObject({ kind: 'error', error: { code: 'address_not_public' } });
    await strictFetch.close();
  });
});
