import type { RunningService } from '@quarry/service-kit';
import { startConsumers } from './consumers.js';
import type { CrawlerContext } from './context.js';
import { htmlReader } from './pages/html-reader.js';
import { pageTools } from './pages/page-tools.js';

/** Starts to take crawl jobs. What the context holds stays the caller's to close. */
export function startCrawler(context: CrawlerContext): RunningService {
  const html = htmlReader(context.settings.reading);
  const tools = pageTools(context, html);
  const closing = new AbortController();
  const consumer = startConsumers(context, tools, closing.signal);
  return {
    close: async (deadlineMs) => {
      closing.abort();
      await consumer.close(deadlineMs);
      await Promise.all([html.close(), tools.renderer?.close()]);
    },
  };
}
