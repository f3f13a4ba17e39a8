import { createHtmlReader, readCrawlSettings } from '@quarry/crawler';
import { readMarkdown } from './read-markdown.js';
import type { Reading } from './comparison.js';
import type { SavedPage } from './saved-pages.js';

/** Reads each page with the HTML reader of the crawler in a worker thread, and measures the time per page. */
export async function readWithQuarry(pages: readonly SavedPage[]): Promise<readonly Reading[]> {
  const { reading, productToken } = readCrawlSettings({});
  const reader = createHtmlReader({ ...reading, threads: 1 });
  const readings: Reading[] = [];
  for (const { name, html, url } of pages) {
    const begun = performance.now();
    const read = await reader.read({ bytes: html, charset: 'utf-8', url, productToken }).catch(() => undefined);
    const ms = performance.now() - begun;
    readings.push({ file: name, ms, ...(read !== undefined && readMarkdown(read.markdown)) });
  }
  await reader.close();
  return readings;
}
