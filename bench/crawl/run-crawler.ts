import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Outcome } from './outcome.js';

export type CrawlerName = 'quarry' | 'crawlee';

/** Starts the site. @returns its process, and the address of its first page */
export async function startSite(pages: number): Promise<{ readonly site: ChildProcess; readonly address: string }> {
  const site = fork(pathOf('site.js'), [String(pages)]);
  const [address] = (await once(site, 'message')) as [string]; // its one message
  return { site, address };
}

/** Crawls in a process of its own. @throws when that ends without an outcome */
export async function runCrawler(
  crawler: CrawlerName,
  given: { readonly address: string; readonly folder: string; readonly pages: number; readonly atOnce: number },
): Promise<Outcome> {
  const { address, folder, pages, atOnce } = given;
  const child = fork(pathOf(`${crawler}-crawler.js`), [address, folder, String(pages), String(atOnce)]);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the crawler ${crawler} ended with code ${String(code)} before it was done`);
  });
  const [outcome] = (await Promise.race([once(child, 'message'), ended])) as [Outcome]; // its one message
  await ended.catch(() => undefined);
  return outcome;
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
