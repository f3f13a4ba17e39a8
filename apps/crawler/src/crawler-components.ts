import type { ServiceComponent } from '@quarry/service-kit';
import type { CrawlSettings } from './config.js';

/** Lists the optional components of a crawler that are configured, for the display of the system state. */
export function listCrawlerComponents({ rendering }: Pick<CrawlSettings, 'rendering'>): readonly ServiceComponent[] {
  return rendering === undefined ? [] : [{ kind: 'page_renderer', name: 'chromium' }];
}
