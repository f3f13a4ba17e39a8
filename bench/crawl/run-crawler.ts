import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { resolveBaselineProgram } from '../baselines/run-baseline.js';
import type { Outcome } from './outcome.js';

export type CrawlerName = 'quarry' | 'crawlee';

const PROGRAMS: Record<CrawlerName, () => string> = {
  quarry: () => resolveCompiledPath('quarry-crawler.js'),
  crawlee: () => resolveBaselineProgram('crawl.mjs'),
};

/** Starts the simulated site in its own process. @returns the process, and the address of the site's first page */
export async function startSiteProcess(
  pages: number,
): Promise<{ readonly site: ChildProcess; readonly address: string }> {
  const site = fork(resolveCompiledPath('site.js'), [String(pages)]);
  const [address] = (await once(site, 'message')) as [string]; // its only message
  return { site, address };
}

/**
 * Crawls a site in a new process.
 *
 * @returns the outcome that the process sends
 * @throws Error if the process exits without sending an outcome
 */
export async function runCrawler(
  crawler: CrawlerName,
  crawl: { readonly address: string; readonly folder: string; readonly pages: number; readonly concurrency: number },
): Promise<Outcome> {
  const { address, folder, pages, concurrency } = crawl;
  const child = fork(PROGRAMS[crawler](), [address, folder, String(pages), String(concurrency)]);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the crawler ${crawler} exited with the code ${String(code)} before it sent an outcome`);
  });
  const [outcome] = (await Promise.race([once(child, 'message'), ended])) as [Outcome]; // its only message
  await ended.catch(() => undefined);
  return outcome;
}

function resolveCompiledPath(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
