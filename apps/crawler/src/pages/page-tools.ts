import type { CrawlerContext } from '../context.js';
import { hostPacing } from '../politeness/host-pacing.js';
import { politeClient } from '../politeness/polite-client.js';
import { chromiumRenderer } from '../rendering/chromium-renderer.js';
import { resourcesThrough } from '../rendering/page-resources.js';
import type { HtmlReader } from './html-reader.js';
import type { VisitParts } from './visit-parts.js';

/** What a crawler gets pages with, shared by all of its jobs. The pace of hosts it shares with all crawlers. */
export type PageTools = Pick<VisitParts, 'client' | 'html' | 'renderer'>;

/** @param html stays the caller's to close, and so does the renderer */
export function pageTools(
  { safeFetch, settings, queues, clock, log }: Omit<CrawlerContext, 'blobs'>,
  html: HtmlReader,
): PageTools {
  const pacing = hostPacing({ pacing: queues.pacing, clock, log });
  const client = politeClient({ safeFetch, manners: settings, pacing, clock });
  const { rendering, userAgent, maxPageBytes } = settings;
  const renderer =
    rendering === undefined
      ? undefined
      : chromiumRenderer({ ...rendering, userAgent }, resourcesThrough(client, maxPageBytes));
  return { client, html, renderer };
}
