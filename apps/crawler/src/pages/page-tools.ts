import type { CrawlerContext } from '../context.js';
import { politeClient } from '../politeness/polite-client.js';
import { chromiumRenderer } from '../rendering/chromium-renderer.js';
import { resourcesThrough } from '../rendering/page-resources.js';
import type { HtmlReader } from './html-reader.js';
import type { VisitParts } from './visit-address.js';

/** What a crawler gets pages with, shared by all of its jobs: so hosts are spared, whoever asks them. */
export type PageTools = Pick<VisitParts, 'client' | 'html' | 'renderer'>;

/** @param html stays the caller's to close, and so does the renderer */
export function pageTools(
  { safeFetch, settings, clock }: Pick<CrawlerContext, 'safeFetch' | 'settings' | 'clock'>,
  html: HtmlReader,
): PageTools {
  const client = politeClient(safeFetch, settings, clock);
  const { rendering, userAgent, maxPageBytes } = settings;
  const renderer =
    rendering === undefined
      ? undefined
      : chromiumRenderer({ ...rendering, userAgent }, resourcesThrough(client, maxPageBytes));
  return { client, html, renderer };
}
