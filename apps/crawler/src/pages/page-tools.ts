import type { CrawlerContext } from '../context.js';
import { createHostPacing } from '../politeness/host-rate-limiter.js';
import { createPoliteClient } from '../politeness/polite-client.js';
import { createChromiumRenderer } from '../rendering/chromium-renderer.js';
import { createResourceFetcher } from '../rendering/resource-fetcher.js';
import type { HtmlReader } from './html/html-reader.js';
import type { VisitParts } from './page.js';

/** Holds the HTTP client, the HTML reader and the page renderer, which all jobs of a crawler share. */
export type PageTools = Pick<VisitParts, 'client' | 'html' | 'renderer'>;

/**
 * Creates the HTTP client and the renderer, and returns them with the HTML reader. The caller closes the HTML reader
 * and the renderer.
 */
export function createPageTools(
  { safeFetch, settings, queues, clock, log }: Omit<CrawlerContext, 'blobs'>,
  html: HtmlReader,
): PageTools {
  const pacing = createHostPacing({ pacing: queues.pacing, clock, log });
  const client = createPoliteClient({ safeFetch, politeness: settings, pacing, clock });
  const { rendering, userAgent, maxPageBytes } = settings;
  const renderer =
    rendering === undefined
      ? undefined
      : createChromiumRenderer(
          { ...rendering, userAgent, maxBytes: maxPageBytes },
          createResourceFetcher(client, maxPageBytes),
        );
  return { client, html, renderer };
}
