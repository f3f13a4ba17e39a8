import { memoryPacing } from '@quarry/queue/testing';
import { createSafeFetch, type SafeFetch } from '@quarry/safe-fetch';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localSite, type LocalSite } from '../testing/local-site.js';
import { manualClock, type ManualClock } from '../testing/manual-clock.js';
import { hostPacing, type HostPacing } from './host-pacing.js';
import { politeClient, type PoliteClient } from './polite-client.js';

const signal = new AbortController().signal;
const MANNERS = { productToken: 'QuarryBot', requestsPerHost: 2, delayMs: 100, maxCrawlDelayMs: 60_000 };

describe('politeClient', () => {
  let site: LocalSite;
  let safeFetch: SafeFetch;
  let clock: ManualClock;
  let pacing: HostPacing;
  let client: PoliteClient;
  let robotsAsked: number;
  let robots: { status: number; body: string; retryAfter?: string };
  beforeEach(async () => {
    site = await localSite();
    robotsAsked = 0;
    robots = { status: 404, body: '' };
    site.app.get('/robots.txt', (_request, response) => {
      robotsAsked += 1;
      if (robots.retryAfter !== undefined) response.set('retry-after', robots.retryAfter);
      response.status(robots.status).type('text').send(robots.body);
    });
    site.app.get('/{*path}', (_request, response) => void response.send('page'));
    safeFetch = createSafeFetch({ userAgent: 'QuarryBot/1', allowLoopback: true });
    clock = manualClock();
    pacing = hostPacing({ pacing: memoryPacing(clock.now), clock, log: { warn: () => undefined } });
    client = another();
  });
  afterEach(async () => {
    await safeFetch.close();
    await site.close();
  });

  const another = (): PoliteClient => politeClient({ safeFetch, manners: MANNERS, pacing, clock });
  const ask = async (path: string): Promise<string> => {
    const reply = await client.ask(site.origin + path, { signal }, (response) => response.text());
    return reply.kind === 'answer' ? reply.value : reply.kind;
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
  ])('with a robots.txt of status %i and the text %j comes to: %s', async (status, body, expected) => {
    robots = { status, body };
    expect(await ask('/a')).toBe(expected);
    expect(site.requests).toHaveLength(expected === 'page' ? 1 : 0);
  });

  it('reads 500 kB of a robots.txt and no more', async () => {
    const filler = `${'# filler\n'.repeat(56_900)}\n`;
    robots = { status: 200, body: `User-agent: *\nDisallow: /early\n${filler}Disallow: /late\n` };
    expect([await ask('/early'), await ask('/late')]).toEqual(['disallowed', 'page']);
  });

  it('asks for robots.txt once an hour, however many ask', async () => {
    await Promise.all(['/a', '/b', '/c'].map(ask));
    expect(robotsAsked).toBe(1);
    clock.pass(61 * 60_000);
    await ask('/d');
    expect(robotsAsked).toBe(2);
  });

  it('soon asks again for a robots.txt that could not be had', async () => {
    robots.status = 500;
    expect([await ask('/a'), await ask('/a')]).toEqual(['robots_unreachable', 'robots_unreachable']);
    expect(robotsAsked).toBe(1);
    robots.status = 404;
    clock.pass(30_000);
    expect(await ask('/a')).toBe('page');
  });

  it('asks again for a robots.txt when the host wants to be asked again, and for nothing before', async () => {
    robots = { status: 429, body: '', retryAfter: '90' };
    const begun = clock.now();
    const reply = await client.ask(`${site.origin}/a`, { signal }, (response) => response.text());
    expect(reply).toMatchObject({ kind: 'robots_unreachable', retryAfterMs: 90_000 });
    robots = { status: 404, body: '' };
    expect(await ask('/a')).toBe('page');
    expect(clock.now() - begun).toBe(90_000 + 100);
    expect(robotsAsked).toBe(2);
  });

  it.each([
    ['', 100],
    ['User-agent: *\nCrawl-delay: 3', 3_000],
    ['User-agent: *\nCrawl-delay: 0.01', 100],
    ['User-agent: *\nCrawl-delay: 86400', 60_000],
  ])('with the robots.txt %j waits %i ms between requests', async (body, expected) => {
    robots = { status: 200, body };
    await ask('/a');
    const begun = clock.now();
    await ask('/b');
    expect(clock.now() - begun).toBe(expected);
  });

  it('leaves a host alone for as long as it asks', async () => {
    const other = await localSite();
    other.app.get('/a', (_request, response) => void response.status(503).set('retry-after', '120').end());
    other.app.get('/b', (_request, response) => void response.send('b'));
    const reply = await client.ask(`${other.origin}/a`, { signal }, (response) => Promise.resolve(response.status));
    expect(reply).toMatchObject({ kind: 'answer', value: 503, retryAfterMs: 120_000 });
    const begun = clock.now();
    await client.ask(`${other.origin}/b`, { signal }, (response) => response.text());
    expect(clock.now() - begun).toBe(120_000);
    await other.close();
  });

  it('holds the host for other crawlers, too, when it asks for less', async () => {
    const other = another();
    const busy = await localSite();
    busy.app.get('/a', (_request, response) => void response.status(429).set('retry-after', '60').end());
    busy.app.get('/b', (_request, response) => void response.send('b'));
    await other.ask(`${busy.origin}/b`, { signal }, (response) => response.text());
    const told = clock.now();
    await client.ask(`${busy.origin}/a`, { signal }, (response) => response.text());
    await other.ask(`${busy.origin}/b`, { signal }, (response) => response.text());
    expect(clock.now() - told).toBeGreaterThanOrEqual(60_000);
    await busy.close();
  });

  it('hands out a redirect as an answer: its target has rules of its own', async () => {
    const other = await localSite();
    other.app.get('/a', (_request, response) => {
      response.redirect(`${site.origin}/secret`);
    });
    const reply = await client.ask(`${other.origin}/a`, { signal }, (response) => Promise.resolve(response.status));
    expect(reply).toMatchObject({ kind: 'answer', value: 302 });
    expect(site.requests).toEqual([]);
    await other.close();
  });

  it('says why an address must not be fetched, not that its robots.txt is missing', async () => {
    const careful = createSafeFetch({ userAgent: 'QuarryBot/1' });
    const reply = await politeClient({ safeFetch: careful, manners: MANNERS, pacing, clock }).ask(
      `${site.origin}/`,
      { signal },
      (response) => response.text(),
    );
    expect(reply).toMatchObject({ kind: 'error', error: { code: 'address_not_public' } });
    await careful.close();
  });
});
