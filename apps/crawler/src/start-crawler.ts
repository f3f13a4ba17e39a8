import type { RunningService } from '@quarry/service-kit';
import { startConsumers } from './consumers.js';
import type { CrawlerContext } from './context.js';
import { createHtmlReader } from './pages/html/html-reader.js';
import { createPageTools } from './pages/page-tools.js';

/** Starts a crawler, which consumes jobs until it is closed. The caller closes the context. */
export function startCrawler(context: CrawlerContext): RunningService {
  const html = createHtmlReader(context.settings.reading);
  const tools = createPageTools(context, html);
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
