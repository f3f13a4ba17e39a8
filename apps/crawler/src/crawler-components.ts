import type { ServiceComponent } from '@quarry/service-kit';
import type { CrawlSettings } from './config.js';

/** Lists the configured optional components of a crawler, which the display of the system state shows. */
export function listCrawlerComponents({ rendering }: Pick<CrawlSettings, 'rendering'>): readonly ServiceComponent[] {
  return rendering === undefined ? [] : [{ kind: 'page_renderer', name: 'chromium' }];
}
