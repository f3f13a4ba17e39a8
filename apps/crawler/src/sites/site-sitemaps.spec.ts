import { describe, expect, it } from 'vitest';
import type { RobotsResult } from '../politeness/robots-txt.js';
import { createSiteScope } from '../urls/site-scope.js';
import { Frontier } from './frontier.js';
import { addSitemapPages, createSitemapProgress, type SitemapParts } from './site-sitemaps.js';

const OTHER_SITE = 'https://elsewhere.example';

function createParts(sitemaps: readonly string[], onSiteApproved: (origin: string) => void): SitemapParts {
  const robots: RobotsResult = {
    reachable: true,
    rules: { allows: () => true, crawlDelaySeconds: undefined, sitemaps },
  };
  const reject = (): Promise<never> => Promise.reject(new Error('expected no other call'));
  const client = {
    fetch: reject,
    pauseHost: reject,
    scheduleReturn: () => 0,
    getRobots: () => Promise.resolve(robots),
  };
  const records = { read: reject, write: reject, writeContent: reject, getContentKey: () => '' };
  const frontier = new Frontier({ maxPages: 10, maxDepth: 1 });
  return {
    retries: { client, retryDelayMs: 1 },
    crawl: { scope: createSiteScope('https://site.example/', {}), records, frontier },
    signal: new AbortController().signal,
    onSiteApproved,
  };
}

describe('addSitemapPages', () => {
  it('addSitemapPages compares many sitemaps with the robots.txt of another site in linear time, and approves the site if one matches', async () => {
    const buildUrls = (name: string): readonly string[] =>
      Array.from({ length: 300_000 }, (_, n) => `https://site.example/${name}${n}.xml`);
    const listApproved = async (sitemaps: readonly string[]): Promise<readonly string[]> => {
      const progress = createSitemapProgress(buildUrls('a'));
      progress.walk.waiting.length = 0;
      progress.foreign.set(`${OTHER_SITE}/x`, { kind: 'page', url: `${OTHER_SITE}/x`, modified: undefined });
      const approved: string[] = [];
      await addSitemapPages(
        createParts(sitemaps, (origin) => approved.push(origin)),
        progress,
        0,
      );
      return approved;
    };
    expect(await listApproved(buildUrls('b'))).toEqual([]);
    expect(await listApproved([...buildUrls('b'), 'https://site.example/a7.xml'])).toEqual([OTHER_SITE]);
  });
});
